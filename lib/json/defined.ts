/** The properties of an object whose values are not undefined. */
export type Defined<Values extends object> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Returns the properties whose values are not undefined, for spreads into types with optional properties. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const result: Defined<Values> = {};
  // A loop, because plans of thousands of certificates call this for each resource.
  for (const name of Object.keys(values) as (keyof Values)[]) {
    const value = values[name];
    if (value !== undefined) result[name] = value as Exclude<Values[keyof Values], undefined>;
  }
  return result;
}
