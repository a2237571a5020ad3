/** Prepares a user's stack for a rehearsal. */
import { InputError, type Problem } from "../errors";
import type { KnownTypes, SchemaBlock } from "../terraform-provider";
import { quote } from "../text/quote";
import { countOf } from "../text/words";
import { withKnownArguments } from "./arguments";
import { type Dependent, dependentsOf } from "./dependents";
import { ownGateRun } from "./gate-runs";
import { withKnownValues } from "./known-values";
import { isMadeUp, isPreparable } from "./lookups";
import { type OtherStacks, withOtherStacks } from "./other-stacks";
import { placeholderOf, withoutReferences } from "./references";
import {
  type Block,
  type BlocksByName,
  type BlocksByType,
  googleProviders,
  importsIn,
  isGoogleProvider,
  isServedZone,
  providerBlocksOf,
  resourcesOf,
  type StackJson,
} from "./stack";

/** A part of a stack that can't be rehearsed unchanged. */
export interface Unrehearsed {
  /** Address, for example `random_id.suffix`, `data.terraform_remote_state.network`, `module.web`, `provider.aws`. */
  readonly address: string;
  /** Description of the part, and what a rehearsal does with it. */
  readonly what: string;
}

export interface OwnStack {
  /** Stack that Terraform runs. */
  readonly stack: StackJson;
  /**
   * Parts that can't be rehearsed unchanged, in the order of the stack. Unless the user allows them, the rehearsal is
   * refused.
   */
  readonly unrehearsed: readonly Unrehearsed[];
  /** Resource types that the stand-in must keep in the state alone. */
  readonly alsoKept: readonly string[];
}

