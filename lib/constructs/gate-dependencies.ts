import { dependable, type ITerraformDependable, type TerraformResource, TerraformStack } from "cdktf";
import { Construct, Dependable, type IConstruct, type IDependable } from "constructs";
import { isFields } from "../json/fields";
import { orderGates } from "./dependencies";
import type { CommandGateProps } from "./gate-props";
import { requireOwnKit } from "./kit";

type GateDependency = NonNullable<CommandGateProps["dependsOn"]>[number];

/** Makes a gate depend on constructs, milestones and addresses, which have no mistakes. */
export function waitFor(gate: TerraformResource, dependencies: readonly GateDependency[]): void {
  const stack = TerraformStack.of(gate);
  orderGates(stack);
  const addresses = dependencies.flatMap((dependency) => {
    if (typeof dependency === "string") return [dependency];
    if (!isDependable(dependency)) return [dependable(dependency as ITerraformDependable)];
    gate.node.addDependency(dependency);
    return [];
  });
  if (addresses.length > 0) gate.dependsOn = addresses;
}

/**
 * Returns what is wrong with the values on which a gate depends.
 *
 * @throws InputError `kit-mixed` if a construct is of the other kit
 */
export function mistakesOfDependencies(scope: Construct, dependencies: readonly unknown[]): readonly string[] {
  return dependencies.flatMap((dependency, index) => {
    const what = `'dependsOn[${index}]'`;
    if (isDependable(dependency)) return mistakesOfConstructs(scope, constructsOf(dependency), what);
    if (typeof dependency === "string" || hasAddress(dependency)) return [];
    const kind = dependency === null ? "empty" : `of the type ${typeof dependency}`;
    return [`${what} is ${kind}: use a construct, a milestone, or an address such as google_dns_record_set.www`];
  });
}

function mistakesOfConstructs(scope: Construct, constructs: readonly IConstruct[], what: string): readonly string[] {
  for (const construct of constructs) requireOwnKit(construct, `${scope.node.path}: ${what}`);
  const foreign = constructs.find(({ node }) => node.root !== scope.node.root);
  if (foreign === undefined) return [];
  const { path } = foreign.node;
  return [`${what} is the construct '${path}' of another app: use a construct of this app, or an address`];
}

function isDependable(value: unknown): value is IDependable {
  return isFields(value) && (Construct.isConstruct(value) || constructsOf(value).length > 0);
}

/** Returns the constructs for which a value stands. */
function constructsOf(value: IDependable): readonly IConstruct[] {
  try {
    return Dependable.of(value).dependencyRoots;
  } catch {
    return [];
  }
}

/** Returns whether a value is an element of the kit without a place in the tree of constructs. */
function hasAddress(value: unknown): value is ITerraformDependable {
  return isFields(value) && typeof value.fqn === "string";
}
