import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startCloud } from "../lib/cloud";
import { generateProject } from "../test/support/generated-project";
import { inTurns, type Measurement, medianOf, ratiosOf, type Side } from "./measurement";

const size = { forwardingRules: 5_000, certificates: 2_000, zones: 200 };
/** Limit for an inventory of this size, in milliseconds. */
const mostMs = 60_000;

/** Measures processes that read a cloud in this process, and prints JSON. */
async function main(): Promise<void> {
  const rounds = process.argv.includes("--short") ? 3 : 7;
  const now = new Date();
  const world = generateProject({ seed: 1, now, ...size });
  const cloud = await startCloud({ speed: 0, startAt: now, world });
  const endpoint = cloud.endpoints.http;
  const [project = "", dnsProject = ""] = world.dnsProjects;
  try {
    const programs: Readonly<Record<Side, readonly string[]>> = {
      own: [
        join(__dirname, "..", "lib", "cli", "main.js"),
        // The peer reads the same pages, and asks no DNS.
        ...[
          "inventory",
          "--json",
          "--no-dns",
          "--project",
          project,
          "--dns-project",
          dnsProject,
          "--endpoint",
          endpoint,
        ],
      ],
      peer: [join(__dirname, "project-peer-run.js"), endpoint, project, dnsProject],
    };
    const runs = await inTurns(rounds, (side) => millisecondsOf(programs[side]));
    const [own, peer] = [medianOf(runs, "own", Number), medianOf(runs, "peer", Number)];
    const what = "inventory of a project with 5000 forwarding rules, 2000 certificates and 200 zones";
    const measurements: readonly Measurement[] = [
      {
        what: `${what}, time against fetching and parsing the same pages with Node alone`,
        goal: 2.5,
        ratios: ratiosOf(runs, Number),
        detail: `${(own / 1_000).toFixed(2)} s and ${(peer / 1_000).toFixed(2)} s`,
      },
      {
        what: `${what}, share of a minute`,
        goal: 1,
        ratios: runs.map((round) => round.own / mostMs),
        detail: `${(own / 1_000).toFixed(2)} s`,
      },
    ];
    process.stdout.write(JSON.stringify(measurements));
  } finally {
    await cloud.stop();
  }
}

/** Exit code 4: a generated project has findings that are errors. */
const expected = new Set([0, 4]);

async function millisecondsOf(program: readonly string[]): Promise<number> {
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, program, { stdio: ["ignore", "ignore", "pipe"] });
  const lines: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => lines.push(chunk.toString()));
  const [status] = (await once(child, "close")) as [number | null];
  if (status === null || !expected.has(status))
    throw new Error(`${program.join(" ")} ended with ${status}: ${lines.join("")}`);
  return Number(process.hrtime.bigint() - started) / 1e6;
}

void main();
