/** Plans configurations with their own provisioners by real Terraform. No command of these may start. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { InputError } from "../../../lib/errors";
import { surveyFolder } from "../../../lib/rehearsal/terraform-dir/survey";
import { type ModuleFolder, readModuleFolders } from "../../../lib/terraform-folder";

jest.setTimeout(120_000);

const example = join(__dirname, "..", "..", "..", "examples", "terraform-module");
let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "survey-"));
  root = join(folder, "root");
  cpSync(example, root, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function survey(folders: readonly ModuleFolder[]) {
  return surveyFolder({
    root,
    folders,
    workFolder: join(folder, "work"),
    gateCommand: "node main.js",
    terraform: "terraform",
    skips: false,
    signal: new AbortController().signal,
    endSignal: new AbortController().signal,
  });
}

async function refusalOf(folders: readonly ModuleFolder[]) {
  const error = await survey(folders).then(
    () => undefined,
    (reason: InputError) => reason,
  );
  return error?.problems.map(({ code, message }) => [code, message.split(" is ")[0]]);
}

/** A command that would leave a file in the root of the source folder. */
const touch = (name: string) => `command = "touch '${join(folder, name)}'"`;

function writeForeign(): void {
  write(
    "own.tf",
    `resource "terraform_data" "own" {
  count = 2
  provisioner "local-exec" {
    ${touch("own")}
  }
}
resource "google_compute_global_address" "web" {
  name = "web"
  provisioner "local-exec" {
    ${touch("address")}
  }
}
module "outer" {
  source   = "./outer"
  for_each = toset(["a", "b"])
}
`,
  );
  write("outer/main.tf", 'module "inner" {\n  source = "./inner"\n}\n');
  write(
    "outer/inner/main.tf",
    `resource "terraform_data" "migration_gate" {
  provisioner "local-exec" {
    when = destroy
    ${touch("inner")}
  }
  provisioner "remote-exec" {
    inline = ["true"]
    connection {
      host = "127.0.0.1"
    }
  }
}
`,
  );
}

test("accepts the gates of a generated module in a plan of real Terraform", async () => {
  const { stack, keptTypes } = await survey(readModuleFolders(root));
  expect(Object.keys(stack.resource ?? {})).toContain("google_certificate_manager_certificate_map");
  expect(keptTypes).toEqual([]);
});

test("refuses the provisioners of a root module and of nested modules from their files, before a plan", async () => {
  writeForeign();
  expect(await refusalOf(readModuleFolders(root))).toEqual([
    ["rehearsal-unknown", "own.tf:3: provisioner 'local-exec' in own.tf"],
    ["rehearsal-unknown", "outer/inner/main.tf:2: provisioner 'local-exec' in main.tf"],
    ["rehearsal-unknown", "outer/inner/main.tf:6: provisioner 'remote-exec' in main.tf"],
  ]);
  expect(readdirSync(folder)).toEqual(["root"]);
});

test("refuses provisioners that only the plan of real Terraform shows, in the root module and in nested modules", async () => {
  writeForeign();
  // Simulates files in a format that only Terraform can parse.
  const folders = readModuleFolders(root).map(({ path, files }) => ({
    path,
    files: files.map((file) => ({ ...file, blocks: file.blocks.filter(({ type }) => type !== "provisioner") })),
  }));
  expect(await refusalOf(folders)).toEqual([
    ["rehearsal-unknown", "provisioner 'local-exec' of google_compute_global_address.web"],
    ["rehearsal-unknown", "provisioner 'local-exec' of terraform_data.own"],
    ["rehearsal-unknown", "provisioner 'local-exec' of module.outer.module.inner.terraform_data.migration_gate"],
    ["rehearsal-unknown", "provisioner 'remote-exec' of module.outer.module.inner.terraform_data.migration_gate"],
  ]);
  expect(readdirSync(folder)).toEqual(["root", "work"]);
});

/** Replaces the root module: calls of the example's module, and a provider configuration of another project. */
function writeCalls(calls: string): void {
  rmSync(join(root, "main.tf"));
  const google = 'provider "google" {\n  project = "my-project"\n}\n';
  const edge = 'provider "google" {\n  alias   = "edge"\n  project = "my-edge-project"\n}\n';
  write("main.tf", `${google}${edge}${calls}`);
}

test("refuses several instances of a module in one project after the first plan, as check-plan does", async () => {
  writeCalls('module "certificates" {\n  source = "./certificates"\n  count  = 2\n}\n');
  const refusal = await survey(readModuleFolders(root)).then(
    () => undefined,
    (reason: InputError) => reason,
  );
  expect(refusal?.problems).toEqual([
    {
      code: "created-twice",
      message: expect.stringMatching(
        /^module\.certificates\[1\]\.\S+: \S+ is also created as module\.certificates\[0\]\.\S+ \(and \d more resources\); use a module /,
      ),
    },
  ]);
});

test("accepts instances of a module in different projects", async () => {
  const call = (name: string, provider: string) =>
    `module "${name}" {\n  source    = "./certificates"\n  providers = { google = ${provider} }\n}\n`;
  writeCalls(call("first", "google") + call("second", "google.edge"));
  const { stack } = await survey(readModuleFolders(root));
  const maps = new Map(Object.entries(stack.resource ?? {})).get("google_certificate_manager_certificate_map");
  expect(Object.keys(maps ?? {})).toHaveLength(2);
});
