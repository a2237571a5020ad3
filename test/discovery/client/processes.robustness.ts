import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openCacheFolder } from "../../../lib/discovery/client/cache-folder";
import { temporaryFolder } from "./workshop";

const url = "https://apis.example.com/discovery/v1/apis";
const kills = 12;

jest.setTimeout(300_000);

async function startWriter(path: string, letter: string): Promise<ChildProcess> {
  const child = fork(join(__dirname, "copy-writer.ts"), [path, url, letter], { execArgv: ["--import", "tsx"] });
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

test("keeps a copy complete at any time while two processes write it and are killed one after the other", async () => {
  await using folder = await temporaryFolder();
  const cache = openCacheFolder(folder.path);
  let [first, second] = await Promise.all([startWriter(folder.path, "a"), startWriter(folder.path, "b")]);
  const seen = new Map<string, number>();
  let reading = true;
  const reader = (async () => {
    while (reading) {
      const copy = await cache.read(url);
      if (copy === undefined) throw new Error("the copy could not be read");
      const letter = String.fromCharCode(copy.body[0] ?? 0);
      expect(copy).toMatchObject({ fetchedAtMs: copy.body.length, maxAgeSeconds: copy.body.length });
      expect(copy.etag).toBe(`"${letter}"`);
      expect(Buffer.alloc(copy.body.length, letter).equals(copy.body)).toBe(true);
      seen.set(letter, (seen.get(letter) ?? 0) + 1);
    }
  })();
  // The test awaits `reader` at the end; until then, this handler avoids an unhandled rejection.
  reader.catch(() => undefined);
  try {
    for (let count = 0; count < kills; count++) {
      await wait(Math.random() * 30);
      if (count % 2 === 0) {
        await kill(first);
        first = await startWriter(folder.path, "a");
      } else {
        await kill(second);
        second = await startWriter(folder.path, "b");
      }
    }
  } finally {
    reading = false;
    await Promise.all([kill(first), kill(second)]);
  }
  await reader;
  const files = await readdir(folder.path);
  expect([...seen.keys()].sort()).toEqual(["a", "b"]);
  expect(files.filter((file) => file.endsWith(".cache"))).toHaveLength(1);
  expect(files.length - 1).toBeLessThanOrEqual(kills + 2);
});
