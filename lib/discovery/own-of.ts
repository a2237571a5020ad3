import type { NameMap } from "./document";

/** Returns the own property of a map, never an inherited property. */
export function ownOf<Value>(map: NameMap<Value> | undefined, name: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}
