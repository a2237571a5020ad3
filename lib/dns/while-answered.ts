import type { LookUp } from "./look-up";

/** Unanswered questions in a row after which DNS is no longer asked. */
const mostUnanswered = 8;

/** Failures of a machine without DNS. The failure of a server is an answer. */
const silences = new Set(["ETIMEOUT", "ECONNREFUSED"]);

/**
 * Asks until several questions in a row got no answer, because each of them takes seconds. Later questions then fail at
 * once.
 *
 * @param onSilence called once, when DNS is no longer asked
 */
export function whileAnswered(lookUp: LookUp, onSilence: () => void): LookUp {
  let unanswered = 0;
  return async (name, type) => {
    if (unanswered >= mostUnanswered) return { ok: false, detail: "no DNS server answers" };
    const answer = await lookUp(name, type);
    const isSilent = !answer.ok && silences.has(answer.detail);
    if (unanswered < mostUnanswered) {
      unanswered = isSilent ? unanswered + 1 : 0;
      if (unanswered === mostUnanswered) onSilence();
    }
    return answer;
  };
}
