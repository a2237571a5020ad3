import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renewalUnderGates, type Scenario, scenarios } from "../../test/rehearsal/scenarios";
import { tableOf, withTables } from "./markdown";

/** Result of `npm run rehearse:contrast`. */
interface Measured {
  readonly seed: number;
  readonly results: readonly {
    readonly name: string;
    readonly probes: number;
    readonly failedHandshakes: number;
  }[];
}

const page = join(__dirname, "..", "rehearsal.md");
const measured = join(__dirname, "measured.json");

/** Returns docs/rehearsal.md with its generated tables. */
export function scenariosPage(): string {
  const measurement = JSON.parse(readFileSync(measured, "utf8")) as Measured;
  const tables = {
    gates: gatesTable(),
    measured: measuredTable(measurement, scenarios),
    scenarios: scenariosTable(scenarios),
  };
  return withTables(readFileSync(page, "utf8"), tables);
}

/** Returns a table of each gate while a renewal fails, from the renewal scenarios. */
function gatesTable(): string {
  const rows = Object.entries(renewalUnderGates).map(([gate, { plan, apply }]) => {
    const scenario = scenarios.find(({ name }) => name === `renewal-under-gate-${gate}`);
    return [`\`${gate}\``, plan, apply, scenario?.expect.failedHandshakes === "none" ? "none fail" : "some fail"];
  });
  return tableOf(["gate", "plan during the renewal", "unrelated apply during the renewal", "handshakes"], rows);
}

/** Returns a table of the scenarios in which handshakes must fail, with the measured numbers. */
export function measuredTable({ seed, results }: Measured, all: readonly Scenario[]): string {
  const rows = all
    .filter(({ expect }) => expect.failedHandshakes === "some")
    .map(({ name, summary, expect }) => {
      const result = results.find((each) => each.name === name);
      if (result === undefined) throw new Error(`'${name}' was not measured: run npm run rehearse:contrast`);
      const { failedHandshakes, probes } = result;
      const share = Math.round((100 * failedHandshakes) / probes);
      const isJudged = expect.messages?.includes("check-plan refuses") === true;
      return [
        `\`${name}\``,
        literal(summary),
        `${failedHandshakes} of ${probes} (${share} %)`,
        isJudged ? "refuses the plan" : "",
      ];
    });
  return `${tableOf(["scenario", "event", "failed handshakes", "`check-plan`"], rows)}\nMeasured with seed ${seed}.\n`;
}

/** Returns a table of all scenarios and their expected results. */
export function scenariosTable(all: readonly Scenario[]): string {
  const rows = all.map((scenario) => [`\`${scenario.name}\``, literal(scenario.summary), holdsIn(scenario)]);
  return tableOf(["scenario", "event", "expected result"], rows);
}

function literal(text: string): string {
  return text.replace(/([*\\])/g, "\\$1");
}

function holdsIn({ expect }: Scenario): string {
  const { completes, failedHandshakes, destroyed = true, converges = true } = expect;
  return [
    failedHandshakes === "none" ? "no handshake fails" : "some handshakes fail",
    completes
      ? "the run completes"
      : failedHandshakes === "none"
        ? "the run stops; live traffic is not affected"
        : undefined,
    converges ? "the next plan is empty" : undefined,
    destroyed ? "a destroy leaves nothing" : "a destroy is refused",
  ]
    .filter((fact) => fact !== undefined)
    .join("; ");
}
