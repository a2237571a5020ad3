import { groupBy } from "../../lib/json/group-by";

test("groups items by key, and keeps the order of keys and items", () => {
  const groups = groupBy(["cedar", "birch", "beech", "cherry"], (name) => name.charAt(0));
  expect([...groups]).toEqual([
    ["c", ["cedar", "cherry"]],
    ["b", ["birch", "beech"]],
  ]);
});

test("returns no group for no items", () => {
  expect(groupBy([], String).size).toBe(0);
});
