import fc from "fast-check";
import { openCatalogue } from "../../../lib/terraform-provider/catalogue";
import { planAttributes, reconcile, replacements } from "../../../lib/terraform-provider/planning";
import {
  type Attribute,
  type AttributeType,
  openBindings,
  type SchemaBlock,
  shapeBlock,
} from "../../../lib/terraform-provider/schema";
import { isList, isValueObject, unknown, type Value, type ValueObject } from "../../../lib/terraform-provider/value";
import { runs } from "../../support/runs";

const catalogue = openCatalogue(openBindings(), []);

/** A known value of a type; texts are words, so that none of them counts as absent. */
function anyValueOf(type: AttributeType): fc.Arbitrary<Value> {
  if (type === "string") return fc.stringMatching(/^[a-z]{1,8}$/);
  if (type === "number") return fc.integer({ min: 1, max: 1_000 });
  if (type === "bool") return fc.constant<Value>(true);
  const [nesting, element] = type;
  if (nesting === "object") {
    const members = element as Readonly<Record<string, AttributeType>>;
    return fc.record(Object.fromEntries(Object.entries(members).map(([name, each]) => [name, anyValueOf(each)])));
  }
  const item = anyValueOf(element as AttributeType);
  return nesting === "map"
    ? fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), item, { minKeys: 1, maxKeys: 2, noNullPrototype: true })
    : fc.uniqueArray(item, { minLength: 1, maxLength: 2, selector: (each) => JSON.stringify(each) });
}

/** What a user may write: required attributes, and some of the others. */
function configOf({ attributes, blocks }: SchemaBlock): fc.Arbitrary<ValueObject> {
  const members: Record<string, fc.Arbitrary<Value>> = {};
  for (const [name, attribute] of attributes) members[name] = configuredOf(attribute);
  for (const [name, { nesting, block, minItems, maxItems }] of blocks) {
    const item = configOf(block);
    if (nesting === "single") members[name] = fc.option(item);
    else {
      const most = maxItems === 0 ? 2 : maxItems;
      members[name] = fc.uniqueArray(item, {
        minLength: minItems,
        maxLength: most,
        selector: (each) => JSON.stringify(each),
      });
    }
  }
  return fc.record(members);
}

function configuredOf({ type, required, optional }: Attribute): fc.Arbitrary<Value> {
  if (required) return anyValueOf(type);
  return optional ? fc.option(anyValueOf(type)) : fc.constant<Value>(null);
}

/** Response of a service to a plan: an unknown value becomes a word, a number or null. */
function answerTo(schema: SchemaBlock, planned: ValueObject): ValueObject {
  const answered: Record<string, Value> = {};
  for (const [name, { type }] of schema.attributes) {
    const value = planned[name] ?? null;
    answered[name] = value === unknown ? (type === "string" ? "told" : type === "number" ? 7 : null) : value;
  }
  for (const [name, { block }] of schema.blocks) {
    const value = planned[name] ?? null;
    answered[name] = isList(value) ? value.map((item) => (isValueObject(item) ? answerTo(block, item) : item)) : value;
  }
  return answered;
}

/** Returns the proposed state as Terraform does: configured values, and computed values for all others. */
function propose(schema: SchemaBlock, config: ValueObject, state: ValueObject): ValueObject {
  const proposed: Record<string, Value> = {};
  for (const [name, { computed }] of schema.attributes) {
    proposed[name] = (config[name] ?? null) === null && computed ? (state[name] ?? null) : (config[name] ?? null);
  }
  for (const [name, { block }] of schema.blocks) {
    const [items, before] = [config[name] ?? null, state[name] ?? null];
    proposed[name] =
      isList(items) && isList(before)
        ? items.map((item, index) => propose(block, item as ValueObject, (before[index] ?? {}) as ValueObject))
        : items;
  }
  return proposed;
}

const kinds = [...catalogue.resources.values()].map((each) => [each.kind.type, each] as const);

test.each(kinds)("plans no change for %s that was applied as configured", (_, { kind: { overlay }, schema }) => {
  // The largest schemas alone would fill the time.
  const times = schema.blocks.size > 15 ? 1 : 4;
  fc.assert(
    fc.property(configOf(schema), (config) => {
      const planned = planAttributes({ schema, overlay, prior: undefined, proposed: config, config });
      const answered = answerTo(schema, planned);
      const state = shapeBlock(schema, reconcile({ schema, overlay, known: planned, answered, config }));
      const proposed = propose(schema, config, state);
      const again = planAttributes({ schema, overlay, prior: state, proposed, config });
      const refreshed = shapeBlock(schema, reconcile({ schema, overlay, known: state, answered: state }));

      expect(again).toEqual(state);
      expect(refreshed).toEqual(state);
      expect(replacements(schema, overlay, state, again)).toEqual([]);
    }),
    runs(times),
  );
});
