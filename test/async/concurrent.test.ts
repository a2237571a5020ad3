import { mapConcurrently } from "../../lib/async/concurrent";

const items = Array.from({ length: 20 }, (_, index) => index);

test("returns the results in the order of the items, and runs at most the limit at a time", async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently(items, 4, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = items.length - item; turn > 0; turn -= 1) await Promise.resolve();
    running -= 1;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(4);
});

test.each([
  [1, 3],
  [4, 4],
])("with a limit of %i starts nothing after the first failure", async (limit, expected) => {
  const begun: number[] = [];
  const all = mapConcurrently(items, limit, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error("the third fails");
    // The others end after the failure.
    if (limit > 1) await new Promise((resolve) => setImmediate(resolve));
  });
  await expect(all).rejects.toThrow("the third fails");
  for (let turn = 0; turn < items.length; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(items.slice(0, expected));
});

test("runs nothing for no items", async () => {
  expect(await mapConcurrently([], 3, () => Promise.reject(new Error("never")))).toEqual([]);
});
