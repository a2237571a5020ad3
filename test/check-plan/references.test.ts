import { memoize, reachableFrom } from "../../lib/check-plan/references";

test("computes the value of each key once", () => {
  const computed: string[] = [];
  const remembered = memoize((key) => {
    computed.push(key);
    return { key };
  });
  expect(["a", "b", "a"].map((key) => remembered(key).key)).toEqual(["a", "b", "a"]);
  expect(remembered("a")).toBe(remembered("a"));
  expect(computed).toEqual(["a", "b"]);
});

test.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
  [
    "everything behind a node, the nearest first",
    { a: ["b", "c"], b: ["d"], c: ["d"], d: ["e"] },
    ["b", "c", "d", "e"],
  ],
  ["the node itself only through a cycle", { a: ["b"], b: ["a"] }, ["b", "a"]],
  ["nothing behind a node without successors", { b: ["a"] }, []],
])("reaches %s", (_, graph, expected) => {
  expect([...reachableFrom("a", (node) => graph[node] ?? [])]).toEqual(expected);
});
