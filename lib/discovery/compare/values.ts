import { defined } from "../../json/defined";
import { quote } from "../../text/quote";
import type { SchemaDocument } from "../document";
import { brokenBound } from "../formats";
import { schemaType } from "../schemas";
import {
  breaks,
  type Difference,
  type Effect,
  isCompatible,
  isNoise,
  loosens,
  narrows,
  type Say,
  type ValueChangeKind,
  widens,
} from "./changes";
import { isSameJson, missingFrom } from "./fields";
import { type Relation, relatePatterns } from "./pattern-relation";

export function valueTypeOf(schema: SchemaDocument): string {
  return schemaType(schema) ?? "any";
}

export function compareValues(old: SchemaDocument, now: SchemaDocument, say: Say): boolean {
  compareDefault(old, now, say);
  const [before, after] = [valueTypeOf(old), valueTypeOf(now)];
  if (before !== after) {
    sayRelation("type", relateTypes(before, after), before, after, say, loosens);
    return false;
  }
  if (old.format !== now.format) {
    sayRelation("format", relateFormats(old.format, now.format), old.format, now.format, say, loosens);
  }
  compareRule("pattern", old.pattern, now.pattern, say);
  if (old.enum !== undefined || now.enum !== undefined) compareEnum(old, now, say);
  compareRule("minimum", old.minimum, now.minimum, say);
  compareRule("maximum", old.maximum, now.maximum, say);
  return true;
}

/** Compares defaults. Clients never send a default, but the service uses it if a value is missing. */
function compareDefault(old: SchemaDocument, now: SchemaDocument, say: Say): void {
  const [before, after]: readonly unknown[] = [old.default, now.default];
  if (isSameJson(before, after)) return;
  const effect: Effect =
    before === undefined || after === undefined ? isCompatible : { request: "breaking", response: "compatible" };
  const text =
    before === undefined
      ? `has the default ${shown(after)} now`
      : after === undefined
        ? `has no default any longer, it was ${shown(before)}`
        : `has the default ${shown(after)} instead of ${shown(before)}`;
  say({ kind: "default-changed", effect, text, before, after });
}

function shown(value: unknown): string {
  return typeof value === "object" ? "an object" : quote(String(value));
}

function relateTypes(before: string, after: string): Relation {
  if (after === "any" || (before === "integer" && after === "number")) return "widened";
  return before === "any" || (before === "number" && after === "integer") ? "narrowed" : "changed";
}

/** Formats whose values are also valid in each of the listed formats. */
const widerFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ["int32", ["int64"]],
  ["uint32", ["int64", "uint64"]],
  ["float", ["double"]],
]);
/** Two names of the same text format. */
const sameFormats: ReadonlySet<string> = new Set(["date-time", "google-datetime"]);

function relateFormats(before: string | undefined, after: string | undefined): Relation {
  if (before === undefined) return "narrowed";
  if (after === undefined || widerFormats.get(before)?.includes(after) === true) return "widened";
  if (sameFormats.has(before) && sameFormats.has(after)) return "same";
  return widerFormats.get(after)?.includes(before) === true ? "narrowed" : "changed";
}

function compareRule(
  which: "pattern" | "minimum" | "maximum",
  before: string | undefined,
  after: string | undefined,
  say: Say,
): void {
  if (before === after) return;
  const relate = which === "pattern" ? relatePatterns : relateBounds.bind(undefined, which);
  const relation = before === undefined ? "narrowed" : after === undefined ? "widened" : relate(before, after);
  sayRelation(which, relation, before, after, say, widens);
}

function relateBounds(which: "minimum" | "maximum", before: string, after: string): Relation {
  // If the new bound violates the old bound, the new bound allows values that the old bound did not.
  if (brokenBound(after, { [which]: before }) !== undefined) return "widened";
  if (brokenBound(before, { [which]: after }) !== undefined) return "narrowed";
  return Number(before) === Number(after) ? "same" : "changed";
}

function sayRelation(
  which: "type" | "format" | "pattern" | "minimum" | "maximum",
  relation: Relation,
  before: string | undefined,
  after: string | undefined,
  say: Say,
  widening: Effect,
): void {
  const kind: ValueChangeKind = `${which}-${relation === "same" ? "changed" : relation}`;
  const effect = {
    same: isNoise,
    narrowed: narrows,
    widened: widening,
    changed: which === "type" || which === "format" ? breaks : narrows,
  }[relation];
  const text =
    before === undefined
      ? `has the ${which} ${quote(after ?? "")} now, where it had none`
      : after === undefined
        ? `has no ${which} any longer, it was ${quote(before)}`
        : `has the ${which} ${quote(after)} instead of ${quote(before)}`;
  say({ kind, effect, text, before, after });
}

