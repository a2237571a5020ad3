import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Scenario, type ScenarioResult, scenarios } from "../../lib/rehearsal";
import { markdownOf, rowOf } from "./render";

const result: ScenarioResult = {
  name: "killed-at-map",
  ok: true,
  problems: [],
  proof: ["killed Terraform at a.b"],
  probes: 1200,
  failedHandshakes: 0,
  struck: 1,
  completed: true,
  imported: 1,
  converged: true,
  left: [],
  seconds: 12.3,
};

test("a row tells what was measured, and what is wrong below it", () => {
  const facts = "0 of 1200 handshakes failed, 1 faults, completed, 1 imported, settled, 12.3 s";
  expect(rowOf(result)).toBe(`ok     ${"killed-at-map".padEnd(36)} ${facts}\n`);
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
    `FAILED ${"killed-at-map".padEnd(36)} 0 of 1200 handshakes failed, 1 faults, stopped, not settled, 2 left, 12.3 s\n       x\n`,
  );
});

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
])("a table of Markdown says what holds where %s", (_, expect_, holds) => {
  expect(markdownOf([scenario(expect_)]).split("\n")).toEqual([
    "| scenario | what happens | what holds |",
    "| --- | --- | --- |",
    `| \`n\` | a \\| b of \\*.example.com | ${holds} |`,
    "",
  ]);
});

test("docs/scenarios.md has the table of all scenarios: 'npm run rehearse:matrix -- --markdown' prints it", () => {
  const page = readFileSync(join(__dirname, "..", "..", "docs", "scenarios.md"), "utf8");
  const [, table] = /<!-- scenarios: .*? -->\n(.*)<!-- \/scenarios -->/s.exec(page) ?? [];
  expect(table).toBe(markdownOf(scenarios));
});
