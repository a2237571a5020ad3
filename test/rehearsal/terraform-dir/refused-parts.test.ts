import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isGateAlone } from "../../../lib/rehearsal/own-stack";
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
  const { refused, keptTypes } = refusedPartsOf(readModuleFolders(folder), openKnownTypes(), isGateAlone);
  return { refused: refused.map(({ address }) => address), keptTypes };
}

test.each<[what: string, refused: string, text: string]>([
  ["a provider block", "provider.aws", 'provider "aws" {}'],
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

test.each([
  ["npx --no-install cert-migration wait --certificate ${a.b.id} --timeout 60m", 0],
  ["npx cert-migration wait --certificate c && curl https://example.com", 1],
  ["make deploy", 1],
  ["curl https://example.com; npx cert-migration wait --stack .", 1],
  ['npx cert-migration wait --certificate ${"c; id"}', 1],
  ["npx cert-migration wait --certificate %{ if true }c; id%{ endif }", 1],
  ['npx cert-migration verify --stack "${path.module}" --address ${google_compute_global_address.a["b"].address}', 0],
])("refuses commands in JSON that are not a gate: %s", (command, count) => {
  const terraform_data = { a: { provisioner: [{ "local-exec": { command } }] } };
  expect(partsOf("main.tf.json", JSON.stringify({ resource: { terraform_data } })).refused).toHaveLength(count);
});

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
