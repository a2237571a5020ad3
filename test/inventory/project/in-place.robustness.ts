import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startCloud } from "../../../lib/cloud";
import { generateProject } from "../../support/generated-project";
import { runCli } from "../../support/io";

const root = join(__dirname, "..", "..", "..");
const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
const now = new Date("2026-11-21T00:00:00Z");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "project-in-place-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program as users run it, with the gate that runs it again. */
function rehearse(file: string): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const words = [tsx, join(root, "lib", "cli", "main.ts"), "rehearse", "--json", "--spec", file];
    execFile(process.execPath, words, { cwd: root }, (_, stdout, stderr) => {
      const last = stdout.trim().split("\n").at(-1) ?? "";
      if (last === "") reject(new Error(stderr));
      else resolve({ ...(JSON.parse(last) as Readonly<Record<string, unknown>>), stderr });
    });
  });
}

// These seeds were drawn once; no other test or page uses them.
test.each([838775, 344803, 237033, 737522, 41061])(
  "migrates the project of seed %d from its inventory to map traffic without a failed handshake",
  async (seed) => {
    const world = generateProject({ seed, now, forwardingRules: 5, certificates: 7, everyNameHasZone: true });
    const cloud = await startCloud({ speed: 0, startAt: now, world });
    const file = join(folder, "migration.yaml");
    try {
      const project = ["--project", "shop-prod", "--dns-project", "shop-prod-dns"];
      const words = ["inventory", ...project, "--endpoint", cloud.endpoints.http, "--json", "--out", file];
      const { stderr } = await runCli(words, { now: () => now });
      expect(stderr).not.toContain("is not written");
    } finally {
      await cloud.stop();
    }
    const summary = await rehearse(file);
    expect(summary).toMatchObject({ ok: true, failedHandshakes: 0, rollback: true });
    expect((summary.steps as readonly { number: number }[]).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((summary.acts as readonly { ok: boolean }[]).map(({ ok }) => ok)).toEqual([true, true]);
  },
  600_000,
);
