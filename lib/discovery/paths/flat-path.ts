import { patternMatcher } from "../patterns";

const variable = /\{(\+?)[^{}]*\}/g;

/** Whether a flat path, which has a variable for each segment, is one of the addresses that a path stands for. */
export function isFlatPathOf(path: string, flatPath: string): boolean {
  const literals = path.replace(/^\/+/, "").split(variable);
  // Splitting leaves what the expression captures, a plus or nothing, between the literals.
  const pattern = literals.map((text, at) =>
    at % 2 === 0 ? text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : text === "+" ? ".+" : "[^/]+",
  );
  return patternMatcher(pattern.join(""))(flatPath.replace(/^\/+/, "").replace(variable, "{}")) === true;
}
