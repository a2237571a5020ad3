import { exampleOf, shapeOfUses, typeTextOf } from "../../lib/terraform-module/input-types";

/** Paths behind the name of a variable, each with an example that fits; the type of the variable; an example of it. */
const table: readonly (readonly [
  what: string,
  uses: Readonly<Record<string, string>>,
  type: string,
  example: unknown,
])[] = [
  ["a text", { "": "my-project" }, "string", "my-project"],
  ["an object", { ".id": "one", ".name": "two" }, "object({ id = string, name = string })", { id: "one", name: "two" }],
  ["a map", { '["example.com"]': "zone" }, "map(string)", { "example.com": "zone" }],
  ["a list, with the items before it", { "[1]": "192.0.2.1" }, "list(string)", ["192.0.2.1", "192.0.2.1"]],
  [
    "a list of objects in an object",
    { ".networks[0].id": "one", ".networks[1].id": "two" },
    "object({ networks = list(object({ id = string })) })",
    { networks: [{ id: "one" }, { id: "two" }] },
  ],
  [
    "a map of objects with different members",
    { '["eu"].id': "one", '["us"].name': "two" },
    "map(object({ id = string, name = string }))",
    { eu: { id: "one", name: "two" }, us: { id: "one", name: "two" } },
  ],
];

test.each(table)("a variable is %s", (_, uses, type, example) => {
  expect(typeTextOf(shapeOfUses(Object.keys(uses).map((path) => ({ path }))))).toBe(type);
  expect(exampleOf(Object.entries(uses).map(([path, text]) => ({ path, example: text })))).toEqual(example);
});

test.each([
  ["a variable", [".id", "[0]"], "any"],
  ["a member", [".a", ".a.b", ".c"], "object({ a = any, c = string })"],
])("%s whose uses don't fit together has any type", (_, paths, type) => {
  expect(typeTextOf(shapeOfUses(paths.map((path) => ({ path }))))).toBe(type);
});

test("of two examples for one text, the special one is taken", () => {
  const uses = ["example", "192.0.2.1"].map((example) => ({ path: "", example }));
  expect(exampleOf(uses)).toBe("192.0.2.1");
  expect(exampleOf([...uses].reverse())).toBe("192.0.2.1");
});
