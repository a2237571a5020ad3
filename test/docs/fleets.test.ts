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

  test("have the plan, and on which machine after which load it was measured", () => {
    expect(plan.split("\n")).toEqual([
      "|  |  |",
      "| --- | --- |",
      "| hostnames | 10,000, on 5,000 certificates of a name and its wildcard |",
      "| `maxEntriesPerMap` | 1,000 |",
      "| stacks | 16 |",
      "| map entries of a stack | 580 to 678 |",
      "| resources of a stack, gates among them | 2,000 |",
      "| commands of a stack that Terraform runs in phase `serve` | 307 to 359 |",
      "| splitting | 2.6 s |",
      "| synthesizing all stacks in one app | 43 s, 36.5 MiB of JSON |",
      "",
      "Measured on 2026-11-21: P, 2 cores, 8 GiB, Node 20.1.0. Before that the machine had load averages of 1, 2.5, 3 over 1, 5 and 15 minutes.",
      "",
    ]);
  });

  test("say how many hostnames move when it grows", () => {
    expect(growth.split("\n")).toEqual([
      "| from 10,000 hostnames to | hostnames that move, with `assigned` | without it |",
      "| --- | --- | --- |",
      "| 20,000 | 0 (0 %) | 2,465 (25 %) |",
      "",
    ]);
  });

  test("say how long each stack took, at once with others or alone", () => {
    const [, , first, , third, , both] = applied.split("\n");
    expect(first).toBe("| `fleet-1`, at once with the others | 1,142 | 433 | 76 | 41 s | 4.7 s | 183 s | 18 s |");
    expect(third).toContain("| `fleet-3`, alone |");
    expect(both).toBe(
      "The 2 at once took 270 s altogether, the one alone 120 s. The cloud's clock ran 30 times as fast as the machine's.",
    );
  });
});
