import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { connect, createSecureContext } from "node:tls";
import { createClients, shakeHands, verifyServing } from "../lib/migrate";
import { inTurns, type Measurement, median, medianOf, ratiosOf, type Side } from "./measurement";

interface Server {
  readonly port: number;
  readonly ca: string;
}

interface Run {
  readonly seconds: number;
  /** Most memory that the process ever had. */
  readonly maxMebibytes: number;
}

const concurrency = 64;
const timeoutMs = 10_000;

function hostnamesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `host${index}.bench.example.com`);
}

/** Each side makes one handshake with each hostname, checks authority, dates and name, and ends the connection. */
const sides = {
  bare: async (hostnames: readonly string[], { port, ca }: Server) => {
    const secureContext = createSecureContext({ ca });
    let next = 0;
    const work = async () => {
      while (next < hostnames.length) {
        const servername = hostnames[next++] as string;
        await new Promise<void>((resolve, reject) => {
          const socket = connect({ host: "127.0.0.1", port, servername, secureContext }, () => {
            socket.end();
            resolve();
          });
          socket.setTimeout(timeoutMs, () => reject(new Error("timeout")));
          socket.once("error", reject);
        });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  },
  own: async (hostnames: readonly string[], { port, ca }: Server) => {
    const clients = createClients([ca]);
    const { signal } = new AbortController();
    const results = await verifyServing({
      targets: hostnames.map((hostname) => ({ hostname, addresses: ["127.0.0.1"] })),
      shakeHands: (address, hostname) =>
        shakeHands({ address, port, hostname, timeoutMs, secureContext: clients("modern") }),
      repeat: 1,
      concurrency,
      signal,
      now: () => Date.now(),
      sleep: async (ms, stop) => void (await pause(ms, undefined, { signal: stop })),
      random: Math.random,
    });
    const bad = results.find(({ ok }) => !ok);
    if (bad !== undefined) throw new Error(`${bad.hostname}: ${JSON.stringify(bad)}`);
  },
} as const;

function measure(side: keyof typeof sides, count: number, server: Server): Run {
  const given = [...process.execArgv, __filename, side, String(count), JSON.stringify(server)];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as Run;
}

async function startServer(): Promise<{ readonly server: Server; readonly child: ChildProcess }> {
  const program = join(__dirname, __filename.endsWith(".ts") ? "verify-server-run.ts" : "verify-server-run.js");
  const child = spawn(process.execPath, [...process.execArgv, program], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { server: JSON.parse(line) as Server, child };
  }
  throw new Error("the server did not start");
}

async function main(): Promise<void> {
  const [side, count, given] = process.argv.slice(2);
  if (side === "bare" || side === "own") {
    const hostnames = hostnamesOf(Number(count));
    const server = JSON.parse(given ?? "") as Server;
    await sides[side](hostnames.slice(0, 200), server);
    // Time of the processor, of which a client is short before anything else: what else the machine is doing would count otherwise.
    const started = process.cpuUsage();
    await sides[side](hostnames, server);
    const { user, system } = process.cpuUsage(started);
    const seconds = (user + system) / 1e6;
    process.stdout.write(JSON.stringify({ seconds, maxMebibytes: process.resourceUsage().maxRSS / 1_024 }));
    return;
  }
  const short = process.argv.includes("--short");
  const { server, child } = await startServer();
  try {
    const rounds = await inTurns(short ? 3 : 5, (side) => measure(side === "own" ? "own" : "bare", 2_000, server));
    const secondsOf = ({ seconds }: Run) => seconds;
    const rate = (side: Side) =>
      `${Math.round(2_000 / medianOf(rounds, side, secondsOf))} handshakes for a second of the processor`;
    const most = short ? 4_000 : 20_000;
    const many = measure("own", most, server).maxMebibytes;
    const few = median(rounds.map(({ own }) => own.maxMebibytes));
    const measurements: readonly Measurement[] = [
      {
        what: `verify of 2000 hostnames, time against a bare TLS client at the same concurrency`,
        goal: 1 / 0.8,
        ratios: ratiosOf(rounds, secondsOf),
        detail: `${rate("own")} and ${rate("peer")}`,
      },
      {
        what: `verify of ${most} hostnames, memory against 2000`,
        goal: 1.25,
        ratios: rounds.map(({ own }) => many / own.maxMebibytes),
        detail: `${many.toFixed(0)} and ${few.toFixed(0)} MiB`,
      },
    ];
    process.stdout.write(JSON.stringify(measurements));
  } finally {
    child.stdin?.end();
  }
}

void main();
