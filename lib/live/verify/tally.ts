import { countOf } from "../../text/words";
import type { Failure, Outcome } from "./results";

/** Handshakes for one hostname at one address. */
export interface Tally {
  handshakes: number;
  bad: number;
  /** Number of consecutive successful handshakes up to now. */
  row: number;
  /** Number of changes between success and failure. */
  turns: number;
  last: Failure | undefined;
  /** The wrong certificate of an optional key type, while the other handshakes succeed. */
  ofOptional: Failure | undefined;
}

export function createTally(): Tally {
  return { handshakes: 0, bad: 0, row: 0, turns: 0, last: undefined, ofOptional: undefined };
}

export function addOutcome(outcome: Outcome, tally: Tally): void {
  if (tally.handshakes > 0 && outcome.ok !== tally.row > 0) tally.turns += 1;
  tally.handshakes += 1;
  if (outcome.ok) {
    tally.row += 1;
    return;
  }
  tally.row = 0;
  tally.bad += 1;
  tally.last = failureIn(outcome);
  tally.ofOptional = undefined;
}

/** Counts the wrong certificate of an optional key type, after the other handshakes succeeded. */
export function countOptional(failure: Failure, tally: Tally): void {
  tally.handshakes += 1;
  tally.bad += 1;
  tally.ofOptional = failure;
}

export function failureIn({ ok: _, ...failure }: Extract<Outcome, { readonly ok: false }>): Failure {
  return failure;
}

/** Returns the latest failure, or `flapping` if success and failure alternate. */
export function givenUp(
  { handshakes, bad, row, turns, last, ofOptional }: Tally,
  repeat: number,
  { isStopped, isLost }: { readonly isStopped: boolean; readonly isLost: boolean },
): Failure {
  const why = isLost ? "; retries ended, because another hostname failed permanently" : "";
  if (ofOptional !== undefined) return { ...ofOptional, detail: `${ofOptional.detail}${why}` };
  if (last === undefined && isStopped) return { code: "stopped", detail: "the run was stopped" };
  if (last === undefined) {
    const detail = handshakes === 0 ? "nothing was tried" : `${handshakes} of ${repeat} good handshakes`;
    return { code: "not-tried", detail };
  }
  const comesAndGoes = turns > 1 || row > 0;
  if (!comesAndGoes) return { ...last, detail: `${last.detail}${why}` };
  const detail = `${bad} of ${countOf(handshakes, "handshake")} bad, the latest of them ${last.code} (${last.detail})`;
  return { ...last, code: "flapping", detail: `${detail}${why}` };
}
