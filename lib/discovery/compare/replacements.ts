import type { Direction } from "./differences";
import type { Pair, PlacedDifference } from "./pair";
import { backwardsOf } from "./reach";

/** What it means in one direction that one schema took another's place. */
export type Replacement =
  | { readonly class: "noise" }
  | {
      readonly class: "breaking" | "compatible";
      /** The first difference that makes it so. */
      readonly cause: PlacedDifference;
    };

/**
 * Tells what replacements mean: the worst of all differences between the two schemas, and between those that took the place of others inside.
 * Differences in schemas that kept their name don't count: they are told on their own.
 */
export function meaningOfReplacements(pairs: readonly Pair[]): (pair: Pair, direction: Direction) => Replacement {
  const replaced = pairs.filter(({ relation }) => relation === "replaced");
  const users = backwardsOf(replaced, ({ differences }) =>
    differences.flatMap(({ replacement }) => (replacement === undefined ? [] : [replacement])),
  );
  const causes = (direction: Direction, wanted: "breaking" | "compatible") =>
    spread(replaced, users, direction, wanted);
  const levels = {
    request: { breaking: causes("request", "breaking"), compatible: causes("request", "compatible") },
    response: { breaking: causes("response", "breaking"), compatible: causes("response", "compatible") },
  };
  return (pair, direction) => {
    for (const inClass of ["breaking", "compatible"] as const) {
      const cause = levels[direction][inClass].get(pair);
      if (cause !== undefined) return { class: inClass, cause };
    }
    return { class: "noise" };
  };
}

/** The pairs that have a difference of a class, and those that lead to them, each with that difference. */
function spread(
  replaced: readonly Pair[],
  users: ReadonlyMap<Pair, readonly Pair[]>,
  direction: Direction,
  wanted: "breaking" | "compatible",
): ReadonlyMap<Pair, PlacedDifference> {
  const causes = new Map<Pair, PlacedDifference>();
  for (const pair of replaced) {
    const cause = pair.differences.find(({ effect }) => effect[direction] === wanted);
    if (cause !== undefined) causes.set(pair, cause);
  }
  // A map that grows while it is walked is walked to its end.
  for (const [pair, cause] of causes) {
    for (const user of users.get(pair) ?? []) if (!causes.has(user)) causes.set(user, cause);
  }
  return causes;
}
