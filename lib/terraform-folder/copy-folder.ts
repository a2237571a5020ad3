import { copyFileSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { makeFolder } from "../files/make-folder";
import type { ProgramRun } from "../gate-call";
import type { Fields } from "../json/fields";
import { type ForeignParts, withoutForeignJson, withoutForeignParts } from "./foreign-parts";
import { withGateRuns } from "./gates";
import type { ModuleFolder } from "./read-folder";

/**
 * Folders and files of a configuration that are no part of it: state, plans, providers (also those that Terraform would
 * install from `terraform.d`), the lock of their versions.
 */
const leftOut =
  /^(?:\.terraform|terraform\.d|\.git|node_modules|cdktf\.out|\.terraform\.lock\.hcl|.*\.tfstate(?:\..*)?|.*\.tfplan|crash.*\.log)$/;

/**
 * File that overrides the backend of the root module, and credentials. Terraform merges override files in the order of
 * their names, so that this file counts over those of the user.
 */
const overrideName = "zzzz_cert_migration_rehearsal_override.tf.json";

const overrideFile = /(?:^|_)override\.(?:tf|tofu)(?:\.json)?$/;

/** Returns whether a file would count over the override file of a copy. */
export function countsOverCopy(name: string): boolean {
  return overrideFile.test(name) && Buffer.compare(Buffer.from(name), Buffer.from(overrideName)) >= 0;
}

export interface CopyOptions {
  /** Returns what a gate of a generated module runs in the copy. */
  readonly gateRunOf: (run: ProgramRun) => ProgramRun;
  /** Parts of other providers that the copy does not have. @default - none */
  readonly foreign?: ForeignParts | undefined;
  /** Whether resources keep `prevent_destroy` and `deletion_policy`. */
  readonly isProtected: boolean;
}

/**
 * Returns the folder of the root module below the folder of a copy: the copy contains the nearest folder above all
 * modules, so that their relative paths stay valid.
 */
export function rootPathOf(folders: readonly ModuleFolder[], root: string): string {
  return relative(commonFolder(folders.map(({ path }) => path)), resolve(root));
}

/**
 * Copies a root module with the modules that it calls. The copy keeps its state in its own folder. The source folders
 * are only read.
 *
 * @param root folder of the root module
 * @param to folder of the copy; see {@link rootPathOf}
 */
export function copyModuleFolders(
  folders: readonly ModuleFolder[],
  root: string,
  to: string,
  options: CopyOptions,
): void {
  const top = commonFolder(folders.map(({ path }) => path));
  const placeOf = (path: string) => join(to, relative(top, path));
  const from = resolve(root);
  for (const path of copiedFolders(folders, from)) {
    for (const file of filesIn(path)) copyFile(file, placeOf(file));
  }
  for (const { path, files } of folders) {
    makeFolder(placeOf(path), 0o700);
    for (const { name, json } of files) adaptFile(join(placeOf(path), name), json, options);
    const override = overrideOf(files, path === from ? localBackend : {});
    if (override !== undefined) writeFileSync(join(placeOf(path), overrideName), JSON.stringify(override));
  }
}

/** Returns the folders whose files are copied: those of the modules, and those that `terraform init` has installed. */
function copiedFolders(folders: readonly ModuleFolder[], root: string): readonly string[] {
  const installed = join(root, ".terraform", "modules");
  const isInstalled = statSync(installed, { throwIfNoEntry: false })?.isDirectory() === true;
  return [...outermost(folders.map(({ path }) => path)), ...(isInstalled ? [installed] : [])];
}

const localBackend = { terraform: { backend: { local: {} } } };

/** Returns the settings that the copy replaces: those given, and the credentials of providers. */
function overrideOf(files: ModuleFolder["files"], settings: object): object | undefined {
  const providers = new Map<string, Record<string, unknown>>();
  for (const { name, alias, argument } of files.flatMap(({ providers }) => providers.credentials)) {
    const key = `${name} ${alias ?? ""}`;
    providers.set(key, { ...providers.get(key), name, alias, [argument]: null });
  }
  const blocks = [...providers.values()].map(({ name, ...body }) => ({ [String(name)]: body }));
  const override = { ...settings, ...(blocks.length === 0 ? {} : { provider: blocks }) };
  return Object.keys(override).length === 0 ? undefined : override;
}

function copyFile(from: string, to: string): void {
  makeFolder(dirname(to), 0o700);
  copyFileSync(from, to);
}

/** Returns the regular files of a folder that belong to a configuration. Links to folders around them are skipped. */
function filesIn(folder: string, above: readonly string[] = []): readonly string[] {
  const real = realpathSync(folder);
  if (above.includes(real)) return [];
  return readdirSync(folder).flatMap((name) => {
    if (leftOut.test(name)) return [];
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) return filesIn(path, [...above, real]);
    // Pipes, sockets and devices are no part of a configuration, and reading them may never end.
    return found?.isFile() ? [path] : [];
  });
}

