import { formatProblems, parseMigrationDocument } from "../../../lib/plan";

function problemsOf(text: string): string {
  const parsed = parseMigrationDocument(text, { source: "m.yaml" });
  return "problems" in parsed ? formatProblems(parsed.problems) : "";
}

const TOO_DEEP = "lists and mappings are nested more than 64 levels deep: a migration has 7 [document-too-deep]";

test.each([
  ["brackets", "[".repeat(1_000_000), "1:65"],
  ["braces", "{a: ".repeat(250_000), "1:254"],
  ["dashes", `${"- ".repeat(500_000)}a`, "1:128"],
  ["question marks", `${"? ".repeat(500_000)}a`, "1:128"],
  ["indentation", Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""), "64:65"],
])("refuses nesting by %s that is too deep", (_, text, place) => {
  expect(problemsOf(text)).toBe(`m.yaml:${place}: ${TOO_DEEP}\n`);
});

test("reports nesting at a readable depth as a mistake of its own", () => {
  expect(problemsOf(`name: ${"[".repeat(60)}${"]".repeat(60)}\n`)).toContain(
    "m.yaml:1:1: 'name' is a list: write text [value-wrong-type]\n",
  );
});

test("refuses aliases of aliases that would exhaust memory", () => {
  const letters = [..."abcdefghijklmnop"];
  const bomb = letters.map((letter, index) => {
    const items = index === 0 ? Array(10).fill("x") : Array(10).fill(`*${letters[index - 1]}`);
    return `${letter}: &${letter} [${items.join(", ")}]\n`;
  });

  expect(problemsOf(bomb.join(""))).toBe(
    "m.yaml:6:24: the document has more than 500000 values, including values that aliases repeat: divide it, or repeat less [document-too-many-values]\n",
  );
});

test.each([
  ["an image", "\ufffdPNG\r\n\u001a\n\0\0\0\rIHDR"],
  ["bytes without a NUL", "0\ufffd\u0001\ufffd0\ufffd\u0006\ufffd\n- [x\n".repeat(40)],
  ["UTF-16 without a byte order mark", "n\0a\0m\0e\0:\0"],
])("reports a binary file in one line: %s", (_, text) => {
  expect(problemsOf(text)).toBe(
    "m.yaml:1:1: the document is not text: give a YAML or JSON file in UTF-8 [document-not-text]\n",
  );
});

test("refuses a document of more than 4 Mi characters without parsing", () => {
  const limit = 4 * 1024 * 1024;

  expect(problemsOf("#".repeat(limit + 1))).toBe(
    "m.yaml:1:1: the document has 4194305 characters, and at most 4194304 are read: divide it into several migrations [document-too-large]\n",
  );
  expect(problemsOf("#".repeat(limit))).toContain("[document-empty]");
});
