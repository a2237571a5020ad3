import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftOutParts, readModuleFolders } from "../../lib/terraform-folder";
import { withoutForeignJson, withoutForeignParts } from "../../lib/terraform-folder/foreign-parts";

const parts = { emptied: new Set(["aws"]), isLeftOut: (type: string) => type === "aws_s3_bucket" };

const text = `# provider "aws" {
provider "aws" {
  region = "eu-central-1" # }
  assume_role {
    role_arn = "\${var.role}"
  }
}
provider "aws" {
  alias  = "dns"
  region = "us-east-1"
}
provider "google" { project = "p" }
resource "aws_s3_bucket" "logs" {
  bucket = <<-EOT
    }
  EOT
  tags = { a = "}" }
}
resource "aws_route53_record" "a" { zone_id = "Z1" }
`;

test("empties the blocks of a provider and blanks left-out blocks; every line stays in its place", () => {
  const result = withoutForeignParts(text, parts);
  expect(result.split("\n").map((line) => line.trim())).toEqual([
    '# provider "aws" {',
    'provider "aws" {',
    "",
    "",
    "",
    "",
    "}",
    'provider "aws" {',
    'alias  = "dns"',
    "",
    "}",
    'provider "google" { project = "p" }',
    "",
    "",
    "",
    "",
    "",
    "",
    'resource "aws_route53_record" "a" { zone_id = "Z1" }',
    "",
  ]);
});

test("does the same in JSON syntax", () => {
  const json = {
    provider: { aws: [{ region: "x" }, { alias: "dns", region: "y" }], google: { project: "p" } },
    resource: { aws_s3_bucket: { logs: {} }, aws_route53_record: { a: {} } },
  };
  expect(withoutForeignJson(json, parts)).toEqual({
    provider: { aws: [{}, { alias: "dns" }], google: { project: "p" } },
    resource: { aws_route53_record: { a: {} } },
  });
});

describe("what is left out", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "foreign-parts-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const leftOutOf = (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const [module] = readModuleFolders(folder);
    if (module === undefined) throw new Error("there is no module");
    return leftOutParts(module, parts);
  };

  const bucket = 'resource "aws_s3_bucket" "logs" {}\n';

  test("is named by its addresses, in both syntaxes", () => {
    const json = JSON.stringify({ data: { aws_s3_bucket: { other: {} } } });
    expect(leftOutOf({ "main.tf": bucket, "more.tf.json": json })).toEqual({
      leftOut: ["aws_s3_bucket.logs", "data.aws_s3_bucket.other"],
      used: [],
    });
  });

  test.each([
    ["a reference in an output", 'output "x" { value = aws_s3_bucket.logs.arn }', true],
    ["an import block", 'import {\n  to = aws_s3_bucket.logs\n  id = "x"\n}', true],
    ["a comment", "# aws_s3_bucket.logs", false],
    ["a longer name", 'output "x" { value = aws_s3_bucket.logs-2.arn }', false],
    ["a data source of the same name", 'output "x" { value = data.aws_s3_bucket.logs.arn }', false],
  ])("is used by %s: %s", (_, other, isUsed) => {
    const expected = isUsed ? [{ address: "aws_s3_bucket.logs", file: "other.tf" }] : [];
    expect(leftOutOf({ "main.tf": bucket, "other.tf": other }).used).toEqual(expected);
  });

  test("is not used by another part that is left out", () => {
    const second = 'resource "aws_s3_bucket" "more" { bucket = aws_s3_bucket.logs.bucket }';
    expect(leftOutOf({ "main.tf": bucket + second }).used).toEqual([]);
  });
});
