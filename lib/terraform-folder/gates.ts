import { type Fields, fieldsOf, isFields } from "../json/fields";

/** The provisioners of a file in JSON syntax. */
interface Provisioners {
  /** Commands that {@link withGateCommands} replaces. */
  readonly gateCommands: readonly string[];
  /** Kinds of the other provisioners, for example `remote-exec`. A copy would run them unchanged. */
  readonly others: readonly string[];
}

/** Returns the provisioners of a file: those in the only form in which this package writes gates, and all others. */
export function provisionersIn(json: Fields): Provisioners {
  const gateCommands: string[] = [];
  const rest = mapGates(json, (_, commands) => {
    gateCommands.push(...commands);
    return undefined;
  });
  return { gateCommands, others: kindsIn(rest) };
}

/** Returns the names of the resources that are gates. */
export function gateNamesIn(json: Fields): readonly string[] {
  const { terraform_data: blocks } = fieldsOf(json.resource);
  return Object.entries(fieldsOf(blocks)).flatMap(([name, block]) =>
    gateCommandsOf(block) === undefined ? [] : [name],
  );
}

/** Returns a file with other commands for its gates. */
export function withGateCommands(json: Fields, commandOf: (command: string) => string): Fields {
  return mapGates(json, (block, commands) => ({
    ...block,
    provisioner: commands.map((command) => ({ "local-exec": { command: commandOf(command) } })),
  }));
}

/** @param change returns a block that has gates as it is to be, or undefined to remove it */
function mapGates(json: Fields, change: (block: Fields, commands: readonly string[]) => Fields | undefined): Fields {
  const resource = fieldsOf(json.resource);
  if (!isFields(resource.terraform_data)) return json;
  const blocks = Object.entries(resource.terraform_data).flatMap(([name, block]) => {
    const commands = gateCommandsOf(block);
    const changed = commands === undefined ? block : change(block as Fields, commands);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return { ...json, resource: { ...resource, terraform_data: Object.fromEntries(blocks) } };
}

/** Returns the commands of a block if each of its provisioners has a command for `local-exec` and nothing else. */
function gateCommandsOf(block: unknown): readonly string[] | undefined {
  const { provisioner } = fieldsOf(block);
  if (!Array.isArray(provisioner)) return undefined;
  const commands = provisioner.map((one) => {
    const { "local-exec": run, ...otherKinds } = fieldsOf(one);
    const { command, ...otherArguments } = fieldsOf(run);
    const isPlain = Object.keys(otherKinds).length === 0 && Object.keys(otherArguments).length === 0;
    return isPlain && typeof command === "string" ? command : undefined;
  });
  return commands.every((command) => command !== undefined) ? commands : undefined;
}

function kindsIn(json: unknown): readonly string[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (name !== "provisioner") return kindsIn(value);
    return [value].flat().flatMap((one) => Object.keys(fieldsOf(one)));
  });
}
