import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFolder, openFolder } from "../../lib/rehearsal/folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const own = ["old-certificates.pem", "old-trust-bundle.pem", "trust-bundle.pem", "uploaded.pem"];
const write = (name: string, text = "x") => writeFileSync(join(folder, name), text);

test("makes one that is not there; looking alone makes none", () => {
  const place = join(folder, "a", "b");
  checkFolder(place, "--keep");
  expect(readdirSync(folder)).toEqual([]);
  openFolder(place, "--keep");
  expect(readdirSync(join(folder, "a"))).toEqual(["b"]);
});

describe.each([
  ["looking", checkFolder],
  ["opening", openFolder],
])("%s", (_, use) => {
  test.each([
    [
      "where the kernel has no place for it",
      "/proc/none/x",
      "--evidence: the folder '/proc/none/x' can't be made or used: its folder is missing, or takes no new files; name another one",
    ],
    ["where a file is", __filename, "can't be made or used: there is a file in its place; name another one"],
    ["below a file", join(__filename, "x"), "can't be made or used: there is a file in its place; name another one"],
    ["in a folder of the kernel's", "/proc", "--evidence: the folder '/proc' "],
  ])("fails %s", (_case, place, message) => {
    expect(() => use(place, "--evidence")).toThrow(message);
    expect(() => use(place, "--evidence")).toThrow(expect.objectContaining({ code: "rehearsal-folder" }));
  });

  test.each<[what: string, names: readonly string[], told: string]>([
    ["files of somebody else", ["main.ts"], "('main.ts')"],
    ["many of them", ["a", "b", "c", "d"], "('a', 'b', 'c' and more)"],
    ["a bundle by the name of ours beside Terraform's own folder", ["trust-bundle.pem"], "('trust-bundle.pem')"],
    ["a list of JSON lines by the name of ours", ["probes.jsonl"], "('probes.jsonl')"],
    ["all that is ours, and something else", [...own, "orders.jsonl"], "('orders.jsonl')"],
    ["a text by the name of ours", ["EVIDENCE.txt"], "('EVIDENCE.txt')"],
  ])("fails for one that has %s, and leaves it alone", (_case, names, told) => {
    for (const name of names) write(name);
    expect(() => use(folder, "--evidence")).toThrow(
      `--evidence: the folder '${folder}' has other things in it ${told}, and nothing was removed; name an empty one, or that of an earlier rehearsal`,
    );
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });
});

test.each([
  ["rehearsal", () => own.forEach((name) => void write(name))],
  [
    "rehearsal that kept evidence, and was ended at its begin",
    () => write("EVIDENCE.txt", "Evidence of a rehearsal.\n"),
  ],
])("takes one of an earlier %s, and empties it when it is opened", (_, make) => {
  make();
  mkdirSync(join(folder, "terraform"));
  for (const name of ["probes.jsonl", "terraform/terraform.tfstate"]) write(name);
  const before = readdirSync(folder);
  checkFolder(folder, "--evidence");
  expect(readdirSync(folder)).toEqual(before);
  openFolder(folder, "--evidence");
  expect(readdirSync(folder)).toEqual([]);
});
