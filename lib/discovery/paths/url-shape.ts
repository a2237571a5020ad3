import type { Method } from "../method";
import { keptByPattern } from "../patterns";
import type { TemplatePart } from "./path-template";

/**
 * Returns the URL segments that a segment of a method's path matches. A `{+x}` is expanded by its parameter's pattern,
 * if the pattern consists of fixed names and `[^/]+`, as nearly all patterns do. The flatPath has the same information,
 * but it need not match the pattern.
 */
export function shapeOf(parts: readonly TemplatePart[], method: Method): readonly (readonly TemplatePart[])[] {
  const [only, ...rest] = parts;
  if (only === undefined || typeof only === "string" || !only.multiSegment) return [parts];
  const schema = Object.hasOwn(method.parameters, only.name) ? method.parameters[only.name] : undefined;
  const pieces = schema?.pattern === undefined ? [] : piecesOf(schema.pattern);
  const shape: (readonly TemplatePart[])[] = [];
  for (const piece of pieces) {
    if (piece === "[^/]+") shape.push([{ name: only.name, multiSegment: false }]);
    else if (/^[\w-]+$/.test(piece)) shape.push([piece]);
    else return [...shape, [only, ...rest]];
  }
  const last = shape.pop();
  return last === undefined ? [parts] : [...shape, [...last, ...rest]];
}

/**
 * Returns the segments of a pattern, for example of `^projects/[^/]+$`. Any other kind of pattern is returned as one
 * piece.
 */
const piecesOf = keptByPattern((pattern): readonly string[] => {
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  return /[|()]|\/\/|^\/|\/$/.test(body) ? [body] : (body.match(/(?:\[[^\]]*\]|[^/])+/g) ?? []);
});