export interface OwnStackOptions {
  /** Command by which gates call `cert-migration`, in place of the stack's own command. */
  readonly gateCommand: string;
  readonly known: KnownTypes;
  /** Whether the real provider is used, which can't keep resources that the cloud does not have. @default false */
  readonly isReal?: boolean;
  /** Other stacks of the app, for values that the stack reads from them. @default - none: their states are removed */
  readonly others?: OtherStacks;
  /** Environment variables, for example `TF_VAR_key`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Project of a stack that names no project. */
const rehearsalProject = "rehearsal-project";

/** Types whose `import` blocks refer to resources that a rehearsal creates beforehand. */
const preparedImports = /^google_(?:dns_record_set|compute_target_(?:https|ssl)_proxy)$/;

/**
 * Removes from a stack what would reach outside of the rehearsal: other providers, remote states, modules, commands,
 * credentials. A placeholder name replaces each reference to a removed part. Parts in which a placeholder is not valid
 * are also removed. Reports every removed part.
 *
 * @throws InputError `rehearsal-variable-missing` for variables without a value
 */
export function createOwnStack(given: StackJson, options: OwnStackOptions): OwnStack {
  const { known, env, others: otherStacks = new Map() } = options;
  refuseMissingVariables(given, env);
  const { module: modules = {}, ...stack } = withOtherStacks(withKnownValues(given, env), otherStacks, known);
  const notes: Notes = { unrehearsed: [], removed: [], alsoKept: new Set() };
  const resource = resourcesIn(stack, options, notes);
  const data = dataIn(stack, resource, options, notes);
  for (const name of Object.keys(modules as object)) leaveOut(notes, `module.${name}`, "a module");
  for (const name of Object.keys((stack.provider ?? {}) as object)) {
    // A rehearsal replaces the records of a publisher, whose provider may have no other resources.
    if (!isGoogleProvider(name) && isProviderUsed(stack, name))
      notes.unrehearsed.push({ address: `provider.${name}`, what: "another provider: left out" });
  }
  const dependents = dependentsOf({ ...stack, resource, data }, notes.removed, known.schemaOf);
  for (const { address, needs, argument } of dependents) {
    const what = `in need of '${needs}' for its '${argument}', where no made-up name can stand: left out`;
    notes.unrehearsed.push({ address, what });
  }
  const removed = [...notes.removed, ...dependents.map(({ address }) => address)];
  const cleaned = withoutReferences(withoutDependents({ ...stack, resource, data }, dependents), removed);
  const { import: _imports, ...rest } = cleaned;
  return {
    stack: {
      ...rest,
      ...importsOf(cleaned, removed),
      provider: providersOf(stack, known),
      terraform: settingsOf(stack),
    },
    unrehearsed: notes.unrehearsed,
    alsoKept: [...notes.alsoKept],
  };
}

/** Findings about the parts of a stack, collected part by part. */
interface Notes {
  readonly unrehearsed: Unrehearsed[];
  /** Addresses of removed parts. */
  readonly removed: string[];
  readonly alsoKept: Set<string>;
}

/** Returns whether a resource or data source of a stack has a provider. */
function isProviderUsed({ resource, data }: StackJson, name: string): boolean {
  return [resource, data].some((all) =>
    Object.entries((all ?? {}) as BlocksByType).some(([type, blocks]) =>
      Object.values(blocks).some((block) => providerNameOf(type, block) === name),
    ),
  );
}

function leaveOut({ removed, unrehearsed }: Notes, address: string, what: string): undefined {
  removed.push(address);
  unrehearsed.push({ address, what: `${what}: left out; '${placeholderOf(address)}' stands for what it would give` });
}

function resourcesIn(
  stack: StackJson,
  { known, gateCommand, isReal = false }: OwnStackOptions,
  notes: Notes,
): BlocksByType {
  return keepBlocks(stack.resource, (type, name, block) => {
    const address = `${type}.${name}`;
    if (type === "terraform_data") return withOwnCommands(address, block, gateCommand, notes);
    const provider = providerNameOf(type, block);
    const support = isGoogleProvider(provider) ? known.resource(type) : "unknown";
    if (support === "unknown") return leaveOut(notes, address, `a resource of the provider ${quote(provider)}`);
    const ofOther = "of a service that the rehearsal cloud does not have";
    if (isReal && support !== "cloud") return leaveOut(notes, address, `a resource ${ofOther}`);
    if (support === "bindings") {
      notes.alsoKept.add(type);
      notes.unrehearsed.push({ address, what: `${ofOther}: kept in the state alone` });
    }
    const kept = keepKnown(address, block, known.schemaOf("resource", type), notes);
    return withOwnCommands(address, kept, gateCommand, notes);
  });
}

/** @param resources resources that are kept */
function dataIn(
  stack: StackJson,
  resources: BlocksByType,
  { known, isReal }: OwnStackOptions,
  notes: Notes,
): BlocksByType {
  return keepBlocks(stack.data, (type, name, block) => {
    const address = `data.${type}.${name}`;
    if (type === "terraform_remote_state") return leaveOut(notes, address, "the state of another stack");
    const provider = providerNameOf(type, block);
    if (!isGoogleProvider(provider))
      return leaveOut(notes, address, `a data source of the provider ${quote(provider)}`);
    if (!known.hasDataSource(type) || (isReal === true && isMadeUp(type)))
      return leaveOut(notes, address, "a data source that reads what the rehearsal cloud does not have");
    if (!isPreparable(type, block, resources))
      return leaveOut(notes, address, "a data source that looks up what only Terraform would know the name of");
    return keepKnown(address, block, known.schemaOf("data", type), notes);
  });
}

/** Returns the block without arguments that the schema does not have; reports each of them. */
function keepKnown(address: string, block: Block, schema: SchemaBlock | undefined, { unrehearsed }: Notes): Block {
  const { kept, unknown } = withKnownArguments(block, schema);
  for (const name of unknown) {
    const what = "an argument that the stand-in does not know: left out";
    unrehearsed.push({ address: `${address}.${name}`, what });
  }
  return kept;
}

/**
 * Returns the stack without the dependents, and without kinds of blocks that became empty. Terraform reads an empty
 * list of blocks as a block without a label.
 */
function withoutDependents(stack: StackJson, dependents: readonly Dependent[]): StackJson {
  const addresses = new Set(dependents.map(({ address }) => address));
  const left = (all: unknown, prefix: string) =>
    keepBlocks(all, (type, name, block) => (addresses.has(`${prefix}${type}.${name}`) ? undefined : block));
  const members = (all: unknown, prefix: string) =>
    Object.fromEntries(Object.entries((all ?? {}) as Block).filter(([name]) => !addresses.has(`${prefix}.${name}`)));
  const kinds = {
    resource: left(stack.resource, ""),
    data: left(stack.data, "data."),
    locals: members(stack.locals, "local"),
    output: members(stack.output, "output"),
  };
  const filled = Object.entries(kinds).filter(
    ([name, blocks]) => name === "resource" || Object.keys(blocks).length > 0,
  );
  const { data: _data, locals: _locals, output: _output, ...rest } = stack;
  return { ...rest, ...Object.fromEntries(filled) };
}

/**
 * Refuses a stack with parts that can't be rehearsed.
 *
 * @throws InputError `rehearsal-unknown` with all of these parts
 */
export function refuseUnrehearsed(unrehearsed: readonly Unrehearsed[]): void {
  if (unrehearsed.length === 0) return;
  throw new InputError([
    ...unrehearsed.map(
      ({ address, what }): Problem => ({ code: "rehearsal-unknown", message: `${quote(address)} is ${what}` }),
    ),
    {
      code: "rehearsal-unknown",
      message: `${countOf(unrehearsed.length, "part")} of the stack can't be rehearsed; give --skip-unknown to go on without ${unrehearsed.length === 1 ? "it" : "them"}`,
    },
  ]);
}

function refuseMissingVariables(stack: StackJson, env: OwnStackOptions["env"]): void {
  const variables = Object.entries((stack.variable ?? {}) as BlocksByName);
  const missing = variables.filter(([name, block]) => !("default" in block) && env[`TF_VAR_${name}`] === undefined);
  if (missing.length === 0) return;
  throw new InputError(
    missing.map(
      ([name]): Problem => ({
        code: "rehearsal-variable-missing",
        message: `variable ${quote(name)} of the stack has no value; set TF_VAR_${name}, as for Terraform itself`,
      }),
    ),
  );
}

type Decide = (type: string, name: string, block: Block) => Block | undefined;

/** Returns the blocks that are not rejected, without types that became empty. */
function keepBlocks(all: unknown, decide: Decide): BlocksByType {
  const kept = Object.entries((all ?? {}) as BlocksByType).map(([type, blocks]) => {
    const decided = Object.entries(blocks).flatMap(([name, given]) => {
      const block = decide(type, name, given);
      return block === undefined ? [] : [[name, block] as const];
    });
    return [type, Object.fromEntries(decided)] as const;
  });
  return Object.fromEntries(kept.filter(([, blocks]) => Object.keys(blocks).length > 0));
}

function providerNameOf(type: string, { provider }: Block): string {
  if (typeof provider === "string") return provider.replace(/^\$\{|\}$/g, "").split(".")[0] ?? "";
  return type.split("_")[0] ?? "";
}

/**
 * Replaces the command of gates by the command that rehearses. Removes the user's other commands, because they would
 * reach outside of the rehearsal.
 */
function withOwnCommands(address: string, block: Block, gateCommand: string, { unrehearsed }: Notes): Block {
  const { provisioner, ...rest } = block;
  if (provisioner === undefined) return block;
  const items = (Array.isArray(provisioner) ? provisioner : [provisioner]) as readonly Block[];
  const kept = items.flatMap((item) => {
    const run = address.startsWith("terraform_data.") ? ownGateRun(item["local-exec"], gateCommand) : undefined;
    return run === undefined ? [] : [{ "local-exec": run }];
  });
  if (kept.length < items.length) {
    unrehearsed.push({ address, what: "a resource with commands of its own: they are not run" });
  }
  return kept.length === 0 ? rest : { ...rest, provisioner: kept };
}

/**
 * Returns the imports of resources that exist before a migration: the stack's zones, and the record sets and
 * proxies that it imports. Other imported resources are created.
 */
function importsOf(stack: StackJson, removed: readonly string[]): { readonly import?: readonly object[] } {
  const imports = importsIn(stack).filter(
    ({ to }) => !removed.includes(to) && preparedImports.test(to.split(".")[0] ?? ""),
  );
  const zones = Object.entries(resourcesOf(stack, "google_dns_managed_zone"))
    .filter(([, block]) => isServedZone(block))
    .map(([name]) => name);
  const all = [...imports, ...zones.map((name) => zoneImport(stack, name))];
  return all.length === 0 ? {} : { import: all };
}

function zoneImport(stack: StackJson, logicalId: string): object {
  const { project, name } = resourcesOf(stack, "google_dns_managed_zone")[logicalId] ?? {};
  const place = typeof project === "string" ? `${project}/` : "";
  return { to: `google_dns_managed_zone.${logicalId}`, id: `${place}${String(name)}` };
}

/** Arguments that set the caller's identity or the endpoints. */
const outside =
  /^(?:credentials|external_credentials|access_token|impersonate_service_account|impersonate_service_account_delegates|batching|\w+_custom_endpoint)$/;

/**
 * Returns the provider blocks without values that are unknown before Terraform runs; the services use their defaults
 * instead.
 */
function providersOf(stack: StackJson, known: KnownTypes): object {
  const schema = known.schemaOf("provider", "google");
  const blocksOf = (name: string) =>
    providerBlocksOf(stack, name).map((block) => {
      const { kept } = withKnownArguments(block, schema);
      const inside = Object.entries(kept).filter(
        ([argument, value]) => !outside.test(argument) && !JSON.stringify(value).includes("${"),
      );
      return { project: rehearsalProject, ...Object.fromEntries(inside) };
    });
  const [google, beta] = googleProviders.map(blocksOf);
  return {
    google: google === undefined || google.length === 0 ? [{ project: rehearsalProject }] : google,
    ...(beta === undefined || beta.length === 0 ? {} : { "google-beta": beta }),
  };
}

function settingsOf(stack: StackJson): object {
  const { required_providers: wanted = {}, ...rest } = (stack.terraform ?? {}) as Block;
  const google = Object.entries(wanted as Block).filter(([name]) => isGoogleProvider(name));
  return { ...rest, ...(google.length === 0 ? {} : { required_providers: Object.fromEntries(google) }) };
}
