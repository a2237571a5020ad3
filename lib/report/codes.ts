import { error, warning } from "../findings/codes";

/**
 * Lists the findings that the report itself makes, by code: about the order of times, about its sources, and about a
 * rehearsal. All other findings keep the codes of the commands that reported them.
 */
export const reportCodes = {
  "step-failed": error(
    "a step of a hostname has failed, and its status gives no code",
    "make the status anew with this version of cert-migration, which does",
  ),
  "step-undone": warning(
    "a step of a hostname was done in an earlier status and is not any more",
    "look what was taken away or replaced in between: the plan of the last apply, or the audit log, tells",
  ),
  "not-served": error(
    "a hostname is not served as it should be, and nothing tells why",
    "verify it with 'cert-migration verify', which gives a code and a remedy",
  ),
  "watch-gap": warning(
    "the watch itself could not see for a while, and what failed meanwhile is counted nowhere",
    "watch from a machine that does not sleep, or from several at once, and give all their logs",
  ),
  "watch-without-summary": warning(
    "a log of watch has no summary: the watch was killed, or is still going",
    "let the watch end by itself or with Ctrl-C, and make the report anew",
  ),
  "rehearsal-stopped": warning(
    "the rehearsal was stopped before everything was played, so it shows nothing of what was left",
    "rehearse again, and let it come to its end",
  ),
  "rehearsed-step-failed": error(
    "a step of the rehearsal did not end as it should, or lost handshakes",
    "don't begin with the migration: run 'cert-migration rehearse --evidence' and look what happened in that step",
  ),
  "rehearsed-handshake-failed": error(
    "a handshake failed in the rehearsal",
    "don't begin with the migration: the same would fail for those who are served; look at the step in which it failed",
  ),
  "rehearsed-act-failed": error(
    "something that was done after the eight steps did not end as it should",
    "run 'cert-migration rehearse --evidence' and look what happened in it",
  ),
  "rotation-failed": error(
    "a domain could not be added to a certificate without a failed handshake",
    "look at the gate of the stack: a new certificate has to be active before entries name it",
  ),
  "rollback-failed": error(
    "traffic did not go back to the old side, and forth, without a failed handshake",
    "keep the old side served as it is for as long as traffic may have to go back",
  ),
  "not-converged": error(
    "a last plan was not empty: Terraform would change something again with every apply",
    "run 'cert-migration rehearse --keep' and look at that plan",
  ),
  "left-behind": error(
    "something was left in the cloud after the stack was destroyed",
    "look which resources are guarded against deletion, or were made by nobody's plan",
  ),
} as const satisfies Readonly<Record<string, ReturnType<typeof error>>>;

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof reportCodes, true> {}
}
