import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Measurement, median } from "./measurement";
import type { MonitoredCloud } from "./monitor-server-run";

interface Run {
  readonly seconds: number;
  /** Peak memory of the process. */
  readonly maxMebibytes: number;
}

const short = process.argv.includes("--short");
const few = short ? 1_000 : 2_000;
const many = short ? 2_000 : 20_000;
const rounds = short ? 1 : 3;

async function main(): Promise<void> {
  const ofFew = await monitorHostnames(few);
  const ofMany = await monitorHostnames(many);
  const mebibytesOf = (runs: readonly Run[]) => median(runs.map(({ maxMebibytes }) => maxMebibytes));
  const secondsOf = (runs: readonly Run[]) => median(runs.map(({ seconds }) => seconds));
  const measurements: readonly Measurement[] = [
    {
      what: `monitor of ${many} hostnames, memory against ${few}`,
      goal: 1.25,
      ratios: ofMany.map(({ maxMebibytes }) => maxMebibytes / mebibytesOf(ofFew)),
      detail: `${mebibytesOf(ofMany).toFixed(0)} and ${mebibytesOf(ofFew).toFixed(0)} MiB`,
    },
    {
      what: `monitor of ${many} hostnames, time for each against ${few}`,
      goal: 1.25,
      ratios: ofMany.map(({ seconds }) => seconds / many / (secondsOf(ofFew) / few)),
      detail: `${secondsOf(ofMany).toFixed(1)} and ${secondsOf(ofFew).toFixed(1)} s of the processor`,
    },
  ];
  process.stdout.write(JSON.stringify(measurements));
}

/** Runs the command against a cloud of its own. */
async function monitorHostnames(count: number): Promise<readonly Run[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-monitor-"));
  const { cloud, child } = await startCloudOf(count, folder);
  try {
    return Array.from({ length: rounds }, () => monitor(cloud, folder, count));
  } finally {
    child.stdin?.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startCloudOf(
  count: number,
  folder: string,
): Promise<{ readonly cloud: MonitoredCloud; readonly child: ChildProcess }> {
  const words = [join(__dirname, "monitor-server-run.js"), folder, String(count)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { cloud: JSON.parse(line) as MonitoredCloud, child };
  }
  throw new Error("the cloud did not start");
}

/** Runs the command once, and checks that it found every hostname served. */
function monitor({ endpoint, dnsServer, control }: MonitoredCloud, folder: string, count: number): Run {
  const measured = join(folder, "measured.json");
  const command = join(__dirname, "..", "lib", "cli", "main.js");
  // CPU time, because elapsed time includes other work of the machine.
  const code = `process.once("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const run = { seconds: (userCPUTime + systemCPUTime) / 1e6, maxMebibytes: maxRSS / 1024 };
    require("node:fs").writeFileSync(${JSON.stringify(measured)}, JSON.stringify(run));
  });
  process.argv.splice(1, 0, ${JSON.stringify(command)});
  require(${JSON.stringify(command)});`;
  const words = ["monitor", "--outputs", join(folder, "outputs.json"), "--endpoint", endpoint];
  const options = ["--dns-server", dnsServer, "--json", "--quiet"];
  const env = { ...process.env, CERT_MIGRATION_REHEARSAL: control };
  const output = execFileSync(process.execPath, ["-e", code, "--", ...words, ...options], {
    env,
    maxBuffer: 2 ** 28,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { hostnames } = JSON.parse(output) as { readonly hostnames: readonly { readonly handshake: string }[] };
  const served = hostnames.filter(({ handshake }) => handshake === "done").length;
  if (served !== count) throw new Error(`${served} of ${count} hostnames are served`);
  return JSON.parse(readFileSync(measured, "utf8")) as Run;
}

void main();
