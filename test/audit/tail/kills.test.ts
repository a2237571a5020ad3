import { runKills } from "../tail-kills";

test("writes each event once although the tail is killed ten times during late, unordered and repeated events", async () => {
  const { killed, happened, written } = await runKills(10, 7);
  expect(killed).toBe(10);
  expect([...written].sort()).toEqual([...happened].sort());
}, 30_000);
