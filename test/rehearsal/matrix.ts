/**
 * The fault matrix: rehearses every scenario, prints a table, and ends with `N passed, N failed`.
 *
 * `--only NAME,NAME` (any parts of names), `--part 1/3` (every third scenario), `--sample N --seed N` (N random
 * scenarios; prints a random seed by default), `--jobs N` (2), `--json`, `--contrast FILE` (only scenarios with failed
 * handshakes; writes the measurements for docs/rehearsal.md), `--keep FOLDER`, `--provider real` (the google provider
 * that `terraform init` installs), `--provider-version V` (instead of the version of the bindings).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { choose } from "./choose";
import { compileGate } from "./gate-command";
import { inParallel } from "./in-parallel";
import { contrastOf, rowOf } from "./render";
import { runScenario, type Scenario, type ScenarioResult, scenarios } from "./scenarios";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    part: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string" },
    jobs: { type: "string", default: "2" },
    keep: { type: "string" },
    terraform: { type: "string", default: "terraform" },
    json: { type: "boolean", default: false },
    contrast: { type: "string" },
    provider: { type: "string", default: "stand-in" },
    "provider-version": { type: "string" },
  },
});

async function main(): Promise<number> {
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
  const harmed = scenarios.filter(({ expect }) => expect.failedHandshakes === "some");
  const chosen = choose(values.contrast === undefined ? scenarios : harmed, { ...values, seed });
  process.stderr.write(`${chosen.length} of ${scenarios.length} scenarios, seed ${seed}\n`);
  const version = values["provider-version"];
  const startedAt = performance.now();
  const folder = values.keep ?? mkdtempSync(join(tmpdir(), "rehearsal-matrix-"));
  const gate = compileGate();
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  const rehearseOne = async (scenario: Scenario): Promise<ScenarioResult | undefined> => {
    if (stopping.signal.aborted) return undefined;
    const lines: string[] = [];
    const result = await runScenario(scenario, {
      synthesize: synthesizeSpec,
      gateCommand: gate.command,
      folder,
      terraform: values.terraform,
      provider: values.provider === "real" ? "real" : "stand-in",
      ...(version === undefined ? {} : { providerVersion: version }),
      say: (line) => lines.push(line),
      signal: stopping.signal,
      seed,
    }).catch((error: Error) => brokenResult(scenario.name, error));
    if (!values.json) process.stdout.write(rowOf(result));
    if (!result.ok) process.stderr.write(lines.map((line) => `    ${line}\n`).join(""));
    return result;
  };
  try {
    const results = (await inParallel(chosen, Number(values.jobs), rehearseOne)).flatMap((result) => result ?? []);
    const failed = results.filter(({ ok }) => !ok).length;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    if (values.contrast !== undefined && failed === 0) {
      const measured = results.map(({ name, probes, failedHandshakes }) => ({ name, probes, failedHandshakes }));
      writeFileSync(values.contrast, `${JSON.stringify({ seed, results: measured }, undefined, 2)}\n`);
    }
    if (values.json) process.stdout.write(`${JSON.stringify({ seed, seconds, results })}\n`);
    else
      process.stdout.write(
        `${contrastOf(results, scenarios)}seed ${seed}, ${seconds} s\n${results.length - failed} passed, ${failed} failed\n`,
      );
    return failed === 0 && !stopping.signal.aborted ? 0 : 1;
  } finally {
    if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
    rmSync(gate.folder, { recursive: true, force: true });
  }
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
    faultCount: 0,
    completed: false,
    imported: 0,
    converged: false,
    left: [],
    seconds: 0,
  };
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
