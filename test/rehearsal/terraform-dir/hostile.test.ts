/**
 * Folders that try to reach outside of the copy, planned by real Terraform: nothing is fetched, run or written outside.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { InputError } from "../../../lib/errors";
import { surveyFolder } from "../../../lib/rehearsal/terraform-dir/survey";
import { readModuleFolders } from "../../../lib/terraform-folder";

jest.setTimeout(120_000);

const example = join(__dirname, "..", "..", "..", "examples", "terraform-module");
let folder: string;
let root: string;
let server: Server;
let url: string;
let requests: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
  root = join(folder, "root");
  cpSync(example, root, { recursive: true });
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Files = Readonly<Record<string, string>>;

function write(files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** A file that a command would create outside of the copy. */
const marker = () => join(folder, "marker");

function survey() {
  return surveyFolder({
    root,
    folders: readModuleFolders(root),
    workFolder: join(folder, "work"),
    gateCommand: "node main.js",
    terraform: "terraform",
    skips: false,
    signal: new AbortController().signal,
    endSignal: new AbortController().signal,
  });
}

/** Returns the places and parts that the survey refuses, and checks that nothing was reached. */
async function refusedBy(files: Files): Promise<readonly string[]> {
  write(files);
  const before = listing();
  const error = await survey().then(
    () => undefined,
    (reason: InputError) => reason,
  );
  expect(requests).toEqual([]);
  expect(listing()).toEqual(before);
  return error?.problems.map(({ message }) => message.split(" is ")[0] ?? "") ?? [];
}

/** Everything outside of the copy. */
function listing(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/^work(?:\/|$)/.test(name))
    .sort();
}

const call = (source: string) => `\nmodule "foreign" {\n  source = "${source}"\n}\n`;
const gate = (run: object) =>
  JSON.stringify({ resource: { terraform_data: { own: { provisioner: [{ "local-exec": run }] } } } });

test.each<[what: string, files: () => Files, refused: readonly string[]]>([
  [
    "a module over HTTP",
    () => ({ "own.tf": call(`${url}/module.zip`) }),
    ["own.tf:2: module source 'http://127.0.0.1:PORT/module.zip'"],
  ],
  [
    "a module from git over HTTP",
    () => ({ "own.tf": call(`git::${url}/module.git`) }),
    ["own.tf:2: module source 'git::http://127.0.0.1:PORT/module.git'"],
  ],
  [
    "a module from a git repository on this machine",
    () => ({ "own.tf": call(`git::file://${folder}/repository`) }),
    ["own.tf:2: module source 'git::file://FOLDER/repository'"],
  ],
  [
    "a module of a registry on this machine",
    () => ({ "own.tf": call("localhost:1/a/b/c") }),
    ["own.tf:2: module source 'localhost:1/a/b/c'"],
  ],
  [
    "a list of installed modules that names another folder",
    () => ({
      "own.tf": call("a/b/c"),
      ".terraform/modules/modules.json": JSON.stringify({
        Modules: [
          {
            Key: "foreign",
            Source: "registry.terraform.io/a/b/c",
            Version: "1.0.0",
            Dir: ".terraform/modules/../../../other",
          },
        ],
      }),
    }),
    [".terraform/modules/modules.json: the folder '.terraform/modules/../../../other'"],
  ],
  [
    "the external data source",
    () => ({ "own.tf": `\n/* a\n b */ data "external" "own" {\n  program = ["touch", "${marker()}"]\n}\n` }),
    ["own.tf:3: data.external"],
  ],
  ["the http data source", () => ({ "own.tf": `data "http" "own" {\n  url = "${url}"\n}\n` }), ["own.tf:1: data.http"]],
  [
    "a foreign provider",
    () => ({ "own.tf": 'terraform {\n  required_providers {\n    null = { source = "hashicorp/null" }\n  }\n}\n' }),
    ["own.tf:3: hashicorp/null"],
  ],
  [
    "a function of a foreign provider",
    () => ({
      "own.tf":
        'terraform {\n  required_providers {\n    time = { source = "hashicorp/time" }\n  }\n}\noutput "a" {\n  value = provider::time::rfc3339_parse("x")\n}\n',
    }),
    ["own.tf:3: hashicorp/time"],
  ],
  [
    "a provisioner on destroy",
    () => ({
      "own.tf": `resource "terraform_data" "own" {\n  provisioner "local-exec" {\n    when    = destroy\n    command = "touch ${marker()}"\n  }\n}\n`,
    }),
    ["own.tf:2: provisioner 'local-exec' in own.tf"],
  ],
  [
    "a provisioner of a removed resource",
    () => ({
      "own.tf": `removed {\n  from = terraform_data.gone\n  provisioner "local-exec" {\n    when    = destroy\n    command = "touch ${marker()}"\n  }\n}\n`,
    }),
    ["own.tf:3: provisioner 'local-exec' in own.tf"],
  ],
  [
    "a provisioner in an override file",
    () => ({
      "own.tf": 'resource "terraform_data" "own" {}\n',
      "override.tf": `resource "terraform_data" "own" {\n  provisioner "local-exec" {\n    command = "touch ${marker()}"\n  }\n}\n`,
    }),
    ["override.tf:2: provisioner 'local-exec' in override.tf"],
  ],
  [
    "a gate with a variable that runs a program",
    () => ({
      "own.tf.json": gate({
        command: "npx cert-migration wait --from-environment",
        environment: { NODE_OPTIONS: `--require ${folder}/own.js` },
      }),
    }),
    ["own.tf.json:1: 'npx cert-migration wait --from-environment' in own.tf.json"],
  ],
  [
    "a gate that writes a file",
    () => ({ "own.tf.json": gate({ command: `npx cert-migration verify --stack . --junit ${marker()}` }) }),
    ["own.tf.json:1: 'npx cert-migration verify --stack . --junit FOLDER/marker' in own.tf.json"],
  ],
  [
    "a backend in an override file that counts over the copy's",
    () => ({ "zzzzz_override.tf": `terraform {\n  backend "http" {\n    address = "${url}/state"\n  }\n}\n` }),
    ["zzzzz_override.tf:1: zzzzz_override.tf"],
  ],
  [
    "a remote state",
    () => ({
      "own.tf": `data "terraform_remote_state" "own" {\n  backend = "http"\n  config  = { address = "${url}" }\n}\n`,
    }),
    ["own.tf:1: data.terraform_remote_state"],
  ],
  ["a file that is not JSON", () => ({ "own.tf.json": '{"data": ' }), ["own.tf.json:1: own.tf.json"]],
])("refuses %s with file and line, before it runs anything", async (_, files, refused) => {
  const found = await refusedBy(files());
  expect(found.map((one) => one.replace(url, "http://127.0.0.1:PORT").replace(folder, "FOLDER"))).toEqual(refused);
  expect(listing()).not.toContain("work");
});

