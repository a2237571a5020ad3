import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Fields, fieldsOf, isFields, listOf, parseJson } from "../json/fields";
import { repeatedKeyIn } from "../json/repeated-key";
import { moduleFile } from "../terraform-module";
import {
  type BlockBegin,
  bareTextOf,
  blocksIn,
  chosenProvidersIn,
  type Expression,
  type FoundText,
  moduleCallsIn,
  moduleSourcesIn,
  providerBodiesIn,
  providerSourcesIn,
  variableDefaultsIn,
} from "./hcl-text";

/** A part of a file with its line, from 1. */
type Located<Part> = Omit<Part, "index"> & { readonly line: number };

/** A provider block that contains credentials. */
interface ProviderWithCredentials {
  readonly name: string;
  /** Undefined for the default configuration. */
  readonly alias: string | undefined;
  readonly argument: string;
  readonly line: number;
}

/** A configuration file of Terraform or OpenTofu. */
interface ConfigurationFile {
  /** Name without folder, for example `main.tf`. */
  readonly name: string;
  /** Blocks, nested ones too. In JSON only resources, data sources, provider blocks and provisioners. */
  readonly blocks: readonly Located<BlockBegin>[];
  readonly modules: ModuleCalls;
  /** Defaults of variables, by name. */
  readonly variableDefaults: ReadonlyMap<string, Expression>;
  readonly providers: ProvidersOfFile;
  /** Line of a part that Terraform may understand in another way than this reader. @default - there is none */
  readonly unclearLine?: number;
  /** Whether the file ends with `.json` and is not a JSON object. */
  readonly isMalformed: boolean;
  /** Parsed content of a file in JSON syntax. */
  readonly json?: Fields;
}

/** The module calls of a file. */
interface ModuleCalls {
  /** For example `./certificates`. Undefined: not a plain string. */
  readonly sources: readonly Located<FoundText>[];
  /** Arguments of each module block. */
  readonly calls: readonly ReadonlyMap<string, Expression>[];
}

/** The providers that a file names. */
interface ProvidersOfFile {
  /** Sources in `required_providers`, for example `hashicorp/google`. Undefined: not a plain string. */
  readonly sources: readonly Located<FoundText>[];
  /** Names of providers that blocks choose, or that are required without a source. */
  readonly chosen: readonly Located<FoundText>[];
  /** Credentials in provider blocks, one for each argument. */
  readonly credentials: readonly ProviderWithCredentials[];
}

/** A folder whose files are one module. */
export interface ModuleFolder {
  /** Absolute path. */
  readonly path: string;
  readonly files: readonly ConfigurationFile[];
}

const configurationFile = /\.(?:tf|tofu)(?:\.json)?$/;

/**
 * Reads a root module and all modules that it calls: those with a local path, and those that `terraform init` has
 * installed below the root. Each folder occurs once. Missing folders are left out; Terraform reports them.
 */
export function readModuleFolders(root: string): readonly ModuleFolder[] {
  const found = new Map<string, ModuleFolder>();
  // Terraform reads a local module from the folder in the list too, even if its source names another folder.
  const pending = [resolve(root), ...installedModulesIn(root).map(({ folder }) => resolve(root, folder))];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path) || !isFolder(path)) continue;
    const folder = readModuleFolder(path);
    // Terraform refuses a module without configuration; a rehearsal would copy the folder.
    if (folder.files.length === 0 && path !== resolve(root)) continue;
    found.set(path, folder);
    for (const { modules } of folder.files) {
      for (const { text } of modules.sources)
        if (text !== undefined && isLocal(text)) pending.push(resolve(path, text));
    }
  }
  return [...found.values()];
}

/** Returns whether a module source is a folder beside the module. */
export function isLocal(source: string): boolean {
  return /^\.\.?(?:[\\/]|$)/.test(source);
}

/** A module as `terraform init` has noted it. */
interface InstalledModule {
  readonly source: string;
  /** Folder, relative to the root module. */
  readonly folder: string;
}

