import { longSentences, wideComments, wideLines } from "../../docs/generate/line-rules";
import { findAvoided, measureProse, proseOfPage, proseOfSource, titlesOfTests } from "../../docs/generate/prose";

const found = (prose: string) => findAvoided(prose).map(({ text }) => text);

test.each([
  ["The authority signs it.", "authority"],
  ["an authorization proves a domain", "proves"],
  ["'x' is no host", "is no host"],
  ["the port is none", "is none"],
  ["The command tells you", "tells"],
  ["it brings the traffic back", "brings the traffic back"],
  ["then go back", "go back"],
  ["released by hand", "by hand"],
  ["mend the record", "mend"],
  ["let go of the lock", "let go of"],
  ["names are held by it against the plan", "held by it against"],
  ["a zone that nobody asks", "nobody"],
  ["the fault struck twice", "struck"],
  ["played with Terraform", "played"],
  ["from one look to the next", "one look"],
  ["issuance is under way", "under way"],
  ["the old\nside", "old side"],
  ["it is not valid any more", "any more"],
  ["it stands in the README", "stands in"],
])("finds a word to avoid in '%s'", (prose, word) => {
  expect(found(prose)).toEqual([word]);
});

test.each([
  "The certificate authority signs the certificate; two certificate authorities do.",
  "Validate the domain with an authorization.",
  "The record is no longer published.",
  "The provider stands in for the google provider.",
  "Display the approved list, play-by-play excluded.",
  "Go to the background; the holder of a lock is upheld.",
  "Compare the names with the plan. A lookup looks up a name.",
])("accepts '%s'", (prose) => {
  expect(found(prose)).toEqual([]);
});

test("counts words to avoid per 1,000 words", () => {
  const prose = new Map([
    ["one.md", `told ${"word ".repeat(499)}`],
    ["two.md", "word ".repeat(500)],
  ]);
  expect(measureProse(prose)).toMatchObject({ words: 1_000, rate: 1, avoided: [{ file: "one.md", text: "told" }] });
});

test("reads the prose of a page, without code, targets of links and generated tables", () => {
  const page = [
    "Text `told in code` and [a link](told.md).",
    "```sh",
    "told in a block",
    "```",
    "    told in indented code",
    "<!-- table: npm run docs -->",
    "| told in a table |",
    "<!-- /table -->",
    "End.",
  ].join("\n");
  expect(proseOfPage(page).split(/\s+/).join(" ")).toBe("Text X and [a link] . End.");
});

test("reads comments and texts of a source file, without identifiers and short literals", () => {
  const source = [
    "/** Says `told` of it. */",
    'const told = ["told", "it was told twice"];',
    "// A comment that tells.",
    "const text = `the old side ${told} is gone`;",
  ].join("\n");
  expect(found(proseOfSource(source)).sort()).toEqual(["is gone", "old side", "says", "tells", "told"]);
});

test("reads the titles of tests and groups, not the texts inside of them", () => {
  const source = `describe("a zone", () => {
  test.each([["a.test", true]])("accepts %s", (name) => {
    expect(read(name)).toBe("a text that is none");
  });
  it(\`refuses \${name}\`, () => {});
});`;
  expect(titlesOfTests(source).split("\n")).toEqual(["a zone", "accepts %s", "refuses ${name}"]);
});

const wide = "w".repeat(121);

test.each([
  ["a line comment", `const a = 1;\n  // ${wide}`, [2]],
  ["each line of a block comment", `/**\n * ${wide}\n * short\n * ${wide}\n */\nconst text = "${wide}";`, [2, 4]],
  ["no code, link and directive", `const text = "${wide}";\n// https://${wide}\n// biome-ignore lint: ${wide}`, []],
])("finds the lines above 120 characters in comments: %s", (_what, source, lines) => {
  expect(wideComments(source)).toEqual(lines);
});

test("finds the lines above 120 characters in a page, without code, tables and generated parts", () => {
  const page = [
    `| ${wide} |`,
    "```sh",
    wide,
    "```",
    "<!-- plan: npm run docs -->",
    wide,
    "<!-- /plan -->",
    `A ${wide}`,
    `- ${wide}`,
  ];
  expect(wideLines(page.join("\n"))).toEqual([`A ${wide}`, `- ${wide}`]);
});

test("finds sentences of more than 30 words, across lines of a paragraph but not across items of a list", () => {
  const words = (count: number) => "word ".repeat(count).trim();
  expect(longSentences(`${words(20)}\n${words(11)}. ${words(30)}.`)).toEqual([`${words(31)}.`]);
  expect(longSentences(`- ${words(20)}\n- ${words(20)}\n\n${words(20)}\n\n| ${words(40)} |`)).toEqual([]);
});
