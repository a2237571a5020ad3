import fs from "node:fs/promises";
import { join } from "node:path";
import { ActivitiesClient, cursorFile, fileSink, tailActivities } from "../../lib/audit";
import { createHttpClient } from "../../lib/http";

/**
 * Runs a tail in a separate process that tests kill.
 *
 * Arguments: base URL, folder of cursor and output, start of its clock, number of the file operation in which to end
 * (0: none), whether to end when it has caught up.
 */
const [baseUrl = "", folder = "", startMs = "0", endAtOperation = "0", once = "false"] = process.argv.slice(2);

let operations = 0;

/** Simulates a power failure: ends the process before, during or after a file operation. */
async function endInOperation(half: () => Promise<unknown>): Promise<void> {
  operations += 1;
  if (operations !== Number(endAtOperation)) return;
  await half();
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => undefined);
}

type Operation = (this: unknown, ...given: unknown[]) => Promise<unknown>;

async function watchFileOperations(): Promise<void> {
  const file = await fs.open(__filename);
  const handle = Object.getPrototypeOf(file) as Record<string, Operation>;
  await file.close();
  for (const name of ["write", "writeFile", "sync", "truncate"]) {
    const original = handle[name] as Operation;
    handle[name] = async function (this: unknown, ...given: unknown[]) {
      const [content, ...rest] = given;
      await endInOperation(async () => {
        if (name === "write")
          await original.call(
            this,
            (content as Buffer).subarray(0, (content as Buffer).length / 2),
            0,
            undefined,
            rest[2],
          );
        if (name === "writeFile")
          await original.call(this, (content as string).slice(0, (content as string).length / 2));
      });
      const result = await original.apply(this, given);
      await endInOperation(async () => undefined);
      return result;
    };
  }
  const module = fs as unknown as Record<string, Operation>;
  const rename = module.rename as Operation;
  module.rename = async (...given: unknown[]) => {
    await endInOperation(async () => undefined);
    await rename(...given);
    await endInOperation(async () => undefined);
    return undefined;
  };
}

async function main(): Promise<void> {
  await watchFileOperations();
  let clockMs = Number(startMs);
  const now = () => new Date(clockMs);
  const sleep = async () => {
    clockMs += 200;
    await new Promise(setImmediate);
  };
  const http = createHttpClient({ sleep, retry: { maxAttempts: 8 } });
  await tailActivities({
    source: new ActivitiesClient({ baseUrl, http, time: { now, sleep }, limits: { queriesPerMinute: 1e9 } }),
    query: { maxResults: 20 },
    output: {
      cursor: cursorFile(join(folder, "cursor")),
      sink: fileSink(join(folder, "events")),
      format: (entry) =>
        `${entry.kind === "event" && entry.event.name === "ASSIGN_ROLE" ? entry.event.parameters.ROLE_NAME : "?"}\n`,
    },
    timing: {
      since: new Date("2026-11-21T10:00:00Z"),
      lagSeconds: 0.1,
      overlapSeconds: 10,
      intervalSeconds: 0.2,
      windowSeconds: 300,
      once: once === "true",
    },
    time: { now, sleep },
  });
}

void main();
