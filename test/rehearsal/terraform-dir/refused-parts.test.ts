import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isGateAlone } from "../../../lib/rehearsal/gate-runs";
import { refusedPartsOf } from "../../../lib/rehearsal/terraform-dir/refused-parts";
import { readModuleFolders } from "../../../lib/terraform-folder";
import { openKnownTypes } from "../../../lib/terraform-provider";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "refused-parts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function partsOf(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  const { refused, keptTypes } = refusedPartsOf(readModuleFolders(folder), {
    root: folder,
    known: openKnownTypes(),
    isGate: isGateAlone,
  });
  return { refused: refused.map(({ address }) => address), keptTypes };
}

test.each<[what: string, refused: string, text: string]>([
  ["a provider block", "provider.random", 'provider "random" {}'],
  [
    "another source for the name of a DNS host's provider",
    "evil/aws",
    'terraform { required_providers { aws = { source = "evil/aws" } } }',
  ],
  ["an ephemeral resource of a DNS host", "ephemeral.aws_x", 'ephemeral "aws_x" "a" {}'],
  [
    "a required provider",
    "hashicorp/random",
    'terraform { required_providers { r = { source = "hashicorp/random" } } }',
  ],
  ["a resource of another provider", "random_id", 'resource "random_id" "a" {}'],
  ["the external data source", "data.external", 'data "external" "a" { program = ["sh"] }'],
  ["a look-up of another provider, in a check", "data.http", 'check "c" { data "http" "a" {} }'],
  ["a remote state", "data.terraform_remote_state", 'data "terraform_remote_state" "a" {}'],
  ["an ephemeral resource", "ephemeral.google_x", 'ephemeral "google_x" "a" {}'],
  [
    "a look-up that the stand-in lacks",
    "data.google_secret_manager_secret",
    'data "google_secret_manager_secret" "a" {}',
  ],
  [
    "a provisioner in HCL, even one that looks like a gate",
    "provisioner 'local-exec' in main.tf",
    'resource "terraform_data" "a" { provisioner "local-exec" { command = "npx cert-migration wait --certificate c" } }',
  ],
  ["labels without blanks", "data.external", 'data"external""y"{\n}'],
  ["a computed module source", "a module call in main.tf", 'module "a" { source = ("./a") }'],
  [
    "a computed provider source",
    "a provider in main.tf",
    'terraform { required_providers { a = { source = "${b}" } } }',
  ],
  ["a provider that a resource chooses", "provider 'evil'", 'resource "google_dns_policy" "x" {\n provider = evil\n}'],
  [
    "a required provider without a source",
    "provider 'evil'",
    'terraform { required_providers { evil = { version = "9" } } }',
  ],
  [
    "a required provider in the form of earlier versions",
    "provider 'evil'",
    'terraform { required_providers { evil = "9" } }',
  ],
  [
    "an expression over several lines in a heredoc",
    "an expression in main.tf",
    "locals {\n a = <<END\n${(\nEND\n.b)}\nEND\n}",
  ],
  [
    "a brace in a string of an expression in a heredoc",
    "an expression in main.tf",
    'locals {\n a = <<END\n${"}"\nEND\n}\nEND\n}',
  ],
  ["a comment in an expression of a string", "an expression in main.tf", 'locals {\n a = "${1 /* " */}"\n}'],
  ["a module with an absolute path", "module source '/srv/a'", 'module "a" { source = "/srv/a" }'],
  [
    "a provider of another registry",
    "any.host/hashicorp/google",
    'terraform { required_providers { google = { source = "any.host/hashicorp/google" } } }',
  ],
  ["a block after a heredoc", "data.external", 'locals {\n a = <<END-X\n"\nEND-X\n}\ndata "external" "a" {\n}'],
])("refuses %s", (_, refused, text) => {
  expect(partsOf("main.tf", text).refused).toEqual([refused]);
});

test("knows the providers of DNS hosts: records are replaced, zones looked up, and other parts can be left out", () => {
  const text = `terraform {
  required_providers { aws = { source = "hashicorp/aws" } }
}
provider "aws" { region = "eu-central-1" }
data "aws_route53_zone" "z" { name = "example.com" }
resource "aws_route53_record" "a" { provider = aws }
resource "cloudflare_dns_record" "b" {}
resource "aws_s3_bucket" "c" {}
data "aws_region" "d" {}
`;
  writeFileSync(join(folder, "main.tf"), text);
  const judging = { root: folder, known: openKnownTypes(), isGate: isGateAlone };
  expect(refusedPartsOf(readModuleFolders(folder), judging)).toEqual({
    refused: [],
    keptTypes: [],
    replacedTypes: ["aws_route53_record", "cloudflare_dns_record"],
    ofHosts: [
      {
        at: "main.tf:8",
        address: "aws_s3_bucket.c",
        what: "a resource of a DNS host that is not a record; --skip-unknown leaves it out",
      },
      { at: "main.tf:9", address: "data.aws_region.d", what: "a look-up of a DNS host; --skip-unknown leaves it out" },
    ],
  });
});

