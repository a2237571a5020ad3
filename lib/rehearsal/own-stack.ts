/** A stack of the user's own, made fit for a rehearsal. */
import { InputError } from "../errors";
import { isInCloudBesideStandIn, type KnownTypes, type SchemaBlock } from "../terraform-provider";
import { quote } from "../text/quote";
import { countOf } from "../text/words";
import { withKnownArguments } from "./arguments";
import { type Dependent, dependentsOf } from "./dependents";
import { withKnownValues } from "./known-values";
import { isMadeUp, isPreparable } from "./lookups";
import { type OtherStacks, withOtherStacks } from "./other-stacks";
import { expressionsIn, placeholderOf, withoutReferences } from "./references";
import { type Block, googleProviders, providerBlocksOf, resourcesOf, type StackJson } from "./stack";

/** Something of a stack that can't be rehearsed as it is. */
export interface Unrehearsed {
  /** As in `random_id.suffix`, `data.terraform_remote_state.network`, `module.web`, `provider.aws`. */
  readonly address: string;
  /** What it is, and what becomes of it where the rehearsal goes on. */
  readonly what: string;
}

export interface OwnStack {
  /** What Terraform runs. */
  readonly stack: StackJson;
  /** In the order of the stack; where the user has not allowed it, there is no rehearsal. */
  readonly unrehearsed: readonly Unrehearsed[];
  /** Resource types that the stand-in has to keep itself. */
  readonly alsoKept: readonly string[];
}

