import { runKills } from "./tail-kills";

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

test("loses no event and writes no event twice although the tail is killed 200 times", async () => {
  console.log(`seed ${seed} (SEED=${seed} repeats it)`);
  const { killed, faults, happened, written } = await runKills(200, seed);
  console.log(`${killed} kills, ${faults} faults, ${happened.length} events`);
  expect(killed).toBe(200);
  expect([...written].sort()).toEqual([...happened].sort());
}, 300_000);
