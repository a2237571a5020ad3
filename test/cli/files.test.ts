import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { checkWritable, decodeText, readStackFile, readTextFile, writeWhole } from "../../lib/cli/files";

import { readInput } from "../../lib/cli/standard-input";
import { testIo } from "../support/io";

const io = { signal: new AbortController().signal };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("reports an unreadable file with the option that names it and the reason", async () => {
  const missing = join(folder, "none.yaml");
  await expect(readTextFile(missing, "--spec", io)).rejects.toMatchObject({
    code: "file-unreadable",
    message: `--spec: '${missing}' can't be read: the file does not exist`,
  });
  await expect(readTextFile(folder, "--spec", io)).rejects.toThrow("it is a folder; name a file");
  await expect(readTextFile(join(__filename, "x"), "--spec", io)).rejects.toThrow("a part of its path is a file");
  await expect(readTextFile(join(folder, "x".repeat(300)), "--spec", io)).rejects.toThrow("its name is too long");
  await expect(readStackFile(missing, io.signal)).rejects.toMatchObject({
    code: "file-unreadable",
    message: `--stack: '${missing}' can't be read: the file does not exist; create it with 'cdktf synth' or 'cdktn synth'`,
  });
});

const words = '{"é": "\u{1F512}"}\r\n';
const utf16 = Buffer.from(`\uFEFF${words}`, "utf16le");

test.each([
  ["UTF-8", Buffer.from(words)],
  ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${words}`)],
  ["UTF-16 LE, as PowerShell's '>' writes", utf16],
  ["UTF-16 BE", Buffer.from(utf16).swap16()],
])("reads text in %s, from a file and from standard input", async (_, bytes) => {
  const path = join(folder, "x.json");
  writeFileSync(path, bytes);
  const stdin = Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]);
  expect([
    await readTextFile(path, "--spec", io),
    await readStackFile(path, io.signal),
    await readInput("-", "<plan>", testIo({ stdin })),
  ]).toEqual([words, words, words]);
});

test("replaces an invalid mark, or a character that is cut off at the end, by U+FFFD", () => {
  expect(
    [[], [0xff], [0xef, 0xbb], [0xff, 0xfe], [0xff, 0xfe, 0x7b]].map((all) => decodeText(Buffer.from(all))),
  ).toEqual(["", "\uFFFD", "\uFFFD", "", "\uFFFD"]);
});

test("reads at most the limit from a file of known size and from an endless file", async () => {
  const path = join(folder, "x.yaml");
  writeFileSync(path, "é".repeat(50_000));
  await expect(readTextFile(path, "--spec", { ...io, most: 100_000 })).resolves.toBe("é".repeat(50_000));
  const tooLarge = { code: "input-too-large", message: `--spec: '${path}' has more than 99999 bytes` };
  await expect(readTextFile(path, "--spec", { ...io, most: 99_999 })).rejects.toMatchObject(tooLarge);
  await expect(readTextFile("/dev/zero", "--spec", { ...io, most: 1_000_000 })).rejects.toMatchObject({
    code: "input-too-large",
  });
});

test("reports a missing output folder, and leaves nothing behind", async () => {
  const nowhere = join(folder, "nowhere", "report.html");
  const message = `'${nowhere}' can't be written: the folder '${join(folder, "nowhere")}' does not exist; create it, or use another file`;
  await expect(writeWhole(nowhere, "x", { force: false })).rejects.toMatchObject({ code: "file-unwritable", message });
  await expect(checkWritable(nowhere, { force: true })).rejects.toMatchObject({ code: "file-unwritable", message });
  await expect(checkWritable("/proc/report.html", { force: true })).rejects.toMatchObject({
    code: "file-unwritable",
    message: "'/proc/report.html' can't be written: the folder '/proc' takes no new files; name another one",
  });
  await expect(checkWritable(folder, { force: true })).rejects.toMatchObject({
    code: "file-unwritable",
    message: `'${folder}' can't be written: it is a folder; name a file`,
  });
  await checkWritable(join(folder, "report.html"), { force: true });
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken", "x"), "");
  await expect(writeWhole(join(folder, "taken"), "x", { force: true })).rejects.toMatchObject({
    code: "file-unwritable",
  });
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("keeps a symbolic link and writes its target", async () => {
  const [link, kept] = [join(folder, "latest.html"), join(folder, "kept", "report.html")];
  mkdirSync(join(folder, "kept"));
  writeFileSync(kept, "before");
  symlinkSync(kept, link);
  await checkWritable(link, { force: true });
  await writeWhole(link, "after", { force: true });
  expect([readlinkSync(link), readFileSync(kept, "utf8")]).toEqual([kept, "after"]);
  expect([readdirSync(folder), readdirSync(join(folder, "kept"))]).toEqual([["kept", "latest.html"], ["report.html"]]);
});

test("keeps a symbolic link without a target and creates the target", async () => {
  const [link, step, kept] = [join(folder, "latest.html"), join(folder, "step"), join(folder, "kept", "report.html")];
  mkdirSync(join(folder, "kept"));
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync("step", link);
  // Because "folder" is a link, "folder/.." is the parent of its target, not "elsewhere".
  symlinkSync(join(folder, "kept"), join(folder, "elsewhere", "folder"));
  symlinkSync("elsewhere/folder/../kept/report.html", step);
  await checkWritable(link, { force: true });
  expect(readdirSync(join(folder, "kept"))).toEqual([]);
  await writeWhole(link, "new", { force: false });
  expect([readlinkSync(link), readFileSync(kept, "utf8")]).toEqual(["step", "new"]);
  // Each is called only when the former has ended: a rejection without a listener would fail the test.
  for (const attempt of [
    () => writeWhole(link, "newer", { force: false }),
    () => checkWritable(link, { force: false }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({
      code: "file-exists",
      message: `'${link}' exists and is not replaced; give another name, or --force`,
    });
  }
  expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".tmp"))).toEqual([]);
});

test("reports a symbolic link whose target can't be created, and keeps the link", async () => {
  const [circle, astray] = [join(folder, "circle"), join(folder, "astray")];
  symlinkSync("circle", circle);
  symlinkSync("gone/report.html", astray);
  const refusal = (path: string, reason: string) => ({
    code: "file-unwritable",
    message: `'${path}' can't be written: ${reason}`,
  });
  const endless = refusal(circle, "its links lead in a circle; name another file");
  const missing = refusal(
    astray,
    `the folder '${join(folder, "gone")}' does not exist; create it, or use another file`,
  );
  for (const [path, expected] of [
    [circle, endless],
    [astray, missing],
  ] as const) {
    await expect(checkWritable(path, { force: true })).rejects.toMatchObject(expected);
    await expect(writeWhole(path, "x", { force: true })).rejects.toMatchObject(expected);
  }
  expect(readdirSync(folder)).toEqual(["astray", "circle"]);
});

test("keeps the permissions of a file that it replaces", async () => {
  const path = join(folder, "report.html");
  for (const mode of [0o600, 0o664]) {
    writeFileSync(path, "before");
    chmodSync(path, mode);
    await writeWhole(path, "after", { force: true });
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["after", mode]);
  }
});

test("keeps a device, and reports a failed write to it", async () => {
  await checkWritable("/dev/full", { force: true });
  await expect(writeWhole("/dev/full", "x", { force: true })).rejects.toMatchObject({
    code: "file-unwritable",
    message: "'/dev/full' can't be written: no space is left on its file system; name another file",
  });
  await writeWhole("/dev/null", "x", { force: true });
  expect(["/dev/full", "/dev/null"].map((path) => statSync(path).isCharacterDevice())).toEqual([true, true]);
});
