/**
 * Rehearses the same migration twice, with the same delay of issuance: without and with the constructs.
 * `npm run timeline` writes the measurements for docs/timeline.svg.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MeasuredTimeline, measuredTimelines } from "../../docs/generate/timeline";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { RehearsalTimeline } from "../../lib/report";
import { compileGate } from "./gate-command";
import { runScenario, type Scenario, scenarios } from "./scenarios";

async function main(): Promise<void> {
  const plain = scenarios.find(({ name }) => name === "without-the-constructs");
  if (plain?.faults === undefined) throw new Error("there is no migration to compare with");
  const gated: Scenario = {
    name: "with-the-constructs",
    summary: "the same migration, with the same delay of issuance",
    faults: plain.faults,
    expect: { completes: true, failedHandshakes: "none" },
  };
  const measured = { without: await measure(plain), with: await measure(gated) };
  writeFileSync(measuredTimelines, `${JSON.stringify(measured, undefined, 1)}\n`);
}

/** @throws if the scenario does not meet its expectations */
async function measure(scenario: Scenario): Promise<MeasuredTimeline> {
  const folder = mkdtempSync(join(tmpdir(), "timeline-"));
  const gate = compileGate();
  const timelines: RehearsalTimeline[] = [];
  try {
    const { ok, problems, probes, failedHandshakes } = await runScenario(scenario, {
      synthesize: synthesizeSpec,
      gateCommand: gate.command,
      folder,
      say: (line) => process.stderr.write(`${line}\n`),
      signal: new AbortController().signal,
      onTimeline: (timeline) => timelines.push(timeline),
    });
    const [timeline] = timelines;
    if (!ok || timeline === undefined) throw new Error(`${scenario.name}: ${problems.join("; ")}`);
    return { handshakes: probes, failed: failedHandshakes, ...summaryOf(timeline) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(gate.folder, { recursive: true, force: true });
  }
}

function summaryOf({ from, events, hostnames }: RehearsalTimeline): Omit<MeasuredTimeline, "handshakes" | "failed"> {
  const [start = from] = events.filter(({ kind }) => kind === "apply").map((event) => event.from);
  const secondsTo = (time: string) => Math.round((Date.parse(time) - Date.parse(start)) / 1_000);
  const applies = events.filter(({ kind }) => kind === "apply");
  return {
    applies: applies.map((apply) => ({ from: secondsTo(apply.from), until: secondsTo(apply.until ?? apply.from) })),
    certificatesActive: events
      .filter(({ kind }) => kind === "certificate-active")
      .map((event) => secondsTo(event.from)),
    hostnames: hostnames.map(({ hostname, runs }) => ({
      hostname,
      runs: runs.map((run) => ({ from: secondsTo(run.from), until: secondsTo(run.until), by: run.by })),
    })),
  };
}

void main();
