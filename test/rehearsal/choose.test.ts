import { choose } from "./choose";

const all = ["a", "b", "c", "ab", "e", "f", "g"].map((name) => ({ name }));
const names = (choice: Partial<Parameters<typeof choose>[1]>) =>
  choose(all, { seed: 1, ...choice }).map(({ name }) => name);

test.each([
  ["all of them", {}, ["a", "b", "c", "ab", "e", "f", "g"]],
  ["those with a part of a name", { only: "a" }, ["a", "ab"]],
  ["those with one of several parts", { only: "b,f" }, ["b", "ab", "f"]],
  ["the first third", { part: "1/3" }, ["a", "ab", "g"]],
  ["the last third", { part: "3/3" }, ["c", "f"]],
])("chooses %s", (_, choice, expected) => {
  expect(names(choice)).toEqual(expected);
});

test("splits the scenarios into three parts without gaps or overlaps", () => {
  const parts = ["1/3", "2/3", "3/3"].flatMap((part) => names({ part }));
  expect(parts.sort()).toEqual(names({}).sort());
});

test("returns a sample of the requested size that depends only on the seed", () => {
  const samples = Array.from({ length: 20 }, (_, seed) => names({ sample: "3", seed }));
  expect(samples.every((sample) => sample.length === 3)).toBe(true);
  expect(names({ sample: "3", seed: 4 })).toEqual(samples[4]);
  expect(new Set(samples.map(String)).size).toBeGreaterThan(5);
});

test.each([[{ only: "nothing" }], [{ part: "4/3" }], [{ part: "x" }], [{ part: "0/2" }]])(
  "refuses the choice %j",
  (choice) => {
    expect(() => names(choice)).toThrow(/nothing fits; there are a, b|give it as in 1\/3/);
  },
);
