import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { copyModuleFolders, generatedModulesIn, readModuleFolders, rootPathOf } from "../../lib/terraform-folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "terraform-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
const call = (name: string, source: string) => `module "${name}" {\n  source = "${source}"\n}\n`;
const gate = { provisioner: [{ "local-exec": { command: "npx cert-migration wait --certificate c" } }] };
const generated = JSON.stringify({
  output: { cert_migration: { value: {} } },
  resource: {
    google_dns_record_set: { www: { lifecycle: { prevent_destroy: true } } },
    terraform_data: { gate },
  },
});

const everything = {
  "env/prod/main.tf": `${call("certificates", "../../modules/certificates")}${call("lb", "terraform-google-modules/lb-http/google")}
resource "google_dns_managed_zone" "a" {
  lifecycle { prevent_destroy = true }
}
`,
  "env/prod/terraform.tfvars": 'zone = "a"',
  "env/prod/files/page.html": "hello",
  "env/prod/terraform.tfstate": "the user's state",
  "env/prod/terraform.tfstate.backup": "the user's state",
  "env/prod/plan.tfplan": "a plan",
  "env/prod/.terraform.lock.hcl": "lock",
  "env/prod/.terraform/terraform.tfstate": "the user's backend",
  "env/prod/.terraform/modules/modules.json": JSON.stringify({
    Modules: [
      { Key: "", Dir: "." },
      {
        Key: "lb",
        Source: "registry.terraform.io/terraform-google-modules/lb-http/google",
        Dir: ".terraform/modules/lb",
      },
    ],
  }),
  "env/prod/.terraform/modules/lb/main.tf": 'data "external" "a" {}',
  "env/prod/.terraform/providers/big": "a provider",
  "modules/certificates/main.tf.json": generated,
  "modules/other/main.tf": "",
  "env/staging/main.tf": "",
};
const root = () => join(folder, "env", "prod");

test("reads the root, local modules and modules that 'terraform init' has installed", () => {
  write(everything);
  const found = readModuleFolders(root());
  expect(found.map(({ path }) => path.slice(folder.length)).sort()).toEqual([
    "/env/prod",
    "/env/prod/.terraform/modules/lb",
    "/modules/certificates",
  ]);
  expect(found.flatMap(({ files }) => files.flatMap(({ blocks }) => blocks.map(({ type }) => type)))).toContain("data");
});

test("finds generated modules by their output, in the folder itself and behind module calls", () => {
  write(everything);
  const file = join(folder, "modules", "certificates", "main.tf.json");
  expect(generatedModulesIn(root()).map((module) => module.file)).toEqual([file]);
  expect(generatedModulesIn(dirname(file)).map((module) => module.file)).toEqual([file]);
  expect(generatedModulesIn(join(folder, "env", "staging"))).toEqual([]);
  expect(generatedModulesIn(join(folder, "nowhere"))).toEqual([]);
});

test("reads modules that call each other once", () => {
  write({ "a/main.tf": call("b", "../b"), "b/main.tf": call("a", "../a") });
  expect(readModuleFolders(join(folder, "a"))).toHaveLength(2);
});

test("copies the configuration with its relative paths, without state, backend, plans and providers", () => {
  write(everything);
  const before = readdirSync(folder, { recursive: true });
  const folders = readModuleFolders(root());
  const to = mkdtempSync(join(tmpdir(), "terraform-copy-"));
  try {
    expect(rootPathOf(folders, root())).toBe("env/prod");
    copyModuleFolders(folders, root(), to, {
      isProtected: true,
      gateRunOf: ({ command }) => ({ command: `own: ${command}`, environment: { A: "b" } }),
    });
    const names = readdirSync(to, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    expect(names.filter((name) => !/(?:^|\/)\.terraform$/.test(name)).sort()).toEqual([
      "env/prod/.terraform/modules/lb/main.tf",
      "env/prod/.terraform/modules/modules.json",
      "env/prod/files/page.html",
      "env/prod/main.tf",
      "env/prod/terraform.tfvars",
      "env/prod/zzzz_cert_migration_rehearsal_override.tf.json",
      "modules/certificates/main.tf.json",
    ]);
    const text = (name: string) => readFileSync(join(to, name), "utf8");
    expect(JSON.parse(text("env/prod/zzzz_cert_migration_rehearsal_override.tf.json"))).toEqual({
      terraform: { backend: { local: {} } },
    });
    expect(text("env/prod/main.tf")).toBe(everything["env/prod/main.tf"]);
    expect(text("modules/certificates/main.tf.json")).toContain(
      '"local-exec":{"command":"own: npx cert-migration wait --certificate c","environment":{"A":"b"}}',
    );
    expect(text("modules/certificates/main.tf.json")).toContain('"prevent_destroy":true');
    copyModuleFolders(folders, root(), to, { isProtected: false, gateRunOf: (run) => run });
    expect(text("env/prod/main.tf")).toContain("prevent_destroy = false");
    expect(text("modules/certificates/main.tf.json")).toContain('"prevent_destroy":false');
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
  expect(existsSync(join(root(), "zzzz_cert_migration_rehearsal_override.tf.json"))).toBe(false);
});
