import { measuredTable, scenariosTable } from "../../docs/generate/scenarios";
import type { Scenario } from "../rehearsal/scenarios";

const scenario = (expect: Scenario["expect"]): Scenario => ({ name: "n", summary: "a | b of *.example.com", expect });

test.each<[string, Scenario["expect"], string]>([
  [
    "the run completes",
    { completes: true, failedHandshakes: "none" },
    "no handshake fails; the run completes; the next plan is empty; a destroy leaves nothing",
  ],
  [
    "the run stops",
    { completes: false, failedHandshakes: "none" },
    "no handshake fails; the run stops; live traffic is not affected; the next plan is empty; a destroy leaves nothing",
  ],
  [
    "handshakes fail",
    { completes: false, failedHandshakes: "some", converges: false, destroyed: false },
    "some handshakes fail; a destroy is refused",
  ],
])("the table of scenarios lists the expected result if %s", (_, expect_, holds) => {
  expect(scenariosTable([scenario(expect_)]).split("\n")).toEqual([
    "| scenario | event | expected result |",
    "| --- | --- | --- |",
    `| \`n\` | a \\| b of \\*.example.com | ${holds} |`,
    "",
  ]);
});

describe("the table of measured failures", () => {
  const harmed = scenario({ completes: false, failedHandshakes: "some", messages: ["check-plan refuses"] });
  const unharmed = { ...scenario({ completes: true, failedHandshakes: "none" }), name: "good" };

  test("lists scenarios with failed handshakes, and the seed", () => {
    const measured = { seed: 7, results: [{ name: "n", probes: 300, failedHandshakes: 100 }] };
    expect(measuredTable(measured, [harmed, unharmed]).split("\n").slice(2)).toEqual([
      "| `n` | a \\| b of \\*.example.com | 100 of 300 (33 %) | refuses the plan |",
      "",
      "Measured with seed 7.",
      "",
    ]);
  });

  test("throws for a scenario that was not measured", () => {
    expect(() => measuredTable({ seed: 7, results: [] }, [harmed])).toThrow("'n' was not measured");
  });
});
