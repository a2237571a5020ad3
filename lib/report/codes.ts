import { error, warning } from "../findings/codes";

/**
 * Lists the findings that the report itself makes, by code: about the order of times, about its sources, and about a
 * rehearsal. All other findings keep the codes of the commands that reported them.
 */
export const reportCodes = {
  "step-failed": error(
    "a step of a hostname has failed, and the status has no code for it",
    "run 'cert-migration status' again with this version, which reports a code",
  ),
  "step-undone": warning(
    "a step of a hostname was done in an earlier status and is no longer done",
    "find out what was deleted or replaced in between: see the plan of the last apply, or the audit log",
  ),
  "not-served": error(
    "a hostname is not served as expected, and the result has no reason",
    "run 'cert-migration verify', which reports a code and a remedy",
  ),
  "shard-missing": warning(
    "the results are of some parts of the hostnames, and other parts are missing",
    "pass the results of every part to the report",
  ),
  "watch-gap": warning(
    "the watch had no data for a while; failures in that time are not counted",
    "watch from a machine that does not sleep, or from several machines, and pass all their logs",
  ),
  "watch-without-summary": warning(
    "a log of watch has no summary: the watch was killed, or is still running",
    "let the watch end, or end it with Ctrl-C, and create the report again",
  ),
  "rehearsal-stopped": warning(
    "the rehearsal was stopped before its end, and does not show the remaining steps",
    "rehearse again, and let the rehearsal finish",
  ),
  "rehearsed-step-failed": error(
    "a step of the rehearsal failed, or handshakes failed during it",
    "don't start the migration: run 'cert-migration rehearse --evidence' and read the evidence of this step",
  ),
  "rehearsed-handshake-failed": error(
    "a handshake failed in the rehearsal",
    "don't start the migration: the same handshake would fail for your clients; read the evidence of the step in which it failed",
  ),
  "rehearsed-act-failed": error(
    "an action after the eight steps failed",
    "run 'cert-migration rehearse --evidence' and read the evidence of this action",
  ),
  "rotation-failed": error(
    "a domain could not be added to a certificate without a failed handshake",
    "check the gate of the stack: a new certificate must be ACTIVE before entries use it",
  ),
  "rollback-failed": error(
    "handshakes failed when traffic was rolled back to the previous provider, or when it moved again",
    "keep the previous provider unchanged for as long as a rollback may be needed",
  ),
  "not-converged": error(
    "the last plan was not empty: Terraform would change something with every apply",
    "run 'cert-migration rehearse --keep' and read that plan",
  ),
  "left-behind": error(
    "resources remained in the cloud after the stack was destroyed",
    "check which resources are protected from deletion, or were not created by the plan",
  ),
} as const satisfies Readonly<Record<string, ReturnType<typeof error>>>;

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof reportCodes, true> {}
}
