import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFolder } from "../../lib/rehearsal/folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("makes one that is not there", () => {
  openFolder(join(folder, "a", "b"));
  expect(readdirSync(join(folder, "a"))).toEqual(["b"]);
});

test.each([
  ["where the kernel has no place for it", "/proc/none/x", "the folder '/proc/none/x' can't be made: ENOENT"],
  ["where a file is", __filename, "can't be made: there is a file in its place; name another one"],
  ["below a file", join(__filename, "x"), "can't be made: there is a file in its place; name another one"],
])("fails %s", (_, place, message) => {
  expect(() => openFolder(place)).toThrow(message);
  expect(() => openFolder(place)).toThrow(expect.objectContaining({ code: "rehearsal-folder" }));
});

test("takes one of an earlier rehearsal, without its state and evidence", () => {
  mkdirSync(join(folder, "terraform"));
  for (const name of ["trust-bundle.pem", "probes.jsonl", "terraform/terraform.tfstate", "notes.txt"]) {
    writeFileSync(join(folder, name), "x");
  }
  openFolder(folder);
  expect(readdirSync(folder).sort()).toEqual(["notes.txt", "trust-bundle.pem"]);
});

test("fails for one that is somebody else's, and leaves it alone", () => {
  mkdirSync(join(folder, "terraform"));
  writeFileSync(join(folder, "main.ts"), "x");
  expect(() => openFolder(folder)).toThrow(
    "has 2 other things in it; name an empty one, or that of an earlier rehearsal",
  );
  expect(readdirSync(folder).sort()).toEqual(["main.ts", "terraform"]);
});
