import { blocksIn, moduleSourcesIn, providerSourcesIn, withoutComments } from "../../lib/terraform-folder/hcl-text";

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
  expect(blocksIn(text)).toEqual([
    { type: "check", labels: ["health"] },
    { type: "data", labels: ["http", "probe"] },
    { type: "resource", labels: ["google_dns_record_set", "www"] },
    { type: "provisioner", labels: ["local-exec"] },
  ]);
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
  expect(moduleSourcesIn(text)).toEqual(["./a", "../b"]);
  expect(providerSourcesIn(text)).toEqual(["hashicorp/google", "hashicorp/aws"]);
});
