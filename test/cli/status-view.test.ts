import { statusTable } from "../../lib/cli/commands/status-view";
import { type HostnameStatus, stepNames } from "../../lib/live/status";

/** A hostname that is at a step, with all earlier steps done. */
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
