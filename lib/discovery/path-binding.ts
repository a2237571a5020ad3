import type { Method } from "./method";
import { decodeValue, type TemplatePart, type TemplateVariable } from "./path-template";
import { patternMatcher } from "./pattern";

/** More in one segment would make matching ambiguous beyond use; published descriptions have at most one. */
const mostVariablesInSegment = 3;

/** Characters that are looked at, over all ways to cut a URL: without a bound, several `{+x}` take the cube of its length. */
const mostEffort = 1_000_000;

/** Reads the values of a path's variables from a URL's segments; undefined where the path doesn't fit. */
export type PathBinder = (segments: readonly string[]) => Map<string, string> | undefined;

interface SegmentMatcher {
  readonly expression: RegExp;
  readonly variables: readonly TemplateVariable[];
  readonly multiSegment: boolean;
}

/**
 * Prepares a method's path for reading. A value has to match the parameter's pattern, as the path alone does not tell where a `{+x}` ends.
 *
 * @param segments of the whole path, servicePath included
 * @returns undefined where the path can't be read
 */
export function pathBinder(method: Method, segments: readonly (readonly TemplatePart[])[]): PathBinder | undefined {
  if (segments.some((parts) => parts.filter((part) => typeof part !== "string").length > mostVariablesInSegment)) {
    return undefined;
  }
  const matchers = segments.map(segmentMatcher);
  const fits = (name: string, value: string) => {
    const pattern = Object.hasOwn(method.parameters, name) ? method.parameters[name]?.pattern : undefined;
    return pattern === undefined || patternMatcher(pattern)(value) !== false;
  };
  return (raw) => bind(matchers, raw, fits);
}

function segmentMatcher(parts: readonly TemplatePart[]): SegmentMatcher {
  const variables = parts.filter((part) => typeof part !== "string");
  const source = parts
    .map((part) =>
      typeof part === "string" ? part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : part.multiSegment ? "(.+)" : "([^/]+)",
    )
    .join("");
  return {
    expression: new RegExp(`^${source}$`, "s"),
    variables,
    multiSegment: variables.some(({ multiSegment }) => multiSegment),
  };
}

function bind(
  matchers: readonly SegmentMatcher[],
  raw: readonly string[],
  fits: (name: string, value: string) => boolean,
): Map<string, string> | undefined {
  // Without this, several {+x} in one path would try every way to cut the URL again and again.
  const failed = new Set<number>();
  const values = new Map<string, string>();
  let effortLeft = mostEffort;
  return from(0, 0) ? values : undefined;

  function from(matcherAt: number, segmentAt: number): boolean {
    const matcher = matchers[matcherAt];
    if (matcher === undefined) return segmentAt === raw.length;
    const left = matchers.length - matcherAt - 1;
    const last = matcher.multiSegment ? raw.length - left : Math.min(segmentAt + 1, raw.length - left);
    const first = left === 0 ? raw.length : segmentAt + 1;
    const key = matcherAt * 100_003 + segmentAt;
    if (failed.has(key)) return false;
    for (let end = last; end >= first && effortLeft > 0; end--) {
      const text = end === segmentAt + 1 ? (raw[segmentAt] ?? "") : raw.slice(segmentAt, end).join("/");
      if (take(matcher, text) && from(matcherAt + 1, end)) return true;
    }
    failed.add(key);
    return false;
  }

  function take({ expression, variables }: SegmentMatcher, text: string): boolean {
    effortLeft -= text.length + 1;
    if (variables.length === 0) return expression.test(text) || expression.test(decodeOrEmpty(text));
    const match = expression.exec(text);
    if (match === null) return false;
    return variables.every((variable, index) => {
      const value = decodeValue(match[index + 1] ?? "", variable);
      if (value === undefined || !fits(variable.name, value)) return false;
      values.set(variable.name, value);
      return true;
    });
  }
}

/** Literal text may come encoded, as `%24export` does. */
function decodeOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
