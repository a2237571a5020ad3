import { eightStepsPicture } from "../../docs/generate/eight-steps";

/** The text alternative of each step of the picture. */
const steps = /<desc[^>]*>(.*)<\/desc>/.exec(eightStepsPicture())?.[1]?.split(/(?<=\.) (?=\d )/) ?? [];

test("the picture shows the three gates: before an apply, before entries, before traffic", () => {
  const stepsWith = (words: string) => steps.filter((step) => step.includes(words)).map((step) => Number(step[0]));
  expect(steps).toHaveLength(8);
  expect(stepsWith("check-plan checks the plan")).toEqual([1, 4, 8]);
  expect(stepsWith("wait: the gate")).toEqual([3]);
  expect(stepsWith("verify: the gate")).toEqual([8]);
});

test("with external DNS, you publish the records", () => {
  expect(steps[1]).toContain("You external DNS: publish them");
});

test("the picture has its own background in both color schemes, before anything else", () => {
  const picture = eightStepsPicture();
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(picture) ?? [];
  const firstShape = /<\/style>\s*(<[^>]*>)/.exec(picture)?.[1];
  expect(firstShape).toBe(`<rect class="ground" width="${width}" height="${height}" rx="6"/>`);
  expect(picture.match(/\.ground\{fill:#[0-9a-f]+\}/g)).toHaveLength(2);
});
