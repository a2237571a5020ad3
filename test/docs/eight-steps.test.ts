import { eightStepsPicture } from "../../docs/generate/eight-steps";

/** What is told of each step to who can't see the picture; it is made of the same words. */
const told = /<desc[^>]*>(.*)<\/desc>/.exec(eightStepsPicture())?.[1]?.split(/(?<=\.) (?=\d )/) ?? [];

test("the picture shows the three gates: before an apply, before entries, before traffic", () => {
  const stepsWith = (words: string) => told.filter((step) => step.includes(words)).map((step) => Number(step[0]));
  expect(told).toHaveLength(8);
  expect(stepsWith("check-plan judges the plan")).toEqual([1, 4, 8]);
  expect(stepsWith("wait: the gate")).toEqual([3]);
  expect(stepsWith("verify: the gate")).toEqual([8]);
});

test("where DNS is elsewhere it is you who publishes", () => {
  expect(told[1]).toContain("You DNS elsewhere: publish them");
});
