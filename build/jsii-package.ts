/** The constructs as a package that jsii compiles for other languages, in a temporary folder. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { dependencies, devDependencies, name, peerDependencies, version } from "../package.json";
import { fetchBindings, newestBindings } from "../test/kits/bindings";
import { fetching, timed } from "../test/kits/run";
import { jsiiSource } from "./jsii-source";
import { languageReadme } from "./language-readme";
import { type Assembly, lossyTypes } from "./lossy-types";

const jsii = "jsii@6.0.16";
const pacmak = "jsii-pacmak@1.140.0";
/** Version of Node that jsii runs with. */
const nodeVersion = "22";
const root = join(__dirname, "..");

/** Name of the package on npm and PyPI. */
const packageName = "cdktn-google-cert-migration";

/** Packages that the constructs load, and that each language's package contains. */
const bundled = ["ajv", "tldts"] as const;
/** Packages whose types the sources mention; no construct loads them. */
const typesOnly = ["yaml"] as const;

/**
 * Installs jsii, the kit and its bindings, and copies the sources that the constructs import.
 *
 * @param kept folder with tarballs of bindings. @default - from npm or PyPI
 * @throws FetchError if a package can't be fetched
 */
export async function prepareJsiiPackage(work: string, kept?: string): Promise<void> {
  const bindings = await fetching(() => fetchBindings(newestBindings, work, kept));
  const { cdktn, constructs } = devDependencies;
  const provider = "@cdktn/provider-google";
  const content = {
    name: packageName,
    version,
    description: "Moves third-party TLS certificates to Google Cloud load balancers",
    license: "Apache-2.0",
    author: { name: `authors of ${name}` },
    // jsii requires a repository; `describePackage` removes it.
    repository: { type: "git", url: "none" },
    main: "lib/constructs/index.js",
    types: "lib/constructs/index.d.ts",
    files: ["lib/**/*.js", "lib/**/*.json", ".jsii"],
    engines: { node: ">=22.11" },
    dependencies: Object.fromEntries(bundled.map((name) => [name, dependencies[name]])),
    bundleDependencies: bundled,
    peerDependencies: {
      // jsii compiles with the types of one major version.
      [provider]: `^${newestBindings}`,
      cdktn: peerDependencies.cdktn,
      constructs: peerDependencies.constructs,
    },
    devDependencies: {
      cdktn,
      constructs,
      ...Object.fromEntries(typesOnly.map((name) => [name, dependencies[name]])),
      "@types/node": devDependencies["@types/node"],
    },
    jsii: {
      outdir: "dist",
      targets: targetsOf(packageName),
      tsc: { inlineSourceMap: false, inlineSources: false, sourceMap: false },
    },
  };
  const writePackage = (binding: string) => {
    const ofDevelopment = { ...content.devDependencies, [provider]: binding };
    writeFileSync(join(work, "package.json"), JSON.stringify({ ...content, devDependencies: ofDevelopment }));
  };
  writePackage(`file:${bindings}`);
  copyFileSync(join(root, "LICENSE"), join(work, "LICENSE"));
  writeFileSync(join(work, "README.md"), languageReadme("typescript"));
  copySources(work);
  // Without lock file and scripts: npm has nothing to build, and the folder is removed.
  const options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--no-package-lock"];
  await fetching(() => timed("npm install", ["npm", "install", ...options, jsii, pacmak], { folder: work }));
  // The file becomes part of every language's package, and must not name a folder of this machine.
  writePackage(newestBindings);
}

/** Returns the names of the package in each language, whose reserved words jsii then checks. */
function targetsOf(distName: string) {
  return {
    python: { distName, module: distName.replace(/-/g, "_") },
    java: { package: "com.example.certmigration", maven: { groupId: "com.example", artifactId: distName } },
    go: { moduleName: "example.com/cert-migration", packageName: "certmigration" },
    dotnet: { namespace: "Example.CertMigration", packageId: "Example.CertMigration" },
  };
}

/** Copies the files that the constructs import, directly or through others, and the data beside them. */
function copySources(work: string): void {
  const found = new Set<string>();
  const pending = [join(root, "lib", "constructs", "index.ts")];
  for (const file of pending) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from|require\(|import\() ?"(\.[^"]*)"/g)) {
      const target = join(dirname(file), path);
      const candidates = [`${target}.ts`, join(target, "index.ts"), target];
      const next = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
      // The version is in the package's own package.json.
      if (next !== undefined && !next.endsWith("package.json")) pending.push(next);
    }
    // Schemas are read as files.
    for (const name of readdirSync(dirname(file))) if (name.endsWith(".json")) found.add(join(dirname(file), name));
  }
  for (const file of found) {
    const copy = join(work, relative(root, file));
    mkdirSync(dirname(copy), { recursive: true });
    if (file.endsWith(".ts")) writeFileSync(copy, jsiiSource(readFileSync(file, "utf8")));
    else copyFileSync(file, copy);
  }
}

