import type { Json } from "./service";
import { invalidField } from "./service";

/**
 * Applies a patch as its mask says: what the mask names and the body has is set, what the body lacks is cleared.
 *
 * @param mask comma-separated fields in either spelling, or `*`; empty stands for what the body has
 * @param mutable fields that may change; a nested field of one may, too
 * @throws CloudError for a field that can't change, or doesn't exist
 */
export function applyMask(before: Json, body: Json, mask: string, mutable: readonly string[]): Json {
  const changed = new Map(Object.entries(before));
  for (const path of pathsOf(mask, body, mutable)) {
    const [field = "", ...rest] = path.split(".");
    if (!mutable.includes(field))
      throw invalidField("update_mask", `the field ${field} can't be updated; ${mutable.join(", ")} can`);
    const value = rest.length === 0 ? own(body, field) : nested(before[field], own(body, field), rest);
    if (value === undefined) changed.delete(field);
    else changed.set(field, value);
  }
  return Object.fromEntries(changed);
}

function pathsOf(mask: string, body: Json, mutable: readonly string[]): readonly string[] {
  const named = mask
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  if (named.length === 0) return Object.keys(body).filter((field) => mutable.includes(field));
  if (named.includes("*")) return mutable;
  return named.map((path) => path.replace(/^[^.]*/, camelCase));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function nested(before: unknown, after: unknown, path: readonly string[]): unknown {
  const [name = "", ...rest] = path;
  const copy = new Map(Object.entries(isObject(before) ? before : {}));
  // Keys of maps may have underscores of their own, such as those of labels.
  const isKey = copy.has(name) || (isObject(after) && Object.hasOwn(after, name));
  const key = isKey ? name : camelCase(name);
  const given = isObject(after) ? own(after, key) : undefined;
  const value = rest.length === 0 ? given : nested(copy.get(key), given, rest);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return Object.fromEntries(copy);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(value: Json, key: string): unknown {
  return Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;
}
