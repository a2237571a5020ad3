/** Packages of the kit for a language whose registry lacks them, made from their npm packages with the same tool. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFor } from "./jsii-package";

const provider = "@cdktn/provider-google";
/** Npm packages of the kit that each language lacks, in the order in which they compile. */
const npmPackages = { java: ["cdktn", provider], go: ["constructs", "cdktn", provider] } as const;

/** A language whose packages of the kit can be made. */
export type KitLanguage = keyof typeof npmPackages;

export function isKitLanguage(language: string): language is KitLanguage {
  return Object.hasOwn(npmPackages, language);
}

/**
 * Writes the sources of the compiled package, and of the kit that it needs, below the folder of a language: in Go one
 * folder for each module, in Java one Maven project for each package.
 *
 * @param work folder of the compiled package
 * @param modules modules of the provider that an app needs beside those of the constructs, for example
 * `compute-url-map`
 * @returns the folders, in the order in which they compile
 */
export async function packageWithKit(
  language: KitLanguage,
  work: string,
  out: string,
  modules: readonly string[] = [],
): Promise<readonly string[]> {
  const installed = join(work, "node_modules");
  reduceProvider(join(installed, provider), [...importedModules(join(work, "lib")), ...modules]);
  const own = { name: "cert-migration", folder: work };
  const ofKit = npmPackages[language].map((name) => ({
    name: name.replace(/^.*\//, ""),
    folder: join(installed, name),
  }));
  const all = [...ofKit, own];
  mkdirSync(join(out, language), { recursive: true });
  for (const { name, folder } of all) {
    if (language === "go") await packageFor("go", work, { folder, out, codeOnly: true });
    else {
      const written = join(out, `${name}-${language}`);
      await packageFor(language, work, { folder, out: written, codeOnly: true });
      renameSync(join(written, language), join(out, language, name));
      rmSync(written, { recursive: true });
    }
  }
  if (language === "go")
    return readdirSync(join(out, "go"), { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => join(out, "go", name));
  return all.map(({ name }) => join(out, language, name));
}

interface Assembly {
  readonly name: string;
  readonly submodules: Readonly<Record<string, object>>;
  readonly types: Readonly<Record<string, { readonly namespace?: string }>>;
}

/** Modules of the provider that an app needs beside those that the constructs import. */
const ofEachApp = ["provider", "provider-functions"];

/** Returns the modules of the provider that the sources in a folder import, as `dns-record-set`. */
function importedModules(folder: string): readonly string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const found = sources.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [...text.matchAll(/"@cdktn\/provider-google\/lib\/([a-z0-9-]+)"/g)].map(([, module = ""]) => module);
  });
  return [...new Set([...ofEachApp, ...found])].sort();
}

/**
 * Removes all other modules from the installed package of the provider, whose 1,800 modules compile for half an hour.
 */
function reduceProvider(folder: string, modules: readonly string[]): void {
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