test("refuses links that lead out of the configuration, and copies nothing of their targets", async () => {
  mkdirSync(join(folder, "private"));
  writeFileSync(join(folder, "private", "key.json"), "secret");
  symlinkSync(join(folder, "private"), join(root, "templates"));
  symlinkSync(join(folder, "private", "key.json"), join(root, "values.auto.tfvars"));
  mkdirSync(join(root, ".terraform", "modules"), { recursive: true });
  symlinkSync(join(folder, "private"), join(root, ".terraform", "modules", "lb"));
  expect(await refusedBy({})).toEqual([
    "templates: the link 'templates'",
    "values.auto.tfvars: the link 'values.auto.tfvars'",
    ".terraform/modules/lb: the link '.terraform/modules/lb'",
  ]);
});

test("copies a link to a shared file of a configuration as a file, and skips pipes and links to folders around them", async () => {
  writeFileSync(join(folder, "common.tf"), 'locals {\n  common = "common"\n}\n');
  symlinkSync(join(folder, "common.tf"), join(root, "common.tf"));
  symlinkSync(".", join(root, "loop"));
  execFileSync("mkfifo", [join(root, "pipe.tf"), join(root, "certificates", "pipe")]);
  await survey();
  const work = join(folder, "work");
  expect(readFileSync(join(work, "common.tf"), "utf8")).toContain("common");
  expect(readdirSync(work)).not.toContain("loop");
  expect(readdirSync(work)).not.toContain("pipe.tf");
  expect(readdirSync(join(work, "certificates"))).toEqual(["README.md", "main.tf.json", "tests"]);
});

/** A program that only leaves a file, in place of a provider. */
function writeProgram(name: string): void {
  write({ [name]: `#!/bin/sh\ntouch ${marker()}\n` });
  chmodSync(join(root, name), 0o755);
}

