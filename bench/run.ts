import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  inTurns,
  isInDoubt,
  isMissed,
  isMissedBeyondDoubt,
  type Measurement,
  medianOf,
  pooled,
  type Round,
  ratiosOf,
  type Side,
} from "./measurement";
import { type GrowthPoint, renderResults, tableOf, told, writeProfile, writeResults } from "./results";

interface Synthesis {
  readonly seconds: number;
  readonly maxMebibytes: number;
}

const root = join(__dirname, "..");
const short = process.argv.includes("--short");
const json = process.argv.includes("--json");
/** Also measures the growth of synthesis, and writes table and plot. */
const write = process.argv.includes("--write");
/** Names of the groups to measure. With `--write`, the other results stay. @default - all */
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined;
const rounds = short ? 3 : 5;

/**
 * Compiles the project, so that the measured code is the published code: the source maps of a loader slow down stack
 * traces.
 */
async function withCompiled<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    execFileSync("npx", ["--no-install", "tsc", "--outDir", folder, "--declaration", "false"], {
      cwd: root,
      stdio: "inherit",
    });
    // Files that the program reads at run time are in the folder of the compiled files, as in the package.
    cpSync(join(root, "lib"), join(folder, "lib"), { recursive: true, filter: (file) => !file.endsWith(".ts") });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    return await use(folder);
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

async function measureSynthesis(folder: string, count: number): Promise<readonly Measurement[]> {
  const runs = await compareSynthesis(folder, count);
  return [
    {
      what: `synthesis of ${count} certificates: time compared with plain cdktf`,
      goal: 0.8,
      ratios: ratiosOf(runs, secondsOf),
      detail: `${medianOf(runs, "own", secondsOf).toFixed(2)} s and ${medianOf(runs, "peer", secondsOf).toFixed(2)} s`,
    },
    {
      what: `synthesis of ${count} certificates: memory compared with plain cdktf`,
      goal: 1.0,
      ratios: ratiosOf(runs, mebibytesOf),
      detail: `${medianOf(runs, "own", mebibytesOf).toFixed(0)} and ${medianOf(runs, "peer", mebibytesOf).toFixed(0)} MiB`,
    },
  ];
}

const secondsOf = ({ seconds }: Synthesis) => seconds;
const mebibytesOf = ({ maxMebibytes }: Synthesis) => maxMebibytes;

/** Both gates of Terraform, because a gate needs as much time as an entry. */
async function measureGates(folder: string): Promise<readonly Measurement[]> {
  const count = 2_000;
  const measured: Measurement[] = [];
  for (const [gate, own, peer] of [
    ["wait", "constructs", "byHand"],
    ["precondition", "constructsWithPrecondition", "byHandWithPrecondition"],
  ] as const) {
    const runs = await inTurns(rounds, (side) => synthesize(folder, side === "own" ? own : peer, count));
    measured.push({
      what: `synthesis of ${count} certificates with the gate ${gate}: time compared with plain cdktf`,
      goal: 0.6,
      ratios: ratiosOf(runs, secondsOf),
      detail: `${medianOf(runs, "own", secondsOf).toFixed(2)} s and ${medianOf(runs, "peer", secondsOf).toFixed(2)} s`,
    });
  }
  return measured;
}

function compareSynthesis(folder: string, count: number): Promise<readonly Round<Synthesis>[]> {
  return inTurns(rounds, (side) => synthesize(folder, side === "own" ? "constructs" : "byHand", count));
}

/** Twice the certificates should take twice the time; garbage collection may take a quarter more. */
async function measureGrowth(folder: string): Promise<readonly Measurement[]> {
  const counts = { own: 10_000, peer: 5_000 } as const;
  const runs = await inTurns(rounds, (side) => synthesize(folder, "constructs", counts[side]));
  const [whole, half] = [medianOf(runs, "own", secondsOf), medianOf(runs, "peer", secondsOf)];
  return [
    {
      what: "synthesis of 10000 certificates, time against twice 5000",
      goal: 1.25,
      ratios: ratiosOf(runs, secondsOf).map((ratio) => ratio / 2),
      detail: `${whole.toFixed(2)} s and 2 x ${half.toFixed(2)} s`,
    },
  ];
}

/** 10,000 hostnames: each certificate has a domain and its wildcard. */
async function measureFleet(folder: string): Promise<readonly Measurement[]> {
  const runs = await inTurns(rounds, (side) => synthesize(folder, side === "own" ? "fleet" : "constructs", 5_000));
  return [
    {
      what: "splitting 10000 hostnames into stacks and synthesizing these, time against one stack of all",
      goal: 1,
      ratios: ratiosOf(runs, secondsOf),
      detail: `${medianOf(runs, "own", secondsOf).toFixed(2)} s and ${medianOf(runs, "peer", secondsOf).toFixed(2)} s`,
    },
  ];
}