/** Files that no program loads, in any bundled package: types, maps, sources, settings and documentation. */
const unusedKinds = /\.(?:map|ts|tsbuildinfo)$|\/\.|\/(?:README\.md|readme\.md|tsconfig\.json|eslint\.config\.js)$/;
/** Files of single packages that no program loads: other forms of the code, and tests. */
const unusedFolders =
  /^(?:ajv\/lib|tldts(?:-core)?\/(?:bin|src|dist\/(?:es6|types|cjs\/src|index\..*))|fast-uri\/(?:test|types|benchmark)|json-schema-traverse\/spec)(?:\/|$)/;

function removeUnused(work: string): void {
  const installed = join(work, "node_modules");
  for (const name of ["ajv", "tldts", "tldts-core", "fast-uri", "fast-deep-equal", "json-schema-traverse"]) {
    for (const path of readdirSync(join(installed, name), { recursive: true, encoding: "utf8" })) {
      const isUnused = unusedKinds.test(`/${path}`) || unusedFolders.test(`${name}/${path}`);
      if (isUnused) rmSync(join(installed, name, path), { recursive: true, force: true });
    }
  }
}

/** Runs a program of the package's development with the Node version of jsii. */
function runTool(what: string, work: string, ...words: readonly string[]): Promise<string> {
  const tool = join(work, "node_modules", ".bin", words[0] ?? "");
  return timed(what, ["sh", join(root, "test", "with-node.sh"), nodeVersion, tool, ...words.slice(1)], {
    folder: work,
  });
}

/** Compiles a package with the compiler of the prepared package. @throws Error that contains the mistakes */
export async function runJsii(work: string, folder: string): Promise<void> {
  await runTool("jsii", work, "jsii", folder);
}

/**
 * Compiles the package.
 *
 * @returns the names of its types
 * @throws Error if jsii can't express a type, or would lose keys of data
 */
export async function compileJsiiPackage(work: string): Promise<readonly string[]> {
  await runJsii(work, work);
  removeUnused(work);
  const assembly = JSON.parse(readFileSync(join(work, ".jsii"), "utf8")) as Assembly;
  const lossy = lossyTypes(assembly);
  if (lossy.length > 0) throw new Error(`jsii drops keys of maps in ${lossy.join(", ")}: see build/jsii-source.ts`);
  return Object.keys(assembly.types);
}

/** What `.jsii` says of the package as a whole. */
interface PackageDescription {
  homepage?: string;
  repository?: { readonly type: string; readonly url?: string };
  docs?: { readonly stability: string };
  readme?: { readonly markdown: string };
}

/**
 * Sets the description that the tool writes into a language's package: its README, its state of development (a
 * stability in `package.json` would stand before every description), and no address until the package has a repository.
 *
 * @returns the README
 */
function describePackage(language: string, work: string): string {
  const path = join(work, ".jsii");
  const assembly = JSON.parse(readFileSync(path, "utf8")) as PackageDescription;
  const markdown = languageReadme(language);
  delete assembly.homepage;
  const changed = { repository: { type: "git" }, docs: { stability: "experimental" }, readme: { markdown } };
  writeFileSync(path, JSON.stringify({ ...assembly, ...changed }));
  writeFileSync(join(work, "README.md"), markdown);
  return markdown;
}

export interface PackageOptions {
  /** Folder of the package to make: a dependency of the compiled one. @default - the compiled package */
  readonly folder?: string;
  /** Folder that gets a folder for the language. @default - `dist` of the compiled package */
  readonly out?: string;
  /** Writes sources only: compiling them needs packages that the language's registry does not have. @default false */
  readonly codeOnly?: boolean;
}

/** Packages the compiled package, or one that it depends on, for a language. */
export async function packageFor(language: string, work: string, options: PackageOptions = {}): Promise<void> {
  const { folder = work, out = join(work, "dist"), codeOnly = false } = options;
  const markdown = folder === work ? describePackage(language, work) : undefined;
  const words = ["jsii-pacmak", "--targets", language, "--outdir", out, ...(codeOnly ? ["--code-only"] : [])];
  await runTool(`jsii-pacmak for ${language}`, work, ...words, "--force-subdirectory", folder);
  if (markdown !== undefined) writeFileSync(join(out, language, "README.md"), markdown);
}
