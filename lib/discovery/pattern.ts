import { RE2JS } from "re2js";
import { patternCost, worstSteps } from "./pattern-cost";

/** Whether a value matches as a whole; undefined where the pattern can't be evaluated, or the value is too long to try. */
export type PatternMatcher = (value: string) => boolean | undefined;

/** Longer values are not held against patterns; a URL of this length is refused by every server. */
export const longestMatched = 65_536;

/** Steps that V8 may take, by an estimate that is far too high for most patterns; some 40 ms. */
const mostSteps = 4_000_000;

const cache = new Map<string, PatternMatcher>();
/** Published descriptions have some 2,500 patterns together. */
const mostCached = 5_000;

/**
 * Prepares a pattern (RE2 syntax, as in descriptions): the whole value has to match, wherever it is anchored. No pattern and no value can hang
 * the process: where V8 might need long, an engine that is linear in the value's length takes its place.
 */
export function patternMatcher(pattern: string): PatternMatcher {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const matcher = prepare(pattern);
  if (cache.size >= mostCached) cache.clear();
  cache.set(pattern, matcher);
  return matcher;
}

function prepare(pattern: string): PatternMatcher {
  const cost = patternCost(pattern);
  const quick = cost === undefined ? undefined : compileForV8(pattern);
  let steady: RE2JS | null | undefined;
  return (value) => {
    if (value.length > longestMatched) return undefined;
    if (quick !== undefined && cost !== undefined && worstSteps(cost, value.length) <= mostSteps)
      return quick.test(value);
    if (steady === undefined) steady = compileLinear(pattern);
    return steady === null ? undefined : steady.matcher(value).matches();
  };
}

function compileForV8(pattern: string): RegExp | undefined {
  try {
    // Flag v would refuse `[^/]`, which most published patterns have.
    return new RegExp(`^(?:${pattern})$`, "u");
  } catch {
    return undefined;
  }
}

function compileLinear(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}
