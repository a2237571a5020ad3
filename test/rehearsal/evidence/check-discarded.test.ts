import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDiscarded, recountDiscarded } from "../../../lib/rehearsal/evidence/check-discarded";
import type { DiscardedTry } from "../../../lib/rehearsal/prober";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, seconds)).toISOString();
const hostname = "a.example.com";
const thrown: DiscardedTry = {
  time: at(2),
  until: at(9),
  hostname,
  address: "198.51.100.1",
  side: "previous",
  error: "timeout",
  waitedMs: 7_000,
  ranMs: 1_000,
  still: [{ from: at(3), until: at(9) }],
};
const probesAt = (...seconds: readonly number[]) => seconds.map((second) => ({ time: at(second), hostname }));
const name = "discarded probes";

function checked(discarded: readonly DiscardedTry[], reported: number, probes = probesAt(1, 2, 3, 9)) {
  const recount = recountDiscarded(discarded, reported);
  for (const probe of probes) recount.add(probe);
  return recount.check();
}

test("accepts evidence without discarded probes, and discarded probes that were repeated after a stall", () => {
  expect(checked([], 0)).toEqual({ name, ok: true, detail: "none" });
  const detail = "1, each while the prober was suspended, and repeated";
  expect(checked([thrown], 1)).toEqual({ name, ok: true, detail });
});

test.each<[string, ReturnType<typeof checked>, string]>([
  ["missing from the verdict", checked([thrown], 0), "1 in the file, 0 in the result"],
  ["removed", checked([], 1), "0 in the file, 1 in the result"],
  ["the prober ran", checked([{ ...thrown, ranMs: 6_000 }], 1), "1 timed out while the prober ran"],
  ["no stall", checked([{ ...thrown, still: [] }], 1), "1 timed out while the prober ran"],
  [
    "a different stall",
    checked([{ ...thrown, still: [{ from: at(10), until: at(12) }] }], 1),
    "1 timed out while the prober ran",
  ],
  [
    "another probe began during the stall",
    checked([thrown], 1, probesAt(1, 4, 9)),
    "1 probes began while the prober was suspended, according to the file",
  ],
  [
    "probes that began within one of several such times, which overlap",
    checked(
      [
        {
          ...thrown,
          still: [
            { from: at(3), until: at(5) },
            { from: at(4), until: at(6) },
          ],
        },
        {
          ...thrown,
          still: [
            { from: at(3), until: at(5) },
            { from: at(7), until: at(9) },
            { from: at(9), until: at(8) },
          ],
        },
      ],
      2,
      probesAt(1, 3, 5, 6, 7, 8, 9, 10),
    ),
    "2 probes began while the prober was suspended, according to the file",
  ],
  ["not repeated", checked([thrown], 1, probesAt(1, 2)), "1 were not repeated"],
  [
    "repeated only for another hostname",
    checked([thrown], 1, [...probesAt(1), { time: at(9), hostname: "b.example.com" }]),
    "1 were not repeated",
  ],
])("fails for a forged discarded probe: %s", (_, found, detail) => {
  expect(found).toEqual({ name, ok: false, detail });
});

test.each([[null], ["no list"], [[null]], [[{ from: 1, until: 2 }]]])(
  "refuses a file with %j as the list of discarded probes",
  async (still) => {
    const folder = mkdtempSync(join(tmpdir(), "discarded-"));
    const file = join(folder, "discarded.jsonl");
    writeFileSync(file, `${JSON.stringify({ ...thrown, still })}\n`);
    await expect(readDiscarded(file)).rejects.toMatchObject({ code: "evidence-unreadable" });
    rmSync(folder, { recursive: true });
  },
);
