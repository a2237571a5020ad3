import fc from "fast-check";
import { jsonDocument, jsonPieces } from "../../lib/cli/text";

test("the pieces of a JSON document are the document, with characters that could control a terminal escaped", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-zA-Z]+$/), fc.jsonValue(), { noNullPrototype: true }),
      (fields) => {
        expect([...jsonPieces(fields)].join("")).toBe(jsonDocument(fields));
      },
    ),
  );
});

test.each([499, 500, 501, 1_000])("a list of %s items, whatever the size of the pieces", (count) => {
  const fields = { hostnames: Array.from({ length: count }, (_, index) => ({ index, missing: undefined })), last: [] };
  expect([...jsonPieces(fields)].join("")).toBe(jsonDocument(fields));
});

test("a field without a value is left out, and an item without a value is null", () => {
  const fields = { absent: undefined, items: [undefined, "\u202e"] };
  expect([...jsonPieces(fields)].join("")).toBe(jsonDocument(fields));
});
