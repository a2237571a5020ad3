/**
 * A user's project of CDK Terrain with the packed tarball, cdktn and the real bindings of four versions of the google
 * provider: types, synthesis, a snapshot test, two rehearsals, the move of a state from cdktf, and the command line of
 * CDK Terrain on two versions of Node. Run by `npm run test:cdktn`; `-- --bindings FOLDER` takes the bindings from a
 * folder of tarballs named VERSION.tgz instead of npm or PyPI, and `-- --command-line` runs only the checks of the
 * command line.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { forCdkTerrain } from "../../build/exchange-kit";
import { devDependencies } from "../../package.json";
import { fetchBindings, newestBindings } from "./bindings";
import { deployAndDestroy } from "./command-line";
import { type Check, countChecks } from "./counted";
import { applyThenPlan } from "./move";
import { timed } from "./run";
import { packTarball } from "./tarball";

/**
 * Bindings with the google provider 6.50, 7.41, the newest 7.x and the newest 8.x. The last are installed by npm and
 * used with the command line.
 */
const versions = ["18.0.0", "19.10.0", "20.3.1", newestBindings] as const;
const newest = newestBindings;
/** Bindings that skip the snapshot test and the rehearsals, to save time. */
const onlySynthesized = versions[1];
/** Bindings with the same version of the google provider as the bindings of cdktf. */
const sameProvider = versions[0];
/** Versions of Node for the command line of CDK Terrain, which needs 22.19 or later. */
const nodeVersions = ["22.23.3", "24.21.0"] as const;
const root = join(__dirname, "..", "..");
const typescript = ["typescript", "typescript-5.9"] as const;
const versionOf = (name: keyof typeof devDependencies) => `${name}@${devDependencies[name]}`;
const { bindings: kept, "command-line": onlyCommandLine = false } = parseArgs({
  options: { bindings: { type: "string" }, "command-line": { type: "boolean" } },
}).values;

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "cdk-terrain-"));
  try {
    await countChecks((check) => checkAll(work, check));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function checkAll(work: string, check: Check): Promise<void> {
  const project = join(work, "project");
  await check("the tarball installs beside cdktn and its bindings", () => install(work, project));
  writeSources(project);
  if (onlyCommandLine) {
    await checkCommandLine(project, check);
    return;
  }
  await check("a user's types are right in every way to resolve modules", () => checkTypes(project));
  for (const version of [newest, ...versions.filter((each) => each !== newest)]) {
    if (version !== newest) await exchangeBindings(work, project, version);
    const named = (what: string) => `bindings ${version}: ${what}`;
    await check(named("types"), () => run(project, "tsc", ...tsc("typescript", "node16"), "user.ts", "stack.test.ts"));
    await check(named("the stand-in derives the recorded schema"), () => checkSchema(project));
    await check(named("synthesis gives the stack of cdktf"), () => checkSynthesis(project));
    if (version === sameProvider) {
      await check(named("a state that was applied with cdktf plans no change"), () => checkMove(project));
    }
    if (version === onlySynthesized) continue;
    await check(named("a snapshot test passes"), () => checkSnapshot(project));
    // Both run at once, because they mostly wait.
    await Promise.all([
      check(named("rehearse --spec"), () => rehearse(project, "--spec", "migration.yaml")),
      check(named("rehearse --app"), () => rehearse(project, "--app", "npx tsx one-hostname.ts")),
    ]);
    if (version === newest) {
      await checkCommandLine(project, check);
      await check("the first migration of the tutorial is what the tarball does", () => followTutorial(work, project));
    }
  }
}

const run = (project: string, what: string, ...words: readonly string[]) => timed(what, words, { folder: project });

async function install(work: string, project: string): Promise<void> {
  mkdirSync(project);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "user", private: true, jest: { transform: { "^.+\\.ts$": "@swc/jest" } } }),
  );
  const tarball = await packTarball(work);
  const bindings = await fetchBindings(newest, work, kept);
  const tools = ["jest", "@swc/jest", "@swc/core", "tsx", "@types/jest", "@types/node", "typescript"] as const;
  const packages = [
    tarball,
    bindings,
    versionOf("cdktn"),
    versionOf("constructs"),
    ...tools.map(versionOf),
    "typescript-5.9@npm:typescript@5.9.3",
  ];
  await run(project, "npm install", "npm", "install", "--no-audit", "--no-fund", ...packages);
}

