import { startTestCloud, type TestCloud } from "../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** Returns the project number that each service reports. */
async function numbersOf(project: string): Promise<readonly string[]> {
  const { name } = await cloud.make("GET", `/v3/projects/${project}`);
  const { id } = await cloud.make("GET", `/compute/v1/projects/${project}`);
  const { number } = await cloud.make("GET", `/dns/v1/projects/${project}`);
  return [String(name).replace(/^projects\//, ""), String(id), String(number)];
}

test("every service returns the same number for a project, and another number for another project", async () => {
  const [first, ...others] = await numbersOf("shop-prod");

  expect(first).toMatch(/^\d{12}$/);
  expect(others).toEqual([first, first]);
  expect(await numbersOf("shop-test")).not.toContain(first);
});

test("a project that is requested by its number has that number", async () => {
  expect(await numbersOf("123456789012")).toEqual(Array(3).fill("123456789012"));
});