export interface OwnStackOptions {
  /** How gates call `cert-migration`, in the place of what the stack says. */
  readonly gateCommand: string;
  readonly known: KnownTypes;
  /** Whether the real provider is used, which keeps nothing of what the cloud does not have. @default false */
  readonly isReal?: boolean;
  /** Other stacks of the app, for what the stack takes from them. @default - none: their states are left out */
  readonly others?: OtherStacks;
  /** Variables that have a value, as in `TF_VAR_key`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The project of a stack that names none. */
const rehearsalProject = "rehearsal-project";

/** Resources whose `import` blocks find what a rehearsal has made beforehand. */
const preparedImports = /^google_(?:dns_record_set|compute_target_(?:https|ssl)_proxy)$/;

/**
 * Takes out of a stack what leads to the world outside: other providers, remote states, modules, commands, credentials. What can be read of it is named, and
 * a name that is made up stands where the rest refers to it; what can't be with a made-up name is left out and named as well.
 *
 * @throws InputError `rehearsal-variable-missing` for variables without a value
 */
export function ownStackOf(given: StackJson, options: OwnStackOptions): OwnStack {
  const { known, env, others = new Map() } = options;
  refuseMissingVariables(given, env);
  const { module: modules = {}, ...stack } = withOtherStacks(withKnownValues(given, env), others, known);
  const notes: Notes = { unrehearsed: [], gone: [], alsoKept: new Set() };
  const resource = resourcesIn(stack, options, notes);
  const data = dataIn(stack, resource, options, notes);
  for (const name of Object.keys(modules as object)) leaveOut(notes, `module.${name}`, "a module");
  for (const name of Object.keys((stack.provider ?? {}) as object)) {
    if (!isGoogle(name)) notes.unrehearsed.push({ address: `provider.${name}`, what: "another provider: left out" });
  }
  const dependents = dependentsOf({ ...stack, resource, data }, notes.gone, known.schemaOf);
  for (const { address, needs, argument } of dependents) {
    const what = `in need of '${needs}' for its '${argument}', where no made-up name can stand: left out`;
    notes.unrehearsed.push({ address, what });
  }
  const gone = [...notes.gone, ...dependents.map(({ address }) => address)];
  const cleaned = withoutReferences(withoutDependents({ ...stack, resource, data }, dependents), gone);
  const { import: _imports, ...rest } = cleaned;
  return {
    stack: {
      ...rest,
      ...importsOf(cleaned, gone),
      provider: providersOf(stack, known),
      terraform: settingsOf(stack),
    },
    unrehearsed: notes.unrehearsed,
    alsoKept: [...notes.alsoKept],
  };
}

/** What becomes of the parts of a stack, as they are looked at. */
interface Notes {
  readonly unrehearsed: Unrehearsed[];
  /** Addresses of what was left out. */
  readonly gone: string[];
  readonly alsoKept: Set<string>;
}

function leaveOut({ gone, unrehearsed }: Notes, address: string, what: string): undefined {
  gone.push(address);
  unrehearsed.push({ address, what: `${what}: left out; '${placeholderOf(address)}' stands for what it would give` });
}

function resourcesIn(stack: StackJson, { known, gateCommand, isReal = false }: OwnStackOptions, notes: Notes): Blocks {
  return keepBlocks(stack.resource, (type, name, block) => {
    const address = `${type}.${name}`;
    if (type === "terraform_data") return withOwnCommands(address, block, gateCommand, notes);
    const provider = providerNameOf(type, block);
    const standing = isGoogle(provider) ? known.resource(type) : "unknown";
    if (standing === "unknown") return leaveOut(notes, address, `a resource of the provider ${quote(provider)}`);
    const ofOther = "of a service that the rehearsal cloud does not have";
    const isMade = standing === "cloud" || (isReal && isInCloudBesideStandIn(type));
    if (isReal && !isMade) return leaveOut(notes, address, `a resource ${ofOther}`);
    if (standing === "bindings" && !isMade) {
      notes.alsoKept.add(type);
      notes.unrehearsed.push({ address, what: `${ofOther}: kept in the state alone` });
    }
    const kept = keepKnown(address, block, known.schemaOf("resource", type), notes);
    return withOwnCommands(address, kept, gateCommand, notes);
  });
}

/** @param resources those that are kept */
function dataIn(stack: StackJson, resources: Blocks, { known, isReal }: OwnStackOptions, notes: Notes): Blocks {
  return keepBlocks(stack.data, (type, name, block) => {
    const address = `data.${type}.${name}`;
    if (type === "terraform_remote_state") return leaveOut(notes, address, "the state of another stack");
    const provider = providerNameOf(type, block);
    if (!isGoogle(provider)) return leaveOut(notes, address, `a data source of the provider ${quote(provider)}`);
    if (!known.hasDataSource(type) || (isReal === true && isMadeUp(type)))
      return leaveOut(notes, address, "a data source that reads what the rehearsal cloud does not have");
    if (!isPreparable(type, block, resources))
      return leaveOut(notes, address, "a data source that looks up what only Terraform would know the name of");
    return keepKnown(address, block, known.schemaOf("data", type), notes);
  });
}

/** The block without arguments that nobody here knows, each of which is noted. */
function keepKnown(address: string, block: Block, schema: SchemaBlock | undefined, { unrehearsed }: Notes): Block {
  const { kept, unknown } = withKnownArguments(block, schema);
  for (const name of unknown) {
    const what = "an argument that the stand-in does not know: left out";
    unrehearsed.push({ address: `${address}.${name}`, what });
  }
  return kept;
}

function isGoogle(provider: string): boolean {
  return googleProviders.some((name) => name === provider);
}

/** The stack without those, and without kinds of blocks of which nothing is left: Terraform takes an empty list of blocks for one without a label. */
function withoutDependents(stack: StackJson, dependents: readonly Dependent[]): StackJson {
  const isGone = new Set(dependents.map(({ address }) => address));
  const left = (all: unknown, prefix: string) =>
    keepBlocks(all, (type, name, block) => (isGone.has(`${prefix}${type}.${name}`) ? undefined : block));
  const members = (all: unknown, prefix: string) =>
    Object.fromEntries(Object.entries((all ?? {}) as Block).filter(([name]) => !isGone.has(`${prefix}.${name}`)));
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

/** @throws InputError with everything that was not allowed */
export function refuseUnrehearsed(unrehearsed: readonly Unrehearsed[]): void {
  if (unrehearsed.length === 0) return;
  throw new InputError([
    ...unrehearsed.map(({ address, what }) => ({ code: "rehearsal-unknown", message: `${quote(address)} is ${what}` })),
    {
      code: "rehearsal-unknown",
      message: `${countOf(unrehearsed.length, "part")} of the stack can't be rehearsed; give --skip-unknown to go on without ${unrehearsed.length === 1 ? "it" : "them"}`,
    },
  ]);
}

function refuseMissingVariables(stack: StackJson, env: OwnStackOptions["env"]): void {
  const variables = Object.entries((stack.variable ?? {}) as Readonly<Record<string, Block>>);
  const missing = variables.filter(([name, block]) => !("default" in block) && env[`TF_VAR_${name}`] === undefined);
  if (missing.length === 0) return;
  throw new InputError(
    missing.map(([name]) => ({
      code: "rehearsal-variable-missing",
      message: `variable ${quote(name)} of the stack has no value; set TF_VAR_${name}, as for Terraform itself`,
    })),
  );
}

/** Blocks by type and name. */
type Blocks = Readonly<Record<string, Readonly<Record<string, Block>>>>;

type Decide = (type: string, name: string, block: Block) => Block | undefined;

/** Without those that are decided against, and without types of which none is left. */
function keepBlocks(all: unknown, decide: Decide): Blocks {
  const kept = Object.entries((all ?? {}) as Blocks).map(([type, blocks]) => {
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

/** A gate's call of `cert-migration`, whatever stands before it. */
const gateCall = /(?:^|\s)((?:wait|verify) --[a-z][a-z-]* \S.*)$/s;
/** By which a shell would do something else as well; expressions of Terraform have none of it. */
const shellSign = /[;&|<>`\n]|\$\(/;

/** @returns the words of a gate's call, and nothing else that a shell would run; undefined for other commands */
function gateCallOf(command: string): string | undefined {
  const call = gateCall.exec(command)?.[1];
  if (call === undefined) return undefined;
  const bare = expressionsIn(call).reduce((left, expression) => left.replace(expression, ""), call);
  return shellSign.test(bare) ? undefined : call;
}

/** Gates call the command that rehearses; commands of the user's own would reach the world outside. */
function withOwnCommands(address: string, block: Block, gateCommand: string, { unrehearsed }: Notes): Block {
  const { provisioner, ...rest } = block;
  if (provisioner === undefined) return block;
  const items = (Array.isArray(provisioner) ? provisioner : [provisioner]) as readonly Block[];
  const own = items.flatMap((item) => {
    const call = gateCallOf(String((item["local-exec"] as Block | undefined)?.command ?? ""));
    const isGate = call !== undefined && address.startsWith("terraform_data.");
    return isGate ? [{ "local-exec": { command: `${gateCommand} ${call}` } }] : [];
  });
  if (own.length < items.length) {
    unrehearsed.push({ address, what: "a resource with commands of its own: they are not run" });
  }
  return own.length === 0 ? rest : { ...rest, provisioner: own };
}

/** Zones that the stack makes are there before a migration, as are the records in them; what else it imports is made. */
function importsOf(stack: StackJson, gone: readonly string[]): { readonly import?: readonly object[] } {
  const given = (stack.import ?? []) as readonly { readonly to: string; readonly id: string }[];
  const imports = given.filter(({ to }) => !gone.includes(to) && preparedImports.test(to.split(".")[0] ?? ""));
  const zones = Object.entries(resourcesOf(stack, "google_dns_managed_zone"))
    .filter(([, { visibility }]) => visibility !== "private")
    .map(([name]) => name);
  const all = [...imports, ...zones.map((name) => zoneImport(stack, name))];
  return all.length === 0 ? {} : { import: all };
}

function zoneImport(stack: StackJson, logicalId: string): object {
  const { project, name } = resourcesOf(stack, "google_dns_managed_zone")[logicalId] ?? {};
  const place = typeof project === "string" ? `${project}/` : "";
  return { to: `google_dns_managed_zone.${logicalId}`, id: `${place}${String(name)}` };
}

/** Arguments that say who asks, or where. */
const outside =
  /^(?:credentials|external_credentials|access_token|impersonate_service_account|impersonate_service_account_delegates|batching|\w+_custom_endpoint)$/;

/** What is not known before Terraform runs is left to the services' own ways. */
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
  const own = Object.entries(wanted as Block).filter(([name]) => isGoogle(name));
  return { ...rest, ...(own.length === 0 ? {} : { required_providers: Object.fromEntries(own) }) };
}
