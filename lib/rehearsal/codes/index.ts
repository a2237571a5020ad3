import { type CodeTable, error } from "../../findings/codes";

/** Codes for errors of a rehearsal, or of an app that it synthesizes. */
export const rehearsalErrors = {
  "app-failed": error("The command of --app failed", "run the command alone and fix its errors"),
  "app-without-stacks": error("The command of --app synthesized no stack", "call app.synth() in the app"),
  "inventory-empty": error("No certificate can be migrated", "see the findings of 'cert-migration inventory'"),
  "rehearsal-failed": error(
    "A handshake failed in the rehearsal, or a step did not reach its expected result",
    "run 'cert-migration rehearse --report report.html', and read the failed step in the report",
  ),
  "rehearsal-step-failed": error(
    "A step of the rehearsal did not reach its expected result",
    "run 'cert-migration rehearse --report report.html', and read the failed step in the report",
  ),
  "record-exists": error(
    "Terraform creates a record of a DNS host that exists already; the DNS host would refuse it",
    "import the record with an import block, or remove what published it",
  ),
  "rehearsal-source": error("No option or several options name the migration", "use exactly one of the options"),
  "rehearsal-stack": error("The app does not have this stack", "use a stack that the message lists"),
  "rehearsal-folder": error("The folder of a rehearsal can't be used", "use a new or empty folder"),
  "rehearsal-unknown": error(
    "A resource of the stack can't be rehearsed",
    "remove it, or rehearse the migration with --spec",
  ),
  "rehearsal-variable-missing": error(
    "A variable of the stack has no value",
    "set the environment variable TF_VAR_NAME",
  ),
  "rehearsal-zone-unknown": error("Only Terraform knows the name of a record", "use a literal name"),
  "faults-unknown": error(
    "--faults is neither a file nor a scenario",
    "use a file, or a scenario that 'cert-migration rehearse --faults list' prints",
  ),
  "pause-malformed": error("--pause-after is not the number of a step", "use 1 to 8"),
  "pause-never-comes": error(
    "--pause-after names a step that this rehearsal does not run",
    "use a step within the range that the message states",
  ),
  "pause-without-terminal": error(
    "A rehearsal can't pause without a terminal, where a key ends the pause",
    "run the rehearsal in a terminal, or leave out --pause-after and --pause-before-destroy",
  ),
  "seed-malformed": error("--seed is not a whole number in its range", "use a number within the range"),
  "failure-unknown": error("--failure is not a known failure", "use a name that the message lists"),
  "failure-without-effect": error(
    "The migration has no certificate that the failure of --failure affects",
    "use a failure that the message lists, or add the certificate",
  ),
  "failure-without-alert": error(
    "A failure is to be repaired at the first alert, and the migration has no alerts",
    "add 'alerts' to the migration, or give --unrepaired",
  ),
  "failure-without-days": error("A failure is given without the days in which it happens", "add --days"),
  "days-malformed": error("--days is not a whole number of days in its range", "use 1 to 3650"),
  "speed-malformed": error("--speed is not a number in its range", "use a number above 0, up to 10000"),
  "previous-provider": error("The previous provider of the rehearsal could not start", "follow the message"),
  "evidence-unreadable": error("The evidence of the rehearsal can't be read", "check whether its folder was changed"),
  "manifest-malformed": error("--manifest is not a SHA-256 digest", "copy the 64 hexadecimal digits from the report"),
  "evidence-unwritable": error("The evidence of the rehearsal can't be written", "free disk space, and start again"),
  "terraform-missing": error("Terraform was not found", "install it, or set --terraform"),
  "terraform-unfit": error("Terraform is too old, or the program is not Terraform", "install 1.5 or newer"),
  "terraform-dir-without-migration": error(
    "The folder has no module of 'cert-migration synth'",
    "use the folder of the root module that calls it",
  ),
  "terraform-plan-failed": error(
    "'terraform plan' failed in a copy of the folder",
    "read its errors in the message; set TF_VAR_NAME for variables without a value",
  ),
  "terraform-init-failed": error("'terraform init' failed", "read the error of the program in the message"),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof rehearsalErrors, true> {}
}
