import { InputError } from "../errors";
import { isFields } from "../json/fields";

/**
 * Returns an object as plain data: a class can define its properties by accessors, which a copy of an object's own
 * properties would lose. Methods are left out.
 */
export function plainOf<Value extends object>(value: Value): Value {
  const names = new Set<string>();
  for (let part: object | null = value; part !== null && !isRoot(part); part = Object.getPrototypeOf(part)) {
    for (const name of part === value ? Object.keys(part) : Object.getOwnPropertyNames(part)) names.add(name);
  }
  names.delete("constructor");
  const inherited = (name: string) => !Object.hasOwn(value, name) && typeof Reflect.get(value, name) === "function";
  return Object.fromEntries(
    [...names].flatMap((name) => (inherited(name) ? [] : [[name, Reflect.get(value, name)]])),
  ) as Value;
}

/**
 * Returns the options of a factory as plain data. They are unchecked if they come from JSON or from code without types.
 *
 * @param factory names the factory in the message
 * @throws InputError `value-wrong-type` if they are no mapping
 */
export function optionsOf<Options extends object>(factory: string, options: Options): Options {
  if (isFields(options)) return plainOf(options);
  throw new InputError("value-wrong-type", `${factory}: the options are ${String(options)}; use a mapping`);
}

/** Returns whether an object is `Object.prototype`, of this realm or of another. */
function isRoot(part: object): boolean {
  return Object.getPrototypeOf(part) === null && Object.hasOwn(part, "hasOwnProperty");
}