/** Returns the modules that `terraform init` has installed, without the root module. */
export function installedModulesIn(root: string): readonly InstalledModule[] {
  const { Modules: modules } = fieldsOf(parseJson(installedListIn(root) ?? ""));
  return listOf(modules)
    .map(fieldsOf)
    .filter(({ Key: key }) => key !== "")
    .map(({ Source: source, Dir: folder }) => ({ source: String(source), folder: String(folder) }));
}

/**
 * Returns whether the list of installed modules has another form than `terraform init` writes. Terraform also reads
 * keys in other capitals, and the last of repeated keys.
 */
export function isInstalledListUnclear(root: string): boolean {
  const text = installedListIn(root);
  if (text === undefined) return false;
  const list = parseJson(text);
  if (!isFields(list) || repeatedKeyIn(text) !== undefined) return true;
  const known = ["Key", "Source", "Version", "Dir"];
  const keys = listOf(list.Modules).flatMap((module) => Object.keys(fieldsOf(module)));
  return Object.keys(list).some((key) => key !== "Modules") || keys.some((key) => !known.includes(key));
}

function installedListIn(root: string): string | undefined {
  const file = join(root, ".terraform", "modules", "modules.json");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Reading a pipe would never end. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readModuleFolder(path: string): ModuleFolder {
  const names = readdirSync(path).filter((name) => configurationFile.test(name) && isFile(join(path, name)));
  return { path, files: names.sort().map((name) => readFile(path, name)) };
}

function readFile(folder: string, name: string): ConfigurationFile {
  const text = readFileSync(join(folder, name), "utf8");
  if (name.endsWith(".json")) {
    const parsed = parseJson(text);
    const repeatedAt = isFields(parsed) ? repeatedKeyIn(text) : undefined;
    return {
      name,
      isMalformed: !isFields(parsed),
      ...(repeatedAt === undefined ? {} : { unclearLine: text.slice(0, repeatedAt).split("\n").length }),
      ...partsOfJson(isFields(parsed) ? parsed : {}, text),
    };
  }
  const { bare, lineAt, unclearLine } = bareTextOf(text);
  const located = <Part extends { readonly index?: number }>({ index = 0, ...part }: Part) => ({
    ...part,
    line: lineAt(index),
  });
  return {
    name,
    isMalformed: false,
    blocks: blocksIn(bare).map(located),
    modules: { sources: moduleSourcesIn(bare).map(located), calls: moduleCallsIn(bare) },
    variableDefaults: variableDefaultsIn(bare),
    providers: {
      sources: providerSourcesIn(bare).map(located),
      chosen: chosenProvidersIn(bare).map(located),
      credentials: providerBodiesIn(bare).flatMap(({ name: provider, alias, argumentsAt }) =>
        credentialArguments.flatMap((argument) => {
          const index = argumentsAt.get(argument);
          return index === undefined ? [] : [{ name: provider, alias, argument, line: lineAt(index) }];
        }),
      ),
    },
    ...(unclearLine === undefined ? {} : { unclearLine }),
  };
}

/** Arguments of a provider block with which it gets access. */
const credentialArguments = [
  "credentials",
  "access_token",
  "external_credentials",
  "impersonate_service_account",
  "impersonate_service_account_delegates",
];

function partsOfJson(json: Fields, text: string): Omit<ConfigurationFile, "name" | "isMalformed"> {
  const required = partsOf(json.terraform).flatMap(({ required_providers: providers }) => membersOf(providers));
  // A parsed file has no lines. The first line with the name is that of the part, or of an equal part.
  const lineOf = (name: string) => {
    const at = text.indexOf(JSON.stringify(name));
    return at === -1 ? 1 : text.slice(0, at).split("\n").length;
  };
  const located = ([name, body]: Member) => sourcesOf(body).map((source) => ({ text: source, line: lineOf(name) }));
  return {
    json,
    blocks: blocksOfJson(json).map((block) => ({ ...block, line: lineOf(block.labels[0] ?? block.type) })),
    modules: {
      sources: membersOf(json.module).flatMap(located),
      calls: membersOf(json.module).flatMap(([, calls]) => partsOf(calls).map(expressionsOf)),
    },
    variableDefaults: new Map(
      membersOf(json.variable).flatMap(([name, block]) =>
        partsOf(block).flatMap((part) => ("default" in part ? [[name, expressionOf(part.default)] as const] : [])),
      ),
    ),
    providers: {
      sources: required.flatMap(located),
      chosen: chosenInJson(json, required).map((text) => ({ text, line: lineOf(text) })),
      credentials: membersOf(json.provider).flatMap(([name, bodies]) =>
        partsOf(bodies).flatMap((body) =>
          credentialArguments.flatMap((argument) => {
            const alias = typeof body.alias === "string" ? body.alias : undefined;
            return body[argument] === undefined ? [] : [{ name, alias, argument, line: lineOf(argument) }];
          }),
        ),
      ),
    },
  };
}

function expressionsOf(body: Fields): ReadonlyMap<string, Expression> {
  return new Map(Object.entries(body).map(([name, value]) => [name, expressionOf(value)]));
}

function expressionOf(value: unknown): Expression {
  if (typeof value === "number" || typeof value === "boolean") return { value };
  if (typeof value !== "string") return {};
  const [, variable] = /^\$\{\s*var\.([\w-]+)\s*\}$/.exec(value) ?? [];
  if (variable !== undefined) return { variable };
  return /[$%]\{/.test(value) ? {} : { value };
}

function chosenInJson(json: Fields, required: readonly Member[]): readonly string[] {
  const blocks = ["resource", "data", "ephemeral"].flatMap((type) =>
    membersOf(json[type]).flatMap(([, named]) => membersOf(named).flatMap(([, block]) => partsOf(block))),
  );
  const chosen = blocks.flatMap(({ provider }) => (typeof provider === "string" ? (provider.split(".")[0] ?? []) : []));
  return [...chosen, ...required.flatMap(([name, body]) => (sourcesOf(body).length === 0 ? name : []))];
}

function sourcesOf(body: unknown): readonly (string | undefined)[] {
  return partsOf(body).flatMap(({ source }) => {
    if (source === undefined) return [];
    return typeof source === "string" && !/[$%]\{/.test(source) ? [source] : [undefined];
  });
}

function blocksOfJson(json: Fields): readonly BlockBegin[] {
  const checks = membersOf(json.check).flatMap(([, check]) => partsOf(check).map(({ data }) => ({ data })));
  const labelled = [json, ...checks].flatMap((part: Fields) =>
    ["resource", "data", "ephemeral", "action"].flatMap((type) =>
      membersOf(part[type]).flatMap(([kind, named]) =>
        membersOf(named).map(([name, block]) => ({ type, labels: [kind, name], block })),
      ),
    ),
  );
  const providers = membersOf(json.provider).map(([name]) => ({ type: "provider", labels: [name] }));
  const all = labelled.flatMap(({ type, labels, block }) => [
    { type, labels },
    ...partsOf(block)
      .flatMap(({ provisioner }) => membersOf(provisioner))
      .map(([label]) => ({ type: "provisioner", labels: [label] })),
  ]);
  return [...providers, ...all];
}

type Member = readonly [name: string, value: unknown];

/** Returns the names and values of an object. Terraform reads a list of objects at its place as one object. */
function membersOf(value: unknown): readonly Member[] {
  return partsOf(value).flatMap((part) => Object.entries(part));
}

function partsOf(value: unknown): readonly Fields[] {
  return [value].flat(Number.POSITIVE_INFINITY).map(fieldsOf);
}

/** A module that `cert-migration synth` has written. */
export interface GeneratedModule {
  /** Absolute path. */
  readonly folder: string;
  readonly file: string;
  /** Content, as it was parsed. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Returns the generated modules of a folder: the folder itself, and those that its configuration calls. */
export function generatedModulesIn(folder: string): readonly GeneratedModule[] {
  return readModuleFolders(folder).flatMap(({ path, files }) =>
    files.flatMap(({ name, json }) =>
      name === moduleFile && json !== undefined && isGenerated(json)
        ? [{ folder: path, file: join(path, name), json }]
        : [],
    ),
  );
}

/** Returns whether a configuration has the output that describes a migration. */
function isGenerated({ output }: GeneratedModule["json"]): boolean {
  return typeof output === "object" && output !== null && "cert_migration" in output;
}
