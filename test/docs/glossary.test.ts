import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { firstUses, glossaryTerms } from "../support/glossary";
import { pageText } from "../support/pages";

const docs = join(__dirname, "..", "..", "docs");

/** Terms that are not linked at their first use, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  ACTIVE: "the word states its meaning",
  entry: "pages introduce it with the certificate map, which is linked",
  evidence: "mostly the common word",
  finding: "mostly the common word",
  "load balancer": "the subject of all pages",
  plan: "mostly the plan of Terraform",
  source: "mostly the common word",
  step: "mostly the common word; pages link the eight steps",
  traffic: "mostly the common word",
  world: "mostly the common word",
};

/** References, in which readers search: a line at their beginning links the glossary. */
const references = ["audit-events.md", "checks.md", "cli.md", "conformance.md", "constructs.md", "json-output.md"];

const terms = glossaryTerms();
const prosePages = readdirSync(docs).filter(
  (name) => name.endsWith(".md") && !["glossary.md", ...references].includes(name),
);
const linked = terms.filter(({ term }) => !(term in exceptions));

/** Returns the terms whose first use on a page is neither linked nor explained, with the link to write. */
function unexplainedOn(page: string, glossary: string): readonly string[] {
  return firstUses(page, linked)
    .filter(({ isExplained }) => !isExplained)
    .map(({ text, term }) => {
      const anchor = terms.find((each) => each.term === term)?.anchor;
      return `'${text}': [${text}](${glossary}#${anchor})`;
    });
}

test("every row of the glossary has an anchor, in the order of the alphabet", () => {
  const rows = pageText("glossary.md").match(/^\| (?!Term|---).*$/gm) ?? [];
  expect(rows).toHaveLength(terms.length);
  const names = terms.map(({ term }) => term.toLowerCase());
  expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
});

test.each(prosePages)("%s links or explains each term of the glossary at its first use", (name) => {
  expect(unexplainedOn(pageText(name), "glossary.md")).toEqual([]);
});

test("the README links or explains each term of the glossary at its first use", () => {
  const readme = readFileSync(join(docs, "..", "README.md"), "utf8");
  expect(unexplainedOn(readme, "docs/glossary.md")).toEqual([]);
});

test.each(references)("%s links the glossary before its first section", (name) => {
  expect(pageText(name).split(/^## /m)[0]).toContain("](glossary.md)");
});

test("the exceptions are terms of the glossary", () => {
  const names = terms.map(({ term }) => term);
  expect(Object.keys(exceptions).filter((term) => !names.includes(term))).toEqual([]);
});

test.each([
  ["The gate waits.", ["gate"]],
  ["Two\ntarget\nproxies and front ends.", ["target\nproxies", "front ends"]],
  ["# The gate\n\n`gate` and\n\n```sh\ngate\n```\n\n| gate |\n", []],
  ["<!-- gates: source -->\nthe gate\n<!-- /gates -->", []],
  ["A [gate](gates.md) waits. The gate ends.", []],
  ["A *gate* waits.", []],
  ["A **gate** waits.", ["gate"]],
  ["Read [about it](gate.md) at the gateway.", []],
  ["Clients without SNI; a sni.", ["SNI"]],
])("finds the first uses in %j: %j", (page, uses) => {
  const found = firstUses(page, linked).filter(({ isExplained }) => !isExplained);
  expect(found.map(({ text }) => text)).toEqual(expect.arrayContaining(uses));
  expect(found).toHaveLength(uses.length);
});
