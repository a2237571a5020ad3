import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { checkEvidence } from "../../lib/rehearsal";

const root = join(__dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "rehearsal-stalls-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Longer than the timeout of any handshake. */
const stallMs = 5_500;
const betweenMs = 1_500;
const fewestStalls = 4;
/** A stall between two handshakes has no effect, so the test needs up to this many stalls. */
const mostStalls = 20;

test("reports no failure of a rehearsal that is suspended and resumed again and again, and its evidence is valid", async () => {
  const evidence = join(folder, "evidence");
  const certificates = "examples/from-certificates/certificates";
  const words = ["rehearse", "--json", "--certificates", certificates, "--evidence", evidence];
  const loader = pathToFileURL(require.resolve("tsx")).href;
  const program = spawn(process.execPath, ["--import", loader, join(root, "lib", "cli", "main.ts"), ...words], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  program.stdout.on("data", (text) => {
    out += text;
  });
  const ended = new Promise<number | null>((resolve) => program.once("close", resolve));
  const isWritten = (name: string) => (statSync(join(evidence, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
  const orEnded = (milliseconds: number) => Promise.race([pause(milliseconds, undefined, { ref: false }), ended]);
  while (program.exitCode === null && !isWritten("probes.jsonl")) await orEnded(50);
  for (let stall = 0; stall < mostStalls && (stall < fewestStalls || !isWritten("discarded.jsonl")); stall++) {
    await orEnded(betweenMs);
    if (program.exitCode !== null) break;
    program.kill("SIGSTOP");
    await pause(stallMs);
    program.kill("SIGCONT");
  }
  expect(await ended).toBe(0);
  const { discarded, ...summary } = JSON.parse(out);
  expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rotation: true, rollback: true });
  expect(discarded).toBeGreaterThan(0);
  const lines = readFileSync(join(evidence, "discarded.jsonl"), "utf8").trim().split("\n");
  expect(lines).toHaveLength(discarded);
  expect((await checkEvidence(evidence)).filter(({ ok }) => !ok)).toEqual([]);
}, 400_000);
