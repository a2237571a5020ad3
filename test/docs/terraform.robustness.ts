import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { inheritedEnvironment } from "../../lib/rehearsal/terraform";
import { makeWorld } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { compileGate, type GateProgram } from "../rehearsal/gate-command";

jest.setTimeout(600_000);

const root = join(__dirname, "..", "..");
const page = readFileSync(join(root, "docs", "terraform.md"), "utf8");
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

/** A step of the page: a part of a file to write, or a command line to type. */
type PageStep = { readonly file: string; readonly text: string } | { readonly line: string };

/** Steps of the page, in order. Parts of the same file follow each other in it. */
const steps = [...page.matchAll(/^```(yaml|hcl|sh)(?: (\S+))?\n([\s\S]*?)^```$/gm)].flatMap(
  ([, kind, file = "", text = ""]): readonly PageStep[] =>
    kind === "sh"
      ? text
          .trim()
          .split("\n")
          .map((line) => ({ line }))
      : [{ file: basename(file), text }],
);

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

test("writes the files of the page and runs each of its commands in order, from the migration to the verification", async () => {
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
    const done: (readonly [line: string, exitCode: number | null, output: string])[] = [];
    for (const step of steps) {
      if ("file" in step) {
        appendFileSync(join(own, step.file), step.text);
        continue;
      }
      // The test of the package installs its tarball; here, the same command is linked to the folder.
      if (step.line.startsWith("npm install ")) {
        install(join(own, "node_modules", ".bin"));
        continue;
      }
      const { exitCode, output } = await run(step.line, own, env);
      done.push([step.line, exitCode, exitCode === 0 ? "" : output]);
      if (exitCode !== 0) break;
    }
    const lines = steps.flatMap((step) => ("line" in step && !step.line.startsWith("npm install ") ? [step.line] : []));
    expect(done).toEqual(lines.map((line) => [line, 0, ""]));
    expect(done.length).toBeGreaterThan(12);
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
