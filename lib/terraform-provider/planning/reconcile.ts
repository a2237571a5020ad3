import type { Attribute, Block, NestedBlock } from "../schema";
import { isEmpty, isList, isObject, itemsOf, membersOf, unknown, type Value, type ValueObject } from "../value";
import { equivalent } from "./equivalence";
import { nameIn, type Overlay } from "./overlay";

/** What is known of a resource before the service's answer is taken over. */
export interface Reconciliation {
  readonly schema: Block;
  readonly overlay: Overlay;
  /** The state before a refresh, or the plan. */
  readonly known: ValueObject;
  /** What the service says; what it never tells is left out. */
  readonly told: ValueObject;
  /**
   * The configuration, after an apply: what a plan has promised of arguments that nobody configured is kept until the next refresh. What only the service
   * sets is taken over at once, as by the provider, which plans no change of it.
   *
   * @default - a refresh: what the service says counts
   */
  readonly config?: ValueObject | undefined;
}

/** The new state of a resource: what the service says, in the spelling that is known where both mean the same. */
export function reconcile({ schema, overlay, known, told, config }: Reconciliation): ValueObject {
  return reconcileBlock({ schema, overlay, name: "", known, told, config });
}

type BlockReconciliation = Reconciliation & { readonly name: string };

function reconcileBlock(request: BlockReconciliation): ValueObject {
  const { schema, known, told } = request;
  const state: Record<string, Value> = {};
  for (const [member, attribute] of schema.attributes) {
    state[member] = reconcileAttribute(request, member, attribute);
  }
  for (const [member, nested] of schema.blocks) {
    const answer = told[member];
    const isLeft = answer === undefined || isLeftAlone(request, member);
    state[member] = isLeft ? settle(known[member]) : reconcileNested(request, member, nested, answer);
  }
  return state;
}

function reconcileAttribute(request: BlockReconciliation, member: string, attribute: Attribute): Value {
  const { overlay, name, known, told, config } = request;
  const answer = told[member];
  const before = known[member] ?? null;
  if (answer === undefined || isLeftAlone(request, member)) return settle(before);
  if (before === unknown || (name === "" && member === "id")) return answer;
  const isAsServed = config === undefined && overlay.asServed?.includes(nameIn(name, member)) === true;
  if (!isAsServed && equivalent(before, answer, overlay.equivalences?.[nameIn(name, member)])) return before;
  const isPromise =
    config !== undefined && attribute.computed && attribute.optional && (config[member] ?? null) === null;
  return isPromise ? before : answer;
}

/** Nobody configured it, and what the service makes of that is its own affair. */
function isLeftAlone({ overlay, name, known }: BlockReconciliation, member: string): boolean {
  return overlay.onlyIfConfigured?.includes(nameIn(name, member)) === true && isEmpty(known[member]);
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
    return isObject(answer) && isObject(before) ? reconcileBlock({ ...inner, known: before, told: answer }) : answer;
  }
  if (!isList(answer)) return answer;
  const [items, configItems] = [itemsOf(before), itemsOf(config?.[member])];
  if (nesting === "set") return reconcileSet(inner, items, answer, config === undefined ? undefined : configItems);
  return answer.map((item, index) => {
    if (!isObject(item)) return item;
    return reconcileBlock({
      ...inner,
      known: membersOf(items[index]),
      told: item,
      config: config === undefined ? undefined : membersOf(configItems[index]),
    });
  });
}

/** Members of a set have no place: each is paired with the first one that differs least from it. */
function reconcileSet(
  inner: Pick<BlockReconciliation, "schema" | "overlay" | "name">,
  items: readonly Value[],
  answer: readonly Value[],
  configItems: readonly Value[] | undefined,
): Value {
  const rest = items.filter(isObject);
  return answer.filter(isObject).map((item) => {
    const index = rest.findIndex((candidate) => mayBe(inner, candidate, item));
    const [known] = index < 0 ? [] : rest.splice(index, 1);
    const config = configItems === undefined ? undefined : (known ?? {});
    return reconcileBlock({ ...inner, known: known ?? {}, told: item, config });
  });
}

/** Whether everything that is known of one is said of the other. */
function mayBe(
  { schema, overlay, name }: Pick<BlockReconciliation, "schema" | "overlay" | "name">,
  known: ValueObject,
  told: ValueObject,
): boolean {
  return [...schema.attributes.keys()].every((member) => {
    const before = known[member] ?? null;
    if (before === unknown || before === null || told[member] === undefined) return true;
    return equivalent(before, told[member], overlay.equivalences?.[nameIn(name, member)]);
  });
}

/** Nothing is unknown once a resource is there: what nobody has told is null. */
export function settle(value: Value | undefined): Value {
  if (value === undefined || value === unknown) return null;
  if (isList(value)) return value.map(settle);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settle(member)]));
}
