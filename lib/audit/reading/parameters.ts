import type { ActivityEvent, ParameterValue } from "./model";

/**
 * Returns every readable parameter of an event by name, catalogued or not. For a repeated name, the first value counts.
 */
export function allParameters({ parameters, otherParameters }: ActivityEvent): ReadonlyMap<string, ParameterValue> {
  const all = new Map<string, ParameterValue>(Object.entries<string | boolean>(parameters));
  for (const { name, value } of otherParameters) {
    if (value !== undefined && !all.has(name)) all.set(name, value);
  }
  return all;
}
