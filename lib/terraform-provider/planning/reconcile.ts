import type { Attribute, NestedBlock, SchemaBlock } from "../schema";
import { isEmpty, isList, isValueObject, itemsOf, membersOf, unknown, type Value, type ValueObject } from "../value";
import { equivalent } from "./equivalence";
import { nameIn, type Overlay } from "./overlay";

/** Inputs for the new state of a resource. */
export interface Reconciliation {
  readonly schema: SchemaBlock;
  readonly overlay: Overlay;
  /** State before a refresh, or the plan. */
  readonly known: ValueObject;
  /** Answer of the service, without attributes that the service never returns. */
  readonly answered: ValueObject;
  /**
   * The configuration, after an apply. Planned values of computed arguments without configuration are then kept until
   * the next refresh. Attributes that only the service sets are taken from its answer at once, as in the provider,
   * which plans no change of them.
   *
   * @default - a refresh: the service's answer is used
   */
  readonly config?: ValueObject | undefined;
}

/** Returns the new state of a resource: the service's answer, in the known spelling if both are equivalent. */
export function reconcile({ schema, overlay, known, answered, config }: Reconciliation): ValueObject {
  return reconcileBlock({ schema, overlay, name: "", known, answered, config });
}

type BlockReconciliation = Reconciliation & { readonly name: string };

function reconcileBlock(request: BlockReconciliation): ValueObject {
  const { schema, known, answered } = request;
  const state: Record<string, Value> = {};
  for (const [member, attribute] of schema.attributes) {
    state[member] = reconcileAttribute(request, member, attribute);
  }
  for (const [member, nested] of schema.blocks) {
    const answer = answered[member];
    const isLeft = answer === undefined || isLeftAlone(request, member);
    state[member] = isLeft ? settle(known[member]) : reconcileNested(request, member, nested, answer);
  }
  return state;
}

function reconcileAttribute(request: BlockReconciliation, member: string, attribute: Attribute): Value {
  const { overlay, name, known, answered, config } = request;
  const answer = answered[member];
  const before = known[member] ?? null;
  if (answer === undefined || isLeftAlone(request, member)) return settle(before);
  if (before === unknown || (name === "" && member === "id")) return answer;
  const isAsServed = config === undefined && overlay.answers?.asServed?.includes(nameIn(name, member)) === true;
  if (!isAsServed && equivalent(before, answer, overlay.equivalences?.[nameIn(name, member)])) return before;
  const isPromise =
    config !== undefined && attribute.computed && attribute.optional && (config[member] ?? null) === null;
  return isPromise ? before : answer;
}

/** Returns whether the service's value is ignored, because the attribute is only kept if it is configured. */
function isLeftAlone({ overlay, name, known }: BlockReconciliation, member: string): boolean {
  return overlay.answers?.onlyIfConfigured?.includes(nameIn(name, member)) === true && isEmpty(known[member]);
}

function reconcileNested(
  request: BlockReconciliation,
  member: string,
  { nesting, block }: NestedBlock,
  answer: Value,
): Value {
  const { overlay, known, config } = request;
  const before = known[member];
  const inner = { schema: block, overlay, name: nameIn(request.name, member) };
  if (nesting === "single") {
    return isValueObject(answer) && isValueObject(before)
      ? reconcileBlock({ ...inner, known: before, answered: answer })
      : answer;
  }
  if (!isList(answer)) return answer;
  const [items, configItems] = [itemsOf(before), itemsOf(config?.[member])];
  if (nesting === "set") return reconcileSet(inner, items, answer, config === undefined ? undefined : configItems);
  return answer.map((item, index) => {
    if (!isValueObject(item)) return item;
    return reconcileBlock({
      ...inner,
      known: membersOf(items[index]),
      answered: item,
      config: config === undefined ? undefined : membersOf(configItems[index]),
    });
  });
}

/**
 * Reconciles the members of a set, which have no index. Each is matched with the first known member that does not
 * contradict it.
 */
function reconcileSet(
  inner: Pick<BlockReconciliation, "schema" | "overlay" | "name">,
  items: readonly Value[],
  answer: readonly Value[],
  configItems: readonly Value[] | undefined,
): Value {
  const rest = items.filter(isValueObject);
  return answer.filter(isValueObject).map((item) => {
    const index = rest.findIndex((candidate) => mayBe(inner, candidate, item));
    const [known] = index < 0 ? [] : rest.splice(index, 1);
    const config = configItems === undefined ? undefined : (known ?? {});
    return reconcileBlock({ ...inner, known: known ?? {}, answered: item, config });
  });
}

/** Returns whether two members agree in all values that are known and returned by the service. */
function mayBe(
  { schema, overlay, name }: Pick<BlockReconciliation, "schema" | "overlay" | "name">,
  known: ValueObject,
  answered: ValueObject,
): boolean {
  return [...schema.attributes.keys()].every((member) => {
    const before = known[member] ?? null;
    if (before === unknown || before === null || answered[member] === undefined) return true;
    return equivalent(before, answered[member], overlay.equivalences?.[nameIn(name, member)]);
  });
}

/**
 * Replaces unknown values by null. After an apply nothing is unknown; a value that the service did not return is null.
 */
export function settle(value: Value | undefined): Value {
  if (value === undefined || value === unknown) return null;
  if (isList(value)) return value.map(settle);
  if (!isValueObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settle(member)]));
}
