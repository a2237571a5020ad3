import { RE2JS } from "re2js";
import { keptByPattern } from "./kept-by-pattern";
import { type PatternCost, patternCost, patternSize, worstSteps } from "./pattern-cost";

/**
 * Whether a value matches as a whole, or why that can't be told. `too-long`: of this value not, whoever asks. `unchecked`: the budget is
 * spent. Undefined: the pattern can't be evaluated, whatever the value.
 */
type PatternVerdict = boolean | "too-long" | "unchecked" | undefined;

/** @param budget what all values of one call may spend together; without it, each value has all that one may take */
export type PatternMatcher = (value: string, budget?: PatternBudget) => PatternVerdict;

/** What is left for patterns. One call holds many values against many patterns, and each may take as long as one value is given. */
export interface PatternBudget {
  /** Of V8, by the estimate that is far too high for most patterns; where they are spent, the linear engine goes on. */
  quickSteps: number;
  /** Of the linear engine: the size of the pattern times the length of the value. */
  linearSteps: number;
}

/** Enough for tens of thousands of values against published patterns, and at most about half a second of work. */
export function patternBudget(): PatternBudget {
  return { quickSteps: 20_000_000, linearSteps: 16_000_000 };
}

/** Longer values are not held against patterns; a URL of this length is refused by every server. */
const longestMatched = 65_536;

/** Longer patterns are not evaluated; published ones have some hundred characters. */
const longestPattern = 4_096;

/** Parts of a pattern with its repeats written out; making the linear engine ready for more takes long. */
const largestPattern = 20_000;

/** Steps that V8 may take, by an estimate that is far too high for most patterns; some 40 ms. */
const mostSteps = 4_000_000;

/** Steps that the linear engine may take: the size of the pattern times the length of the value; some 80 ms. */
const mostLinearSteps = 4_000_000;

/**
 * Prepares a pattern (RE2 syntax, as in descriptions): the whole value has to match, wherever it is anchored. No pattern and no value can hang
 * the process: where V8 might need long, an engine that is linear in the value's length takes its place.
 */
export const patternMatcher = keptByPattern((pattern): PatternMatcher => {
  if (pattern.length > longestPattern || patternSize(pattern) > largestPattern) return () => undefined;
  const cost = patternCost(pattern);
  const quick = cost === undefined ? undefined : compileForV8(pattern);
  const longestQuick = cost === undefined || quick === undefined ? -1 : longestWithin(cost);
  const stepsFor = estimate(cost);
  let steady: PatternMatcher | undefined;
  return (value, budget) => {
    if (quick !== undefined && value.length <= longestQuick && mayTry(stepsFor(value.length), budget)) {
      try {
        return quick.test(value);
      } catch {
        // V8 only says now that the expression is too large for it.
      }
    }
    steady ??= compileLinear(pattern);
    return steady(value, budget);
  };
});

/** Takes the steps from the budget, if it has them. */
function mayTry(steps: number, budget: PatternBudget | undefined): boolean {
  if (budget === undefined) return true;
  if (steps > budget.quickSteps) return false;
  budget.quickSteps -= steps;
  return true;
}

/** Working the estimate out takes longer than matching a short value does, so it is kept by length. */
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

/** Length of the longest values that V8 may try. */
function longestWithin(cost: PatternCost): number {
  let most = longestMatched;
  for (let least = 0; least < most; ) {
    const middle = Math.ceil((least + most) / 2);
    if (worstSteps(cost, middle) <= mostSteps) least = middle;
    else most = middle - 1;
  }
  return worstSteps(cost, most) <= mostSteps ? most : -1;
}

/** Where the two differ, V8 gets what RE2 means: a dot is all but a line feed, white space is that of ASCII. */
const differing = /\\.|\[(?:\\.|[^\]\\])*\]|\./gs;

function compileForV8(pattern: string): RegExp | undefined {
  const source = pattern.replace(differing, (token) => {
    if (token.startsWith("[")) return token.replaceAll("\\s", "\\t\\n\\f\\r ");
    return { ".": "[^\\n]", "\\s": "[\\t\\n\\f\\r ]", "\\S": "[^\\t\\n\\f\\r ]" }[token] ?? token;
  });
  try {
    // Flag v would refuse `[^/]`, which most published patterns have.
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
      return expression.matcher(value).matches();
    };
  } catch {
    return () => undefined;
  }
}
