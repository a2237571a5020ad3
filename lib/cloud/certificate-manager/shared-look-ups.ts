import type { LookUp, LookUpAnswer } from "./look-up";

/** Answers of one moment, and the number of their users. */
interface Shared {
  users: number;
  readonly answers: Map<string, Promise<LookUpAnswer>>;
}

const moments = new WeakMap<LookUp, Map<string, Shared>>();

/**
 * Shares the look-ups of all checks at one moment of the cloud's time, as a resolver's cache does: each name is queried
 * once. A fault of DNS thus has the same effect on all domain validations of that moment, whatever their order.
 *
 * @param moment RFC 3339
 * @param use runs the look-ups; the answers are discarded when the last user of the moment has finished
 */
export async function withSharedLookUps<Result>(
  lookUp: LookUp,
  moment: string,
  use: (lookUp: LookUp) => Promise<Result>,
): Promise<Result> {
  const byMoment = moments.get(lookUp) ?? new Map<string, Shared>();
  moments.set(lookUp, byMoment);
  const shared = byMoment.get(moment) ?? { users: 0, answers: new Map() };
  byMoment.set(moment, shared);
  shared.users++;
  try {
    return await use((name, type) => {
      const key = `${type} ${name}`;
      const answer = shared.answers.get(key) ?? lookUp(name, type);
      shared.answers.set(key, answer);
      return answer;
    });
  } finally {
    if (--shared.users === 0) byMoment.delete(moment);
  }
}
