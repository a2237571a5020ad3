import { countOf, listFirst } from "../../lib/text/words";

test.each([
  [0, "0 entries"],
  [1, "1 entry"],
  [2, "2 entries"],
])("writes %i as %s", (count, text) => {
  expect(countOf(count, "entry", "entries")).toBe(text);
});

test("forms a plural with an s by default", () => {
  expect([countOf(1, "name"), countOf(3, "name")]).toEqual(["1 name", "3 names"]);
});

test.each([
  [["a"], "a"],
  [["a", "b"], "a, b"],
  [["a", "b", "c"], "a, b and 1 more"],
  [["a", "b", "c", "d"], "a, b and 2 more"],
])("lists at most two of %j: %s", (texts, listed) => {
  expect(listFirst(texts, 2)).toBe(listed);
});
