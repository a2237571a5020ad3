import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { makeFolder } from "../files/make-folder";
import { withGateCommands } from "./gates";
import type { ModuleFolder } from "./read-folder";

/** Folders and files of a configuration that are no part of it: state, plans, providers, the lock of their versions. */
const leftOut =
  /^(?:\.terraform|\.git|node_modules|cdktf\.out|\.terraform\.lock\.hcl|.*\.tfstate(?:\..*)?|.*\.tfplan|crash.*\.log)$/;

/**
 * File that overrides the backend of the root module. Terraform merges override files in the order of their names, so
 * that this file counts over those of the user.
 */
const overrideName = "zzzz_cert_migration_rehearsal_override.tf.json";

export interface CopyOptions {
  /** Returns the command that a gate of a generated module runs in the copy. */
  readonly gateCommandOf: (command: string) => string;
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
  for (const path of outermost(folders.map(({ path }) => path))) copyFolder(path, placeOf(path));
  const installed = join(from, ".terraform", "modules");
  if (existsSync(installed))
    cpSync(installed, join(placeOf(from), ".terraform", "modules"), { recursive: true, dereference: true });
  for (const { path, files } of folders) {
    for (const { name, json } of files) adaptFile(join(placeOf(path), name), json, options);
  }
  const override = { terraform: { backend: { local: {} } } };
  writeFileSync(join(placeOf(from), overrideName), JSON.stringify(override));
}

function copyFolder(from: string, to: string): void {
  makeFolder(to, 0o700);
  for (const name of readdirSync(from)) {
    if (leftOut.test(name)) continue;
    const path = join(from, name);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) copyFolder(path, join(to, name));
    else if (existsSync(path)) cpSync(path, join(to, name), { dereference: true });
  }
}

/** Writes the gates and, on request, removes the protection. Terraform accepts only literals for `prevent_destroy`. */
function adaptFile(path: string, json: Readonly<Record<string, unknown>> | undefined, options: CopyOptions): void {
  const text =
    json === undefined ? readFileSync(path, "utf8") : JSON.stringify(withGateCommands(json, options.gateCommandOf));
  const free = text
    .replace(/(\bprevent_destroy[ \t]*=[ \t]*)true\b/g, "$1false")
    .replace(/("prevent_destroy":)true\b/g, "$1false")
    .replace(/(\bdeletion_policy"?[ \t]*[=:][ \t]*)"(?:PREVENT|ABANDON)"/g, '$1"DELETE"');
  writeFileSync(path, options.isProtected ? text : free);
}

/** Returns the paths that are not inside of another one. */
function outermost(paths: readonly string[]): readonly string[] {
  const installed = `${sep}.terraform${sep}`;
  const own = paths.filter((path) => !path.includes(installed));
  return own.filter((path) => !own.some((other) => other !== path && path.startsWith(`${other}${sep}`)));
}

function commonFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.reduce((common, path) => {
    let at = common;
    while (path !== at && !path.startsWith(`${at}${sep}`) && dirname(at) !== at) at = dirname(at);
    return at;
  }, first);
}