function compareEnum(old: SchemaDocument, now: SchemaDocument, say: Say): void {
  const [before, after] = [old.enum, now.enum];
  if (before === undefined) {
    say({ kind: "enum-narrowed", effect: narrows, text: "allows only listed values now", after });
  } else if (after === undefined) {
    say({ kind: "enum-widened", effect: widens, text: "allows any value now, where it listed them", before });
  } else {
    // Breaks both sides: the service refuses it in requests, and readers that wait for it never receive it.
    for (const value of missingFrom(before, after)) {
      const text = `has no value ${quote(value)} any longer`;
      say({ kind: "enum-value-removed", effect: breaks, text, before: value });
    }
    for (const value of missingFrom(after, before)) {
      say({ kind: "enum-value-added", effect: isCompatible, text: `has the new value ${quote(value)}`, after: value });
    }
    compareEnumNotes(old, now, say);
  }
}

function compareEnumNotes(old: SchemaDocument, now: SchemaDocument, say: Say): void {
  const fields = ["enum", "enumDescriptions", "enumDeprecated"] as const;
  if (fields.every((field) => isSameList(old[field], now[field]))) return;
  const places = new Map((old.enum ?? []).map((value, at) => [value, at]));
  let described = false;
  for (const [at, value] of (now.enum ?? []).entries()) {
    const place = places.get(value);
    if (place === undefined) continue;
    const before = { deprecated: old.enumDeprecated?.[place] };
    compareDeprecation(before, { deprecated: now.enumDeprecated?.[at] }, say, `=${value}`);
    described ||= (old.enumDescriptions?.[place] ?? "") !== (now.enumDescriptions?.[at] ?? "");
  }
  const text = "describes its values in other words";
  const [before, after] = [old.enumDescriptions, now.enumDescriptions];
  if (described) say({ kind: "description-changed", effect: isNoise, text, before, after });
}

function isSameList(a: readonly unknown[] = [], b: readonly unknown[] = []): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

interface Deprecable {
  readonly deprecated?: boolean | undefined;
}

export function compareDeprecation(old: Deprecable, now: Deprecable, say: Say, part?: string): void {
  const isDeprecated = now.deprecated === true;
  if ((old.deprecated === true) === isDeprecated) return;
  say({
    kind: isDeprecated ? "deprecation-gained" : "deprecation-lost",
    effect: isCompatible,
    text: isDeprecated ? "is deprecated now" : "is not deprecated any longer",
    ...defined({ part }),
  });
}

export function compareDescription(before: string | undefined, after: string | undefined, say: Say): void {
  if ((before ?? "") === (after ?? "")) return;
  say({ kind: "description-changed", effect: isNoise, text: "is described in other words", before, after });
}

export function addedProperty(property: SchemaDocument | undefined, commonMethods: ReadonlySet<string>): Difference {
  return requiredBy(property, commonMethods).length === 0
    ? { kind: "property-added", effect: isCompatible, text: "is new" }
    : { kind: "property-added", effect: narrows, text: "is new, and methods require it that did without it" };
}

export function compareRequired(
  old: SchemaDocument,
  now: SchemaDocument,
  commonMethods: ReadonlySet<string>,
  say: Say,
): void {
  if (old.annotations === undefined && now.annotations === undefined) return;
  const [before, after] = [requiredBy(old, commonMethods), requiredBy(now, commonMethods)];
  for (const id of missingFrom(after, before)) {
    const effect = { request: "breaking", response: "noise" } as const;
    say({ kind: "required-gained", effect, text: `is required by ${quote(id)} now`, after: id });
  }
  for (const id of missingFrom(before, after)) {
    const effect = { request: "compatible", response: "noise" } as const;
    say({ kind: "required-lost", effect, text: `is not required by ${quote(id)} any longer`, before: id });
  }
}

function requiredBy(property: SchemaDocument | undefined, commonMethods: ReadonlySet<string>): readonly string[] {
  return property?.annotations?.required?.filter((id) => commonMethods.has(id)) ?? none;
}

const none: readonly string[] = [];

export const readOnlyGained: Difference = {
  kind: "read-only-gained",
  effect: { request: "breaking", response: "noise" },
  text: "is set by the service alone now",
};

export const readOnlyLost: Difference = {
  kind: "read-only-lost",
  effect: { request: "compatible", response: "noise" },
  text: "may be set by callers now",
};
