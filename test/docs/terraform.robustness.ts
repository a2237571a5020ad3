import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { inheritedEnvironment } from "../../lib/rehearsal/terraform";
import { makeWorld } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { compileGate, type GateProgram } from "../rehearsal/gate-command";

jest.setTimeout(600_000);

const root = join(__dirname, "..", "..");
const page = readFileSync(join(root, "docs", "terraform.md"), "utf8");
const example = join(root, "examples", "terraform-module");
let gate: GateProgram;
let folder: string;
beforeAll(() => {
  gate = compileGate();
  folder = mkdtempSync(join(tmpdir(), "terraform-page-"));
});
afterAll(() => {
  rmSync(gate.folder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

/** Command lines of the page, in order. The package is not installed by npm here, but linked below. */
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = ""]) => block.trim().split("\n"))
  .filter((line) => !line.startsWith("npm install"));

test("quotes the files of the example verbatim on the page", () => {
  const quoted = [...page.matchAll(/^```(?:yaml|hcl) (\S+)\n([\s\S]*?)^```$/gm)];
  expect(quoted.map(([, file]) => file)).toEqual([
    "examples/terraform-module/migration.yaml",
    "examples/terraform-module/main.tf",
    "examples/terraform-module/main.tf",
  ]);
  for (const [, file = "", block = ""] of quoted) expect(readFileSync(join(root, file), "utf8")).toContain(block);
});

/** Puts the program where `npx` looks for it: below the folder, or below the folder of global packages. */
function install(to: string): void {
  mkdirSync(to, { recursive: true });
  const file = join(to, "cert-migration");
  writeFileSync(file, `#!/bin/sh\nexec ${gate.command} "$@"\n`);
  chmodSync(file, 0o755);
}

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

function run(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn("sh", ["-c", line], { cwd, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}

test("runs every command line of the page successfully in order, from the migration to the verification", async () => {
  const cloud = await startCloud({ speed: 60 });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    const project = "my-project";
    const zones = ["example.com", "example.net"].map((domain) => ({
      project,
      name: domain.replace(".", "-"),
      dnsName: `${domain}.`,
    }));
    const world = { zones, records: [], urlMaps: [{ project, name: "shop" }], services: [], policies: [] };
    await makeWorld(world, cloud.endpoints.http, createHttpClient());
    const own = join(folder, "own");
    mkdirSync(own);
    for (const file of ["migration.yaml", "main.tf"]) cpSync(join(example, file), join(own, file));
    // In place of the bucket.
    writeFileSync(join(own, "local_override.tf.json"), JSON.stringify({ terraform: { backend: { local: {} } } }));
    install(join(own, "node_modules", ".bin"));
    writeFileSync(join(own, "none.tfrc"), "");
    const env = {
      ...inheritedEnvironment(process.env),
      npm_config_offline: "true",
      CHECKPOINT_DISABLE: "1",
      TF_CLI_CONFIG_FILE: join(own, "none.tfrc"),
      TF_INPUT: "0",
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
      CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
    };
    const results: (readonly [line: string, exitCode: number | null, output: string])[] = [];
    for (const line of lines) {
      const { exitCode, output } = await run(line, own, env);
      results.push([line, exitCode, exitCode === 0 ? "" : output]);
      if (exitCode !== 0) break;
    }
    expect(results).toEqual(lines.map((line) => [line, 0, ""]));
    expect(results.length).toBeGreaterThan(12);
  } finally {
    await provider.close();
    await cloud.stop();
  }
});

test("the gate's command is found in a parent folder and in a global install, and nowhere else", async () => {
  const nested = join(folder, "project", "envs", "prod");
  mkdirSync(nested, { recursive: true });
  const line = "npx --no-install cert-migration --version";
  const env = { ...process.env, npm_config_offline: "true", npm_config_prefix: join(folder, "global") };
  expect((await run(line, nested, env)).exitCode).not.toBe(0);
  install(join(folder, "global", "bin"));
  expect((await run(line, nested, env)).exitCode).toBe(0);
  rmSync(join(folder, "global"), { recursive: true });
  install(join(folder, "project", "node_modules", ".bin"));
  const path = [dirname(process.execPath), ...(process.env.PATH ?? "").split(delimiter)].join(delimiter);
  writeFileSync(join(folder, "project", "package.json"), "{}");
  expect((await run(line, nested, { ...env, PATH: path })).exitCode).toBe(0);
});
