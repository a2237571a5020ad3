import { hostnamesVerdict, legendLines, statusTable } from "../../lib/cli/commands/status-view";
import { type HostnameStatus, stepNames } from "../../lib/live/status";

/** Creates a hostname at a step, with all earlier steps done. */
function at(step: number, state: "waiting" | "todo" | "failed" | "unknown", reason?: string): HostnameStatus {
  const steps = stepNames.map((name, index) => ({
    step: index + 1,
    name,
    state: index + 1 < step ? ("done" as const) : index + 1 === step ? state : ("todo" as const),
    ...(index + 1 === step && reason !== undefined ? { reason } : {}),
  }));
  return { hostname: "example.com", steps, current: steps[step - 1] } as unknown as HostnameStatus;
}

test.each([
  [1, "certificate not created yet: to do"],
  [2, "CNAME not published yet: to do"],
  [3, "certificate not active yet: to do"],
  [4, "entry not created yet: to do"],
  [5, "entry not active yet: to do"],
  [6, "map not attached yet: to do"],
  [7, "not verified yet: to do"],
  [8, "traffic not moved yet: to do"],
])("does not show an open step %i as done", (step, text) => {
  expect(statusTable([at(step, "todo")], (_, cell) => cell)).toContain(`  ${step} ${text}`);
});

test("shows a failed step without 'yet'", () => {
  const table = statusTable([at(3, "failed", "CAA forbids it")], (_, cell) => cell);
  expect(table).toContain("3 certificate not active: CAA forbids it");
});

test.each<[string, readonly HostnameStatus[], "error" | "warning" | undefined, string]>([
  ["no open step is done", [at(9, "todo")], undefined, "done"],
  ["an open step is waiting", [at(9, "todo"), at(3, "todo")], undefined, "waiting"],
  ["a failed step is failed", [at(3, "waiting"), at(3, "failed")], undefined, "failed"],
  ["a renewal that fails is failed", [at(9, "todo")], "error", "failed"],
  ["a renewal that is overdue is done", [at(9, "todo")], "warning", "done"],
])("the verdict on hostnames: %s", (_, hostnames, severity, state) => {
  const renewals = severity === undefined ? [] : [{ severity }];
  expect(hostnamesVerdict(hostnames, renewals as unknown as Parameters<typeof hostnamesVerdict>[1]).state).toBe(state);
});

describe("in a terminal", () => {
  const waiting = { ...at(8, "todo", "The hostname leads to 198.51.100.10"), hostname: "a.example.com" };
  const next = "verify, then set traffic.to to loadBalancer and apply";
  const hostnames = [
    at(9, "todo"),
    { ...waiting, current: { ...waiting.current, next } },
    { ...waiting, hostname: "b.example.com", current: { ...waiting.current, next } },
  ] as unknown as readonly HostnameStatus[];

  test.each([60, 80, 120])("lists each state once below the marks, in %i columns", (columns) => {
    const lines = statusTable(hostnames, (_, cell) => cell, columns).split("\n");
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.slice(0, 4)).toEqual([
      "hostname       1  2  3  4  5  6  7  8",
      "example.com    +  +  +  +  +  +  +  +",
      "a.example.com  +  +  +  +  +  +  +  .",
      "b.example.com  +  +  +  +  +  +  +  .",
    ]);
    expect(lines.slice(4).join(" ").replace(/\s+/g, " ").trim()).toBe(
      `8 traffic not moved yet: The hostname leads to 198.51.100.10 a.example.com, b.example.com next: ${next}`,
    );
  });

  test("puts the marks of hostnames that are too long for the terminal below them", () => {
    const hostname = `${"long-".repeat(10)}.example.com`;
    expect(statusTable([{ ...at(9, "todo"), hostname }], (_, cell) => cell, 60).split("\n")).toEqual([
      "hostname",
      "  1  2  3  4  5  6  7  8",
      hostname,
      "  +  +  +  +  +  +  +  +",
      "",
    ]);
  });

  test("is one table where the table fits", () => {
    const plain = statusTable(hostnames, (_, cell) => cell);
    expect(statusTable(hostnames, (_, cell) => cell, 200)).toBe(plain);
    expect(plain.split("\n")[0]).toMatch(/open step +next$/);
  });
});

test.each<[string, number | undefined, readonly string[]]>([
  [
    "a pipe",
    undefined,
    [
      "1 certificate made  2 CNAME published  3 certificate active  4 entry made  5 entry active  6 map attached  7 served and verified  8 traffic moved",
      "+ done  ~ waiting  . to do  X failed  ? not known  - not applicable",
    ],
  ],
  [
    "60 columns",
    60,
    [
      "1 certificate made  2 CNAME published  3 certificate active",
      "4 entry made  5 entry active  6 map attached",
      "7 served and verified  8 traffic moved",
      "+ done  ~ waiting  . to do  X failed  ? not known",
      "- not applicable",
    ],
  ],
])("names every step and every mark in %s", (_, columns, lines) => {
  expect(legendLines(columns)).toEqual(lines);
});
