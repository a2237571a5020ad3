import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { eventCatalogue, eventNames, readRecords, renderMessage } from "../lib/audit";
import { inTurns, type Measurement, medianOf, ratiosOf, type Side } from "./measurement";

interface Run {
  readonly seconds: number;
  readonly maxMebibytes: number;
}

const count = 100_000;

/** The two sides: only parses the file as JSON, or parses it, checks it against the catalogue and renders it. */
const sides = {
  json: async (path: string) => {
    let characters = 0;
    for await (const line of createInterface({ input: createReadStream(path) })) {
      characters += (JSON.parse(line) as { readonly events: readonly unknown[] }).events.length;
    }
    return characters;
  },
  own: async (path: string) => {
    let characters = 0;
    for await (const reading of readRecords(createReadStream(path))) {
      if ("problem" in reading) throw new Error(reading.problem.message);
      for (const event of reading.activity.events) characters += renderMessage(event).length;
    }
    return characters;
  },
} as const;

/** Writes one record per line and repeats the events of the catalogue. */
async function writeRecords(path: string, bareIds: boolean): Promise<void> {
  const file = createWriteStream(path);
  for (let index = 0; index < count; index += 1) {
    const { name, type, parameters } =
      eventCatalogue[eventNames[index % eventNames.length] as (typeof eventNames)[number]];
    const record = JSON.stringify({
      kind: "admin#reports#activity",
      id: {
        time: new Date(1_790_000_000_000 + index * 1_000).toISOString(),
        uniqueQualifier: `-73123456789${String(index).padStart(8, "0")}`,
        applicationName: "admin",
        customerId: "C03az79cb",
      },
      actor: { callerType: "USER", email: `admin${index % 50}@example.com`, profileId: "110506652893456789012" },
      ipAddress: "198.51.100.7",
      events: [
        {
          type,
          name,
          parameters: parameters.map((parameter) =>
            parameter.type === "integer"
              ? { name: parameter.name, intValue: String(index) }
              : parameter.type === "boolean"
                ? { name: parameter.name, boolValue: true }
                : { name: parameter.name, value: parameter.values?.[0] ?? `value ${index}` },
          ),
        },
      ],
    });
    const line = bareIds ? record.replace(/"(-?\d{16,})"/g, "$1") : record;
    if (!file.write(`${line}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

/** Runs one side in its own process, so that its memory is measured alone. */
function measure(side: keyof typeof sides, path: string): Run {
  return JSON.parse(
    execFileSync(process.execPath, [...process.execArgv, __filename, side, path], { encoding: "utf8" }),
  ) as Run;
}

async function compare(
  what: string,
  bareIds: boolean,
  goals: readonly [time: number, memory: number],
  rounds: number,
): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "audit-bench-"));
  try {
    const path = join(folder, "records.jsonl");
    await writeRecords(path, bareIds);
    const runs = await inTurns(rounds, (side) => measure(side === "own" ? "own" : "json", path));
    const secondsOf = ({ seconds }: Run) => seconds;
    const mebibytesOf = ({ maxMebibytes }: Run) => maxMebibytes;
    const rate = (side: Side) => `${Math.round(count / medianOf(runs, side, secondsOf) / 1_000)} thousand events/s`;
    const memory = (side: Side) => medianOf(runs, side, mebibytesOf).toFixed(0);
    return [
      {
        what: `reading and rendering ${what}, time against JSON.parse`,
        goal: goals[0],
        ratios: ratiosOf(runs, secondsOf),
        detail: `${rate("own")} and ${rate("peer")}`,
      },
      {
        what: `reading and rendering ${what}, memory against JSON.parse`,
        goal: goals[1],
        ratios: ratiosOf(runs, mebibytesOf),
        detail: `${memory("own")} and ${memory("peer")} MiB`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const [side, path] = process.argv.slice(2);
  if (side === "json" || side === "own") {
    // CPU time, because elapsed time includes other work of the machine.
    const started = process.cpuUsage();
    await sides[side](path ?? "");
    const { user, system } = process.cpuUsage(started);
    const seconds = (user + system) / 1e6;
    process.stdout.write(JSON.stringify({ seconds, maxMebibytes: process.resourceUsage().maxRSS / 1_024 }));
    return;
  }
  const rounds = process.argv.includes("--short") ? 3 : 5;
  const measurements = [
    ...(await compare("100000 audit events", false, [5, 1.5], rounds)),
    ...(await compare("100000 audit events whose ids are bare numbers", true, [8, 1.5], rounds)),
  ];
  process.stdout.write(JSON.stringify(measurements));
}

void main();
