import { parseMigrationDocument } from "../../../lib/plan";
import { cpuTimeOf } from "../../support/cpu-time";

/** A generous limit: the slowest case takes about 3 s alone; a superlinear algorithm would take minutes. */
const TIME_LIMIT_MS = 30_000;

const MEBI = 1024 * 1024;
const times = (text: string) => text.repeat(Math.floor(MEBI / text.length));
const numbered = (line: (index: number) => string) =>
  Array.from({ length: 50_000 }, (_, index) => line(index)).join("");

test.each([
  ["line breaks", times("\n")],
  ["comments", times("#\n")],
  ["documents", times("---\n")],
  ["tabs", times("\t- a\n")],
  ["reserved characters", times("a: @\n")],
  ["anchors upon anchors", times("a: &a &b &c x\n")],
  ["aliases without anchor", times("- *a\n")],
  ["wildcards without quotes", times("- *.example.com\n")],
  ["unknown tags", times("- !t a\n")],
  ["one key again and again", times("a: b\n")],
  ["keys that differ", `labels:\n${numbered((index) => `  k${index}: v\n`)}`],
  ["unknown properties", numbered((index) => `propertyNumber${index}: v\n`)],
  ["one long key", `${"k".repeat(MEBI)}: v\n`],
  ["one long unknown property in JSON", `{"${"k".repeat(MEBI)}": 1}`],
  ["one long word", `phase: ${"s".repeat(MEBI)}\n`],
  ["an open quote", `name: "${times("a\n")}`],
  ["an open bracket", `mustServe: [${times("a,")}`],
  ["plain text over many lines", `name: a\n${times("  b\n\n")}`],
  ["colons", times("a: ")],
  ["dashes in one word", times("-")],
  ["values of the wrong type", `mustServe: [${times("1,")}]`],
])("terminates for a mebibyte of %s", (_, text) => {
  const takenMs = cpuTimeOf(() => {
    const parsed = parseMigrationDocument(text, { source: "m.yaml" });

    expect("problems" in parsed ? parsed.problems.length : 0).toBeGreaterThan(0);
  });
  expect(takenMs).toBeLessThan(TIME_LIMIT_MS);
});

test("reads 10,000 certificates", () => {
  const certificates = Array.from(
    { length: 10_000 },
    (_, index) => `  - domains: [a${index}.com, "*.a${index}.com"]\n`,
  );
  const text = `name: many\ncertificates:\n${certificates.join("")}dns: { kind: external }\n`;

  const parsed = parseMigrationDocument(text, { source: "m.yaml" });
  expect("spec" in parsed ? parsed.spec.certificates : parsed.problems).toHaveLength(10_000);
});