test("uses no settings of Terraform's command line from the folder, and no variables of the environment", async () => {
  writeProgram("terraform-provider-google");
  const settings = `provider_installation {\n  dev_overrides {\n    "hashicorp/google" = "${root}"\n  }\n}\nplugin_cache_dir = "${folder}/cache"\ndisable_checkpoint = false\n`;
  mkdirSync(join(folder, "cache"));
  write({ "none.tfrc": settings, ".terraformrc": settings, "terraform.rc": settings, ".tofurc": settings });
  process.env.TF_CLI_CONFIG_FILE = join(root, ".terraformrc");
  process.env.TERRAFORM_CONFIG = join(root, ".terraformrc");
  process.env.TF_CLI_ARGS = `-state=${marker()}`;
  process.env.TF_CLI_ARGS_plan = `-out=${marker()}`;
  process.env.TF_DATA_DIR = marker();
  process.env.TF_LOG = "TRACE";
  process.env.TF_LOG_PATH = marker();
  process.env.TF_PLUGIN_CACHE_DIR = join(folder, "cache");
  process.env.TF_WORKSPACE = "other";
  process.env.TF_CLOUD_HOSTNAME = url.replace("http://", "");
  const before = listing();
  const { stack } = await survey();
  expect(Object.keys(stack.resource ?? {})).toContain("google_certificate_manager_certificate_map");
  expect([listing(), requests, readdirSync(join(folder, "cache"))]).toEqual([before, [], []]);
});

const replaced: readonly [what: string, text: () => string][] = [
  ["a backend", () => `terraform {\n  backend "http" {\n    address = "${url}/state"\n  }\n}\n`],
  ["a local backend elsewhere", () => `terraform {\n  backend "local" {\n    path = "${marker()}"\n  }\n}\n`],
  [
    "a cloud block",
    () =>
      `terraform {\n  cloud {\n    hostname     = "${url.replace("http://", "")}"\n    organization = "a"\n    workspaces {\n      name = "b"\n    }\n  }\n}\n`,
  ],
];

test.each(replaced)("replaces %s by the state in the copy, also in an override file", async (_, text) => {
  const main = readFileSync(join(root, "main.tf"), "utf8").replace(/ {2}backend "gcs" \{[\s\S]*?\n {2}\}\n/, "");
  for (const name of ["own.tf", "override.tf"]) {
    rmSync(join(root, "own.tf"), { force: true });
    write({ "main.tf": main, [name]: text() });
    const before = listing();
    const { stack } = await survey();
    expect(Object.keys(stack.resource ?? {})).toContain("google_certificate_manager_certificate_map");
    expect([listing(), requests]).toEqual([before, []]);
    rmSync(join(folder, "work"), { recursive: true });
  }
});

test("takes nothing from the state, the workspace and the backend that Terraform has noted in the folder", async () => {
  write({
    ".terraform/environment": "other",
    ".terraform/terraform.tfstate": JSON.stringify({
      version: 3,
      backend: { type: "http", config: { address: `${url}/state` }, hash: 1 },
    }),
    "terraform.tfstate": "{",
  });
  const before = listing();
  await survey();
  expect([listing(), requests]).toEqual([before, []]);
});

test("leaves out credentials of providers, so that Terraform does not read them", async () => {
  const edge = `provider "google" {\n  alias       = "edge"\n  credentials = file("${folder}/missing.json")\n}\n`;
  const main = readFileSync(join(root, "main.tf"), "utf8");
  expect(main).toMatch(/provider "google" \{\n/);
  const given = `provider "google" {\n  access_token = file("${folder}/missing")\n  impersonate_service_account = "a@example.com"\n`;
  write({ "main.tf": main.replace(/provider "google" \{\n/, given), "own.tf": edge });
  const { stack } = await survey();
  expect(Object.keys(stack.resource ?? {})).toContain("google_certificate_manager_certificate_map");
  const override = readdirSync(join(folder, "work")).find((name) => name.endsWith("_override.tf.json")) ?? "";
  expect(JSON.parse(readFileSync(join(folder, "work", override), "utf8")).provider).toEqual([
    { google: { access_token: null, impersonate_service_account: null } },
    { google: { alias: "edge", credentials: null } },
  ]);
});

test("reads variables from terraform.tfvars.json, which is part of a configuration", async () => {
  write({
    "own.tf": 'variable "own" { type = string }\noutput "own" { value = var.own }\n',
    "terraform.tfvars.json": '{"own": "x"}',
  });
  await survey();
  expect(readdirSync(join(folder, "work"))).toContain("terraform.tfvars.json");
});

test("copies no program of a provider from the folder", async () => {
  write({ "terraform.d/plugins/registry.terraform.io/hashicorp/evil/9.9.9/linux_amd64/terraform-provider-evil": "" });
  await survey();
  const copied = readdirSync(join(folder, "work"), { recursive: true, encoding: "utf8" });
  expect(copied.filter((name) => name.includes("terraform.d"))).toEqual([]);
  expect(copied.length).toBeGreaterThan(0);
});

test("reports the error of Terraform for provider_meta, and reaches nothing", async () => {
  const refused = await refusedBy({
    "own.tf": 'terraform {\n  provider_meta "google" {\n    module_name = "a"\n  }\n}\n',
  });
  expect(refused).toEqual([expect.stringContaining("provider_meta")]);
});
