import { onceForEach } from "../../lib/async/once";

test("asks once for each key, also for keys that are asked for at the same time", async () => {
  const asked: string[] = [];
  const ask = onceForEach(async (key: string, suffix: string) => {
    asked.push(key);
    return `${key}${suffix}`;
  });
  expect(await Promise.all([ask("a", "1"), ask("a", "2"), ask("b", "3")])).toEqual(["a1", "a1", "b3"]);
  expect(await ask("a", "4")).toBe("a1");
  expect(asked).toEqual(["a", "b"]);
});

test("answers everybody who asks for a key with its failure", async () => {
  let times = 0;
  const ask = onceForEach(async (key: string) => {
    times += 1;
    throw new Error(key);
  });
  const both = await Promise.allSettled([ask("a"), ask("a")]);
  expect([both.map(({ status }) => status), times]).toEqual([["rejected", "rejected"], 1]);
});
