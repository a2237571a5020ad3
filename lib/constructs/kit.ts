import { TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { InputError } from "../errors";
import { type Kit, kits } from "../kits";

/** Under which jsii keeps the full name of a class, for example `cdktf.TerraformStack`. */
const rtti = Symbol.for("jsii.rtti");
/** Under which classes of this package keep their name, for example `cdktn.DnsPublication`, in every copy of the package. */
const entryClass = Symbol.for("cdktf-google-cert-migration/class");

/** The kit that these constructs are built on. */
export const ownKit: Kit = kitOf(TerraformStack.prototype) ?? kits.cdktf;

/**
 * Returns the kit of a construct, from the names of its class and its base classes. Several copies of one kit have
 * the same names.
 *
 * @returns undefined for a construct that is built on `constructs` only
 */
export function kitOf(construct: object): Kit | undefined {
  for (let type: object | null = construct; type !== null; type = Object.getPrototypeOf(type)) {
    const described = type.constructor as { readonly [rtti]?: { readonly fqn: string } } | undefined;
    const name = described?.[rtti]?.fqn ?? "";
    const kit = Object.values(kits).find((each) => name.startsWith(`${each.name}.`));
    if (kit !== undefined) return kit;
  }
  return undefined;
}

/** Gives a class, whose objects users pass to constructs of this package, its name with the kit of its entry point. */
export function nameClass(type: { readonly prototype: object }, name: string): void {
  Object.defineProperty(type.prototype, entryClass, { value: `${ownKit.name}.${name}` });
}

/**
 * Returns the stack of a construct of this package.
 *
 * @throws InputError `kit-mixed` if the stack is of the other kit
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
  return stack;
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
  if (kit === undefined || kit === ownKit) return kit !== undefined;
  throw mixed(
    `${what} is a ${name} from '${kit.entry}', and the migration is imported from '${ownKit.entry}'; import both from '${kit.entry}' in an app of '${kit.name}' ('${kit.install}'), or both from '${ownKit.entry}' in an app of '${ownKit.name}' ('${ownKit.install}')`,
  );
}

function mixed(message: string): InputError {
  return new InputError("kit-mixed", message);
}
