import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renewalUnderGates, type Scenario, scenarios } from "../../test/rehearsal/scenarios";
import { tableOf, withTables } from "./markdown";

/** What `npm run rehearse:contrast` measured. */
interface Measured {
  readonly seed: number;
  readonly results: readonly {
    readonly name: string;
    readonly probes: number;
    readonly failedHandshakes: number;
  }[];
}

const page = join(__dirname, "..", "scenarios.md");
const measured = join(__dirname, "measured.json");

/** The page of scenarios, with its tables as they are today. */
export function scenariosPage(): string {
  const measurement = JSON.parse(readFileSync(measured, "utf8")) as Measured;
  const tables = {
    gates: gatesTable(),
    measured: measuredTable(measurement, scenarios),
    scenarios: scenariosTable(scenarios),
  };
  return withTables(readFileSync(page, "utf8"), tables);
}

/** What each gate does while a certificate is renewed in vain, as the scenarios of renewals hold it. */
function gatesTable(): string {
  const rows = Object.entries(renewalUnderGates).map(([gate, { plan, apply }]) => {
    const scenario = scenarios.find(({ name }) => name === `renewal-under-gate-${gate}`);
    return [`\`${gate}\``, plan, apply, scenario?.expect.failedHandshakes === "none" ? "none fails" : "some fail"];
  });
  return tableOf(["gate", "a plan meanwhile", "an unrelated apply meanwhile", "handshakes"], rows);
}

/** How many handshakes were lost where some have to be. */
export function measuredTable({ seed, results }: Measured, all: readonly Scenario[]): string {
  const rows = all
    .filter(({ expect }) => expect.failedHandshakes === "some")
    .map(({ name, summary, expect }) => {
      const result = results.find((each) => each.name === name);
      if (result === undefined) throw new Error(`'${name}' was not measured: npm run rehearse:contrast`);
      const { failedHandshakes, probes } = result;
      const share = Math.round((100 * failedHandshakes) / probes);
      const isJudged = expect.told?.includes("check-plan refuses") === true;
      return [
        `\`${name}\``,
        literal(summary),
        `${failedHandshakes} of ${probes} (${share} %)`,
        isJudged ? "refuses the plan" : "",
      ];
    });
  return `${tableOf(["scenario", "what happens", "handshakes failed", "`check-plan`"], rows)}\nMeasured with seed ${seed}.\n`;
}

/** What happens in each scenario, and what holds in spite of it. */
export function scenariosTable(all: readonly Scenario[]): string {
  const rows = all.map((scenario) => [`\`${scenario.name}\``, literal(scenario.summary), holdsIn(scenario)]);
  return tableOf(["scenario", "what happens", "what holds"], rows);
}

function literal(text: string): string {
  return text.replace(/([*\\])/g, "\\$1");
}

function holdsIn({ expect }: Scenario): string {
  const { completes, failedHandshakes, destroyed = true, converges = true } = expect;
  return [
    failedHandshakes === "none" ? "no handshake fails" : "handshakes fail, and are counted",
    completes
      ? "all ends as it should"
      : failedHandshakes === "none"
        ? "it stops, and what served goes on serving"
        : undefined,
    converges ? "the next run has nothing to do" : undefined,
    destroyed ? "a destroy leaves nothing" : "a destroy is refused",
  ]
    .filter((fact) => fact !== undefined)
    .join("; ");
}
