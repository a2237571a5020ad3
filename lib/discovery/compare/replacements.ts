import { type ChangeClass, worse } from "./changes";
import type { Direction, Effect } from "./differences";
import { backwardsOf, closureOf } from "./reach";
import type { Pair } from "./schema-pairs";

/**
 * What it means that one schema took another's place: the worst of all differences between the two, and between those that took the place of others
 * inside. Differences in schemas that kept their name don't count: they are told on their own.
 */
export function effectsOfReplacements(pairs: readonly Pair[]): ReadonlyMap<Pair, Effect> {
  const replaced = pairs.filter(({ relation }) => relation === "replaced");
  const users = backwardsOf(replaced, ({ differences }) =>
    differences.flatMap(({ replacement }) => (replacement === undefined ? [] : [replacement])),
  );
  const affected = (direction: Direction, wanted: ChangeClass): ReadonlySet<Pair> =>
    closureOf(
      replaced.filter((pair) => ownEffect(pair, direction) === wanted),
      (pair) => users.get(pair) ?? [],
    );
  const requests = levels((wanted) => affected("request", wanted));
  const responses = levels((wanted) => affected("response", wanted));
  return new Map(replaced.map((pair) => [pair, { request: requests(pair), response: responses(pair) }]));
}

function levels(affected: (wanted: ChangeClass) => ReadonlySet<Pair>): (pair: Pair) => ChangeClass {
  const [breaking, compatible] = [affected("breaking"), affected("compatible")];
  return (pair) => (breaking.has(pair) ? "breaking" : compatible.has(pair) ? "compatible" : "noise");
}

function ownEffect({ differences }: Pair, direction: Direction): ChangeClass {
  return differences.reduce<ChangeClass>((worst, { effect }) => worse(worst, effect[direction]), "noise");
}
