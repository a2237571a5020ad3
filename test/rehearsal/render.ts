import type { Scenario, ScenarioResult } from "./scenarios";

/** Returns a result on one line, with its problems below. */
export function rowOf(result: ScenarioResult): string {
  const { ok, name, probes, failedHandshakes, faultCount, completed, converged, imported, left, seconds } = result;
  const facts = [
    `${failedHandshakes} of ${probes} handshakes failed`,
    `${faultCount} faults`,
    completed ? "completed" : "stopped",
    ...(imported > 0 ? [`${imported} imported`] : []),
    converged ? "settled" : "not settled",
    ...(left.length > 0 ? [`${left.length} left`] : []),
    `${seconds} s`,
  ];
  const problems = result.problems.map((problem) => `\n       ${problem}`);
  return `${ok ? "ok    " : "FAILED"} ${name.padEnd(44)} ${facts.join(", ")}${problems.join("")}\n`;
}

/** Returns the losses in scenarios that must lose handshakes, as a comparison for all other scenarios. */
export function contrastOf(results: readonly ScenarioResult[], all: readonly Scenario[]): string {
  const harmed = all.filter(({ expect }) => expect.failedHandshakes === "some").map(({ name }) => name);
  const rows = results
    .filter(({ name }) => harmed.includes(name))
    .map(({ name, failedHandshakes, probes }) => {
      const share = probes === 0 ? 0 : Math.round((100 * failedHandshakes) / probes);
      return `  ${name.padEnd(44)} ${failedHandshakes} of ${probes} (${share} %)\n`;
    });
  return rows.length === 0 ? "" : `lost without the constructs, a gate, or care:\n${rows.join("")}`;
}
