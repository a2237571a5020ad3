import type { Method } from "./method";

/** Beyond this many distinct scopes the search for the smallest set stops being exact; published APIs have at most 20. */
const mostExact = 20;

/**
 * The smallest set of scopes that opens every one of these methods, any one scope of a method's list being enough for it. Among sets of one size
 * it is the one whose scopes open the fewest other methods.
 *
 * @param methods a method without scopes needs none
 * @param all every method of the API, to tell how powerful a scope is
 * @returns sorted
 */
export function smallestScopes(methods: Iterable<Method>, all: Iterable<Method>): readonly string[] {
  const needs = distinctNeeds(methods);
  if (needs.length === 0) return [];
  const power = new Map<string, number>();
  for (const { scopes } of all) for (const scope of scopes) power.set(scope, (power.get(scope) ?? 0) + 1);
  const candidates = [...new Set(needs.flat())].sort(
    (a, b) => (power.get(a) ?? 0) - (power.get(b) ?? 0) || (a < b ? -1 : 1),
  );
  const chosen = candidates.length <= mostExact ? exact(needs, candidates, power) : greedy(needs, candidates);
  return [...chosen].sort();
}

/** The lists of scopes, without those that hold whenever another one does. */
function distinctNeeds(methods: Iterable<Method>): readonly (readonly string[])[] {
  const lists = new Map<string, readonly string[]>();
  for (const { scopes } of methods) if (scopes.length > 0) lists.set([...scopes].sort().join(" "), scopes);
  const needs = [...lists.values()];
  return needs.filter(
    (need) => !needs.some((other) => other.length < need.length && other.every((scope) => need.includes(scope))),
  );
}

/** Tries every set, each written as the bits of a number, by size and then by power. */
function exact(
  needs: readonly (readonly string[])[],
  candidates: readonly string[],
  power: ReadonlyMap<string, number>,
): readonly string[] {
  const powers = candidates.map((scope) => power.get(scope) ?? 0);
  const needed = needs.map((need) => need.reduce((bits, scope) => bits | (1 << candidates.indexOf(scope)), 0));
  let best = { set: (1 << candidates.length) - 1, size: candidates.length + 1, power: 0 };
  for (let set = 1; set < 1 << candidates.length; set++) {
    const size = bitsIn(set);
    if (size > best.size || !needed.every((bits) => (bits & set) !== 0)) continue;
    const total = powers.reduce((sum, one, at) => ((set >> at) & 1 ? sum + one : sum), 0);
    if (size < best.size || total < best.power) best = { set, size, power: total };
  }
  return candidates.filter((_, at) => ((best.set >> at) & 1) === 1);
}

function bitsIn(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count++;
  return count;
}

/** Takes the scope that opens most of what is left, again and again. */
function greedy(needs: readonly (readonly string[])[], candidates: readonly string[]): readonly string[] {
  const chosen: string[] = [];
  let left = needs;
  while (left.length > 0) {
    const opens = (scope: string) => left.filter((need) => need.includes(scope)).length;
    const best = candidates.reduce((a, b) => (opens(b) > opens(a) ? b : a));
    chosen.push(best);
    left = left.filter((need) => !need.includes(best));
  }
  return chosen;
}
