import type { Method } from "../method";
import { keptByPattern } from "../patterns";
import type { TemplatePart } from "./path-template";

/**
 * The segments of URLs that a segment of a method's path stands for. A `{+x}` is opened up by its parameter's pattern, where that is made of fixed
 * names and `[^/]+` as nearly all are; flatPath says the same, but nothing holds it to the pattern.
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

/** The segments of a pattern such as `^projects/[^/]+$`; one piece where it is not a plain sequence of them. */
const piecesOf = keptByPattern((pattern): readonly string[] => {
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  return /[|()]|\/\/|^\/|\/$/.test(body) ? [body] : (body.match(/(?:\[[^\]]*\]|[^/])+/g) ?? []);
});
