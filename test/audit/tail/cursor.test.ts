import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cursorFile, type TailCursor } from "../../../lib/audit";

const cursor: TailCursor = {
  version: 1,
  source: "s",
  since: "2026-11-21T00:00:00.000Z",
  watermark: "2026-11-21T10:00:00.000Z",
  seen: { a: 1 },
  position: 7,
};
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-cursor-"));
  path = join(folder, "cursor.json");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("is absent before the first write", async () => {
  expect(await cursorFile(path).read()).toBeUndefined();
});

test("returns what was written, and leaves no other file behind", async () => {
  const file = cursorFile(path);
  await file.write(cursor);
  await file.write({ ...cursor, watermark: "2026-11-21T11:00:00.000Z" });
  expect(await cursorFile(path).read()).toEqual({ ...cursor, watermark: "2026-11-21T11:00:00.000Z" });
  expect(readdirSync(folder)).toEqual(["cursor.json"]);
});

test("ignores a draft file left by a crash", async () => {
  await cursorFile(path).write(cursor);
  writeFileSync(join(folder, ".cursor.json.draft"), '{"version":1,"sou');
  const file = cursorFile(path);
  expect(await file.read()).toEqual(cursor);
  await file.write({ ...cursor, position: 9 });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ ...cursor, position: 9 });
});

test.each([
  "",
  "{",
  "[]",
  JSON.stringify({ ...cursor, version: 2 }),
  JSON.stringify({ ...cursor, watermark: "yesterday" }),
  JSON.stringify({ ...cursor, seen: [] }),
  JSON.stringify({ ...cursor, seen: { a: "1" } }),
  JSON.stringify({ ...cursor, position: -1 }),
])("fails for a file that is not a cursor instead of starting from the beginning: %s", async (text) => {
  writeFileSync(path, text);
  await expect(cursorFile(path).read()).rejects.toMatchObject({ code: "cursor-malformed" });
});

test("fails if another process wrote the cursor in the meantime", async () => {
  const [one, other] = [cursorFile(path), cursorFile(path)];
  await one.read();
  await other.read();
  await one.write(cursor);
  await expect(other.write(cursor)).rejects.toMatchObject({ code: "cursor-in-use" });
});

test("fails if the cursor can't be read or written", async () => {
  mkdirSync(path);
  await expect(cursorFile(path).read()).rejects.toMatchObject({ code: "cursor-unreadable" });
  await expect(cursorFile(join(folder, "no", "cursor")).write(cursor)).rejects.toMatchObject({
    code: "cursor-unwritable",
  });
});
