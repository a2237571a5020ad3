import type { LookUp } from "./look-up";

/** Unanswered questions in a row after which DNS is no longer asked. */
const mostUnanswered = 8;

/** Failures of a machine without DNS. The failure of a server is an answer. */
const silences = new Set(["ETIMEOUT", "ECONNREFUSED"]);

/** A look-up that stops without DNS, and the number of its questions. */
export interface CountingLookUp {
  readonly lookUp: LookUp;
  /** Returns how many questions were asked until now, and how many of them got no answer. */
  readonly counts: () => { readonly asked: number; readonly unanswered: number };
}

/**
 * Asks until several questions in a row got no answer, because each of them takes seconds. Later questions then fail at
 * once, and count as unanswered.
 */
export function whileAnswered(ask: LookUp): CountingLookUp {
  let inRow = 0;
  let asked = 0;
  let unanswered = 0;
  const lookUp: LookUp = async (name, type) => {
    asked += 1;
    if (inRow >= mostUnanswered) {
      unanswered += 1;
      return { ok: false, detail: "no DNS server answers" };
    }
    const answer = await ask(name, type);
    const isSilent = !answer.ok && silences.has(answer.detail);
    if (isSilent) unanswered += 1;
    if (inRow < mostUnanswered) inRow = isSilent ? inRow + 1 : 0;
    return answer;
  };
  return { lookUp, counts: () => ({ asked, unanswered }) };
}
