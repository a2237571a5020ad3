import { RE2JS } from "re2js";
import { type PatternCost, patternCost, patternSize, worstSteps } from "./pattern-cost";

/**
 * `too-long`: no budget is enough for this value. `unchecked`: the budget is exhausted. Undefined: the pattern can't be
 * evaluated for any value.
 */
type PatternVerdict = boolean | "too-long" | "unchecked" | undefined;

/** @param budget shared by all values of one call; without it, each value has its own maximum */
export type PatternMatcher = (value: string, budget?: PatternBudget) => PatternVerdict;

export interface PatternBudget {
  /** Steps of V8, by an estimate that is far too high for most patterns. Then the linear engine continues. */
  quickSteps: number;
  /** Steps of the linear engine: the size of the pattern times the length of the value. */
  linearSteps: number;
}

/** Returns a budget for tens of thousands of values with published patterns: at most about half a second. */
export function patternBudget(): PatternBudget {
  return { quickSteps: 20_000_000, linearSteps: 16_000_000 };
}

/** Maximum length of a checked value, in characters. Every server refuses a URL of this length. */
const longestMatched = 65_536;

/** Maximum length of an evaluated pattern, in characters. Published patterns have a few hundred characters. */
const longestPattern = 4_096;

/** Maximum size with repeats expanded. The linear engine takes a long time to prepare a larger pattern. */
const largestPattern = 20_000;

/** Maximum number of V8 steps, by an estimate that is far too high for most patterns; about 40 ms. */
const mostSteps = 4_000_000;

/** Maximum number of steps of the linear engine: the size of the pattern times the length of the value; about 80 ms. */
const mostLinearSteps = 4_000_000;

/**
 * Prepares a pattern in RE2 syntax. The whole value must match, with or without anchors. No pattern and no value can
 * block the process: if V8 might take too long, an engine with linear time replaces it. The linear engine alone is
 * slower. Measured on Node 20 with the 28 patterns of the own descriptions: 0.3 µs for a value with V8 and its
 * estimate, 1.1 µs with the linear engine; for a resource name of 55 characters, as in every read of the rehearsal
 * cloud, 0.1 µs and 5 µs, a tenth of the whole read. It would also leave more values of a large request unchecked.
 */
export const patternMatcher = cachedByPattern((pattern): PatternMatcher => {
  if (pattern.length > longestPattern || patternSize(pattern) > largestPattern) return () => undefined;
  const cost = patternCost(pattern);
  const quick = cost === undefined ? undefined : compileForV8(pattern);
  const longestQuick = cost === undefined || quick === undefined ? -1 : longestWithin(cost);
  const stepsFor = estimate(cost);
  let steady: PatternMatcher | undefined;
  return (value, budget) => {
    if (quick !== undefined && value.length <= longestQuick && spendSteps(stepsFor(value.length), budget)) {
      try {
        return quick.test(value);
      } catch {
        // V8 reports only here that the expression is too large.
      }
    }
    steady ??= compileLinear(pattern);
    return steady(value, budget);
  };
});

function spendSteps(steps: number, budget: PatternBudget | undefined): boolean {
  if (budget === undefined) return true;
  if (steps > budget.quickSteps) return false;
  budget.quickSteps -= steps;
  return true;
}

/** Caches the estimate by length, because the calculation takes longer than matching a short value. */
function estimate(cost: PatternCost | undefined): (length: number) => number {
  if (cost === undefined) return () => 0;
  const known: number[] = [];
  return (length) => {
    if (length >= mostKeptLengths) return worstSteps(cost, length);
    while (known.length <= length) known.push(worstSteps(cost, known.length));
    return known[length] ?? 0;
  };
}

const mostKeptLengths = 128;

function longestWithin(cost: PatternCost): number {
  let most = longestMatched;
  for (let least = 0; least < most; ) {
    const middle = Math.ceil((least + most) / 2);
    if (worstSteps(cost, middle) <= mostSteps) least = middle;
    else most = middle - 1;
  }
  return worstSteps(cost, most) <= mostSteps ? most : -1;
}

/** Syntax that is replaced to have RE2's meaning: a dot excludes only the line feed, and white space is ASCII. */
const differing = /\\.|\[(?:\\.|[^\]\\])*\]|\./gs;

function compileForV8(pattern: string): RegExp | undefined {
  const source = pattern.replace(differing, (token) => {
    if (token.startsWith("[")) return token.replaceAll("\\s", "\\t\\n\\f\\r ");
    return { ".": "[^\\n]", "\\s": "[\\t\\n\\f\\r ]", "\\S": "[^\\t\\n\\f\\r ]" }[token] ?? token;
  });
  try {
    // Flag v would refuse `[^/]`, which most published patterns contain.
    return new RegExp(`^(?:${source})$`, "u");
  } catch {
    return undefined;
  }
}

function compileLinear(pattern: string): PatternMatcher {
  try {
    const expression = RE2JS.compile(pattern);
    const size = expression.programSize();
    const longest = Math.min(longestMatched, mostLinearSteps / size);
    return (value, budget) => {
      if (value.length > longest) return "too-long";
      if (budget !== undefined) {
        budget.linearSteps -= size * (value.length + 1);
        if (budget.linearSteps < 0) return "unchecked";
      }
      return expression.testExact(value);
    };
  } catch {
    return () => undefined;
  }
}

/** Maximum number of cached results. All published descriptions together have about 2,500 patterns. */
const mostKept = 5_000;

/** Caches a function by pattern, because methods share patterns. Published descriptions never fill the cache. */
export function cachedByPattern<Made extends object>(make: (pattern: string) => Made): (pattern: string) => Made {
  const kept = new Map<string, Made>();
  return (pattern) => {
    const known = kept.get(pattern);
    if (known !== undefined) return known;
    const made = make(pattern);
    if (kept.size >= mostKept) kept.clear();
    kept.set(pattern, made);
    return made;
  };
}
