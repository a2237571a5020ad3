import { withUndefined } from "../../build/optional-properties";

describe("adds 'undefined' to the type of an optional", () => {
  test.each([
    [
      "property of an interface",
      "interface A {\n  readonly b?: string;\n}",
      "interface A {\n  readonly b?: string | undefined;\n}",
    ],
    ["property of a class", "declare class A {\n  b?: C[];\n}", "declare class A {\n  b?: C[] | undefined;\n}"],
    [
      "property within a property",
      "type A = { b?: { c?: 1 } };",
      "type A = { b?: { c?: 1 | undefined } | undefined };",
    ],
    ["function", "interface A { b?: () => void; }", "interface A { b?: (() => void) | undefined; }"],
    ["union", "interface A { b?: 1 | (() => 2); }", "interface A { b?: 1 | (() => 2) | undefined; }"],
    [
      "property after other letters than English ones",
      "/** ä – € */\ninterface A { b?: 1; }",
      "/** ä – € */\ninterface A { b?: 1 | undefined; }",
    ],
  ])("%s", (_, before, after) => {
    expect(withUndefined(before)).toBe(after);
    expect(withUndefined(after)).toBe(after);
  });
});

test.each([
  "interface A { b: string; c(d?: string): void; }",
  "declare function a(b?: string): void;",
  "/** b?: string; */\nexport type { A } from './a';",
  "",
])("leaves other declarations unchanged: %s", (text) => {
  expect(withUndefined(text)).toBe(text);
});
