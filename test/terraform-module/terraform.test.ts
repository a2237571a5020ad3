import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { runCli } from "../support/io";
import { shopSpec } from "../support/migration-spec";
import { isOnPath } from "../support/on-path";
import { openTerraform, type TerraformDirectory } from "../support/terraform";

jest.setTimeout(120_000);

const example = join(__dirname, "../../examples/terraform-module");
const root = readFileSync(join(example, "main.tf"), "utf8").replace(/ {2}backend "gcs" \{[\s\S]*?\n {2}\}\n/, "");
let provider: TerraformProvider;
beforeAll(async () => {
  // The plans of these tests are never applied, so the stand-in needs no cloud.
  provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", isSurvey: true });
});
afterAll(() => provider.close());

interface Planned {
  readonly exitCode: number;
  readonly stderr: string;
  /** Returns the addresses of planned changes, with their actions. */
  readonly changes: readonly string[];
  readonly dangers: readonly string[];
  readonly moved: readonly string[];
  /** Resources of the module that the proxy of the root module waits for, without their names. */
  readonly before: readonly string[];
}

async function plan(terraform: TerraformDirectory): Promise<Planned> {
  await terraform.succeed("init", "-input=false", "-no-color");
  await terraform.succeed("validate", "-no-color");
  const { exitCode, stderr } = await terraform.run("plan", "-out=tfplan", "-input=false", "-no-color");
  if (exitCode === 1) return { exitCode, stderr, changes: [], dangers: [], moved: [], before: [] };
  const text = await terraform.succeed("show", "-json", "tfplan");
  interface Change {
    readonly address: string;
    readonly previous_address?: string;
    readonly change: { readonly actions: readonly string[] };
  }
  const { resource_changes: all = [] } = JSON.parse(text) as { readonly resource_changes?: readonly Change[] };
  const judged = readTerraformPlan(text, "plan");
  const { targets } = judged.configuration.dependencies("google_compute_target_https_proxy.web");
  return {
    exitCode,
    stderr,
    before: targets.map(({ bare }) => bare.replace(/_[0-9A-F]{8}$/, "")).sort(),
    changes: all.map(({ address, change }) => `${change.actions.join("+")} ${address}`),
    dangers: checkPlan(judged).dangers.map(({ code, subject }) => `${code} ${subject}`),
    moved: all.flatMap(({ previous_address: from }) => from ?? []),
  };
}

function openExample(terraform: TerraformDirectory, main = root): void {
  cpSync(join(example, "certificates"), join(terraform.path, "certificates"), { recursive: true });
  writeFileSync(join(terraform.path, "main.tf"), main);
}

