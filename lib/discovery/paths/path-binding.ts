import type { Method } from "../method";
import { ownOf } from "../own-of";
import { type PatternBudget, type PatternMatcher, patternBudget, patternMatcher } from "../patterns";
import {
  decodeLiteral,
  decodeVariable,
  encodeLiteral,
  type TemplatePart,
  type TemplateVariable,
} from "./path-template";

/** More variables would make matching ambiguous. Published descriptions have at most one. */
export const mostVariablesInSegment = 3;

/** Remaining work for one URL, over all methods whose paths match its shape and all ways to split it. */
export interface BindingBudget extends PatternBudget {
  /** Without this limit, several `{+x}` would take time proportional to the cube of the URL's length. */
  charactersLeft: number;
}

export function bindingBudget(): BindingBudget {
  // Written field by field, because spreading would cost more than the rest of reading a short URL.
  const { quickSteps, linearSteps } = patternBudget();
  return { quickSteps, linearSteps, charactersLeft: 1_000_000 };
}

export type PathBinder = (segments: readonly string[], budget: BindingBudget) => Map<string, string> | undefined;

export function isBindable(segments: readonly (readonly TemplatePart[])[]): boolean {
  return segments.every((parts) => parts.filter((part) => typeof part !== "string").length <= mostVariablesInSegment);
}

/** Text in a URL, or a variable with the pattern of its values. */
type Piece = string | { readonly variable: TemplateVariable; readonly matches: PatternMatcher | undefined };

interface SegmentMatcher {
  readonly literal: string | undefined;
  readonly pieces: readonly Piece[];
  readonly multiSegment: boolean;
}

/**
 * Prepares the reading of a path. A value must match the parameter's pattern, because the path alone does not determine
 * where a `{+x}` ends, or where to split `{x}-{y}`.
 *
 * @param segments of the whole path, including servicePath
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
      const pattern = ownOf(method.parameters, part.name)?.pattern;
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
  // Remembers failed positions. Otherwise, several {+x} in one path would try every way to split the URL repeatedly.
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

  /** Gives each variable the longest text that its pattern and the following pieces allow. */
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
    const value = decodeVariable(text, variable);
    if (value === undefined) return false;
    // A pattern that cannot be evaluated accepts every value. A value that cannot be checked counts as a mismatch.
    const verdict = matches === undefined || matches(value, budget);
    if (verdict !== true && verdict !== undefined) return false;
    values.set(variable.name, value);
    return true;
  }
}
