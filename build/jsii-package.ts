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
import { dependencies, devDependencies, peerDependencies, version } from "../package.json";
import { fetchBindings, newestBindings } from "../test/kits/bindings";
import { timed } from "../test/kits/run";
import { jsiiSource } from "./jsii-source";

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
 */
export async function prepareJsiiPackage(work: string, kept?: string): Promise<void> {
  const bindings = await fetchBindings(newestBindings, work, kept);
  const { cdktn, constructs } = devDependencies;
  const provider = "@cdktn/provider-google";
  const content = {
    name: packageName,
    version,
    description: "Moves third-party TLS certificates to Google Cloud load balancers",
    license: "Apache-2.0",
    author: { name: packageName, email: "nobody@example.com" },
    repository: { type: "git", url: "https://example.com/repository.git" },
    main: "lib/constructs/index.js",
    types: "lib/constructs/index.d.ts",
    files: ["lib/**/*.js", "lib/**/*.d.ts", "lib/**/*.json", ".jsii"],
    stability: "stable",
    engines: { node: ">=20.9" },
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
      [provider]: `file:${bindings}`,
    },
    jsii: {
      outdir: "dist",
      targets: targetsOf(packageName),
      tsc: { inlineSourceMap: false, inlineSources: false, sourceMap: false },
    },
  };
  writeFileSync(join(work, "package.json"), JSON.stringify(content));
  copyFileSync(join(root, "LICENSE"), join(work, "LICENSE"));
  writeFileSync(join(work, "README.md"), readme);
  copySources(work);
  // Without lock file and scripts: npm has nothing to build, and the folder is removed.
  const options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--no-package-lock"];
  await timed("npm install", ["npm", "install", ...options, jsii, pacmak], { folder: work });
}

const readme = `# Constructs for certificate migrations to Google Cloud load balancers

Constructs for CDK Terrain that create DNS authorizations, CNAME records, certificates, a certificate map with one entry
per hostname, and the attachment to target proxies, in the order in which no handshake fails. The gates run the command
\`cert-migration\` of the npm package cdktf-google-cert-migration, in the same version.
`;

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

/** Files of bundled packages that no program loads: other forms of the code, its sources, maps and tests. */
const unused =
  /\.map$|^(?:ajv\/lib|tldts(?:-core)?\/(?:src|dist\/(?:es6|index\..*))|fast-uri\/(?:test|benchmark))(?:\/|$)/;

function removeUnused(work: string): void {
  const installed = join(work, "node_modules");
  for (const name of ["ajv", "tldts", "tldts-core", "fast-uri", "fast-deep-equal", "json-schema-traverse"]) {
    for (const path of readdirSync(join(installed, name), { recursive: true, encoding: "utf8" })) {
      if (unused.test(`${name}/${path}`)) rmSync(join(installed, name, path), { recursive: true, force: true });
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

/** Compiles the package. @returns the names of its types */
export async function compileJsiiPackage(work: string): Promise<readonly string[]> {
  await runTool("jsii", work, "jsii", ".");
  removeUnused(work);
  const { types } = JSON.parse(readFileSync(join(work, ".jsii"), "utf8")) as { readonly types: object };
  return Object.keys(types);
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
  const words = ["jsii-pacmak", "--targets", language, "--outdir", out, ...(codeOnly ? ["--code-only"] : [])];
  await runTool(`jsii-pacmak for ${language}`, work, ...words, "--force-subdirectory", folder);
}
