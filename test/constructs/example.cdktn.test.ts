import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeKit } from "../../build/exchange-kit";
import { mistakesOf } from "../support/terraform-check";

const examples = join(__dirname, "../../examples");

/** The stack of an example that reads a spec. */
function stackOf(name: string) {
  const outdir = mkdtempSync(join(tmpdir(), "example-"));
  const before = { outdir: process.env.CDKTF_OUTDIR, argv: process.argv };
  try {
    process.env.CDKTF_OUTDIR = outdir;
    process.argv = [...before.argv.slice(0, 2), join(examples, "from-spec", "migration.yaml")];
    jest.isolateModules(() => {
      require(join(examples, name, "main.ts"));
    });
    return JSON.parse(readFileSync(join(outdir, "stacks", "shop", "cdk.tf.json"), "utf8"));
  } finally {
    if (before.outdir === undefined) delete process.env.CDKTF_OUTDIR;
    else process.env.CDKTF_OUTDIR = before.outdir;
    process.argv = before.argv;
    rmSync(outdir, { recursive: true, force: true });
  }
}

test("the example for CDK Terrain synthesizes to valid Terraform, as the example for cdktf does", () => {
  const stack = stackOf("cdk-terrain");
  expect(stack["//"].metadata.version).toBe("0.24.0");
  expect(mistakesOf(stack)).toEqual([]);
  expect(Object.keys(stack.resource.google_certificate_manager_certificate)).not.toEqual([]);
  expect(stack.resource).toEqual(stackOf("from-spec").resource);
});

test.each([
  ["cdk-terrain/main.ts", "from-spec/main.ts"],
  ["cdk-terrain/one-hostname.ts", "one-hostname/main.ts"],
])("%s equals %s except for imports", (...files) => {
  const sortedLines = (text: string) => text.split("\n").sort();
  const [ours = "", theirs = ""] = files.map((file) => readFileSync(join(examples, file), "utf8"));
  const moved = exchangeKit(theirs).replace('"cdktf-google-cert-migration"', '"cdktf-google-cert-migration/cdktn"');
  expect(sortedLines(ours)).toEqual(sortedLines(moved));
});