const deepImports = [
  "cdktf",
  ...[
    "certificate-manager-certificate",
    "certificate-manager-certificate-issuance-config",
    "certificate-manager-certificate-map",
    "certificate-manager-certificate-map-entry",
    "certificate-manager-dns-authorization",
    "certificate-manager-trust-config",
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
    "monitoring-dashboard",
    "monitoring-uptime-check-config",
    "network-security-server-tls-policy",
    "project-iam-member",
    "project-service",
  ].map((name) => `@cdktf/provider-google/lib/${name}`),
];

async function measureLoading(folder: string): Promise<readonly Measurement[]> {
  const modules = { own: [join(folder, "lib", "index.js")], peer: deepImports } as const;
  const runs = await inTurns(11, (side) => {
    const code = `const started = process.hrtime.bigint(); for (const name of ${JSON.stringify(modules[side])}) require(name); process.stdout.write(String(Number(process.hrtime.bigint() - started) / 1e6))`;
    return Number(execFileSync(process.execPath, ["-e", code], { cwd: folder, encoding: "utf8" }));
  });
  return [
    {
      what: "loading the package, time against the deep imports it needs",
      goal: 1.3,
      ratios: ratiosOf(runs, Number),
      detail: `${medianOf(runs, "own", Number).toFixed(0)} ms and ${medianOf(runs, "peer", Number).toFixed(0)} ms`,
    },
  ];
}

/** Runs a measurement with its own program in its own process, so that earlier measurements do not affect it. */
function measureApart(program: string): (folder: string) => Promise<readonly Measurement[]> {
  return async (folder) => {
    const words = ["--expose-gc", join(folder, "bench", `${program}-run.js`), ...(short ? ["--short"] : [])];
    return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as readonly Measurement[];
  };
}

type Measure = (folder: string) => Promise<readonly Measurement[]>;

/** Measured only for publication, because they take minutes. */
const long: Readonly<Record<string, Measure>> = {
  gates: measureGates,
  synthesis5000: (folder) => measureSynthesis(folder, 5_000),
  growth: measureGrowth,
  fleet: measureFleet,
};

const apart = ["discovery", "audit", "cloud", "verify", "monitor", "inventory", "project"];

const groups: Readonly<Record<string, Measure>> = {
  loading: measureLoading,
  synthesis1000: (folder) => measureSynthesis(folder, 1_000),
  ...(short ? {} : long),
  ...Object.fromEntries(apart.map((name) => [name, measureApart(name)])),
};

/** Returns the groups that `--only` names, as in `--only monitor,gates`; without it, all. */
function chosenGroups(): readonly Measure[] {
  if (only === undefined) return Object.values(groups);
  return only.split(",").map((name) => {
    const measure = groups[name];
    if (measure === undefined) throw new Error(`--only: ${name} is not one of ${Object.keys(groups).join(", ")}`);
    return measure;
  });
}

/**
 * Adds rounds to a measurement whose verdict is uncertain, whether it meets its goal or misses it. The median of all
 * rounds decides; no round is discarded. The short form adds rounds only to measurements that would fail, because its
 * values are not published.
 */
const needsMore = short ? isMissedBeyondDoubt : isInDoubt;
const mostTries = 3;

async function measureGroup(measure: Measure, folder: string): Promise<readonly Measurement[]> {
  let all = await measure(folder);
  for (let attempt = 2; attempt <= mostTries && all.some(needsMore); attempt += 1) {
    const again = await measure(folder);
    all = all.map((before, index) => pooled(before, again[index] ?? before));
  }
  return all;
}

/** Measures synthesis for several numbers of certificates, for the plot. */
async function measurePoints(folder: string): Promise<readonly GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  for (const count of [10, 100, 1_000, 10_000]) {
    const runs = await compareSynthesis(folder, count);
    const point = (side: Side) => ({
      seconds: medianOf(runs, side, secondsOf),
      maxMebibytes: medianOf(runs, side, mebibytesOf),
    });
    points.push({ count, own: point("own"), byHand: point("peer") });
  }
  return points;
}

async function main(): Promise<number> {
  if (process.argv.includes("--render")) {
    renderResults();
    return 0;
  }
  if (process.argv.includes("--profile")) {
    await withCompiled(async (folder) => {
      const program = join(folder, "bench", "profile-run.js");
      writeProfile(execFileSync(process.execPath, [program], { encoding: "utf8" }));
    });
    return 0;
  }
  const { measurements, growth } = await withCompiled(async (folder) => {
    const measured: Measurement[] = [];
    for (const measure of chosenGroups()) measured.push(...(await measureGroup(measure, folder)));
    return { measurements: measured, growth: write && only === undefined ? await measurePoints(folder) : undefined };
  });
  if (write) writeResults(measurements, growth);
  process.stdout.write(json ? `${JSON.stringify(measurements.map(told), undefined, 2)}\n` : tableOf(measurements));
  // The short form checks each change on shared machines: it fails for slower code, not for other load of the
  // machine.
  return measurements.some(short ? isMissedBeyondDoubt : isMissed) ? 1 : 0;
}

void main().then((exitCode) => {
  process.exitCode = exitCode;
});
