import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { formatProblems, parseMigrationDocument } from "../../lib/plan";
import { makeCertificate } from "../support/make-certificate";

const docs = join(__dirname, "..", "..", "docs");
const root = join(docs, "..");

const schema = JSON.parse(readFileSync(join(root, "lib", "plan", "migration.schema.json"), "utf8")) as {
  readonly properties: object;
};

/** A complete migration, into which the blocks of pages are put. */
const whole = {
  name: "shop",
  certificates: [{ domains: ["example.com", "pay.example.net"] }],
  dns: { kind: "external" },
};

/** Contents of every certificate file that a block names. */
const { certificatePem } = makeCertificate(["client.example.com"]);

/** Returns the YAML blocks of a text whose first field is a field of a migration. */
function migrationBlocks(text: string): readonly string[] {
  return [...text.matchAll(/^( *)```yaml[^\n]*\n([\s\S]*?)^ *```$/gm)]
    .map(([, indent = "", block = ""]) => block.replace(new RegExp(`^${indent}`, "gm"), ""))
    .filter((block) => {
      const [first = ""] = Object.keys((parse(block) as object | null) ?? {});
      return first in schema.properties;
    });
}

/** Returns the problems of a block, as commands print them; undefined if the block is valid. */
function problemsOf(block: string): string | undefined {
  const text = JSON.stringify({ ...whole, ...(parse(block) as object) });
  const read = parseMigrationDocument(text, { source: "page", readFile: () => certificatePem });
  return "problems" in read ? formatProblems(read.problems) : undefined;
}

const blocks = readdirSync(docs)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => migrationBlocks(readFileSync(join(docs, name), "utf8")).map((block) => [name, block] as const));

test("finds the blocks of pages", () => {
  expect(blocks.map(([name]) => name)).toContain("teams.md");
});

test.each(blocks)("accepts the part of migration.yaml on docs/%s:\n%s", (_, block) => {
  expect(problemsOf(block)).toBeUndefined();
});

test.each([
  ["gat: wait\n", "gat"],
  ["dns:\n  kind: elsewhere\n", "elsewhere"],
])("refuses a block with a mistake: %j", (block, mistake) => {
  expect(problemsOf(block)).toContain(mistake);
});
