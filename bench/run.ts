import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Measurement, median } from "./measurement";

interface Synthesis {
  readonly seconds: number;
  readonly maxMebibytes: number;
}

const root = join(__dirname, "..");
const short = process.argv.includes("--short");
const json = process.argv.includes("--json");
const rounds = short ? 3 : 5;

/** Compiles the project, so that what runs is what users run: source maps of a loader would make stack traces dearer. */
function withCompiled<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    execFileSync("npx", ["--no-install", "tsc", "--outDir", folder, "--declaration", "false"], {
      cwd: root,
      stdio: "inherit",
    });
    // What the program reads at run time stands beside the compiled files, as in the package.
    cpSync(join(root, "lib"), join(folder, "lib"), { recursive: true, filter: (file) => !file.endsWith(".ts") });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function synthesize(folder: string, variant: string, count: number): Synthesis {
  const output = execFileSync(process.execPath, [join(folder, "bench", "synthesis-run.js"), variant, String(count)], {
    encoding: "utf8",
  });
  return JSON.parse(output.trim().split("\n").at(-1) as string) as Synthesis;
}

function measureSynthesis(folder: string, count: number): readonly Measurement[] {
  const own: Synthesis[] = [];
  const byHand: Synthesis[] = [];
  for (let round = 0; round < rounds; round += 1) {
    byHand.push(synthesize(folder, "byHand", count));
    own.push(synthesize(folder, "constructs", count));
  }
  const seconds = [median(own.map((run) => run.seconds)), median(byHand.map((run) => run.seconds))] as const;
  const memory = [median(own.map((run) => run.maxMebibytes)), median(byHand.map((run) => run.maxMebibytes))] as const;
  return [
    {
      what: `synthesis of ${count} certificates, time against by hand`,
      goal: 0.8,
      ratio: seconds[0] / seconds[1],
      detail: `${seconds[0].toFixed(2)} s and ${seconds[1].toFixed(2)} s`,
    },
    {
      what: `synthesis of ${count} certificates, memory against by hand`,
      goal: 1.0,
      ratio: memory[0] / memory[1],
      detail: `${memory[0].toFixed(0)} and ${memory[1].toFixed(0)} MiB`,
    },
  ];
}

/** Twice the certificates should take twice the time; a quarter more is allowed for memory that has to be collected. */
function measureGrowth(folder: string): Measurement {
  const half = median(Array.from({ length: rounds }, () => synthesize(folder, "constructs", 5_000).seconds));
  const whole = median(Array.from({ length: rounds }, () => synthesize(folder, "constructs", 10_000).seconds));
  return {
    what: "synthesis of 10000 certificates, time against twice 5000",
    goal: 1.25,
    ratio: whole / (2 * half),
    detail: `${whole.toFixed(2)} s and 2 x ${half.toFixed(2)} s`,
  };
}

const deepImports = [
  "cdktf",
  ...[
    "certificate-manager-certificate",
    "certificate-manager-certificate-map",
    "certificate-manager-certificate-map-entry",
    "certificate-manager-dns-authorization",
    "compute-forwarding-rule",
    "compute-global-forwarding-rule",
    "compute-region-target-https-proxy",
    "compute-target-https-proxy",
    "compute-target-ssl-proxy",
    "dns-record-set",
    "logging-metric",
    "logging-organization-sink",
    "logging-project-bucket-config",
    "monitoring-alert-policy",
    "project-iam-member",
    "project-service",
  ].map((name) => `@cdktf/provider-google/lib/${name}`),
];

function measureLoading(folder: string): Measurement {
  const time = (modules: readonly string[]) => {
    const code = `const started = process.hrtime.bigint(); for (const name of ${JSON.stringify(modules)}) require(name); process.stdout.write(String(Number(process.hrtime.bigint() - started) / 1e6))`;
    return Number(execFileSync(process.execPath, ["-e", code], { cwd: folder, encoding: "utf8" }));
  };
  const own: number[] = [];
  const peers: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    peers.push(time(deepImports));
    own.push(time([join(folder, "lib", "index.js")]));
  }
  return {
    what: "loading the package, time against the deep imports it needs",
    goal: 1.3,
    ratio: median(own) / median(peers),
    detail: `${median(own).toFixed(0)} ms and ${median(peers).toFixed(0)} ms`,
  };
}

/** In a process of its own, so that nothing that ran before weighs on it. */
function measureDiscovery(folder: string): readonly Measurement[] {
  const output = execFileSync(
    process.execPath,
    ["--expose-gc", join(folder, "bench", "discovery-run.js"), ...(short ? ["--short"] : [])],
    { encoding: "utf8" },
  );
  return JSON.parse(output) as readonly Measurement[];
}

function measureAudit(folder: string): readonly Measurement[] {
  const given = [join(folder, "bench", "audit-run.js"), ...(short ? ["--short"] : [])];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as readonly Measurement[];
}

function measureCloud(folder: string): readonly Measurement[] {
  const program = join(folder, "bench", "cloud-run.js");
  const output = execFileSync(process.execPath, [program, ...(short ? ["--short"] : [])], { encoding: "utf8" });
  return JSON.parse(output) as readonly Measurement[];
}

function measureVerify(folder: string): readonly Measurement[] {
  const given = [join(folder, "bench", "verify-run.js"), ...(short ? ["--short"] : [])];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as readonly Measurement[];
}

function measureInventory(folder: string): readonly Measurement[] {
  const given = [join(folder, "bench", "inventory-run.js"), ...(short ? ["--short"] : [])];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as readonly Measurement[];
}

const measurements = withCompiled((folder) => [
  ...measureDiscovery(folder),
  ...measureCloud(folder),
  ...measureAudit(folder),
  ...measureVerify(folder),
  measureLoading(folder),
  ...measureInventory(folder),
  ...measureSynthesis(folder, 1_000),
  ...(short ? [] : [...measureSynthesis(folder, 5_000), measureGrowth(folder)]),
]);
if (json) {
  process.stdout.write(`${JSON.stringify(measurements, undefined, 2)}\n`);
} else {
  for (const { what, goal, ratio, detail } of measurements) {
    const verdict = ratio <= goal ? "met" : "MISSED";
    process.stdout.write(`${verdict.padEnd(7)} ${ratio.toFixed(2)} (goal ${goal.toFixed(2)})  ${what}: ${detail}\n`);
  }
}
process.exitCode = measurements.every(({ goal, ratio }) => ratio <= goal) ? 0 : 1;
