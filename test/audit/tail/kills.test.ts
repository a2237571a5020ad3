import { runKills } from "../tail-kills";

test("a tail that is killed ten times over a stream of late, disordered and repeated events writes each once", async () => {
  const { killed, happened, written } = await runKills(10, 7);
  expect(killed).toBe(10);
  expect([...written].sort()).toEqual([...happened].sort());
}, 30_000);
