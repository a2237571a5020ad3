/** How a rehearsal is told when it is over. */
import type { InputError } from "../errors";
import type { RehearsalResult } from "../rehearsal";
import { countOf } from "../words";
import { formatTable } from "./text";

/** What `--json` promises. @param refusal why something that was asked for could not be written: then all is not well, whatever was seen */
export function summaryOf(result: RehearsalResult, seed: number, refusal: InputError | undefined): object {
  const { ok, stopped, steps, probes, failedHandshakes, discarded, rotation = null, rollback = null } = result;
  const isStopped = (stopped: true | undefined) => (stopped ? { stopped } : {});
  const told = steps.map(({ number, name, ok, stopped, seconds }) => ({
    number,
    name,
    ok,
    ...isStopped(stopped),
    seconds,
  }));
  const thrownAway = discarded === 0 ? {} : { discarded };
  const all = { steps: told, probes, failedHandshakes, ...thrownAway, rotation, rollback, seed };
  if (refusal === undefined) return { ok, ...isStopped(stopped), ...all };
  return { ok: false, ...isStopped(stopped), ...all, error: { code: refusal.code, message: refusal.message } };
}

/** For people. */
export function tableOf(result: RehearsalResult): string {
  const { steps, watch, rotation, rollback, destroyed, failedHandshakes, discarded, probes } = result;
  const rows = steps.map(({ number, name, ok, stopped, seconds, probes: made, failedHandshakes: failed }) => [
    String(number),
    name,
    ok ? "ok" : stopped ? "stopped" : "FAILED",
    seconds.toFixed(1),
    String(made),
    String(failed),
  ]);
  return [
    formatTable(["STEP", "WHAT", "", "SECONDS", "HANDSHAKES", "FAILED"], rows),
    `watch ${wordFor(watch)}, rotation ${wordFor(rotation)}, rollback ${wordFor(rollback)}, ${destroyed ? "nothing" : "something"} left behind\n`,
    `${failedHandshakes} of ${probes} handshakes failed\n`,
    ...(discarded === 0
      ? []
      : [
          `beside them ${countOf(discarded, "try", "tries")} timed out while the rehearsal itself stood still, and ${discarded === 1 ? "was" : "each was"} made again\n`,
        ]),
  ].join("");
}

function wordFor(ok: boolean | undefined): string {
  return ok === undefined ? "not rehearsed" : ok ? "ok" : "FAILED";
}
