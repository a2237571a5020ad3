import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Fields, fieldsOf, isFields, parseJson } from "../json/fields";
import { moduleFile } from "../terraform-module";
import { type BlockBegin, blocksIn, moduleSourcesIn, providerSourcesIn, withoutComments } from "./hcl-text";

/** A configuration file of Terraform or OpenTofu. */
interface ConfigurationFile {
  /** Name without folder, for example `main.tf`. */
  readonly name: string;
  /** Blocks, nested ones too. In JSON only resources, data sources, provider blocks and provisioners. */
  readonly blocks: readonly BlockBegin[];
  /** Sources of module calls, for example `./certificates`. Undefined: not a plain string. */
  readonly moduleSources: readonly (string | undefined)[];
  /** Sources in `required_providers`, for example `hashicorp/google`. Undefined: not a plain string. */
  readonly providerSources: readonly (string | undefined)[];
  /** Parsed content of a file in JSON syntax. */
  readonly json?: Fields;
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
  const pending = [resolve(root), ...installedModulesIn(root).map((folder) => resolve(root, folder))];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (found.has(path) || !isFolder(path)) continue;
    const folder = readModuleFolder(path);
    found.set(path, folder);
    for (const { moduleSources } of folder.files) {
      for (const source of moduleSources)
        if (source !== undefined && isLocal(source)) pending.push(resolve(path, source));
    }
  }
  return [...found.values()];
}

/** Returns whether a module source is a folder beside the module. */
function isLocal(source: string): boolean {
  return /^\.\.?(?:[\\/]|$)/.test(source);
}

/** Returns the folders of the modules that `terraform init` has installed, relative to the root module. */
function installedModulesIn(root: string): readonly string[] {
  const file = join(root, ".terraform", "modules", "modules.json");
  if (!existsSync(file)) return [];
  const { Modules: modules } = fieldsOf(parseJson(readFileSync(file, "utf8")));
  const folders = [modules].flat().map((one) => fieldsOf(one).Dir);
  return folders.filter((folder) => typeof folder === "string" && folder.startsWith(".terraform")) as string[];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readModuleFolder(path: string): ModuleFolder {
  const names = readdirSync(path).filter((name) => configurationFile.test(name));
  return { path, files: names.sort().map((name) => readFile(path, name)) };
}

function readFile(folder: string, name: string): ConfigurationFile {
  const text = readFileSync(join(folder, name), "utf8");
  if (name.endsWith(".json")) {
    const parsed = parseJson(text);
    return { name, ...partsOfJson(isFields(parsed) ? parsed : {}) };
  }
  const bare = withoutComments(text);
  return {
    name,
    blocks: blocksIn(bare),
    moduleSources: moduleSourcesIn(bare),
    providerSources: providerSourcesIn(bare),
  };
}

function partsOfJson(json: Fields): Omit<ConfigurationFile, "name"> {
  const required = partsOf(json.terraform).flatMap(({ required_providers: providers }) => membersOf(providers));
  return {
    json,
    blocks: blocksOfJson(json),
    moduleSources: membersOf(json.module).flatMap(sourcesOf),
    providerSources: required.flatMap(sourcesOf),
  };
}

function sourcesOf([, body]: Member): readonly (string | undefined)[] {
  return partsOf(body).flatMap(({ source }) => {
    if (source === undefined) return [];
    return typeof source === "string" && !/[$%]\{/.test(source) ? [source] : [undefined];
  });
}

function blocksOfJson(json: Fields): readonly BlockBegin[] {
  const checks = membersOf(json.check).flatMap(([, check]) => partsOf(check).map(({ data }) => ({ data })));
  const labelled = [json, ...checks].flatMap((part: Fields) =>
    ["resource", "data", "ephemeral"].flatMap((type) =>
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
interface GeneratedModule {
  readonly file: string;
  /** Content, as it was parsed. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Returns the generated modules of a folder: the folder itself, and those that its configuration calls. */
export function generatedModulesIn(folder: string): readonly GeneratedModule[] {
  return readModuleFolders(folder).flatMap(({ path, files }) =>
    files.flatMap(({ name, json }) =>
      name === moduleFile && json !== undefined && isGenerated(json) ? [{ file: join(path, name), json }] : [],
    ),
  );
}

/** Returns whether a configuration has the output that describes a migration. */
function isGenerated({ output }: GeneratedModule["json"]): boolean {
  return typeof output === "object" && output !== null && "cert_migration" in output;
}
