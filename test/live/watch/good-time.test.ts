import { GoodTime } from "../../../lib/live/watch/verdict";
import { timeout, watch } from "./virtual-watch";

/** One round: `good`, one in which something `fails`, is `old`, or is `lost` with the network, or one after a `gap`. */
type Round = "good" | "fails" | "previous" | "lost" | "gap";

function secondsAfter(rounds: readonly Round[]): number {
  const time = new GoodTime(0);
  let failures = 0;
  for (const [index, round] of rounds.entries()) {
    if (round === "fails") failures += 1;
    if (round === "gap") time.addGap();
    time.check({ hasMoved: round !== "previous", failures, isLost: round === "lost" }, (index + 1) * 10_000);
  }
  return time.milliseconds / 1_000;
}

test.each<[readonly Round[], number]>([
  [[], 0],
  [["previous", "previous"], 0],
  [["previous", "good"], 0],
  [["previous", "good", "good"], 10],
  [["good", "good", "good"], 20],
  [["good", "good", "fails"], 0],
  [["good", "good", "fails", "good"], 0],
  [["good", "good", "fails", "good", "good"], 10],
  [["good", "good", "previous", "good", "good", "good"], 20],
  [["good", "good", "gap", "good"], 20],
  [["good", "good", "lost", "good"], 20],
])("after rounds of ten seconds with %j, has counted %i s without failures", (rounds, expected) => {
  expect(secondsAfter(rounds)).toBe(expected);
});

test("does not count a long pause before a successful check", async () => {
  const rarely = { schedule: { everyMs: 600_000, goodMs: 600_000 } };
  const { summary } = await watch((second) => (second < 60 ? { handshake: timeout } : {}), rarely);
  expect(summary).toMatchObject({ attempts: 3, failures: 1, stopped: false, seconds: 1_200 });
});