/** Files that Terraform reads as text of a configuration, so that they can't be of another kind, for example a key. */
const sharedFile = /\.(?:tf|tofu|tfvars)(?:\.json)?$/;

/**
 * Returns the links of the copied folders that lead out of them, except links to single files of a configuration. A
 * copy would contain files that are no part of the configuration.
 *
 * @param root folder of the root module
 */
export function foreignLinksIn(folders: readonly ModuleFolder[], root: string): readonly string[] {
  const copied = copiedFolders(folders, resolve(root));
  const inside = copied.map((path) => realpathSync(path));
  const isInside = (path: string) => inside.some((folder) => path === folder || path.startsWith(`${folder}${sep}`));
  return copied.flatMap((path) => linksIn(path)).filter((path) => isForeign(path, isInside));
}

function isForeign(path: string, isInside: (path: string) => boolean): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const target = realpathSync(path);
  return !isInside(target) && !(found.isFile() && sharedFile.test(target));
}

/** Returns the links of a folder and of the folders in it; a link itself is not followed. */
function linksIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    if (leftOut.test(name)) return [];
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return [path];
    return found.isDirectory() ? linksIn(path) : [];
  });
}

/** Writes the gates and, on request, removes the protection. Terraform accepts only literals for `prevent_destroy`. */
function adaptFile(path: string, json: Readonly<Record<string, unknown>> | undefined, options: CopyOptions): void {
  const text = json === undefined ? nativeText(path, options) : JSON.stringify(jsonIn(json, options));
  const free = text
    .replace(/(\bprevent_destroy[ \t]*=[ \t]*)true\b/g, "$1false")
    .replace(/("prevent_destroy":)true\b/g, "$1false")
    .replace(/(\bdeletion_policy"?[ \t]*[=:][ \t]*)"(?:PREVENT|ABANDON)"/g, '$1"DELETE"');
  writeFileSync(path, options.isProtected ? text : free);
}

function nativeText(path: string, { foreign }: CopyOptions): string {
  const text = readFileSync(path, "utf8");
  return foreign === undefined ? text : withoutForeignParts(text, foreign);
}

function jsonIn(json: Fields, { foreign, gateRunOf }: CopyOptions): object {
  return withGateRuns(foreign === undefined ? json : withoutForeignJson(json, foreign), gateRunOf);
}

/** Returns the paths that are not inside of another one. */
function outermost(paths: readonly string[]): readonly string[] {
  const installed = `${sep}.terraform${sep}`;
  const outside = paths.filter((path) => !path.includes(installed));
  return outside.filter((path) => !outside.some((parent) => parent !== path && path.startsWith(`${parent}${sep}`)));
}

function commonFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.reduce((common, path) => {
    let at = common;
    while (path !== at && !path.startsWith(`${at}${sep}`) && dirname(at) !== at) at = dirname(at);
    return at;
  }, first);
}
