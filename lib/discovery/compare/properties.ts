import { quote } from "../../text/quote";
import type { SchemaDocument } from "../document";
import { type Difference, isCompatible, type Say } from "./differences";
import { missingFrom } from "./json";

/** Returns the difference for an added property of a schema. */
export function addedProperty(property: SchemaDocument | undefined, commonMethods: ReadonlySet<string>): Difference {
  if (requiredBy(property, commonMethods).length === 0) {
    return { kind: "property-added", effect: isCompatible, text: "is new" };
  }
  return {
    kind: "property-added",
    effect: { request: "breaking", response: "compatible" },
    text: "is new, and methods require it that did without it",
  };
}

/** Reports the methods that now require a property, and the methods that require it no longer. */
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

/**
 * Returns the methods of both descriptions that require a property. A new method never accepted requests without it.
 */
function requiredBy(property: SchemaDocument | undefined, commonMethods: ReadonlySet<string>): readonly string[] {
  return property?.annotations?.required?.filter((id) => commonMethods.has(id)) ?? none;
}

const none: readonly string[] = [];

export function compareReadOnly(before: boolean, after: boolean, say: Say): void {
  if (before === after) return;
  say({
    kind: after ? "read-only-gained" : "read-only-lost",
    effect: { request: after ? "breaking" : "compatible", response: "noise" },
    text: after ? "is set by the service alone now" : "may be set by callers now",
  });
}
