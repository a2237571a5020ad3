import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { readAtMost } from "../../lib/cli/files";

let folder: string;
let pipe: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "read-"));
  pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

test("reads a file and a pipe to the end", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "text");
  expect(String(await readAtMost(file, 4, never))).toBe("text");
  const read = readAtMost(pipe, 4, never);
  const writer = await open(pipe, "w");
  await writer.write("te");
  await writer.write("xt");
  await writer.close();
  expect(String(await read)).toBe("text");
});

test("returns nothing of input above the limit, even if the input is endless", async () => {
  expect(await readAtMost("/dev/zero", 1_000_000, never)).toBeUndefined();
});

test.each([
  ["without a writer", 1_000, false],
  ["without a writer, as soon as the read begins", 0, false],
  ["whose writer sends nothing", 1_000, true],
])("stops on abort the read of a pipe %s", async (_, turns, hasWriter) => {
  const stopping = new AbortController();
  const read = readAtMost(pipe, 4, stopping.signal);
  const ended = expect(read).rejects.toThrow("stopped");
  const writer = hasWriter ? await open(pipe, "w") : undefined;
  // Node emits no event when a read on a worker thread begins.
  for (let count = turns; count > 0; count -= 1) await turn();
  stopping.abort(new Error("stopped"));
  await ended;
  await writer?.close();
});

test("starts no read after an abort", async () => {
  await expect(readAtMost(pipe, 4, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});
