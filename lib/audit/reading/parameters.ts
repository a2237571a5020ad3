import type { ActivityEvent, ParameterValue } from "./model";

/** Every parameter of an event that can be read, catalogued or not, by name; of one that is told twice the first. */
export function allParameters({ parameters, otherParameters }: ActivityEvent): ReadonlyMap<string, ParameterValue> {
  const all = new Map<string, ParameterValue>(Object.entries<string | boolean>(parameters));
  for (const { name, value } of otherParameters) {
    if (value !== undefined && !all.has(name)) all.set(name, value);
  }
  return all;
}