/** Replaces the installed bindings with bindings of another version. */
async function exchangeBindings(work: string, project: string, version: string): Promise<void> {
  const installed = join(project, "node_modules", "@cdktn", "provider-google");
  const tarball = await fetchBindings(version, work, kept);
  rmSync(installed, { recursive: true });
  mkdirSync(installed);
  await timed("unpack the bindings", ["tar", "-xzf", tarball, "-C", installed, "--strip-components=1"], {
    folder: work,
  });
}

const tsx = join(root, "node_modules", ".bin", "tsx");

async function checkSchema(project: string): Promise<void> {
  const bindings = join(project, "node_modules", "@cdktn", "provider-google");
  await timed("schema", [tsx, join(root, "test", "kits", "schema.ts"), bindings], { folder: root });
}

/** Follows the tutorial in a new folder with the same installed packages. */
async function followTutorial(work: string, project: string): Promise<void> {
  const folder = join(work, "readme");
  mkdirSync(folder);
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "readme", private: true }));
  await timed("tutorial", [tsx, join(root, "test", "follow-tutorial.ts"), folder, "cdktn"], { folder: root });
}

function writeSources(project: string): void {
  const sources = {
    "stack.ts": "test/fixtures/user-project/stack.ts",
    "stack.test.ts": "test/fixtures/user-project/stack.test.ts",
    "one-hostname.ts": "examples/one-hostname/main.ts",
  };
  for (const [name, path] of Object.entries(sources)) {
    writeFileSync(join(project, name), forCdkTerrain(readFileSync(join(root, path), "utf8")));
  }
  writeFileSync(
    join(project, "user.ts"),
    'export { ManagedCertMigration } from "cdktf-google-cert-migration/cdktn";\nexport { splitMigration } from "cdktf-google-cert-migration/plan";\nexport { ShopStack } from "./stack";\n',
  );
  writeFileSync(
    join(project, "migration.yaml"),
    "name: shop\ncertificates:\n  - domains: [shop.example.com]\ndns: { kind: cloudDns, zones: { example.com: example-com } }\nloadBalancer:\n  kind: globalExternal\n  newTargetHttpsProxy: { urlMap: shop, forwardingRules: { ipv4Address: 203.0.113.7 } }\n",
  );
  const json = { language: "typescript", app: "npx tsx one-hostname.ts", projectId: "user", sendCrashReports: "false" };
  writeFileSync(join(project, "cdktf.json"), JSON.stringify(json));
}

type Resolution = "node16" | "node10" | "bundler";

/** Returns the `tsc` arguments for a compilation without output that checks all declarations of this package. */
function tsc(compiler: (typeof typescript)[number], resolution: Resolution): readonly string[] {
  const module = { node16: "node16", node10: "commonjs", bundler: "esnext" }[resolution];
  return [
    "node",
    `node_modules/${compiler}/bin/tsc`,
    ...["--noEmit", "--strict", "--esModuleInterop", "--target", "es2022", "--types", "node,jest"],
    ...["--module", module, "--moduleResolution", resolution],
  ];
}

async function checkTypes(project: string): Promise<void> {
  for (const compiler of typescript) {
    for (const resolution of ["node16", "node10", "bundler"] as const) {
      // TypeScript 7 has no resolution by folders. 5.9 is slow, so it reads every declaration only once.
      if (compiler === "typescript" && resolution === "node10") continue;
      const skipping = compiler === "typescript-5.9" && resolution !== "node10" ? ["--skipLibCheck"] : [];
      await run(project, `${compiler}, ${resolution}`, ...tsc(compiler, resolution), ...skipping, "user.ts");
    }
  }
  const script =
    'import { ManagedCertMigration as M } from "cdktf-google-cert-migration/cdktn"; if (!M) throw new Error()';
  await run(project, "ESM", "node", "--input-type=module", "-e", script);
  await run(
    project,
    "CommonJS",
    "node",
    "-e",
    'require("cdktf-google-cert-migration/cdktn").DnsPublication.external()',
  );
}

