import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import { compileGate, type GateProgram } from "./gate-command";
import { runScenario, type Scenario, scenarios } from "./scenarios";

let gate: GateProgram;
let folder: string;
beforeAll(() => {
  gate = compileGate();
  folder = mkdtempSync(join(tmpdir(), "scenarios-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(gate.folder, { recursive: true, force: true });
});

test("fails an undisturbed run of a scenario if its subject never occurred", async () => {
  const scenario = scenarios.find(({ name }) => name === "one-deploy") as Scenario;
  const stretched: Scenario = { ...scenario, course: { order: "phases" }, extras: false };
  const { ok, problems, completed, failedHandshakes } = await runScenario(stretched, {
    synthesize: synthesizeSpec,
    gateCommand: gate.command,
    folder,
    say: () => undefined,
    signal: new AbortController().signal,
  });
  expect({ ok, problems, completed, failedHandshakes }).toEqual({
    ok: false,
    problems: ["not proven: 0 applies that made all there is from authorizations to forwarding rules, and not 1"],
    completed: true,
    failedHandshakes: 0,
  });
}, 300_000);
