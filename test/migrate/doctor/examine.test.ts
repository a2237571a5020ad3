import { healthySpec, startWorld, type World } from "./world";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test("where nothing is wrong, nothing is found, and nothing is changed", async () => {
  const place = await world.place();
  const before = world.cloud.requests().length;
  const report = await world.examine(healthySpec(place), place);
  expect(report.findings).toEqual([]);
  expect(
    world.cloud
      .requests()
      .slice(before)
      .filter(({ mutation }) => mutation),
  ).toEqual([]);
});