test("generates the example's module from its spec", async () => {
  const words = ["--spec", join(example, "migration.yaml"), "--out", join(example, "certificates"), "--check"];
  expect(await runCli(["synth", ...words])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(readdirSync(join(example, "certificates"))).toEqual(["README.md", "main.tf.json", "tests"]);
});

test("is valid for Terraform and check-plan: the proxy depends on all entries", async () => {
  await using terraform = await openTerraform(provider);
  openExample(terraform);
  const { changes, dangers, before } = await plan(terraform);
  expect(before).toEqual([
    "module.certificates.google_certificate_manager_certificate_map.migration_map",
    "module.certificates.google_certificate_manager_certificate_map_entry.migration_entry-examplecom",
    "module.certificates.google_certificate_manager_certificate_map_entry.migration_entry-examplecom",
    "module.certificates.google_certificate_manager_certificate_map_entry.migration_entry-payexamplenet",
    "module.certificates.terraform_data.migration_settlement-1",
  ]);
  expect(changes).toHaveLength(15);
  expect(changes.filter((one) => one.startsWith("create module.certificates."))).toHaveLength(13);
  expect(dangers).toEqual([]);
});

test("needs the dependencies of the map's ID, because the proxy could otherwise get the map before its entries", async () => {
  await using terraform = await openTerraform(provider);
  openExample(terraform);
  const file = join(terraform.path, "certificates", "main.tf.json");
  const module = JSON.parse(readFileSync(file, "utf8"));
  module.output.certificate_map_id.depends_on = undefined;
  writeFileSync(file, JSON.stringify(module));
  expect((await plan(terraform)).before).toEqual([
    "module.certificates.google_certificate_manager_certificate_map.migration_map",
  ]);
});

test.each([
  ["count = 1", "[0]"],
  ["for_each = { eu = true }", '["eu"]'],
])("accepts %s and a provider that is passed to the module", async (argument, key) => {
  await using terraform = await openTerraform(provider);
  const passed = `module "certificates" {\n  ${argument}\n  providers = { google = google.edge }`;
  const main = root
    .replace('module "certificates" {', `provider "google" {\n  alias = "edge"\n  project = "edge"\n}\n\n${passed}`)
    .replaceAll("module.certificates.", `module.certificates${key}.`);
  openExample(terraform, main);
  const { changes, dangers } = await plan(terraform);
  expect(changes.filter((one) => one.startsWith(`create module.certificates${key}.`))).toHaveLength(13);
  expect(dangers).toEqual([]);
  const state = JSON.parse(await terraform.succeed("show", "-json", "tfplan"));
  const { child_modules: modules } = state.planned_values.root_module;
  expect(modules[0].resources.map(({ values }: { values: { project?: string } }) => values.project ?? "edge")).toEqual(
    Array(13).fill("edge"),
  );
});

test("check-plan refuses several instances in one project, and gives the reason", async () => {
  await using terraform = await openTerraform(provider);
  const module = 'module "certificates" {\n  source = "./certificates"\n  for_each = toset(["a", "b"])\n}\n';
  openExample(terraform, `provider "google" {\n  project = "p"\n}\n${module}`);
  const { dangers } = await plan(terraform);
  // Two authorizations, two certificates, a map and three entries.
  expect(dangers).toHaveLength(8);
  for (const one of dangers)
    expect(one).toMatch(/^created-twice module\.certificates\["b"\]\.google_certificate_manager_/);
});

test("plans no resource of the module with count = 0", async () => {
  await using terraform = await openTerraform(provider);
  const module = 'module "certificates" {\n  source = "./certificates"\n  count = 0\n}\n';
  openExample(terraform, `provider "google" {\n  project = "p"\n}\n${module}`);
  expect((await plan(terraform)).changes).toEqual([]);
});

test("moves from a stack and back with imports and moves of the root module", async () => {
  await using terraform = await openTerraform(provider);
  const path = (...names: readonly string[]) => join(terraform.path, ...names);
  writeFileSync(path("migration.yaml"), shopSpec);
  const words = ["synth", "--spec", path("migration.yaml"), "--out", path("certificates")];
  expect((await runCli([...words, "--root-blocks", path("imports.tf.json")])).exitCode).toBe(0);
  const providerBlock = 'provider "google" {\n  project = "p"\n}\n';
  const call = 'module "certificates" {\n  source = "./certificates"\n}\n';
  writeFileSync(path("main.tf"), providerBlock + call);
  const first = await plan(terraform);
  // The records of today are imported; their other attributes are unknown to the stand-in without a cloud.
  const imported = JSON.parse(readFileSync(path("imports.tf.json"), "utf8")).import as { to: string }[];
  expect(imported).toHaveLength(2);
  for (const { to } of imported) expect(first.changes).toContain(`update ${to}`);

  // A state of the stack, as if it had been applied: every resource with its address there.
  const moves = JSON.parse(readFileSync(path("imports.tf.json"), "utf8")).moved as { from: string; to: string }[];
  writeFileSync(path("terraform.tfstate"), JSON.stringify(stateOf(moves.map(({ from }) => from))));
  expect([...(await plan(terraform)).moved].sort()).toEqual(moves.map(({ from }) => from).sort());

  // And back: the stack has the resources, the state has the module.
  await runCli([...words, "--root-blocks", path("imports.tf.json"), "--to-stack"]);
  const stack = JSON.parse(readFileSync(path("certificates", "main.tf.json"), "utf8"));
  writeFileSync(path("cdk.tf.json"), JSON.stringify({ resource: stack.resource }));
  writeFileSync(path("main.tf"), providerBlock);
  writeFileSync(path("terraform.tfstate"), JSON.stringify(stateOf(moves.map(({ to }) => to))));
  expect([...(await plan(terraform)).moved].sort()).toEqual(moves.map(({ to }) => to).sort());
});

/** A state of resources that Terraform refreshes without a cloud. */
function stateOf(addresses: readonly string[]): object {
  const resources = addresses.map((address) => {
    const [, module, type = "", name = ""] = /^(?:(module\.\w+)\.)?([^.]+)\.(.+)$/.exec(address) ?? [];
    const isGate = type === "terraform_data";
    return {
      ...(module === undefined ? {} : { module }),
      mode: "managed",
      type,
      name,
      provider: `provider["${isGate ? "terraform.io/builtin/terraform" : "registry.terraform.io/hashicorp/google"}"]`,
      instances: [{ schema_version: 0, attributes: { id: "a" } }],
    };
  });
  return { version: 4, terraform_version: "1.5.0", serial: 1, lineage: "a", outputs: {}, resources };
}

/** Validates and plans the example with the program of a name on PATH. */
async function planWith(name: string): Promise<Planned> {
  await using terraform = await openTerraform(provider, name);
  openExample(terraform);
  return await plan(terraform);
}

// Without OpenTofu, the runner reports this test as skipped, and `.ci/run` reports that it did not run.
(isOnPath("tofu") ? test : test.skip)("is valid for OpenTofu", async () => {
  const { exitCode, changes, dangers } = await planWith("tofu");
  expect({ exitCode, changes: changes.length, dangers }).toEqual({ exitCode: 0, changes: 15, dangers: [] });
});

test("runs 'tofu validate' where a program with this name is on PATH", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tofu-"));
  const before = process.env.PATH ?? "";
  const terraform = before.split(delimiter).map((one) => join(one, "terraform"));
  try {
    process.env.PATH = folder;
    expect(isOnPath("tofu")).toBe(false);
    const script = `#!/bin/sh\necho "$1" >> '${folder}/calls'\nexec '${terraform.find(existsSync)}' "$@"\n`;
    writeFileSync(join(folder, "tofu"), script, { mode: 0o755 });
    expect(isOnPath("tofu")).toBe(true);
    process.env.PATH = `${folder}${delimiter}${before}`;
    expect((await planWith("tofu")).changes).toHaveLength(15);
    expect(readFileSync(join(folder, "calls"), "utf8").split("\n")).toEqual(["init", "validate", "plan", "show", ""]);
  } finally {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  }
});

test("reads the folder of the module and the root module with --stack", async () => {
  await using terraform = await openTerraform(provider);
  openExample(terraform);
  mkdirSync(join(terraform.path, "empty"));
  const read = (folder: string) => runCli(["plan", "--stack", folder, "--project", "shop-1"]);
  const ofModule = await read(join(terraform.path, "certificates"));
  expect(ofModule.stdout).toMatch(/^entry +pay-example-net-[0-9a-f]{12} +pay\.example\.net by pay$/m);
  expect(await read(terraform.path)).toEqual(ofModule);
  const { exitCode, stderr } = await read(join(terraform.path, "empty"));
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("[file-unreadable]")]);
});
