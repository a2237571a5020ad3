import { contrastOf, rowOf } from "./render";
import type { Scenario, ScenarioResult } from "./scenarios";

const result: ScenarioResult = {
  name: "killed-at-map",
  ok: true,
  problems: [],
  proof: ["killed Terraform at a.b"],
  probes: 1200,
  failedHandshakes: 0,
  faultCount: 1,
  completed: true,
  imported: 1,
  converged: true,
  left: [],
  seconds: 12.3,
};

test("renders a row of measurements, with the errors below it", () => {
  const facts = "0 of 1200 handshakes failed, 1 faults, completed, 1 imported, settled, 12.3 s";
  expect(rowOf(result)).toBe(`ok     ${"killed-at-map".padEnd(44)} ${facts}\n`);
  const bad = {
    ...result,
    ok: false,
    completed: false,
    converged: false,
    imported: 0,
    left: ["a", "b"],
    problems: ["x"],
  };
  expect(rowOf(bad)).toBe(
    `FAILED ${"killed-at-map".padEnd(44)} 0 of 1200 handshakes failed, 1 faults, stopped, not settled, 2 left, 12.3 s\n       x\n`,
  );
});

test("counts scenarios that must lose handshakes together", () => {
  const harmed: Scenario = { name: "bare", summary: "", expect: { completes: false, failedHandshakes: "some" } };
  const results = [result, { ...result, name: "bare", failedHandshakes: 300 }];
  expect(contrastOf(results, [harmed])).toBe(
    `lost without the constructs, a gate, or care:\n  ${"bare".padEnd(44)} 300 of 1200 (25 %)\n`,
  );
  expect(contrastOf([result], [harmed])).toBe("");
});
