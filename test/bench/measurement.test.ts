import { isInDoubt, isMissed, isMissedBeyondDoubt, quartilesOf } from "../../bench/measurement";

const measured = (...ratios: readonly number[]) => ({ what: "it", goal: 1, ratios, detail: "" });

test("finds the middle half of the rounds between the quartiles, in any order", () => {
  expect(quartilesOf(measured(5, 1, 4, 2, 3))).toEqual([2, 4]);
  expect(quartilesOf(measured(0.9))).toEqual([0.9, 0.9]);
});

test.each([
  ["met beyond doubt", [0.7, 0.8, 0.8, 0.9, 1.5], { missed: false, doubt: false, beyond: false }],
  ["met, in doubt", [0.7, 0.8, 0.9, 1.1, 1.5], { missed: false, doubt: true, beyond: false }],
  ["missed, in doubt", [0.7, 0.9, 1.1, 1.2, 1.5], { missed: true, doubt: true, beyond: false }],
  ["missed beyond doubt", [0.7, 1.1, 1.2, 1.3, 1.5], { missed: true, doubt: false, beyond: true }],
  ["met by the same number in all rounds", [1, 1, 1], { missed: false, doubt: false, beyond: false }],
])("reports a goal as %s: uncertain results have rounds on both sides of the goal", (_, ratios, expected) => {
  const measurement = measured(...ratios);
  expect({
    missed: isMissed(measurement),
    doubt: isInDoubt(measurement),
    beyond: isMissedBeyondDoubt(measurement),
  }).toEqual(expected);
});
