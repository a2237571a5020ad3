import { type CodeTable, error } from "../../findings/codes";

/** Codes for errors of a rehearsal, or of an app that it synthesizes. */
export const rehearsalErrors = {
  "app-failed": error("The command of --app failed", "run it by itself and mend what it says"),
  "app-without-stacks": error("The command of --app synthesized no stack", "let it call app.synth()"),
  "inventory-empty": error("No certificate can be migrated", "see what 'cert-migration inventory' says of each"),
  "rehearsal-source": error("Nothing says what to rehearse, or too much does", "give one of the options alone"),
  "rehearsal-stack": error("The app has no such stack", "use one of those that the message names"),
  "rehearsal-folder": error("The folder of a rehearsal can't be used", "name a new or empty one"),
  "rehearsal-unknown": error(
    "A resource of the stack can't be rehearsed",
    "leave it out, or rehearse the migration by --spec",
  ),
  "rehearsal-variable-missing": error("A variable of the stack has no value", "set TF_VAR_ and its name"),
  "rehearsal-zone-unknown": error("A record's name is known to Terraform alone", "give it a literal one"),
  "faults-unknown": error(
    "--faults is neither a file nor a scenario",
    "use a file, or a scenario that 'cert-migration rehearse --faults list' prints",
  ),
  "pause-malformed": error("--pause-after is not the number of a step", "use 1 to 8"),
  "pause-without-terminal": error(
    "A rehearsal can't pause without a terminal, where a key ends the pause",
    "run the rehearsal in a terminal, or leave out --pause-after and --pause-before-destroy",
  ),
  "seed-malformed": error("--seed is no whole number of its range", "use one within"),
  "speed-malformed": error("--speed is no number of its range", "use a number above 0, up to 10000"),
  "old-provider": error("The old provider of the rehearsal could not begin", "do what the message says"),
  "evidence-unreadable": error(
    "The evidence of the rehearsal can't be read",
    "look at whether somebody has changed its folder",
  ),
  "manifest-malformed": error("--manifest is not a SHA-256 digest", "copy the 64 hexadecimal digits from the report"),
  "evidence-unwritable": error("The evidence of the rehearsal can't be written", "make room, and begin again"),
  "terraform-missing": error("There is no Terraform", "install it, or name it with --terraform"),
  "terraform-unfit": error("Terraform is older than what is needed, or another program", "install 1.5 or newer"),
  "terraform-dir-without-migration": error(
    "The folder has no module of 'cert-migration synth'",
    "give the folder of the root module that calls it",
  ),
  "terraform-plan-failed": error(
    "'terraform plan' failed in a copy of the folder",
    "read its errors, which the message has; set TF_VAR_ for variables without a value",
  ),
  "terraform-init-failed": error("'terraform init' failed", "read its last lines, which the message has"),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof rehearsalErrors, true> {}
}
