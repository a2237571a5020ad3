/**
 * Rehearses with the real google provider: the main job with every version in a filesystem mirror, a service that the
 * bindings do not know, and random scenarios with the newest version of the bindings' major version. Ends with `N
 * passed, N failed`.
 *
 * `--mirror FOLDER` (as Terraform's `filesystem_mirror` has it), `--sample N` (10 scenarios), `--seed N`, `--jobs N`
 * (2), `--only V` (one version), `--without-main-job` (only the scenarios).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { synthesizeSpec } from "../../lib/cli/synthesize";
import type { LoggedRequest } from "../../lib/cloud";
import { inventoryToSpec, takeInventory } from "../../lib/inventory";
import { type RehearsalResult, rehearse, scriptOf } from "../../lib/rehearsal";
import { withProviderVersion } from "../../lib/rehearsal/stack";
import { compileGate } from "./gate-command";
import { installationSettings, versionsIn } from "./provider-mirror";
import { hasUnknownService, isUnknownServiceRefused } from "./unknown-service";

const { values } = parseArgs({
  options: {
    mirror: { type: "string" },
    sample: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    only: { type: "string" },
    "without-main-job": { type: "boolean", default: false },
  },
});

const root = join(__dirname, "..", "..");
const certificates = join(root, "examples", "from-certificates", "certificates");

async function main(): Promise<number> {
  if (values.mirror === undefined) throw new Error("give --mirror FOLDER");
  const versions = versionsIn(values.mirror).filter((version) => values.only === undefined || version === values.only);
  if (versions.length === 0) throw new Error(`${values.mirror} has no hashicorp/google for this system`);
  const folder = mkdtempSync(join(tmpdir(), "rehearsal-provider-"));
  const settings = join(folder, "install.tfrc");
  writeFileSync(settings, installationSettings(values.mirror));
  process.env.TF_CLI_CONFIG_FILE = settings;
  const gate = compileGate();
  try {
    let failed = 0;
    const used = values["without-main-job"] ? [] : versions;
    let standInMs = 0;
    if (used.length > 0) {
      const startedAt = performance.now();
      await mainJob(used[0] ?? "", join(folder, "stand-in"), gate.command, "stand-in");
      standInMs = performance.now() - startedAt;
      process.stdout.write(`       stand-in, ${(standInMs / 1_000).toFixed(0)} s\n`);
    }
    for (const version of used) {
      const startedAt = performance.now();
      const polls = new Set<string>();
      const result = await mainJob(version, join(folder, version), gate.command, "real", polls);
      const isPassed = isGood(result) && polls.size > 0;
      const tookMs = performance.now() - startedAt;
      const time = `${(tookMs / 1_000).toFixed(0)} s, ${(tookMs / standInMs).toFixed(1)} times the stand-in`;
      const counted = `${polls.size} operations polled`;
      process.stdout.write(`${isPassed ? "ok    " : "FAILED"} ${version} ${lineOf(result)}, ${counted}, ${time}\n`);
      failed += isPassed ? 0 : 1;
    }
    const unknown = used.filter(hasUnknownService);
    for (const version of unknown) {
      const isRefused = await isUnknownServiceRefused(version, join(folder, `unknown-${version}`));
      const line = `${version} a service that the bindings do not know is refused by the closed proxy`;
      process.stdout.write(`${isRefused ? "ok    " : "FAILED"} ${line}\n`);
      failed += isRefused ? 0 : 1;
    }
    const [passedScenarios, failedScenarios] = values.sample === "0" ? [0, 0] : matrix(versions);
    process.stdout.write(
      `${used.length + unknown.length - failed + passedScenarios} passed, ${failed + failedScenarios} failed\n`,
    );
    return failed + failedScenarios === 0 ? 0 : 1;
  } finally {
    rmSync(gate.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Steps, rotation, rollback, an empty last plan and a destroy that leaves nothing. */
function isGood({ ok, rotation, rollback, converged }: RehearsalResult): boolean {
  return ok && rotation === true && rollback === true && converged === true;
}

function lineOf({ steps, failedHandshakes, probes, rotation, rollback, converged, left }: RehearsalResult): string {
  const done = steps.filter(({ ok }) => ok).length;
  return `${done}/8 steps, rotation ${rotation}, rollback ${rollback}, last plan empty ${converged}, ${left.length} left, ${failedHandshakes} of ${probes} handshakes failed`;
}

/**
 * Runs the rehearsal of `npm run rehearse` with another version of the provider.
 *
 * @param polls receives the operations that were pending in their first response
 */
async function mainJob(
  version: string,
  folder: string,
  gateCommand: string,
  provider: "real" | "stand-in",
  polls = new Set<string>(),
): Promise<RehearsalResult> {
  const made = inventoryToSpec(takeInventory([certificates], { now: new Date() }), "shop");
  if (made === undefined) throw new Error(`${certificates} has nothing to migrate`);
  // The provider has types for alerts whose ids the service chooses, unlike all others of a migration.
  const alerts = {
    uptimeChecks: "all",
    notificationChannels: ["projects/rehearsal-project/notificationChannels/1"],
  } as const;
  const { hostnames, specOf } = scriptOf({ ...made.spec, alerts }, gateCommand);
  const lines: string[] = [];
  const notePoll = ({ httpMethod, target }: LoggedRequest) => {
    const [path = ""] = target.split("?");
    // The provider polls every change of Cloud DNS, even after it is done.
    if (httpMethod === "GET" && /\/operations\/[^/]+$/.test(path)) polls.add(path);
  };
  const result = await rehearse({
    migration: {
      synthesize: (variant) => {
        const stack = synthesizeSpec(specOf(variant), "rehearsal-project");
        return provider === "real" ? withProviderVersion(stack, version) : stack;
      },
      hostnames,
    },
    terraform: { folder, provider },
    output: { say: (line) => lines.push(line), observers: [{ request: notePoll }] },
    signal: new AbortController().signal,
  });
  if (!isGood(result)) process.stdout.write(lines.map((line) => `    ${line}\n`).join(""));
  return result;
}

/** @returns how many scenarios passed and failed */
function matrix(versions: readonly string[]): readonly [number, number] {
  const version = versions.filter((each) => each.startsWith("6.")).at(-1) ?? versions[0] ?? "";
  const { sample, seed, jobs } = values;
  const words = [
    "--sample",
    sample,
    "--seed",
    seed,
    "--jobs",
    jobs,
    "--provider",
    "real",
    "--provider-version",
    version,
  ];
  const program = join(root, "node_modules", ".bin", "tsx");
  const { stdout } = spawnSync(program, [join(__dirname, "matrix.ts"), ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.stdout.write(stdout);
  const [, passed = "0", failed = sample] = /^(\d+) passed, (\d+) failed$/m.exec(stdout) ?? [];
  return [Number(passed), Number(failed)];
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
