import fc from "fast-check";
import { cpuTimeOf } from "../support/cpu-time";
import { codesOf, description, methodOf } from "../support/descriptions";

function apiWith(scopesOf: Readonly<Record<string, readonly string[]>>) {
  const methods = Object.entries(scopesOf).map(([name, scopes]) => [name, methodOf({ id: name, scopes })]);
  return description({ methods: Object.fromEntries(methods) });
}

const dns = apiWith({
  get: ["all", "full", "readonly", "dns"],
  list: ["all", "readonly", "dns"],
  create: ["all", "full", "dns"],
  admin: ["full"],
  open: [],
});

describe("the smallest set of scopes for", () => {
  test.each([
    ["nothing is empty", [], []],
    ["what needs none is empty", ["open"], []],
    ["one method is its least powerful scope", ["get"], ["readonly"]],
    ["several is one that all of them have", ["get", "list", "create"], ["all"]],
    ["what has none in common are two", ["list", "admin"], ["full", "readonly"]],
    ["a method given twice is that of one", ["admin", "admin"], ["full"]],
  ])("%s", (_, ids, scopes) => {
    expect(dns.smallestScopes(ids)).toEqual(scopes);
  });

  test("refuses methods of which one is unknown", () => {
    expect(codesOf(() => dns.smallestScopes(["get", "fetch"]))).toEqual(["method-unknown"]);
  });
});

test("accepts for a method the scopes that it lists", () => {
  expect(dns.scopes("admin")).toEqual(["full"]);
  expect(codesOf(() => dns.scopes("fetch"))).toEqual(["method-unknown"]);
});

const scopeLists = fc.array(fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 4 }), {
  minLength: 1,
  maxLength: 7,
});

test("allows every method, and no smaller set does", () => {
  fc.assert(
    fc.property(scopeLists, (lists) => {
      const api = apiWith(Object.fromEntries(lists.map((scopes, at) => [`m${at}`, [...new Set(scopes)]])));
      const found = api.smallestScopes(lists.map((_, at) => `m${at}`));
      const opens = (scopes: readonly string[]) =>
        lists.every((list) => list.length === 0 || list.some((one) => scopes.includes(one)));
      const subsets = Array.from({ length: 64 }, (_, bits) =>
        [..."abcdef"].filter((__, at) => ((bits >> at) & 1) === 1),
      );

      expect(opens(found)).toBe(true);
      const fewest = Math.min(...subsets.filter(opens).map(({ length }) => length));
      expect(found).toHaveLength(fewest);

      const powerOf = (scopes: readonly string[]) =>
        scopes.reduce((sum, scope) => sum + lists.filter((list) => list.some((one) => one === scope)).length, 0);
      const smallest = subsets.filter((scopes) => opens(scopes) && scopes.length === fewest);
      expect(powerOf(found)).toBe(Math.min(...smallest.map(powerOf)));
    }),
    { numRuns: 300 },
  );
});

test("is the smallest even among more scopes than can all be tried", () => {
  // The greedy choice begins with `g1`, which opens most, and needs three.
  const trap = [
    "a g1",
    "a g1",
    "a g1",
    "a g1",
    "a g2",
    "a g2",
    "a g3",
    "b g1",
    "b g1",
    "b g1",
    "b g1",
    "b g2",
    "b g2",
    "b g3",
  ];
  const others = Array.from({ length: 25 }, (_, at) => `only${at} also${at} any`);
  const lists = [...trap.map((text, at) => `${text} own${at}`), ...others, "any"].map((text) => text.split(" "));
  const api = apiWith(Object.fromEntries(lists.map((scopes, at) => [`m${at}`, scopes])));

  expect(api.smallestScopes(lists.map((_, at) => `m${at}`))).toEqual(["a", "any", "b"]);
});

test("is the least powerful of sets of the same size, however many scopes there are", () => {
  const lists = Array.from({ length: 30 }, (_, at) => [`strong${at}`, `weak${at}`]);
  const more = Array.from({ length: 30 }, (_, at) => [`strong${at}`]);
  const api = apiWith(Object.fromEntries([...lists, ...more].map((scopes, at) => [`m${at}`, scopes])));

  expect(api.smallestScopes(lists.map((_, at) => `m${at}`))).toEqual(lists.map(([, weak]) => String(weak)).sort());
});

test("allows all methods even if the minimum can't be computed in acceptable time", () => {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return `s${state % 80}`;
  };
  const lists = Array.from({ length: 300 }, () => [next(), next(), next()]);
  const api = apiWith(Object.fromEntries(lists.map((scopes, at) => [`m${at}`, [...new Set(scopes)]])));
  const takenMs = cpuTimeOf(() => {
    const found = api.smallestScopes(lists.map((_, at) => `m${at}`));

    expect(lists.every((list) => list.some((scope) => found.includes(scope)))).toBe(true);
  });
  expect(takenMs).toBeLessThan(4_000);
});

test.each([20, 200])("is computed among %i scopes in acceptable time", (count) => {
  const lists = Array.from({ length: count }, (_, at) => [`m${at}`, [`s${at}`, `s${(at + 1) % count}`]]);
  const api = apiWith(Object.fromEntries(lists));
  const takenMs = cpuTimeOf(() => {
    expect(api.smallestScopes(lists.map(([id]) => String(id)))).toHaveLength(count / 2);
  });
  expect(takenMs).toBeLessThan(2_000);
});
