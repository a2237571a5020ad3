import type { Scenario, ScenarioResult } from "../../lib/rehearsal";

/** A result on one line, and below it what is wrong. */
export function rowOf(result: ScenarioResult): string {
  const { ok, name, probes, failedHandshakes, struck, completed, converged, imported, left, seconds } = result;
  const facts = [
    `${failedHandshakes} of ${probes} handshakes failed`,
    `${struck} faults`,
    completed ? "completed" : "stopped",
    ...(imported > 0 ? [`${imported} imported`] : []),
    converged ? "settled" : "not settled",
    ...(left.length > 0 ? [`${left.length} left`] : []),
    `${seconds} s`,
  ];
  const problems = result.problems.map((problem) => `\n       ${problem}`);
  return `${ok ? "ok    " : "FAILED"} ${name.padEnd(36)} ${facts.join(", ")}${problems.join("")}\n`;
}

/** The scenarios as a table of Markdown: what happens, and what holds in spite of it. */
export function markdownOf(scenarios: readonly Scenario[]): string {
  const cell = (text: string) => text.replace(/([|*\\])/g, "\\$1");
  const rows = scenarios.map(
    (scenario) => `| \`${scenario.name}\` | ${cell(scenario.summary)} | ${cell(holdsIn(scenario))} |`,
  );
  return ["| scenario | what happens | what holds |", "| --- | --- | --- |", ...rows, ""].join("\n");
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
