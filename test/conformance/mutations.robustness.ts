import { groups } from "../../conformance/behaviors";
import { startRehearsalSide } from "../../conformance/rehearsal-side";
import { isAsExpected, runSuite, select } from "../../conformance/run";
import { mutations } from "./mutations";

test("there are at least forty mutations, each with its own name", () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
});

test.each(mutations.map((mutation) => [mutation.name, mutation] as const))("finds that %s", async (_, mutation) => {
  const { only, around, cloud, found } = mutation;
  await using rehearsal = await startRehearsalSide({
    ...(around === undefined ? {} : { around }),
    ...(cloud === undefined ? {} : { cloud }),
  });
  const result = await runSuite(select(groups, { only: [only] }), { side: rehearsal.side });
  const different = result.observations.filter((observation) => !isAsExpected(observation)).map(({ id }) => id);
  expect(different).toEqual(expect.arrayContaining(found.map((word) => `${only}.${word}`)));
});
