import { TerraformDataSource, type TerraformElement, TerraformResource, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { InputError, type Problem } from "../errors";
import { groupBy } from "../json/group-by";
import { DependencyGraph } from "./dependency-graph";
import { isNamed, isOfKitClass } from "./kit";
import { isOfMilestone } from "./milestone";
import { identityIn } from "./reference";
import { SharedUsers } from "./shared-users";
import { withoutStackTraces } from "./stack-traces";
import { PerSynthesis, skipsValidation, whenPrepared, whenResolved } from "./synthesis-hooks";

/** An element with `depends_on`. */
type OrderedElement = TerraformElement & { dependsOn?: string[] };

/** A dependency by `node.addDependency`. */
interface Declared {
  readonly source: IConstruct;
  readonly target: IConstruct;
}

const declaredInApp = new PerSynthesis<readonly Declared[]>();

/** Elements of which each source depends on each target. */
interface Edges extends Declared {
  /** Whether all elements are ordered, because a gate declares the dependency, or is its target. */
  readonly isOfGate: boolean;
  readonly sources: ReadonlySet<OrderedElement>;
  readonly targets: ReadonlySet<OrderedElement>;
}

/**
 * Writes `depends_on` for dependencies by `node.addDependency` from and to gates and migrations, or parts of them. The
 * kits don't read these dependencies. Dependencies between other constructs stay without effect.
 *
 * @returns a problem `dependency-cycle` for each dependency that closes a cycle, also by references
 */
export function orderByDependencies(stack: TerraformStack, users: SharedUsers): readonly Problem[] {
  const declared = dependenciesIn(stack).filter(({ source, target }) => stackOf(source) === stackOf(target));
  const edges = [...groupBy(declared, ({ target }) => target)].flatMap(([target, all]) =>
    edgesTo(
      target,
      all.map(({ source }) => source),
      users,
    ),
  );
  const known = new Map<OrderedElement, string>();
  const addressIn = (element: OrderedElement) => {
    const address = known.get(element) ?? addressOfElement(stack, element);
    known.set(element, address);
    return address;
  };
  for (const { sources, targets, isOfGate } of edges) {
    const ofMigrations = [...targets].filter(isOrdered);
    for (const source of sources) {
      const added = (isOfGate || isOrdered(source) ? [...targets] : ofMigrations).filter((target) => target !== source);
      addTo(source, added.map(addressIn), stack);
    }
  }
  return edges.length === 0 ? [] : cyclesIn(new DependencyGraph(stack), edges, addressIn);
}

const stacksOfGates = new WeakSet<TerraformStack>();

/** Orders the gates of a stack at synthesis. If the stack has migrations, their shared resources do this. */
export function orderGates(stack: TerraformStack): void {
  if (stacksOfGates.has(stack)) return;
  stacksOfGates.add(stack);
  const hasMigrations = () => stack.node.children.some((child) => isNamed(child, "SharedResources"));
  whenPrepared(stack, () => {
    if (!hasMigrations()) orderStacks(stack);
  });
  whenResolved(stack, () => {
    if (hasMigrations()) return;
    const problems = orderByDependencies(stack, new SharedUsers());
    if (problems.length > 0 && !skipsValidation(stack)) throw new InputError(problems);
  });
}

/**
 * Makes stacks depend on stacks for dependencies by `node.addDependency` from and to gates and migrations across
 * stacks: the kit deploys them in this order.
 *
 * @throws InputError `dependency-cycle` if two stacks depend on each other
 */
export function orderStacks(stack: TerraformStack): void {
  const declared = declaredInApp.valueFor(stack, (app) => app.node.findAll().flatMap(declaredBy));
  const problems = declared.flatMap(({ source, target }): readonly Problem[] => {
    const [from, to] = [stackOf(source), stackOf(target)];
    if (from === undefined || to === undefined || from === to || (from !== stack && to !== stack)) return [];
    const isOfGate = isGate(source) || isGate(target);
    if (!isOfGate && !hasMigration(source) && !hasMigration(target) && !isOfMilestone(target)) return [];
    if (to.dependsOn(from)) return [cycle({ source, target }, [from.node.path, to.node.path, from.node.path])];
    from.addDependency(to);
    return [];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** Adds addresses that an element does not depend on yet. Its own dependencies may be tokens. */
function addTo(element: OrderedElement, addresses: readonly string[], stack: TerraformStack): void {
  const names = element.dependsOn ?? [];
  const known = new Set(names.map((name) => identityIn(stack, name)));
  const missing = addresses.filter((address) => !known.has(address));
  if (missing.length > 0) element.dependsOn = [...names, ...missing];
}

function dependenciesIn(stack: TerraformStack): readonly Declared[] {
  return stack.node
    .findAll()
    .flatMap(declaredBy)
    .filter(({ source }) => stackOf(source) === stack);
}

function declaredBy(source: IConstruct): readonly Declared[] {
  return source.node.dependencies.map((target) => ({ source, target }));
}

/** Returns the stack of a construct; undefined for the app. */
function stackOf(construct: IConstruct): TerraformStack | undefined {
  return [...construct.node.scopes].reverse().find(TerraformStack.isStack) as TerraformStack | undefined;
}

/** Returns the edges of all constructs that depend on a target. */
function edgesTo(target: IConstruct, sources: readonly IConstruct[], users: SharedUsers): readonly Edges[] {
  const shared = users.resources.map((resource) => ({ resource, by: users.of(resource) }));
  const isWithin = (user: Construct, scope: IConstruct) => user.node.scopes.includes(scope);
  const needed = shared.filter(({ by }) => by.some((user) => isWithin(user, target)));
  const targets = new Set([...elementsIn(target), ...needed.map(({ resource }) => resource)]);
  // A shared resource waits only if all migrations that use it wait. Otherwise, another migration would wait too.
  const waiting = shared.filter(({ by }) => by.every((user) => sources.some((source) => isWithin(user, source))));
  return sources.flatMap((source) => {
    const used = waiting.filter(({ by }) => by.some((user) => isWithin(user, source)));
    const all = new Set([...elementsIn(source), ...used.map(({ resource }) => resource)]);
    const isOfGate = isGate(source) || isGate(target);
    const hasEdge = isOfGate || [...all].some(isOrdered) || [...targets].some(isOrdered);
    return hasEdge ? [{ source, target, sources: all, targets, isOfGate }] : [];
  });
}

function elementsIn(construct: IConstruct): readonly OrderedElement[] {
  return construct.node
    .findAll()
    .filter((node): node is OrderedElement => isElement(node) && stackOf(node) === stackOf(construct));
}

function isElement(node: IConstruct): boolean {
  if (TerraformResource.isTerraformResource(node) || TerraformDataSource.isTerraformDataSource(node)) return true;
  return isOfKitClass(node, "TerraformModule");
}

/** Returns whether an element belongs to a migration, is shared by migrations, or is part of a milestone. */
function isOrdered(element: OrderedElement): boolean {
  return isOfMilestone(element) || element.node.scopes.some(isOfPackage);
}

function isGate(construct: IConstruct): boolean {
  return isNamed(construct, "CommandGate");
}

function isOfPackage(construct: IConstruct): boolean {
  return isNamed(construct, "ManagedCertMigration") || isNamed(construct, "SharedResources");
}

function hasMigration(construct: IConstruct): boolean {
  return construct.node.scopes.some(isOfPackage) || construct.node.findAll().some(isOfPackage);
}

function addressOfElement(stack: TerraformStack, element: OrderedElement): string {
  // The token of the kit, so that the kit refuses another logical id from here on.
  return withoutStackTraces(() => identityIn(stack, element.fqn)).replace(/^\$\{(.*)\}$/, "$1");
}

/** Returns a problem for each pair of constructs that depend on each other. */
function cyclesIn(
  graph: DependencyGraph,
  edges: readonly Edges[],
  addressIn: (element: OrderedElement) => string,
): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const { source, target, sources, targets, isOfGate } of edges) {
    // An element of the app depends only on elements of a migration, unless it is a gate.
    const waits = (element: OrderedElement) => isOfGate || isOrdered(element);
    const ofMigration = [...targets].filter(waits).map(addressIn);
    const ofApp = [...targets].filter((element) => !waits(element)).map(addressIn);
    const all = new Set([...sources].map(addressIn));
    const waiting = new Set([...sources].filter(waits).map(addressIn));
    const path = graph.pathBetween(ofMigration, all) ?? graph.pathBetween(ofApp, waiting);
    const pair = [source.node.path, target.node.path].sort().join(" ");
    if (path !== undefined && !problems.has(pair)) problems.set(pair, cycle({ source, target }, path));
  }
  return [...problems.values()];
}

function cycle({ source, target }: Declared, path: readonly string[]): Problem {
  const by = isGate(source) ? "'dependsOn' or 'node.addDependency'" : "'node.addDependency'";
  const message = `'${source.node.path}' depends on '${target.node.path}' by ${by}, and '${target.node.path}' depends on '${source.node.path}': ${path.join(" needs ")}; remove one of the two dependencies`;
  return { code: "dependency-cycle", message };
}
