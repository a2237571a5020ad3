/**
 * Bindings of the kit and its provider for a language whose registry does not have them, made from their npm packages
 * with the same tool.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Assembly {
  readonly name: string;
  readonly submodules: Readonly<Record<string, object>>;
  readonly types: Readonly<Record<string, { readonly namespace?: string }>>;
}

/** Modules of the provider that an app needs beside those that the constructs import. */
const ofEachApp = ["provider", "provider-functions"];

/** Returns the modules of the provider that the sources in a folder import, as `dns-record-set`. */
export function importedModules(folder: string): readonly string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const found = sources.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [...text.matchAll(/"@cdktn\/provider-google\/lib\/([a-z0-9-]+)"/g)].map(([, module = ""]) => module);
  });
  return [...new Set([...ofEachApp, ...found])].sort();
}

/**
 * Removes all other modules from the installed package of the provider: its 1,800 modules would be compiled for half an
 * hour.
 */
export function reduceProvider(folder: string, modules: readonly string[]): void {
  const kept = new Set(modules);
  const lib = join(folder, "lib");
  for (const name of readdirSync(lib)) {
    if (statSync(join(lib, name)).isDirectory() && !kept.has(name)) rmSync(join(lib, name), { recursive: true });
  }
  for (const name of ["index.js", "index.d.ts"]) {
    const lines = readFileSync(join(lib, name), "utf8").split("\n");
    const known = lines.filter((line) => kept.has(/["']\.\/([a-z0-9-]+)/.exec(line)?.[1] ?? "provider"));
    writeFileSync(join(lib, name), known.join("\n"));
  }
  const path = join(folder, ".jsii");
  const assembly = JSON.parse(readFileSync(path, "utf8")) as Assembly;
  const namespaces = new Set(
    modules.map((name) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())),
  );
  const isKept = (namespace = "") => namespaces.has(namespace.split(".")[0] ?? "");
  const reduced = {
    ...assembly,
    submodules: entriesWith(assembly.submodules, ([name]) => isKept(name.slice(assembly.name.length + 1))),
    types: entriesWith(assembly.types, ([, { namespace }]) => isKept(namespace)),
  };
  writeFileSync(path, JSON.stringify(reduced));
}

function entriesWith<Value>(
  all: Readonly<Record<string, Value>>,
  isWanted: (entry: [string, Value]) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(all).filter(isWanted));
}
