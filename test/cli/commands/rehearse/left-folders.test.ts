import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkFolder } from "../../../../lib/cli/commands/rehearse/folders";
import { testIo } from "../../../support/io";

const root = join(__dirname, "..", "..", "..", "..");
let place: string;
let other: ChildProcess;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "left-folders-"));
});
afterEach(() => {
  other?.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true });
});

/** Starts another process that opens a working folder, as a rehearsal does, and waits. @returns the folder */
async function startOther(isKept: boolean): Promise<string> {
  const script = `const { openWorkFolder } = require("${root}/lib/cli/commands/rehearse/folders");
process.stdin.resume();
console.log(openWorkFolder({ env: { TMPDIR: ${JSON.stringify(place)} }, stderr: process.stderr }, { isKept: ${isKept}, named: [] }).path);`;
  other = spawn(process.execPath, ["-r", "tsx/cjs", "-e", script], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [text] = (await once(other.stdout ?? other, "data")) as [Buffer];
  const folder = text.toString().trim();
  mkdirSync(join(folder, "rehearsal", "terraform"), { recursive: true });
  return folder;
}

/** Opens and closes a working folder of this process. @returns what it printed */
function open(): string {
  const io = testIo({ env: { TMPDIR: place } });
  openWorkFolder(io, { isKept: false, named: [] })[Symbol.dispose]();
  return io.err();
}

async function kill(): Promise<void> {
  other.kill("SIGKILL");
  await once(other, "exit");
}

test("removes the folder of a rehearsal that was killed with SIGKILL, and none of a running rehearsal", async () => {
  const folder = await startOther(false);
  expect(open()).toBe("");
  expect(existsSync(folder)).toBe(true);
  await kill();
  expect(open()).toBe(`removed 1 temporary folder of rehearsals that were killed: ${folder}\n`);
  expect(readdirSync(place)).toEqual([]);
});

test("keeps the folder that a killed rehearsal was to keep", async () => {
  const folder = await startOther(true);
  await kill();
  expect(open()).toBe("");
  expect(existsSync(folder)).toBe(true);
});

test.each<[what: string, change: (owner: object) => unknown]>([
  ["of another machine or container", (owner) => ({ ...owner, space: "elsewhere" })],
  ["without a process", () => ({})],
  ["that is not JSON", () => undefined],
])("keeps a folder with an owner %s", async (_, change) => {
  const folder = await startOther(false);
  await kill();
  const file = join(folder, "owner.json");
  const changed = change(JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(file, JSON.stringify(changed) ?? "");
  expect(open()).toBe("");
  expect(existsSync(folder)).toBe(true);
});

test("does not follow links, and keeps folders of other names and folders without an owner", async () => {
  const folder = await startOther(false);
  await kill();
  const elsewhere = mkdtempSync(join(place, "elsewhere-"));
  writeFileSync(join(elsewhere, "owner.json"), readFileSync(join(folder, "owner.json")));
  symlinkSync(elsewhere, join(place, "cert-migration-rehearsal-link"));
  mkdirSync(join(place, "cert-migration-rehearsal-old"));
  open();
  expect(readdirSync(place).sort()).toEqual(
    ["cert-migration-rehearsal-link", "cert-migration-rehearsal-old", elsewhere.slice(place.length + 1)].sort(),
  );
});
