import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "@swc/core";
import equivalents from "./equivalent.json";
import { instrument } from "./instrument";
import { findChanges } from "./operators";
import { equivalentOf, filesBelow, listMutants, pickMutants } from "./pick";

const root = join(__dirname, "../..");

/** Returns the changes of a function's body, as the body afterwards. */
function bodies(body: string): readonly string[] {
  const source = `async function f() { ${body} }`;
  const bytes = Buffer.from(source);
  return findChanges(source).map(({ start, end, replacement, operator }) => {
    const changed = [bytes.subarray(0, start), replacement, bytes.subarray(end)].join("");
    return `${operator}: ${changed.slice("async function f() { ".length, -2)}`;
  });
}

test.each<[string, string, readonly string[]]>([
  ["moves a boundary", "return a < b;", ["boundary: return (a) <= (b);"]],
  ["moves a boundary back", "return a >= b;", ["boundary: return (a) > (b);"]],
  ["negates an equality", "return a === b;", ["equality: return (a) !== (b);"]],
  ["replaces and with or", "return a && b;", ["logical: return (a) || (b);"]],
  ["removes a constant default", 'return a ?? "";', ["default: return a;"]],
  ["exchanges two values of a default", "return a ?? b;", ["default: return (b) ?? (a);", "default: return a;"]],
  ["negates the condition of a choice", "return a ? b : c;", ["condition: return !(a) ? b : c;"]],
  [
    "removes an early return",
    "if (a) return; g;",
    ["condition: if (!(a)) return; g;", "early return: if (false) return; g;"],
  ],
  [
    "negates a condition with an alternative",
    "if (a) return; else throw b;",
    ["condition: if (!(a)) return; else throw b;"],
  ],
  ["removes a call", "report(a);", ["call: {}"]],
  ["removes an awaited call", "await report(a);", ["call: {}"]],
  ["keeps the call of a parent's constructor", "super(a);", []],
  ["adds 1 to a number", "return 7;", ["number: return 8;"]],
  ["keeps the name of a property", "return { 1: a };", []],
  ["requires an optional property", "return a?.b;", ["optional chaining: return a.b;"]],
  ["requires an optional element", "return a?.[b];", ["optional chaining: return a[b];"]],
  ["keeps a chain together", "return a?.b.c;", ["optional chaining: return a.b.c;"]],
  ["keeps the order of a list", "return a.sort(b);", ["order: return a;"]],
  ["keeps all items of a list", "return a.filter(b);", ["filter: return a;"]],
  ["exchanges every and some", "return a.every(b);", ["method: return a.some(b);"]],
  ["keeps methods of other names", "return a.constructor(b);", []],
  ["keeps strings and types", 'const a: 1 = "1" as unknown;', []],
  ["counts positions in bytes", 'return "é" && b;', ['logical: return ("é") || (b);']],
])("%s", (_, body, expected) => {
  expect(bodies(body)).toEqual(expected);
});

test("keeps tables outside of functions", () => {
  expect(findChanges("const table = { limit: 5, isOpen: a && b };")).toEqual([]);
});

describe("all changes of a file, each behind a condition", () => {
  const source = `function f(a, list) {
  if (a > 1 && a < 9) return list.filter((n) => n > a).length;
  list.push(a ?? 3);
  return list.at(-1)?.valueOf();
}`;
  const changes = findChanges(source).map((change, id) => ({ ...change, id }));
  const instrumented = transformSync(instrument(source, changes), { jsc: { parser: { syntax: "typescript" } } }).code;
  const call = (active: number, ...args: readonly unknown[]) => {
    const mutation = { is: (id: number) => id === active };
    return new Function("globalThis", `${instrumented}; return f;`)({ mutation })(...args);
  };
  const id = (operator: string, nth = 0) => changes.filter((change) => change.operator === operator)[nth]?.id ?? -1;

  test.each<[string, number, readonly unknown[], unknown]>([
    ["without a change", -1, [2, [1, 2, 3]], 1],
    ["without the filter", id("filter"), [2, [1, 2, 3]], 3],
    ["without the early return", id("early return"), [2, [1, 2, 3]], 2],
    ["with the inner boundary", id("boundary", 2), [2, [1, 2, 3]], 2],
    ["without the call", id("call"), [9, [1]], 1],
  ])("runs %s", (_, active, args, expected) => {
    expect(call(active, ...args)).toBe(expected);
  });

  test("keep the numbers of lines", () => {
    expect(instrument(source, changes).split("\n")).toHaveLength(source.split("\n").length);
  });
});

test("the same seed picks the same mutants, and another seed others", () => {
  const mutants = listMutants(root, ["lib/plan/zones.ts"]);
  const pick = (seed: number) => pickMutants(mutants, 5, seed).map(({ id }) => id);
  expect(pick(1)).toHaveLength(5);
  expect(pick(1)).toEqual(pick(1));
  expect(pick(1)).not.toEqual(pick(2));
});

test("every change of a module compiles", () => {
  const files = filesBelow(root, "lib/plan", ".ts");
  const broken = files.filter((file) => {
    const source = readFileSync(join(root, file), "utf8");
    const changes = findChanges(source).map((change, id) => ({ ...change, id }));
    try {
      transformSync(instrument(source, changes), { jsc: { parser: { syntax: "typescript" }, target: "es2022" } });
      return false;
    } catch {
      return true;
    }
  });
  expect(broken).toEqual([]);
});

test("every mutant that is listed as equivalent exists, and has its reason", () => {
  const mutants = listMutants(root, [...new Set(equivalents.map(({ file }) => file))]);
  const known = new Set(mutants.map((mutant) => equivalentOf(mutant, equivalents)));
  expect(equivalents.filter((equivalent) => !known.has(equivalent) || equivalent.reason === "")).toEqual([]);
});
