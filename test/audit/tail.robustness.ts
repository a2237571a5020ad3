import { runKills } from "./tail-kills";

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

test("a tail that is killed 200 times loses nothing and writes nothing twice", async () => {
  console.log(`seed ${seed} (SEED=${seed} repeats it)`);
  const { killed, faults, happened, written } = await runKills(200, seed);
  console.log(`${killed} kills, ${faults} faults, ${happened.length} events`);
  expect(killed).toBe(200);
  expect([...written].sort()).toEqual([...happened].sort());
}, 300_000);
