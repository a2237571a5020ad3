/**
 * The fault matrix: rehearses every scenario, prints a table, and ends with `N passed, N failed`.
 *
 * `--only NAME` (any part of a name), `--part 1/3` (every third scenario), `--sample N --seed N` (so many by lot), `--json`, `--keep FOLDER`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { runScenario, type ScenarioResult, scenarios } from "../../lib/rehearsal";
import { choose } from "./choose";
import { gateCommand } from "./gate-command";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    part: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string" },
    keep: { type: "string" },
    terraform: { type: "string", default: "terraform" },
    json: { type: "boolean", default: false },
  },
});

async function main(): Promise<number> {
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  const chosen = choose(scenarios, { ...values, seed });
  process.stderr.write(`${chosen.length} of ${scenarios.length} scenarios, seed ${seed}\n`);
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), "rehearsal-matrix-"));
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  const results: ScenarioResult[] = [];
  try {
    for (const scenario of chosen) {
      if (stopping.signal.aborted) break;
      const lines: string[] = [];
      const result = await runScenario(scenario, {
        synthesize: synthesizeSpec,
        gateCommand,
        folder,
        terraform: values.terraform,
        say: (line) => lines.push(line),
        signal: stopping.signal,
        ...(values.seed === undefined ? {} : { seed }),
      }).catch((error: Error) => brokenResult(scenario.name, error));
      results.push(result);
      if (!values.json) process.stdout.write(`${row(result)}\n`);
      if (!result.ok) process.stderr.write(lines.map((line) => `    ${line}\n`).join(""));
    }
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
  const failed = results.filter(({ ok }) => !ok).length;
  if (values.json) process.stdout.write(`${JSON.stringify({ seed, results })}\n`);
  else process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 && !stopping.signal.aborted ? 0 : 1;
}

function brokenResult(name: string, error: Error): ScenarioResult {
  const problems = [error.stack ?? error.message];
  return {
    name,
    ok: false,
    problems,
    proof: [],
    probes: 0,
    failedHandshakes: 0,
    struck: 0,
    completed: false,
    imported: 0,
    converged: false,
    left: [],
    seconds: 0,
  };
}

function row({ name, ok, probes, failedHandshakes, struck, completed, seconds, problems }: ScenarioResult): string {
  const counts = `${failedHandshakes} of ${probes} handshakes failed, ${struck} faults, ${completed ? "completed" : "stopped"}`;
  return `${ok ? "ok    " : "FAILED"} ${name.padEnd(36)} ${counts}, ${seconds} s${problems.map((problem) => `\n       ${problem}`).join("")}`;
}

main().then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = 1;
  },
);
