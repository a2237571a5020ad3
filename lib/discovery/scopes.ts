import type { Method } from "./method";

/** Maximum number of sets to examine for one group of scopes, about half a second. Then the best set so far is used. */
const mostSteps = 20_000;

/**
 * Returns the smallest set of scopes, sorted, that permits all of these methods; of equal sets, the one that permits
 * the fewest other methods. One scope of a method's list is enough. After 20,000 sets per group of scopes, the result
 * may not be the smallest.
 *
 * @param all every method of the API, to determine how powerful a scope is
 */
export function smallestScopes(methods: Iterable<Method>, all: Iterable<Method>): readonly string[] {
  const needs = minimalNeeds([...methods].map(({ scopes }) => scopes).filter((scopes) => scopes.length > 0));
  const power = new Map<string, number>();
  for (const { scopes } of all) for (const scope of new Set(scopes)) power.set(scope, (power.get(scope) ?? 0) + 1);
  const costOf = (scope: string) => power.get(scope) ?? 0;
  return groupsOf(withoutDominated(needs, costOf))
    .flatMap((group) => smallestOf(group, costOf))
    .sort();
}

type Needs = readonly (readonly string[])[];
type CostOf = (scope: string) => number;

function minimalNeeds(lists: Needs): Needs {
  const distinct = new Map(lists.map((list) => [JSON.stringify([...new Set(list)].sort()), [...new Set(list)]]));
  const needs = [...distinct.values()].sort((a, b) => a.length - b.length);
  const kept: Set<string>[] = [];
  for (const need of needs) {
    const required = new Set(need);
    if (!kept.some((alternative) => alternative.size < required.size && isWithin(alternative, required)))
      kept.push(required);
  }
  return kept.map((need) => [...need]);
}

/** Removes scopes whose methods another scope permits that is not more powerful, until none is left to remove. */
function withoutDominated(needs: Needs, costOf: CostOf): Needs {
  let left = needs;
  for (;;) {
    const opened = needsByScope(left);
    const scopes = [...opened.keys()].sort((a, b) => costOf(a) - costOf(b) || (a < b ? -1 : 1));
    const dominated = new Set<string>();
    for (const scope of scopes) {
      const reachable = opened.get(scope) ?? new Set();
      const isWorse = (candidateScope: string) =>
        candidateScope !== scope &&
        !dominated.has(candidateScope) &&
        (costOf(candidateScope) < costOf(scope) ||
          (costOf(candidateScope) === costOf(scope) && candidateScope < scope)) &&
        isWithin(reachable, opened.get(candidateScope) ?? new Set());
      if (scopes.some(isWorse)) dominated.add(scope);
    }
    if (dominated.size === 0) return left;
    left = minimalNeeds(left.map((need) => need.filter((scope) => !dominated.has(scope))));
  }
}

function needsByScope(needs: Needs): ReadonlyMap<string, ReadonlySet<number>> {
  const opened = new Map<string, Set<number>>();
  for (const [at, need] of needs.entries()) {
    for (const scope of need) opened.set(scope, (opened.get(scope) ?? new Set()).add(at));
  }
  return opened;
}

function isWithin<Item>(part: ReadonlySet<Item>, whole: ReadonlySet<Item>): boolean {
  return part.size <= whole.size && [...part].every((item) => whole.has(item));
}

/** Groups the needs. Needs of different groups have no scope in common, so each group is solved by itself. */
function groupsOf(needs: Needs): readonly Needs[] {
  const opened = needsByScope(needs);
  const seen = new Set<number>();
  const groups: Needs[] = [];
  for (const start of needs.keys()) {
    if (seen.has(start)) continue;
    const group = [start];
    seen.add(start);
    for (const at of group) {
      const near = (needs[at] ?? []).flatMap((scope) => [...(opened.get(scope) ?? [])]);
      for (const neighbor of near) {
        if (seen.has(neighbor)) continue;
        seen.add(neighbor);
        group.push(neighbor);
      }
    }
    groups.push(group.map((at) => needs[at] ?? []));
  }
  return groups;
}

interface Choice {
  readonly scopes: readonly string[];
  readonly cost: number;
}

function smallestOf(group: Needs, costOf: CostOf): readonly string[] {
  let best = greedy(group, costOf);
  let stepsLeft = mostSteps;
  extend(group, { scopes: [], cost: 0 });
  return best.scopes;

  function extend(needs: Needs, chosen: Choice): void {
    if (--stepsLeft < 0) return;
    const shortest = needs.reduce<readonly string[] | undefined>(
      (least, need) => (least === undefined || need.length < least.length ? need : least),
      undefined,
    );
    if (shortest === undefined) {
      if (isBetter(chosen, best)) best = chosen;
      return;
    }
    if (chosen.scopes.length + leastMore(needs) > best.scopes.length) return;
    const opens = (scope: string) => needs.reduce((count, need) => (need.includes(scope) ? count + 1 : count), 0);
    const candidates = shortest.map((scope) => ({ scope, opens: opens(scope) }));
    candidates.sort((a, b) => b.opens - a.opens || costOf(a.scope) - costOf(b.scope));
    let rest = needs;
    for (const { scope } of candidates) {
      const left = rest.filter((need) => !need.includes(scope));
      extend(left, { scopes: [...chosen.scopes, scope], cost: chosen.cost + costOf(scope) });
      // All sets with this scope have been tried, so the remaining sets exclude it.
      rest = rest.map((need) => need.filter((opened) => opened !== scope));
      if (rest.some((need) => need.length === 0)) return;
    }
  }
}

function isBetter(a: Choice, b: Choice): boolean {
  const difference = a.scopes.length - b.scopes.length || a.cost - b.cost;
  return difference < 0 || (difference === 0 && [...a.scopes].sort().join(" ") < [...b.scopes].sort().join(" "));
}

/** Returns a lower bound of the set's size: needs without a common scope require one scope each. */
function leastMore(needs: Needs): number {
  const taken = new Set<string>();
  let count = 0;
  for (const need of [...needs].sort((a, b) => a.length - b.length)) {
    if (need.some((scope) => taken.has(scope))) continue;
    for (const scope of need) taken.add(scope);
    count++;
  }
  return count;
}

function greedy(needs: Needs, costOf: CostOf): Choice {
  const scopes: string[] = [];
  let left = needs;
  while (left.length > 0) {
    const counts = new Map<string, number>();
    for (const scope of left.flat()) counts.set(scope, (counts.get(scope) ?? 0) + 1);
    const [best] = [...counts].sort(([a, m], [b, n]) => n - m || costOf(a) - costOf(b) || (a < b ? -1 : 1));
    const scope = best?.[0] ?? "";
    scopes.push(scope);
    left = left.filter((need) => !need.includes(scope));
  }
  return { scopes, cost: scopes.reduce((sum, scope) => sum + costOf(scope), 0) };
}
