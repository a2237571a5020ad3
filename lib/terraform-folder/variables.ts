/** Values of variables that are known before Terraform runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defined } from "../json/defined";
import { type Fields, fieldsOf, parseJson } from "../json/fields";
import { assignmentsIn, type Expression, withoutComments } from "./hcl-text";
import {
  type GeneratedModule,
  generatedModulesIn,
  installedModulesIn,
  isLocal,
  type ModuleFolder,
  readModuleFolders,
} from "./read-folder";
import { refuseBrokenFiles } from "./syntax";

type Environment = Readonly<Record<string, string | undefined>>;
type Value = string | number | boolean;
/** Values by the names of variables. Undefined: the variable has a value that is not known. */
type Values = ReadonlyMap<string, Value | undefined>;

/**
 * Returns the generated modules of a folder as {@link generatedModulesIn} does, with the values of their variables in
 * place of references. Values come from `terraform.tfvars`, `*.auto.tfvars`, `TF_VAR_…`, the defaults of variables, and
 * from the arguments of the module block. A reference to any other value, or to a sensitive variable, stays.
 *
 * @throws InputError `terraform-syntax` for a file that Terraform can't read either
 */
export function modulesWithValuesIn(root: string, env: Environment): readonly GeneratedModule[] {
  refuseBrokenFiles(root, "module");
  const modules = generatedModulesIn(root);
  const folders = readModuleFolders(root);
  return modules.map(({ folder, file, json }) => ({
    folder,
    file,
    json: withValues(json, folder === resolve(root) ? givenValues(root, env) : argumentsOf(folder, root, folders, env)),
  }));
}

/**
 * Returns a root module in JSON with the values of its variables in place of references.
 *
 * @throws InputError `terraform-syntax` for a file of values that Terraform can't read either
 */
export function stackWithValues(root: string, json: Fields, env: Environment): Fields {
  refuseBrokenFiles(root, "values");
  return withValues(json, givenValues(root, env));
}

/** Returns the values that the user gives to the root module. A later file overrides an earlier file. */
function givenValues(root: string, env: Environment): Values {
  const found = new Map<string, Value | undefined>();
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith("TF_VAR_")) found.set(name.slice("TF_VAR_".length), value);
  }
  for (const name of ["terraform.tfvars", "terraform.tfvars.json", ...automaticFilesIn(root)]) {
    const path = join(root, name);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8");
    if (name.endsWith(".json")) {
      for (const [key, value] of Object.entries(fieldsOf(parseJson(text)))) found.set(key, plainValueOf(value));
    } else {
      for (const [key, { value }] of assignmentsIn(withoutComments(text))) found.set(key, value);
    }
  }
  return found;
}

function automaticFilesIn(root: string): readonly string[] {
  return readdirSync(root)
    .filter((name) => /\.auto\.tfvars(?:\.json)?$/.test(name))
    .sort();
}

/** Returns the arguments of the module blocks of the root module that call a folder. Different values are not known. */
function argumentsOf(folder: string, root: string, folders: readonly ModuleFolder[], env: Environment): Values {
  const main = folders.find(({ path }) => path === resolve(root));
  const installed = installedModulesIn(root).filter(
    (installedModule) => resolve(root, installedModule.folder) === folder,
  );
  const isCall = (source: string) =>
    (isLocal(source) && resolve(root, source) === folder) ||
    installed.some((installedModule) => installedModule.source === source);
  const calls = (main?.files ?? []).flatMap(({ modules }) =>
    modules.calls.filter(
      (call) => typeof call.get("source")?.value === "string" && isCall(String(call.get("source")?.value)),
    ),
  );
  const given = givenValues(root, env);
  const defaults = new Map((main?.files ?? []).flatMap(({ variableDefaults }) => [...variableDefaults]));
  const known = ({ value, variable }: Expression) =>
    variable === undefined ? value : given.has(variable) ? given.get(variable) : defaults.get(variable)?.value;
  const found = new Map<string, Value | undefined>();
  for (const [index, call] of calls.entries()) {
    for (const [name, expression] of call) {
      const value = known(expression);
      found.set(name, index === 0 || found.get(name) === value ? value : undefined);
    }
    // A call without the argument uses the default.
    for (const name of found.keys()) if (!call.has(name)) found.set(name, undefined);
  }
  return found;
}

const types: Readonly<Record<string, (value: Value) => Value | undefined>> = {
  string: String,
  number: (value) => (String(value).trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined),
  bool: (value) => (/^(?:true|false)$/.test(String(value)) ? String(value) === "true" : undefined),
};

function withValues(json: Fields, given: Values): Fields {
  const known = new Map<string, Value>();
  for (const [name, block] of Object.entries(fieldsOf(json.variable))) {
    const { type = "string", default: standard, sensitive, ephemeral } = fieldsOf(block);
    const value = given.has(name) ? given.get(name) : plainValueOf(standard);
    const typed = value === undefined ? undefined : types[String(type)]?.(value);
    if (sensitive !== true && ephemeral !== true && typed !== undefined) known.set(name, typed);
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return replaceIn(value, known);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, walk(member)]));
  };
  const { variable, terraform, ...rest } = json;
  return { ...fieldsOf(walk(rest)), ...defined({ variable, terraform }) };
}

/** A reference to a variable, with nothing else inside the braces; a doubled sign (`$${`) is literal text. */
const reference = /(?<!\$)\$\{ *var\.([\p{L}_][\p{L}\p{N}_-]*) *\}/gu;
const wholeReference = new RegExp(`^${reference.source}$`, "u");

function replaceIn(text: string, known: ReadonlyMap<string, Value>): Value {
  const whole = wholeReference.exec(text)?.[1];
  return (
    (whole === undefined ? undefined : known.get(whole)) ??
    text.replace(reference, (match, name: string) => String(known.get(name) ?? match))
  );
}

/** Returns a plain value; undefined for templates, lists and objects. */
function plainValueOf(value: unknown): Value | undefined {
  if (typeof value === "string") return /[$%]\{/.test(value) ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
