import { type Fields, fieldsOf, listOf } from "../../json/fields";
import { quote } from "../../text/quote";
import type { Unrehearsed } from "../own-stack";

interface KnownGates {
  /** Names of the resources that are gates, as the files of generated modules contain them. */
  readonly names: ReadonlySet<string>;
  /** Beginning of the command of each gate in the copy. */
  readonly gateCommand: string;
}

/**
 * Returns the provisioners in the configuration of a plan that are not gates of generated modules. The files are
 * checked before the plan; the plan also shows what Terraform itself has read, before an apply runs it.
 *
 * @param plan output of `terraform show -json`
 */
export function foreignProvisioners(plan: Fields, gates: KnownGates): readonly Unrehearsed[] {
  return resourcesIn(fieldsOf(plan.configuration).root_module, "").flatMap(({ address, resource }) =>
    listOf(resource.provisioners)
      .map(fieldsOf)
      .filter((provisioner) => !isGate(resource, provisioner, gates))
      .map(({ type }) => ({
        address: `provisioner ${quote(String(type))} of ${address}`,
        what: "a command of your own; only gates of generated modules run",
      })),
  );
}

function resourcesIn(
  module: unknown,
  prefix: string,
): readonly { readonly address: string; readonly resource: Fields }[] {
  const { resources, module_calls: calls } = fieldsOf(module);
  const own = listOf(resources).map((one) => {
    const resource = fieldsOf(one);
    return { address: `${prefix}${String(resource.address)}`, resource };
  });
  const inner = Object.entries(fieldsOf(calls)).flatMap(([name, call]) =>
    resourcesIn(fieldsOf(call).module, `${prefix}module.${name}.`),
  );
  return [...own, ...inner];
}

function isGate({ type, name }: Fields, provisioner: Fields, { names, gateCommand }: KnownGates): boolean {
  const { command, ...others } = fieldsOf(provisioner.expressions);
  if (type !== "terraform_data" || provisioner.type !== "local-exec" || Object.keys(others).length > 0) return false;
  // A command with a reference, for example to the module's folder, has no constant value.
  const { constant_value: constant } = fieldsOf(command);
  const isOwnCommand = typeof constant !== "string" || constant.startsWith(`${gateCommand} `);
  return names.has(String(name)) && isOwnCommand;
}
