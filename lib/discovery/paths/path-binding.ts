import type { Method } from "../method";
import { type PatternBudget, type PatternMatcher, patternBudget, patternMatcher } from "../patterns";
import { decodeLiteral, decodeValue, encodeLiteral, type TemplatePart, type TemplateVariable } from "./path-template";

/** More in one segment would make matching ambiguous beyond use; published descriptions have at most one. */
export const mostVariablesInSegment = 3;

/** What is left for reading one URL, over all methods whose paths have its shape and all ways to cut it. */
export interface BindingBudget extends PatternBudget {
  /** Without this bound, several `{+x}` take the cube of the URL's length. */
  charactersLeft: number;
}

export function bindingBudget(): BindingBudget {
  // Written out, as copying costs more than all the rest of reading a short URL.
  const { quickSteps, linearSteps } = patternBudget();
  return { quickSteps, linearSteps, charactersLeft: 1_000_000 };
}

/** Reads the values of a path's variables from a URL's segments; undefined where the path doesn't fit, or it takes too long to tell. */
export type PathBinder = (segments: readonly string[], budget: BindingBudget) => Map<string, string> | undefined;

/** Whether a path can be read at all. */
export function isBindable(segments: readonly (readonly TemplatePart[])[]): boolean {
  return segments.every((parts) => parts.length < 2 || countVariables(parts) <= mostVariablesInSegment);
}

function countVariables(parts: readonly TemplatePart[]): number {
  return parts.filter((part) => typeof part !== "string").length;
}

/** Text as it stands in a URL, or a variable and what its value has to match. */
type Piece = string | { readonly variable: TemplateVariable; readonly matches: PatternMatcher | undefined };

interface SegmentMatcher {
  /** Set where there is no variable: the text, encoded or not. */
  readonly literal: string | undefined;
  readonly pieces: readonly Piece[];
  readonly multiSegment: boolean;
}

/**
 * Prepares a method's path for reading. A value has to match the parameter's pattern, as the path alone does not tell where a `{+x}` ends, nor
 * where to cut `{x}-{y}`.
 *
 * @param segments of the whole path, servicePath included
 */
export function pathBinder(method: Method, segments: readonly (readonly TemplatePart[])[]): PathBinder {
  const matchers = segments.map((parts) => segmentMatcher(method, parts));
  return (raw, budget) => bind(matchers, raw, budget);
}

function segmentMatcher(method: Method, parts: readonly TemplatePart[]): SegmentMatcher {
  const isLiteral = parts.every((part) => typeof part === "string");
  return {
    literal: isLiteral ? parts.join("") : undefined,
    pieces: parts.map((part) => {
      if (typeof part === "string") return encodeLiteral(part);
      const pattern = Object.hasOwn(method.parameters, part.name) ? method.parameters[part.name]?.pattern : undefined;
      return { variable: part, matches: pattern === undefined ? undefined : patternMatcher(pattern) };
    }),
    multiSegment: parts.some((part) => typeof part !== "string" && part.multiSegment),
  };
}

function bind(
  matchers: readonly SegmentMatcher[],
  raw: readonly string[],
  budget: BindingBudget,
): Map<string, string> | undefined {
  // Without this, several {+x} in one path would try every way to cut the URL again and again.
  const failed = new Set<number>();
  const values = new Map<string, string>();
  return from(0, 0) ? values : undefined;

  function from(matcherAt: number, segmentAt: number): boolean {
    const matcher = matchers[matcherAt];
    if (matcher === undefined) return segmentAt === raw.length;
    const left = matchers.length - matcherAt - 1;
    const last = matcher.multiSegment ? raw.length - left : Math.min(segmentAt + 1, raw.length - left);
    const first = left === 0 ? raw.length : segmentAt + 1;
    const key = matcherAt * (raw.length + 1) + segmentAt;
    if (failed.has(key)) return false;
    for (let end = last; end >= first && budget.charactersLeft > 0; end--) {
      const text = end === segmentAt + 1 ? (raw[segmentAt] ?? "") : raw.slice(segmentAt, end).join("/");
      if (take(matcher, text) && from(matcherAt + 1, end)) return true;
    }
    failed.add(key);
    return false;
  }

  function take({ literal, pieces }: SegmentMatcher, text: string): boolean {
    budget.charactersLeft -= text.length + 1;
    return literal === undefined ? cut(pieces, 0, text, 0) : text === literal || decodeLiteral(text) === literal;
  }

  /** Gives each variable as much as its pattern and the pieces after it let it have. */
  function cut(pieces: readonly Piece[], pieceAt: number, text: string, start: number): boolean {
    const piece = pieces[pieceAt];
    if (piece === undefined) return start === text.length;
    if (typeof piece === "string")
      return text.startsWith(piece, start) && cut(pieces, pieceAt + 1, text, start + piece.length);
    const next = pieces[pieceAt + 1];
    for (let end = text.length; end > start && budget.charactersLeft > 0; end--) {
      if (typeof next === "string") end = text.lastIndexOf(next, end);
      if (end <= start) return false;
      budget.charactersLeft -= end - start + 1;
      if (holds(piece, text.slice(start, end)) && cut(pieces, pieceAt + 1, text, end)) return true;
      if (next === undefined) return false;
    }
    return false;
  }

  function holds({ variable, matches }: Exclude<Piece, string>, text: string): boolean {
    if (!variable.multiSegment && text.includes("/")) return false;
    const value = decodeValue(text, variable);
    if (value === undefined) return false;
    // A pattern that can't be evaluated keeps no value out; a value that can't be checked is not taken for one that fits.
    const verdict = matches === undefined || matches(value, budget);
    if (verdict !== true && verdict !== undefined) return false;
    values.set(variable.name, value);
    return true;
  }
}
