import { parseSync } from "@swc/core";
import { fieldsOf, isFields } from "../lib/json/fields";

/** Types that end where the next part of a union begins only if they are in parentheses. */
const open: ReadonlySet<unknown> = new Set(["TsFunctionType", "TsConstructorType", "TsConditionalType", "TsInferType"]);

/** Text to insert at a place, in bytes from the beginning of the declarations. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * Adds `| undefined` to the types of all optional properties, so that users with `exactOptionalPropertyTypes` can pass
 * a value that may be undefined. The package treats a property that is undefined as an absent one. The sources have no
 * such unions: there, the option finds mistakes.
 *
 * @param declarations the text of a declaration file
 */
export function withUndefined(declarations: string): string {
  // The positions of the parser count from the first statement of all files that were parsed before.
  const first = ";";
  const bytes = Buffer.from(first + declarations);
  const module = parseSync(bytes.toString(), { syntax: "typescript" });
  const insertions = [...insertionsIn(module, module.span.start)].sort((a, b) => b.at - a.at);
  const changed = insertions.reduce(
    (text, insertion) =>
      Buffer.concat([text.subarray(0, insertion.at), Buffer.from(insertion.text), text.subarray(insertion.at)]),
    bytes,
  );
  return changed.toString().slice(first.length);
}

function* insertionsIn(node: unknown, start: number): Generator<Insertion> {
  if (Array.isArray(node)) {
    for (const item of node) yield* insertionsIn(item, start);
    return;
  }
  if (!isFields(node)) return;
  if (node.optional === true || node.isOptional === true) yield* insertionsFor(node, start);
  for (const value of Object.values(node)) yield* insertionsIn(value, start);
}

function* insertionsFor(property: unknown, start: number): Generator<Insertion> {
  const { type: kind, typeAnnotation } = fieldsOf(property);
  if (kind !== "TsPropertySignature" && kind !== "ClassProperty") return;
  const type = fieldsOf(fieldsOf(typeAnnotation).typeAnnotation);
  const parts = type.type === "TsUnionType" ? (type.types as readonly unknown[]) : [type];
  if (parts.some((part) => fieldsOf(part).kind === "undefined")) return;
  const span = fieldsOf(type.span);
  const [from, to] = [Number(span.start) - start, Number(span.end) - start];
  if (open.has(type.type)) yield { at: from, text: "(" };
  yield { at: to, text: open.has(type.type) ? ") | undefined" : " | undefined" };
}
