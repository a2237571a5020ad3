import { gateRun } from "../../gate-call";
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
  const found = listOf(resources).map((listed) => {
    const resource = fieldsOf(listed);
    return { address: `${prefix}${String(resource.address)}`, resource };
  });
  const inner = Object.entries(fieldsOf(calls)).flatMap(([name, call]) =>
    resourcesIn(fieldsOf(call).module, `${prefix}module.${name}.`),
  );
  return [...found, ...inner];
}

function isGate({ type, name }: Fields, provisioner: Fields, { names, gateCommand }: KnownGates): boolean {
  const { command, environment, ...otherExpressions } = fieldsOf(provisioner.expressions);
  if (type !== "terraform_data" || provisioner.type !== "local-exec" || Object.keys(otherExpressions).length > 0)
    return false;
  const { constant_value: constant } = fieldsOf(command);
  const isOwnCommand = (["wait", "verify"] as const).some(
    (verb) => constant === gateRun(gateCommand, { verb, environment: {} }).command,
  );
  // The plan contains only the references of the variables; their names are checked in the file.
  return names.has(String(name)) && environment !== undefined && isOwnCommand;
}
