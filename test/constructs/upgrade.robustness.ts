/** The upgrade of every example with every version of the provider; `npm run test:upgrade` runs it with both kits. */
import { providerVersions, upgrade } from "../support/upgrade";
import { formerOf, synthesizeExample, upgradeExamples } from "../support/upgrade-examples";
import { runner } from "../support/upgrade-runner";

jest.setTimeout(600_000);

const cases = providerVersions.flatMap((version) => upgradeExamples.map((name) => [name, version] as const));

test.each(cases)("plans no changes after an upgrade of '%s', with the provider %s", async (name, version) => {
  const present = await synthesizeExample(name, runner);
  const done = await upgrade(formerOf(name), present, version, true);
  expect(done.map(({ plan, planned }) => [plan.includes("No changes."), planned])).toEqual(done.map(() => [true, 0]));
  expect(done.map(({ calls }) => calls)).toEqual(done.map(({ formerCalls }) => formerCalls));
});
