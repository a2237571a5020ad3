import { TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { InputError } from "../errors";
import { type Kit, kits } from "../kits";
import { listFirst } from "../text/words";
import { kitName, packageVersion } from "./installed";
import { atSynthesis } from "./synthesis-hooks";

/** Key of the full name of a class that jsii sets, for example `cdktf.TerraformStack`. */
const rtti = Symbol.for("jsii.rtti");
/** Key of the name of a class of this package, for example `cdktn.DnsPublication`; the same in every copy. */
const entryClass = Symbol.for("cdktf-google-cert-migration/class");
/** Key of the version of the package that a class of this package is from. */
const entryVersion = Symbol.for("cdktf-google-cert-migration/version");

const oneVersion = `install one version for all packages of the app ('npm ls ${kits.cdktf.entry}' lists the copies)`;

/** The kit that these constructs are built on. */
export const ownKit: Kit = kitOf(TerraformStack.prototype) ?? kits[kitName];

/**
 * Returns the kit of a construct, from the names of its class and its base classes. Several copies of one kit have
 * the same names.
 *
 * @returns undefined for a construct that is built on `constructs` only
 */
export function kitOf(construct: object): Kit | undefined {
  for (const name of classNames(construct)) {
    const kit = Object.values(kits).find((each) => name.startsWith(`${each.name}.`));
    if (kit !== undefined) return kit;
  }
  return undefined;
}

/** Returns whether a construct is of a class of the own kit, for example `TerraformModule`, in any copy of the kit. */
export function isOfKitClass(construct: object, name: string): boolean {
  return [...classNames(construct)].includes(`${ownKit.name}.${name}`);
}

/** Yields the names that jsii gives to the class of a construct and to its base classes. */
function* classNames(construct: object): Generator<string> {
  for (let type: object | null = construct; type !== null; type = Object.getPrototypeOf(type)) {
    const described = type.constructor as { readonly [rtti]?: { readonly fqn: string } } | undefined;
    const name = described?.[rtti]?.fqn;
    if (name !== undefined) yield name;
  }
}

/**
 * Gives a class, whose objects several copies of this package use, its name with the kit of its entry point and the
 * version of the package.
 */
export function nameClass(type: { readonly prototype: object }, name: string): void {
  Object.defineProperty(type.prototype, entryClass, { value: `${ownKit.name}.${name}` });
  Object.defineProperty(type.prototype, entryVersion, { value: packageVersion });
}

/** Returns whether an object is of a class of the own kit that has its name from `nameClass`, of any version. */
export function isNamed(value: object, name: string): boolean {
  return Reflect.get(value, entryClass) === `${ownKit.name}.${name}`;
}

/** Returns whether an object of a named class is from a copy of the package of the same version. */
export function isOfOwnVersion(value: object): boolean {
  return Reflect.get(value, entryVersion) === packageVersion;
}

/**
 * Refuses a construct in a stack with constructs from another version of this package, whose shared resources have
 * another form.
 */
export function versionsMixed(construct: Construct, shared: object): InputError {
  const others = TerraformStack.of(construct)
    .node.findAll()
    .filter((node) => isNamed(node, "ManagedCertMigration") && !isOfOwnVersion(node))
    .map(({ node }) => `'${node.path}'`);
  const from = `${ownKit.entry} ${packageVersion}`;
  const other = `version ${Reflect.get(shared, entryVersion)} (${listFirst(others, mostPaths)})`;
  return new InputError(
    "package-versions-mixed",
    `${construct.node.path}: the construct is from ${from}, and its stack has constructs from ${other}; ${oneVersion}`,
  );
}

/**
 * Returns the stack of a construct of this package. Also checks the other constructs of the stack, now and before each
 * synthesis, because the kits fail with internal errors or silently when their constructs are mixed.
 *
 * @throws InputError `kit-mixed` if the stack or one of its constructs is of the other kit
 */
export function ownStackOf(construct: Construct): TerraformStack {
  const stack = TerraformStack.of(construct);
  const kit = kitOf(stack);
  if (kit !== undefined && kit !== ownKit) {
    const { path } = construct.node;
    throw mixed(
      `${path}: the stack '${stack.node.path}' is a stack of '${kit.name}', and the construct is imported from '${ownKit.entry}', which is for '${ownKit.name}'; import it from '${kit.entry}' and run '${kit.install}'`,
    );
  }
  requireOneKit(stack);
  return stack;
}

const checkedStacks = new WeakSet<TerraformStack>();

function requireOneKit(stack: TerraformStack): void {
  if (checkedStacks.has(stack)) return;
  refuseForeignConstructs(stack);
  checkedStacks.add(stack);
  atSynthesis(stack, () => refuseForeignConstructs(stack));
  // CDK Terrain prepares its stacks before it invokes aspects, and the preparation fails for constructs of cdktf.
  const prepare = stack.prepareStack.bind(stack);
  stack.prepareStack = () => {
    refuseForeignConstructs(stack);
    prepare();
  };
}

/** Number of paths in a message; further constructs are only counted. */
const mostPaths = 3;

/** @throws InputError `kit-mixed` if the app or a construct of the stack is of the other kit */
function refuseForeignConstructs(stack: TerraformStack): void {
  const foreign = [...stack.node.scopes, ...stack.node.findAll()].filter((node) => {
    const kit = kitOf(node);
    return kit !== undefined && kit !== ownKit;
  });
  const [first] = foreign;
  if (first === undefined) return;
  const kit = kitOf(first) as Kit;
  const paths = foreign.map(({ node }) => (node.path === "" ? "the app" : `'${node.path}'`));
  const packages = [...new Set(foreign.map((construct) => `'${ownPackageFor(construct)}'`))].sort();
  throw mixed(
    `${stack.node.path}: the stack is a stack of '${ownKit.name}' with constructs that are imported from packages of '${kit.name}' (${listFirst(paths, mostPaths)}); import them from ${packages.join(" and ")}`,
  );
}

/** Returns the package of the own kit in place of the package that a construct is imported from. */
function ownPackageFor(construct: IConstruct): string {
  for (const name of classNames(construct)) {
    const [, bindings] = /^@(?:cdktf|cdktn)\/([^.]+)\./.exec(name) ?? [];
    if (bindings !== undefined) return `@${ownKit.name}/${bindings}`;
  }
  return ownKit.name;
}

/**
 * Checks a construct of the user's app that a construct of this package refers to.
 *
 * @param what names the construct in the message, for example `target HTTPS proxy 'prod/proxy'`
 * @throws InputError `kit-mixed` if it is of the other kit
 */
export function requireOwnKit(construct: IConstruct, what: string): void {
  const kit = kitOf(construct);
  if (kit === undefined || kit === ownKit) return;
  throw mixed(
    `${what} is a construct of '${kit.name}', and the migration is imported from '${ownKit.entry}', which is for '${ownKit.name}'; in an app of '${ownKit.name}', create it with '${ownKit.bindings}' ('${ownKit.install}'); in an app of '${kit.name}', import the migration from '${kit.entry}'`,
  );
}

/**
 * Checks an object of a class that has its name from `nameClass`.
 *
 * @param what names the property in the message, for example `prod/shop: 'dns'`
 * @returns whether the object is of the class, from this copy of the package or another copy
 * @throws InputError `kit-mixed` if the object is of the other entry point
 */
export function isOfOwnEntry(value: unknown, name: string, what: string): boolean {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, entryClass) : undefined;
  const kit = Object.values(kits).find((each) => found === `${each.name}.${name}`);
  if (kit === ownKit && !isOfOwnVersion(value as object)) {
    const other = `${kit.entry} ${Reflect.get(value as object, entryVersion)}`;
    const message = `${what} is a ${name} from ${other}, and the migration is from ${packageVersion}; ${oneVersion}`;
    throw new InputError("package-versions-mixed", message);
  }
  if (kit === undefined || kit === ownKit) return kit !== undefined;
  throw mixed(
    `${what} is a ${name} from '${kit.entry}', and the migration is imported from '${ownKit.entry}'; import both from '${kit.entry}' in an app of '${kit.name}' ('${kit.install}'), or both from '${ownKit.entry}' in an app of '${ownKit.name}' ('${ownKit.install}')`,
  );
}

function mixed(message: string): InputError {
  return new InputError("kit-mixed", message);
}
