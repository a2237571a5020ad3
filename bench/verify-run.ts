import { execFileSync } from "node:child_process";
import { inTurns, type Measurement, median, medianOf, ratiosOf, type Side } from "./measurement";
import { hostnamesOf, type Server, sides, startServer } from "./verify-sides";

interface Run {
  readonly seconds: number;
  /** Peak memory of the process. */
  readonly maxMebibytes: number;
}

function measure(side: keyof typeof sides, count: number, server: Server): Run {
  const given = [...process.execArgv, __filename, side, String(count), JSON.stringify(server)];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as Run;
}

async function main(): Promise<void> {
  const [side, count, given] = process.argv.slice(2);
  if (side === "bare" || side === "own") {
    const hostnames = hostnamesOf(Number(count));
    const server = JSON.parse(given ?? "") as Server;
    await sides[side](hostnames.slice(0, 200), server);
    // CPU time, because the CPU limits a client, and elapsed time includes other work of the machine.
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
      `${Math.round(2_000 / medianOf(rounds, side, secondsOf))} hostnames for a second of the processor`;
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
