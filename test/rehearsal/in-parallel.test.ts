import { inParallel } from "./in-parallel";

test.each([1, 2, 5])("runs %d at a time, each once, and returns the results in order", async (jobs) => {
  let running = 0;
  let most = 0;
  const results = await inParallel([3, 1, 2, 0], jobs, async (turns) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn <= turns; turn++) await null;
    running -= 1;
    return turns * 10;
  });
  expect({ results, most }).toEqual({ results: [30, 10, 20, 0], most: Math.min(jobs, 4) });
});

test("passes a failure to the caller", async () => {
  const failing = inParallel([1, 2], 2, (item) => (item === 2 ? Promise.reject(new Error("two")) : Promise.resolve()));
  await expect(failing).rejects.toThrow("two");
});
