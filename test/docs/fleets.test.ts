import { type Measured, tablesOf } from "../../docs/generate/fleets";

const stack = {
  name: "fleet-1",
  hostnames: 1_142,
  resources: 433,
  commands: 76,
  issueSeconds: 41.3,
  waitSeconds: 4.7,
  serveSeconds: 182.6,
  planSeconds: 18.2,
};

const measured: Measured = {
  machine: { day: "2026-11-21", processor: "P", cores: 2, gibibytes: 8, node: "20.1.0", loadBefore: [1, 2.5, 3] },
  plan: {
    hostnames: 10_000,
    certificates: 5_000,
    maxEntriesPerMap: 1_000,
    stacks: 16,
    entries: [580, 678],
    resources: [2_000, 2_000],
    commands: [307, 359],
    splitSeconds: 2.6,
    synthSeconds: 43.3,
    mebibytes: 36.5,
  },
  growth: [{ to: 20_000, movedWithRecord: 0, movedWithout: 2_465 }],
  applied: {
    cloudSpeed: 30,
    together: { seconds: 270.4, stacks: [stack, { ...stack, name: "fleet-2" }] },
    alone: { seconds: 120.2, stacks: [{ ...stack, name: "fleet-3" }] },
  },
};

describe("the tables of a measured fleet", () => {
  const { plan, growth, applied } = tablesOf(measured);

  test("contain the plan, the machine and its load", () => {
    expect(plan.split("\n")).toEqual([
      "|  |  |",
      "| --- | --- |",
      "| hostnames | 10,000, on 5,000 certificates with a domain and its wildcard each |",
      "| `maxEntriesPerMap` | 1,000 |",
      "| stacks | 16 |",
      "| map entries of a stack | 580 to 678 |",
      "| resources of a stack, including gates | 2,000 |",
      "| commands that Terraform runs for a stack in phase `serve` | 307 to 359 |",
      "| splitting | 2.6 s |",
      "| synthesizing all stacks in one app | 43 s, 36.5 MiB of JSON |",
      "",
      "Measured on 2026-11-21: P, 2 cores, 8 GiB, Node 20.1.0. Load averages before the run: 1, 2.5, 3 (1, 5 and 15 minutes).",
      "",
    ]);
  });

  test("list how many hostnames move when the fleet grows", () => {
    expect(growth.split("\n")).toEqual([
      "| from 10,000 hostnames to | moved hostnames with `assigned` | without `assigned` |",
      "| --- | --- | --- |",
      "| 20,000 | 0 (0 %) | 2,465 (25 %) |",
      "",
    ]);
  });

  test("list how long each stack took, in parallel or alone", () => {
    const [, , first, , third, , both] = applied.split("\n");
    expect(first).toBe("| `fleet-1`, in parallel | 1,142 | 433 | 76 | 41 s | 4.7 s | 183 s | 18 s |");
    expect(third).toContain("| `fleet-3`, alone |");
    expect(both).toBe(
      "The 2 parallel stacks took 270 s in total, the single stack 120 s. The cloud's clock ran 30 times as fast as real time.",
    );
  });
});
