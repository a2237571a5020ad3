import {
  bareTextOf,
  blocksIn,
  moduleSourcesIn,
  providerBodiesIn,
  providerSourcesIn,
  withoutComments,
} from "../../lib/terraform-folder/hcl-text";

const textOf = ({ text }: { readonly text: string | undefined }) => text;

test.each([
  ['# data "external" "a" {}\nx = 1', "\nx = 1"],
  ["// c\nx = 1 // d\n", "\nx = 1 \n"],
  ['a /* data "external" {\n} */ b', "a   b"],
  ['x = "# no comment"', 'x = "# no comment"'],
  ['x = "a \\" # b"', 'x = "a \\" # b"'],
  ['x = "${f("#", "}")} # b" # c', 'x = "${f("#", "}")} # b" '],
  ['x = "$${" # c', 'x = "$${" '],
  ['x = <<EOT\ndata "external" "a" {}\nEOT\ny = 1', 'x = ""\ny = 1'],
  ['x = <<-EOT\n  a "\n  EOT\ny = 1', 'x = ""\ny = 1'],
  ['x = <<END-X\n"\nEND-X\ny = 1', 'x = ""\ny = 1'],
  ["x = <<ÄND\n{\n ÄND \ny = 1", 'x = ""\ny = 1'],
])("removes the comments and heredocs of %j", (text, expected) => {
  expect(withoutComments(text)).toBe(expected);
});

test("finds blocks at any depth, with quoted and plain labels, and no object values", () => {
  const text = `check "health" {
    data "http" "probe" { url = "https://example.com" }
  }
  resource google_dns_record_set www {
    provisioner "local-exec" { command = "true" }
    labels = { a = "b" }
  }`;
  expect(blocksIn(text).map(({ index: _, ...block }) => block)).toEqual([
    { type: "check", labels: ["health"] },
    { type: "data", labels: ["http", "probe"] },
    { type: "resource", labels: ["google_dns_record_set", "www"] },
    { type: "provisioner", labels: ["local-exec"] },
  ]);
});

test.each([
  ['data"external""y"{', "data", ["external", "y"]],
  ['data"external"y{', "data", ["external", "y"]],
  ['resource"terraform_data" "x"{\n}', "resource", ["terraform_data", "x"]],
  ['provisioner"local-exec"{', "provisioner", ["local-exec"]],
  ['data "a\\"b" "c" {', "data", ['a\\"b', "c"]],
  ["locals{", "locals", []],
])("finds a block whose labels have no blanks or an escape: %s", (text, type, labels) => {
  expect(blocksIn(text)).toEqual([{ type, labels, index: 0 }]);
});

test.each([
  ['module"a"{source="./a"}', "./a"],
  ['module a {\n  config = { source = "./b" }\n  source = "./a"\n}', "./a"],
  ['module "a" {\n  text = "source = x"\n  source = "./$a"\n}', "./$a"],
  ['module "a" {\n  source = ("./a")\n}', undefined],
  ['module "a" {\n  source = "./mod\\u0073"\n}', undefined],
  ['module "a" {\n  source = "./${local.a}"\n}', undefined],
  ['module "a" {\n  source = "./a" == "" ? "./b" : "./c"\n}', undefined],
  ["module a {\n  source = <<EOT\n./a\nEOT\n}", undefined],
])("reads the source of a module only if it is a plain string: %s", (text, source) => {
  expect(moduleSourcesIn(withoutComments(text)).map(textOf)).toEqual([source]);
});

test.each([
  ['google = { "source" = "hashicorp/google" }', "hashicorp/google"],
  ['google = { ("source") = "hashicorp/google" }', "hashicorp/google"],
  ['google = { source = ("hashicorp/google") }', undefined],
  ['google = { "sourc\\u0065" = "hashicorp/google" }', undefined],
])("reads the source of a provider only if it is a plain string: %s", (text, source) => {
  expect(providerSourcesIn(`terraform { required_providers { ${text} } }`).map(textOf)).toEqual([source]);
});

test("distinguishes sources of modules from sources of providers", () => {
  const text = `terraform { required_providers {
    google = { source = "hashicorp/google" }
    aws = { version = "~> 5.0", source: "hashicorp/aws" }
  } }
  module "a" {
    providers = { google = google.b }
    source = "./a"
  }
  module "b" { source = "../b" }`;
  expect(moduleSourcesIn(text).map(textOf)).toEqual(["./a", "../b"]);
  expect(providerSourcesIn(text).map(textOf)).toEqual(["hashicorp/google", "hashicorp/aws"]);
});

test("keeps the lines of the original text across comments and heredocs", () => {
  const text = `# one
/* two
   three */ data "a" "b" {}
locals {
  text = <<EOT
data "no" "block" {
EOT
}
data "c" "d" { # nine
}
module "e" { /* eleven
  */ source = "./e"
}
provider "google" {
  alias = "edge"
  credentials = "x"
}`;
  const { bare, lineAt } = bareTextOf(text);
  const blocks = blocksIn(bare).map(({ type, index = 0 }) => [type, lineAt(index)]);
  expect(blocks).toEqual([
    ["data", 3],
    ["locals", 4],
    ["data", 9],
    ["module", 11],
    ["provider", 14],
  ]);
  expect(moduleSourcesIn(bare).map((source) => [source.text, lineAt(source.index)])).toEqual([["./e", 11]]);
  const [{ name, alias, argumentsAt } = { name: "", alias: "", argumentsAt: new Map() }] = providerBodiesIn(bare);
  expect([name, alias, lineAt(argumentsAt.get("credentials") ?? 0)]).toEqual(["google", "edge", 16]);
});
