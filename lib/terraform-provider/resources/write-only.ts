import type { Block } from "../schema";
import { isList, isObject, itemsOf, type Value, type ValueObject } from "../value";

/**
 * Adds the values of write-only attributes, which only the configuration of an apply contains, to planned values.
 *
 * @param config configuration of the same block. @default none: nothing is added
 */
export function withWriteOnly(schema: Block, values: ValueObject, config: ValueObject = {}): ValueObject {
  const completed: Record<string, Value> = { ...values };
  for (const [name, { writeOnly }] of schema.attributes) {
    if (writeOnly) completed[name] = config[name] ?? null;
  }
  for (const [name, { block }] of schema.blocks) {
    const items = values[name];
    const configured = itemsOf(config[name]);
    if (!isList(items)) continue;
    completed[name] = items.map((item, index) => {
      const own = configured[index];
      return isObject(item) ? withWriteOnly(block, item, isObject(own) ? own : {}) : item;
    });
  }
  return completed;
}
