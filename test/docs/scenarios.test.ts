import { measuredTable, scenariosTable } from "../../docs/generate/scenarios";
import type { Scenario } from "../rehearsal/scenarios";

const scenario = (expect: Scenario["expect"]): Scenario => ({ name: "n", summary: "a | b of *.example.com", expect });

test.each<[string, Scenario["expect"], string]>([
  [
    "all is well",
    { completes: true, failedHandshakes: "none" },
    "no handshake fails; all ends as it should; the next run has nothing to do; a destroy leaves nothing",
  ],
  [
    "it stops",
    { completes: false, failedHandshakes: "none" },
    "no handshake fails; it stops, and what served goes on serving; the next run has nothing to do; a destroy leaves nothing",
  ],
  [
    "something is lost",
    { completes: false, failedHandshakes: "some", converges: false, destroyed: false },
    "handshakes fail, and are counted; a destroy is refused",
  ],
])("the table of scenarios says what holds where %s", (_, expect_, holds) => {
  expect(scenariosTable([scenario(expect_)]).split("\n")).toEqual([
    "| scenario | what happens | what holds |",
    "| --- | --- | --- |",
    `| \`n\` | a \\| b of \\*.example.com | ${holds} |`,
    "",
  ]);
});

describe("the table of what was measured", () => {
  const harmed = scenario({ completes: false, failedHandshakes: "some", told: ["check-plan refuses"] });
  const unharmed = { ...scenario({ completes: true, failedHandshakes: "none" }), name: "good" };

  test("has those that lose handshakes, and the seed", () => {
    const measured = { seed: 7, results: [{ name: "n", probes: 300, failedHandshakes: 100 }] };
    expect(measuredTable(measured, [harmed, unharmed]).split("\n").slice(2)).toEqual([
      "| `n` | a \\| b of \\*.example.com | 100 of 300 (33 %) | refuses the plan |",
      "",
      "Measured with seed 7.",
      "",
    ]);
  });

  test("fails for one that was not measured", () => {
    expect(() => measuredTable({ seed: 7, results: [] }, [harmed])).toThrow("'n' was not measured");
  });
});
