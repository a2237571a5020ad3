/**
 * Compiles the public surface of the constructs with jsii, as for a package in other languages: `npm run check:jsii`.
 * The sources, with the package names of CDK Terrain, and all packages are in a temporary folder. `-- --bindings
 * FOLDER` takes the bindings from a folder of tarballs named VERSION.tgz instead of npm or PyPI.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { jsiiSource } from "../../build/jsii-source";
import { devDependencies, version } from "../../package.json";
import { fetchBindings, newestBindings } from "./bindings";
import { timed } from "./run";

const jsii = "jsii@6.0.16";
/** Version of Node that jsii runs with. */
const nodeVersion = "22";
const root = join(__dirname, "..", "..");
const name = "cdktn-google-cert-migration";
const { bindings: kept } = parseArgs({ options: { bindings: { type: "string" } } }).values;

/** A type that jsii can't express. The check must find it: otherwise it would find no other mistake either. */
const mistake = "/** A mistake. */\nexport interface Mistake {\n  readonly names: ReadonlyMap<string, string>;\n}\n";

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "jsii-"));
  let passed = 0;
  try {
    await install(work);
    copySources(work);
    await compile(work);
    const types = typesOf(join(work, ".jsii"));
    passed += 1;
    process.stdout.write(`ok: jsii compiles the surface, ${types.length} types\n`);
    const entry = join(work, "lib", "constructs", "index.ts");
    writeFileSync(join(work, "lib", "constructs", "mistake.ts"), mistake);
    writeFileSync(entry, `${readFileSync(entry, "utf8")}export type { Mistake } from "./mistake";\n`);
    const message = await compile(work).then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
    if (!message.includes('Type "ReadonlyMap" cannot be used'))
      throw new Error(`the mistake was not found: ${message}`);
    passed += 1;
    process.stdout.write(`ok: a type that jsii can't express is an error\n${passed} passed, 0 failed\n`);
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n${passed} passed, 1 failed\n`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function install(work: string): Promise<void> {
  const bindings = await fetchBindings(newestBindings, work, kept);
  const { cdktn, constructs } = devDependencies;
  const peers = { "@cdktn/provider-google": newestBindings, cdktn, constructs };
  const content = {
    name,
    version,
    description: "Moves third-party TLS certificates to Google Cloud load balancers",
    license: "Apache-2.0",
    author: { name, email: "nobody@example.com" },
    repository: { type: "git", url: "https://example.com/repository.git" },
    main: "lib/constructs/index.js",
    types: "lib/constructs/index.d.ts",
    stability: "experimental",
    engines: { node: ">=20.9" },
    peerDependencies: peers,
    devDependencies: { ...peers, "@cdktn/provider-google": `file:${bindings}` },
    jsii: { outdir: "dist", targets: targetsOf(name) },
  };
  writeFileSync(join(work, "package.json"), JSON.stringify(content));
  writeFileSync(join(work, "README.md"), "# Constructs\n");
  // Without lock file and scripts: npm has nothing to build, and the folder is removed.
  const options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--no-package-lock"];
  await timed("npm install", ["npm", "install", ...options, jsii], { folder: work });
}

/** Returns the names of the package in each language, whose reserved words jsii then checks. */
function targetsOf(distName: string) {
  return {
    python: { distName, module: distName.replace(/-/g, "_") },
    java: { package: "com.example.certmigration", maven: { groupId: "com.example", artifactId: distName } },
    go: { moduleName: "example.com/cert-migration" },
    dotnet: { namespace: "Example.CertMigration", packageId: "Example.CertMigration" },
  };
}

/** Copies all modules but the command, which no construct imports. */
function copySources(work: string): void {
  const lib = join(root, "lib");
  for (const path of readdirSync(lib, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts") || path.startsWith("cli") || statSync(join(lib, path)).isDirectory()) continue;
    const copy = join(work, "lib", path);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, jsiiSource(readFileSync(join(lib, path), "utf8")));
  }
}

function compile(work: string): Promise<string> {
  const words = [
    "sh",
    join(root, "test", "with-node.sh"),
    nodeVersion,
    join(work, "node_modules", ".bin", "jsii"),
    ".",
  ];
  return timed("jsii", words, { folder: work });
}

function typesOf(path: string): readonly string[] {
  const { types } = JSON.parse(readFileSync(path, "utf8")) as { readonly types: object };
  return Object.keys(types);
}

void main();
