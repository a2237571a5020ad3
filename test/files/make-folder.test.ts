import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../lib/files/make-folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "make-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("creates a missing folder with its mode, and accepts an existing folder", () => {
  makeFolder(join(folder, "a", "b"), 0o700);
  makeFolder(join(folder, "a", "b"));
  expect(["a", "a/b"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o700, 0o700]);
});

test.each([
  ["a file in its place", "file"],
  ["a file above it", "file/a/b"],
])("fails for %s", (_, name) => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolder(join(folder, name))).toThrow(/EEXIST|ENOTDIR/);
});

test("fails if the kernel has no space for it", () => {
  // Runs in a separate process, because a test cannot interrupt an endless synchronous loop.
  const code = `require(${JSON.stringify(require.resolve("../../lib/files/make-folder"))}).makeFolder("/proc/none/x")`;
  const words = ["--require", require.resolve("tsx/cjs"), "-e", code];
  const { signal, stderr } = spawnSync(process.execPath, words, { timeout: 10_000, killSignal: "SIGKILL" });
  expect({ signal, stderr: String(stderr) }).toEqual({ signal: null, stderr: expect.stringContaining("ENOENT") });
});
