import {
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
import { checkWritable, readStackFile, readTextFile, writeWhole } from "../../lib/cli/files";

const io = { signal: new AbortController().signal };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what can't be read is told with who named it and why", async () => {
  const missing = join(folder, "none.yaml");
  await expect(readTextFile(missing, "--spec", io)).rejects.toMatchObject({
    code: "file-unreadable",
    message: `--spec: '${missing}' can't be read: there is no such file`,
  });
  await expect(readTextFile(folder, "--spec", io)).rejects.toThrow("it is a folder; name a file");
  await expect(readStackFile(missing, io.signal)).rejects.toMatchObject({
    code: "file-unreadable",
    message: `--stack: '${missing}' can't be read: there is no such file; 'cdktf synth' makes it`,
  });
});

test("no more is read than the limit, whether a file has a size or never ends", async () => {
  const path = join(folder, "x.yaml");
  writeFileSync(path, "é".repeat(50_000));
  await expect(readTextFile(path, "--spec", { ...io, most: 100_000 })).resolves.toBe("é".repeat(50_000));
  const tooLarge = { code: "input-too-large", message: `--spec: '${path}' has more than 99999 bytes` };
  await expect(readTextFile(path, "--spec", { ...io, most: 99_999 })).rejects.toMatchObject(tooLarge);
  await expect(readTextFile("/dev/zero", "--spec", { ...io, most: 1_000_000 })).rejects.toMatchObject({
    code: "input-too-large",
  });
});

test("what can't be written is told with the folder that is missing, and nothing is left", async () => {
  const nowhere = join(folder, "nowhere", "report.html");
  const message = `'${nowhere}' can't be written: there is no folder '${join(folder, "nowhere")}'; make it, or name another file`;
  await expect(writeWhole(nowhere, "x", { force: false })).rejects.toMatchObject({ code: "file-unwritable", message });
  await expect(checkWritable(nowhere)).rejects.toMatchObject({ code: "file-unwritable", message });
  await expect(checkWritable("/proc/report.html")).rejects.toMatchObject({
    code: "file-unwritable",
    message: "'/proc/report.html' can't be written: the folder '/proc' takes no new files; name another one",
  });
  await expect(checkWritable(folder)).rejects.toMatchObject({
    code: "file-unwritable",
    message: `'${folder}' can't be written: it is a folder; name a file`,
  });
  await checkWritable(join(folder, "report.html"));
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken", "x"), "");
  await expect(writeWhole(join(folder, "taken"), "x", { force: true })).rejects.toMatchObject({
    code: "file-unwritable",
  });
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a link stays one, and what it leads to is written", async () => {
  const [link, kept] = [join(folder, "latest.html"), join(folder, "kept", "report.html")];
  mkdirSync(join(folder, "kept"));
  writeFileSync(kept, "before");
  symlinkSync(kept, link);
  await checkWritable(link);
  await writeWhole(link, "after", { force: true });
  expect([readlinkSync(link), readFileSync(kept, "utf8")]).toEqual([kept, "after"]);
  expect([readdirSync(folder), readdirSync(join(folder, "kept"))]).toEqual([["kept", "latest.html"], ["report.html"]]);
});

test("a device stays what it is; what it does not take is told", async () => {
  await checkWritable("/dev/full");
  await expect(writeWhole("/dev/full", "x", { force: true })).rejects.toMatchObject({
    code: "file-unwritable",
    message: "'/dev/full' can't be written: no space is left on its file system; name another file",
  });
  await writeWhole("/dev/null", "x", { force: true });
  expect(["/dev/full", "/dev/null"].map((path) => statSync(path).isCharacterDevice())).toEqual([true, true]);
});
