import type { LookUp, LookUpAnswer } from "./look-up";

/** Answers of one moment, and how many use them. */
interface Shared {
  users: number;
  readonly answers: Map<string, Promise<LookUpAnswer>>;
}

const moments = new WeakMap<LookUp, Map<string, Shared>>();

/**
 * Lets all who look at DNS at one moment of the cloud's time share their questions, as they would by a resolver's cache: each name is asked for once.
 * So what a fault of DNS does to a name, it does to every proof of that moment, whichever asks first.
 *
 * @param moment RFC 3339
 * @param use what looks; the answers are forgotten when nobody of this moment looks any more
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