/** Compares the stack with the stack that cdktf synthesizes in this repository. */
async function checkSynthesis(project: string): Promise<void> {
  const words = ["npx", "tsx", "one-hostname.ts"];
  await timed("synthesis", words, { folder: project });
  const env = { ...process.env, CDKTF_OUTDIR: join(project, "of-cdktf") };
  const original = join(root, "examples", "one-hostname", "main.ts");
  await timed("synthesis with cdktf", [tsx, "--tsconfig", join(root, "tsconfig.json"), original], {
    folder: root,
    env,
  });
  const [ours, theirs] = ["cdktf.out", "of-cdktf"].map((outdir) => {
    const file = join(project, outdir, "stacks", "one-hostname", "cdk.tf.json");
    const { "//": _, terraform, ...stack } = JSON.parse(readFileSync(file, "utf8"));
    // The local backend contains the path of the folder.
    const { required_providers: providers, backend: __, ...rest } = terraform;
    return JSON.stringify({ ...stack, terraform: { ...rest, providers: Object.keys(providers) } });
  });
  if (ours !== theirs) throw new Error(`the stack of cdktn differs from the stack of cdktf:\n${ours}\n${theirs}`);
}

/** Moves the state of the example from cdktf, after both kits have synthesized it. */
function checkMove(project: string): Promise<void> {
  const [from = "", to = ""] = ["of-cdktf", "cdktf.out"].map((outdir) =>
    join(project, outdir, "stacks", "one-hostname", "cdk.tf.json"),
  );
  return applyThenPlan({ project, from, to, providerVersion: "6.50.0" });
}

/** Writes the snapshot, which contains the version of the provider, and compares the stack with it in a second run. */
async function checkSnapshot(project: string): Promise<void> {
  rmSync(join(project, "__snapshots__"), { recursive: true, force: true });
  await run(project, "jest writes the snapshot", "npx", "jest", "--ci=false");
  await run(project, "jest compares with the snapshot", "npx", "jest", "--ci");
}

async function rehearse(project: string, ...source: readonly string[]): Promise<void> {
  const output = await run(
    project,
    `rehearse ${source[0]}`,
    ...["npx", "--no-install", "cert-migration", "rehearse", ...source],
  );
  const [line] = /\b0 of \d+ handshakes failed/.exec(output) ?? [];
  if (line === undefined) throw new Error(`rehearse ${source[0]} printed:\n${output}`);
  process.stdout.write(`${line}\n`);
}

async function checkCommandLine(project: string, check: Check): Promise<void> {
  const program = `node-${process.platform}-${process.arch}`;
  const nodes = nodeVersions.map((version) => ({ version, name: `node-${version}` }));
  const packages = [
    `cdktn-cli@${devDependencies.cdktn}`,
    ...nodes.map(({ version, name }) => `${name}@npm:${program}@${version}`),
  ];
  const words = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", ...packages];
  await run(project, "install cdktn-cli", ...words);
  for (const { version, name } of nodes) {
    const env = { ...process.env, PATH: `${join(project, "node_modules", name, "bin")}:${process.env.PATH}` };
    const used = await timed(`Node ${version}`, ["node", "--version"], { folder: project, env });
    if (used.trim() !== `v${version}`) throw new Error(`'node' is ${used.trim()} instead of v${version}`);
    await check(`cdktn synth, deploy and destroy, Node ${version}`, () =>
      deployAndDestroy({ program: "cdktn", folder: project, stack: "one-hostname", hostname: "shop.example.com", env }),
    );
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
