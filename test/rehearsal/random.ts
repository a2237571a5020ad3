/**
 * Rehearses random migrations completely: each has to converge without a failed handshake. Ends with `N passed,
 * N failed`.
 *
 * `--count N` (100), `--seed N` (random by default, and printed), `--only N` (only migration N, from 1), `--jobs N`
 * (2).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { arbitraryScenario } from "./arbitrary-scenario";
import { compileGate } from "./gate-command";
import { inParallel } from "./in-parallel";
import { runScenario, type Scenario } from "./scenarios";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string" },
    only: { type: "string" },
    jobs: { type: "string", default: "2" },
  },
});

async function main(): Promise<number> {
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  const drawn = fc.sample(arbitraryScenario, { seed, numRuns: Number(values.count) });
  process.stderr.write(`${drawn.length} migrations, seed ${seed}\n`);
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-random-"));
  const gate = compileGate();
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  const startedAt = performance.now();
  const rehearseOne = async (drawnScenario: Scenario, index: number): Promise<boolean | undefined> => {
    const number = index + 1;
    if (stopping.signal.aborted || (values.only !== undefined && Number(values.only) !== number)) return undefined;
    const lines: string[] = [];
    const scenario = { ...drawnScenario, name: `random-${number}` };
    const { ok, problems, probes, failedHandshakes, seconds } = await runScenario(scenario, {
      synthesize: synthesizeSpec,
      gateCommand: gate.command,
      folder,
      say: (line) => lines.push(line),
      signal: stopping.signal,
    });
    process.stdout.write(
      `${ok ? "ok    " : "FAILED"} ${number}: ${failedHandshakes} of ${probes} handshakes failed, ${seconds} s\n`,
    );
    if (!ok) {
      const reported = [...problems, ...lines, JSON.stringify(scenario)].map((line) => `    ${line}\n`);
      process.stderr.write(reported.join(""));
    }
    return ok;
  };
  try {
    const results = await inParallel(drawn, Number(values.jobs), rehearseOne);
    const [passed, failed] = [true, false].map((wanted) => results.filter((ok) => ok === wanted).length);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    process.stdout.write(`seed ${seed}, ${seconds} s\n${passed} passed, ${failed} failed\n`);
    return failed === 0 && !stopping.signal.aborted ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(gate.folder, { recursive: true, force: true });
  }
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
