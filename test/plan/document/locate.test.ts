import { locate, parseMigrationDocument } from "../../../lib/plan";

const TEXT = `name: shop
certificates:
  - domains:
      - example.com
      - "*.example.com"
dns: { kind: cloudDns, zones: { example.com: net, "a/b": { name: x } } }
existingAuthorizations:
  example.com: a
`;
const parsed = parseMigrationDocument(TEXT, { source: "m.yaml" });
if (!("document" in parsed)) throw new Error("the document was refused");
const { document } = parsed;

test.each([
  ["the document as a whole", "", "1:1"],
  ["a value", "/name", "1:7"],
  ["a list, by its key", "/certificates", "2:1"],
  ["a list's item", "/certificates/0", "3:5"],
  ["a value in a list", "/certificates/0/domains/1", "5:9"],
  ["a value in braces", "/dns/zones/example.com", "6:46"],
  ["a mapping in braces, by its key", "/dns/zones/a~1b", "6:51"],
  ["a value below an escaped key", "/dns/zones/a~1b/name", "6:66"],
  ["the parent of a property that is missing", "/certificates/0/selfManaged/certificatePem", "3:5"],
  ["the parent of an item that is missing", "/certificates/7", "2:1"],
  ["the parent of what is not a number", "/certificates/first", "2:1"],
  ["a value that has no parts", "/name/first", "1:7"],
])("%s: %s is at %s", (_, pointer, expected) => {
  const { line, column } = locate(document, pointer);
  expect(`${line}:${column}`).toBe(expected);
});

test("locates a key instead of its value", () => {
  expect(locate(document, "/existingAuthorizations/example.com", "key")).toEqual({ line: 8, column: 3 });
  expect(locate(document, "/existingAuthorizations/example.com", "value")).toEqual({ line: 8, column: 16 });
});
