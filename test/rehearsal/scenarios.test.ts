import { readFaultPlan } from "../../lib/cloud";
import type { RehearsalResult } from "../../lib/rehearsal";
import { scenarios } from "../../lib/rehearsal";
import { problemsOf } from "../../lib/rehearsal/scenarios/run";
import type { Scenario } from "../../lib/rehearsal/scenarios/scenario";

test("there are at least forty, each with a name of its own", () => {
  const names = scenarios.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test("every fault plan is one that the cloud takes", () => {
  const plans = scenarios.flatMap(({ faults }) => (faults === undefined ? [] : [faults]));
  expect(plans.map(readFaultPlan)).toEqual(plans);
});

describe("the verdict on a scenario", () => {
  const good: RehearsalResult = {
    ok: true,
    steps: [],
    probes: 100,
    failedHandshakes: 0,
    acts: [],
    converged: true,
    destroyed: true,
    left: [],
    failures: [],
    struck: [{ list: "requests", count: 2 }],
    kills: 1,
    imports: 0,
  };
  const unharmed: Scenario["expect"] = { completes: true, failedHandshakes: "none" };
  const harmed: Scenario["expect"] = { completes: false, failedHandshakes: "some" };

  test.each<[string, Scenario["expect"], Partial<RehearsalResult>, readonly string[]]>([
    ["all as it should be", unharmed, {}, []],
    ["failures where some are measured", harmed, { ok: false, failedHandshakes: 3 }, []],
    ["a handshake failed", unharmed, { ok: false, failedHandshakes: 1 }, ["1 of 100 handshakes failed"]],
    ["it stopped", unharmed, { ok: false }, ["the migration did not complete"]],
    ["the fault never struck", unharmed, { struck: [{ list: "dns", count: 0 }] }, ["1 of 1 faults never struck"]],
    ["Terraform was not killed", unharmed, { kills: 0 }, ["killed 0 times, not 1"]],
    ["nobody was told", { ...unharmed, told: "AAAA" }, {}, ["nobody was told: AAAA"]],
    ["what was to be told was told", { ...unharmed, told: "step" }, {}, []],
    [
      "nothing was lost where something had to be",
      harmed,
      {},
      [
        "no handshake failed, and some had to: the measurement is wrong",
        "the migration completed, and should not have",
      ],
    ],
  ])("%s", (_, expect_, change, problems) => {
    const scenario: Scenario = { name: "s", summary: "", kills: ["x"], expect: expect_ };
    expect(problemsOf(scenario, { ...good, ...change }, ["ok step 1"])).toEqual(problems);
  });
});