test.each([
  ["npx --no-install cert-migration wait --certificate ${a.b.id} --timeout 60m", 0],
  ["npx cert-migration wait --certificate c && curl https://example.com", 1],
  ["make deploy", 1],
  ["curl https://example.com; npx cert-migration wait --stack .", 1],
  ['npx cert-migration wait --certificate ${"c; id"}', 1],
  ["npx cert-migration wait --certificate %{ if true }c; id%{ endif }", 1],
  ['npx cert-migration verify --stack "${path.module}" --address ${google_compute_global_address.a["b"].address}', 0],
  ["npx cert-migration verify --stack /etc", 1],
  ["npx cert-migration verify --stack . --junit /tmp/report.xml", 1],
  ["npx cert-migration wait --certificate c --endpoint https://example.com/", 1],
  ["npx cert-migration wait --from-environment", 1],
])("refuses commands in JSON that are not a gate: %s", (command, count) => {
  const terraform_data = { a: { provisioner: [{ "local-exec": { command } }] } };
  expect(partsOf("main.tf.json", JSON.stringify({ resource: { terraform_data } })).refused).toHaveLength(count);
});

test.each<[what: string, count: number, run: object]>([
  ["references", 0, { environment: { CERT_MIGRATION_WAIT_NAMES: "${a.b.id},${a.c.id}" } }],
  ["the folder of the module", 0, verify("${path.module}")],
  ["another folder", 1, verify("/etc")],
  ["a function", 1, { environment: { CERT_MIGRATION_WAIT_NAMES: '${file("/etc/passwd")}' } }],
  ["a variable that runs a program", 1, { environment: { NODE_OPTIONS: "--require ./own.js" } }],
  ["another endpoint", 1, { environment: { CERT_MIGRATION_ENDPOINT: "https://example.com/" } }],
  ["a variable of the other command", 1, { environment: { CERT_MIGRATION_VERIFY_STACK: "." } }],
  ["a second command", 1, { command: "./own; npx cert-migration wait --from-environment", environment: {} }],
  ["a command that is evaluated", 1, { command: "${var.a} cert-migration wait --from-environment", environment: {} }],
  ["variables that are not a map", 1, { environment: ["CERT_MIGRATION_WAIT_NAMES"] }],
  ["a working folder", 1, { environment: {}, working_dir: "/etc" }],
  ["an interpreter", 1, { environment: {}, interpreter: ["python"] }],
])("judges a gate by its command and its variables: %s", (_, count, run) => {
  const command = "npx --no-install cert-migration wait --from-environment";
  const terraform_data = { a: { provisioner: [{ "local-exec": { command, ...run } }] } };
  expect(partsOf("main.tf.json", JSON.stringify({ resource: { terraform_data } })).refused).toHaveLength(count);
});

function verify(stack: string) {
  const command = "npx --no-install cert-migration verify --from-environment";
  return { command, environment: { CERT_MIGRATION_VERIFY_STACK: stack } };
}

test.each<[refused: string, json: object]>([
  ["data.external", { data: [{ external: { a: { program: ["id"] } } }] }],
  ["data.external", { data: { external: [{ a: {} }] } }],
  ["data.http", { check: [{ c: [{ data: [{ http: { a: {} } }] }] }] }],
  ["random_id", { resource: [{ random_id: { a: {} } }] }],
  ["provider.null", { provider: [{ null: {} }] }],
  ["hashicorp/random", { terraform: [{ required_providers: [{ r: [{ source: "hashicorp/random" }] }] }] }],
  ["a module call in main.tf.json", { module: [{ a: { source: "${local.a}" } }] }],
])("refuses %s in JSON lists", (refused, json) => {
  expect(partsOf("main.tf.json", JSON.stringify(json)).refused).toEqual([refused]);
});

