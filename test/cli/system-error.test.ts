import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/io";
import { shopSpec } from "../support/migration-spec";
import { auditWorld, building } from "./audit-world";

jest.setTimeout(30_000);

const { happen, run: runAudit, file } = auditWorld();
let folder: string;
const path = (...names: readonly string[]) => join(folder, ...names);
const { TMPDIR } = process.env;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cert-migration-system-"));
  writeFileSync(path("migration.yaml"), shopSpec.replace(/^traffic:[\s\S]*/m, ""));
  writeFileSync(path("file"), "text");
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});

const synth = (out: string, ...more: readonly string[]) =>
  runCli(["synth", "--spec", path("migration.yaml"), "--out", out, ...more]);

describe("synth ends with 2 and the reason if --out is", () => {
  test.each<[string, () => string, RegExp]>([
    [
      "a file",
      () => path("file"),
      /^error: --out: '.*' is a file, and the module needs a folder; name a folder \[file-unwritable\]$/,
    ],
    [
      "a folder below a file",
      () => path("file", "sub"),
      /^error: the folder '.*' can't be created: there is a file in its place; name another folder \[file-unwritable\]$/,
    ],
    [
      "in a folder that takes no new files",
      () => "/proc/certificates",
      /^error: the folder '.*' can't be created: its .*; name another folder \[file-unwritable\]$/,
    ],
    [
      "a folder whose main.tf.json is a folder",
      () => {
        mkdirSync(path("module", "main.tf.json"), { recursive: true });
        return path("module");
      },
      /^error: .* can't be read: it is a folder; name another file or folder \[file-unreadable\]$/,
    ],
  ])("%s", async (_, out, message) => {
    const { exitCode, stdout, stderr } = await synth(out());
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr.replace(/\n(?= )\s*/g, " ").trimEnd()).toMatch(message);
  });

  test("a file, also with --check", async () => {
    expect((await synth(path("file"), "--check")).exitCode).toBe(2);
  });
});

test.each<[string, () => readonly string[]]>([
  ["synth", () => ["synth", "--spec", path("migration.yaml"), "--out", path("module")]],
  ["rehearse", () => ["rehearse", "--spec", path("migration.yaml")]],
])("%s ends with 2 and names TMPDIR if the folder for temporary files is missing", async (_, words) => {
  const missing = path("no-such-folder");
  process.env.TMPDIR = missing;
  const { exitCode, stderr } = await runCli(words(), { env: { ...process.env } });
  expect([exitCode, stderr.replace(/\n\s+/g, " ")]).toEqual([
    2,
    expect.stringContaining(
      `nothing can be made in '${missing}', the folder for temporary files: its folder is missing`,
    ),
  ]);
  expect(stderr).toContain("[temporary-folder-unwritable]");
});

test("audit tail ends with 2 on a full disk, and describes the next run", async () => {
  happen("21T09:00", building("a"));
  const { exitCode, err } = await runAudit([
    "tail",
    "--once",
    "--cursor",
    file("cursor"),
    "--out",
    "/dev/full",
    "--since",
    "24h",
  ]);
  expect([exitCode, err.replace(/\n\s+/g, " ")]).toEqual([
    2,
    "error: the output '/dev/full' can't be written (no space is left on its file system); fix that and run the command again: it first removes lines after the cursor [tail-output-unwritable]\n",
  ]);
});

const failing = async (error: Error) => {
  const now = () => {
    throw error;
  };
  const { exitCode, stderr } = await runCli(["plan", "--spec", "/dev/null"], { now, env: { TMPDIR: "/t" } });
  return { exitCode, stderr: stderr.replace(/\n {2,}/g, " ").trimEnd() };
};
const systemError = (code: string, syscall: string, at?: string) =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall, ...(at !== undefined && { path: at }) });

test.each<[string, string, string | undefined, string]>([
  [
    "ENOSPC",
    "write",
    undefined,
    "a file can't be written: no space is left on its file system; free disk space for the output and in the folder for temporary files (TMPDIR), or name another file [file-unwritable]",
  ],
  [
    "EDQUOT",
    "write",
    "/x/y",
    "'/x/y' can't be written: the quota of its file system is used up; free disk space there, or name another file [file-unwritable]",
  ],
  [
    "ENOSPC",
    "open",
    "/x/y",
    "'/x/y' can't be written: no space is left on its file system; free disk space there, or name another file [file-unwritable]",
  ],
  [
    "EACCES",
    "mkdir",
    "/x/y",
    "'/x/y' can't be written: its permissions forbid it; name another file or folder [file-unwritable]",
  ],
  [
    "EACCES",
    "open",
    "/x/y",
    "'/x/y' can't be opened: its permissions forbid it; name another file or folder [file-unreadable]",
  ],
  [
    "EACCES",
    "scandir",
    "/x/y",
    "'/x/y' can't be read: its permissions forbid it; name another file or folder [file-unreadable]",
  ],
  [
    "EPERM",
    "rename",
    "/x/y",
    "'/x/y' can't be written: its permissions forbid it; name another file or folder [file-unwritable]",
  ],
  [
    "EROFS",
    "open",
    "/x/y",
    "'/x/y' can't be written: its file system is read-only; name another file or folder [file-unwritable]",
  ],
  [
    "ENOTDIR",
    "mkdir",
    "/x/y",
    "'/x/y' can't be written: there is a file in its place; name another file or folder [file-unwritable]",
  ],
  [
    "ENOENT",
    "open",
    "/x/y",
    "'/x/y' can't be opened: it does not exist; name another file or folder [file-unreadable]",
  ],
  [
    "EMFILE",
    "open",
    "/x/y",
    "too many files and connections are open; raise the limit, for example with 'ulimit -n 4096' [open-files-exhausted]",
  ],
  [
    "ENFILE",
    "connect",
    undefined,
    "too many files and connections are open; raise the limit, for example with 'ulimit -n 4096' [open-files-exhausted]",
  ],
  [
    "ENOENT",
    "mkdtemp",
    "/t/cert-XXXXXX",
    "nothing can be made in '/t', the folder for temporary files: its folder is missing, or takes no new files; free disk space there, or set TMPDIR to another folder [temporary-folder-unwritable]",
  ],
])("every command ends with 2 for %s of %s %s", async (code, syscall, at, message) => {
  const error = systemError(code, syscall, at);
  expect(await failing(error)).toEqual({ exitCode: 2, stderr: `error: ${message}` });
  expect(await failing(new Error("outer", { cause: error }))).toEqual({ exitCode: 2, stderr: `error: ${message}` });
});

test.each([
  systemError("ENOENT", "open", join(__dirname, "../../lib/no-such-file.json")),
  systemError("ECONNREFUSED", "connect"),
  systemError("EACCES", "listen"),
  new TypeError("x"),
])("every command ends with 1 for a mistake of the package: %s", async (error) => {
  const { exitCode, stderr } = await failing(error);
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^this is a mistake of cert-migration itself; /)]);
  expect(stderr).not.toContain("nothing was changed");
});
