import type { Direction } from "./differences";
import type { Pair, PlacedDifference } from "./pair";
import { backwardsOf } from "./reach";

/** Class, in one direction, of a schema that replaced another. */
export type Replacement =
  | { readonly class: "noise" }
  | {
      readonly class: "breaking" | "compatible";
      /** The first difference that leads to this class. */
      readonly cause: PlacedDifference;
    };

/**
 * Returns the class of replacements: the worst class of all differences between the two schemas, and between schemas
 * inside that were replaced. Differences in schemas that kept their name do not count, because they are reported
 * separately.
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

/** Returns the pairs with a difference of a class, and the pairs that lead to them, each with that difference. */
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
  // Iterating over a map also visits entries that are added during the iteration.
  for (const [pair, cause] of causes) {
    for (const user of users.get(pair) ?? []) if (!causes.has(user)) causes.set(user, cause);
  }
  return causes;
}
