import { patternMatcher } from "../patterns";

const variable = /\{(\+?)[^{}]*\}/g;

/** Returns whether a flat path matches a path expression. A flat path has one variable per segment. */
export function isFlatPathOf(path: string, flatPath: string): boolean {
  const literals = path.replace(/^\/+/, "").split(variable);
  // `split` returns the captured group, a plus or nothing, between the literals.
  const pattern = literals.map((text, at) =>
    at % 2 === 0 ? text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : text === "+" ? ".+" : "[^/]+",
  );
  return patternMatcher(pattern.join(""))(flatPath.replace(/^\/+/, "").replace(variable, "{}")) === true;
}