const ownGate = '{"a":{"provisioner":[{"local-exec":{"command":"touch ran"}}]}}';
test.each<[what: string, text: string]>([
  ["a block", `{"resource":{"terraform_data":${ownGate}},"resource":{"terraform_data":{"b":{}}}}`],
  ["a type", `{"resource":{"terraform_data":${ownGate},"terraform_data":{"b":{}}}}`],
  ["an escaped name", `{"resource":{"terraform_data":${ownGate}},"\\u0072esource":{"terraform_data":{"b":{}}}}`],
])("refuses a second value of %s in JSON, because Terraform reads both", (_, text) => {
  expect(partsOf("main.tf.json", text).refused).toEqual(["a repeated key in main.tf.json"]);
});

/** A module that Terraform reads from the folder in the list of installed modules, and not from `./good`. */
test.each<[what: string, list: string, refused: string]>([
  [
    "names another folder for a local source",
    '{"Modules":[{"Key":"m","Source":"./good","Dir":".terraform/modules/evil"}]}',
    "provisioner 'local-exec' in main.tf",
  ],
  [
    "has keys in other capitals",
    '{"modules":[{"key":"m","source":"./good","dir":".terraform/modules/evil"}]}',
    "the list of installed modules",
  ],
  [
    "has a key twice",
    '{"Modules":[{"Key":"m","Source":"./good","Dir":"good"}],"Modules":[]}',
    "the list of installed modules",
  ],
])("refuses a list of installed modules that %s", (_, list, refused) => {
  for (const name of ["good", ".terraform/modules/evil"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, ".terraform", "modules", "modules.json"), list);
  writeFileSync(join(folder, "good", "main.tf"), "locals {}");
  const evil = 'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "touch ran"\n  }\n}\n';
  writeFileSync(join(folder, ".terraform", "modules", "evil", "main.tf"), evil);
  expect(partsOf("main.tf", 'module "m" {\n  source = "./good"\n}\n').refused).toEqual([refused]);
});

test("accepts the same key in several objects, and in texts, of JSON", () => {
  const text = `{"//": "{\\"a\\":1,\\"a\\":2}", "output": {"a": {"value": ["a", "a"]}, "b": {"value": {"value": 1}}}}`;
  expect(partsOf("main.tf.json", text).refused).toEqual([]);
});

test("reads a module that a JSON list calls", () => {
  mkdirSync(join(folder, "mods"));
  writeFileSync(join(folder, "mods", "main.tf"), 'resource "random_id" "a" {}');
  const module = [{ a: { source: "./mods" } }];
  expect(partsOf("main.tf.json", JSON.stringify({ module })).refused).toEqual(["random_id"]);
});

test.each([
  { "local-exec": { command: "npx cert-migration wait --certificate c", interpreter: ["python"] } },
  { "remote-exec": { inline: ["true"] } },
])("refuses the provisioner %j", (provisioner) => {
  const terraform_data = { a: { provisioner: [provisioner] } };
  expect(partsOf("main.tf.json", JSON.stringify({ resource: { terraform_data } })).refused).toHaveLength(1);
});

const gate = { "local-exec": { command: "npx cert-migration wait --certificate c" } };
test.each<[what: string, resource: object]>([
  ["of another resource", { google_compute_global_address: { a: { provisioner: [gate] } } }],
  ["that is not a list", { terraform_data: { a: { provisioner: gate } } }],
  ["in a list of blocks", { terraform_data: { a: [{ provisioner: [gate] }] } }],
  ["in a list of resources", [{ terraform_data: { a: { provisioner: [gate] } } }]],
  ["with a list of commands", { terraform_data: { a: { provisioner: [{ "local-exec": [gate["local-exec"]] }] } } }],
])("refuses a gate %s, because a copy would run it unchanged", (_, resource) => {
  expect(partsOf("main.tf.json", JSON.stringify({ resource })).refused).toEqual([
    "provisioner 'local-exec' in main.tf.json",
  ]);
});

test("refuses no type of google and google-beta, and lists types that exist only in the state", () => {
  const text = `terraform { required_providers {
    google      = { source = "hashicorp/google" }
    google-beta = { source = "registry.terraform.io/hashicorp/google-beta" }
  } }
  provider "google-beta" {}
  resource "google_dns_managed_zone" "a" {}
  resource "google_container_cluster" "b" {}
  data "google_compute_global_address" "c" {}
  # data "external" "d" {}
  resource "terraform_data" "e" {}`;
  expect(partsOf("main.tf", text)).toEqual({ refused: [], keptTypes: ["google_container_cluster"] });
});
