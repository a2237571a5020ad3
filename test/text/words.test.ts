import { countOf } from "../../lib/text/words";

test.each([
  [0, "0 entries"],
  [1, "1 entry"],
  [2, "2 entries"],
])("%i is told as %s", (count, told) => {
  expect(countOf(count, "entry", "entries")).toBe(told);
});

test("a plural is the singular and an s unless it is given", () => {
  expect([countOf(1, "name"), countOf(3, "name")]).toEqual(["1 name", "3 names"]);
});
