import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFolder, markFolder, openFolder, writeOwn } from "../../lib/rehearsal/folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bundles = ["previous-certificates.pem", "previous-trust-bundle.pem", "trust-bundle.pem", "uploaded.pem"];
const write = (name: string, text = "x") => writeFileSync(join(folder, name), text);

test("creates a missing folder when opened; a check alone creates nothing", () => {
  const place = join(folder, "a", "b");
  checkFolder(place, "--keep");
  expect(readdirSync(folder)).toEqual([]);
  openFolder(place, "--keep");
  expect(readdirSync(join(folder, "a"))).toEqual(["b"]);
});

describe.each([
  ["checking", checkFolder],
  ["opening", openFolder],
])("%s a folder", (_, use) => {
  test.each([
    [
      "in a virtual file system",
      "/proc/none/x",
      "--evidence: the folder '/proc/none/x' can't be made or used: its folder is missing, or takes no new files; name another one",
    ],
    ["at the path of a file", __filename, "can't be made or used: there is a file in its place; name another one"],
    ["below a file", join(__filename, "x"), "can't be made or used: there is a file in its place; name another one"],
    ["in a read-only folder of the kernel", "/proc", "--evidence: the folder '/proc' "],
  ])("fails %s", (_case, place, message) => {
    expect(() => use(place, "--evidence")).toThrow(message);
    expect(() => use(place, "--evidence")).toThrow(expect.objectContaining({ code: "rehearsal-folder" }));
  });

  test.each<[what: string, names: readonly string[], reported: string]>([
    ["unrelated files", ["main.ts"], "('main.ts')"],
    ["many unrelated files", ["a", "b", "c", "d"], "('a', 'b', 'c' and more)"],
    [
      "an unrelated file with the name of a bundle beside Terraform's folder",
      ["trust-bundle.pem"],
      "('trust-bundle.pem')",
    ],
    ["an unrelated file with the name of a list", ["probes.jsonl"], "('probes.jsonl')"],
    [
      "unrelated files with the names of all bundles",
      bundles,
      "('previous-certificates.pem', 'previous-trust-bundle.pem', 'trust-bundle.pem' and more)",
    ],
    ["an unrelated file with the name of the evidence text", ["EVIDENCE.txt"], "('EVIDENCE.txt')"],
    ["an unrelated file with the name of the kept folder's text", ["REHEARSAL.txt"], "('REHEARSAL.txt')"],
  ])("fails for a folder that has %s, and leaves it unchanged", (_case, names, reported) => {
    for (const name of names) write(name);
    expect(() => use(folder, "--evidence")).toThrow(
      `--evidence: the folder '${folder}' has other things in it ${reported}, and nothing was removed; name an empty one, or that of an earlier rehearsal`,
    );
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });
});

/** Files that a rehearsal wrote before it was interrupted, in this order. The text of a file identifies the folder. */
const begun: readonly (readonly [what: string, make: () => void])[] = [
  ["before it wrote its description", () => write("REHEARSAL.txt", "")],
  ["in the middle of its description", () => write("REHEARSAL.txt", "Files of a re")],
  ["in the middle of the description of its evidence", () => write("EVIDENCE.txt", "Evid")],
  ["after it marked the folder", () => markFolder(folder)],
  [
    "between two of its bundles",
    () => {
      markFolder(folder);
      for (const name of bundles.slice(0, 2)) write(name);
    },
  ],
  [
    "while Terraform ran",
    () => {
      markFolder(folder);
      bundles.forEach((name) => void write(name));
      mkdirSync(join(folder, "terraform"));
      write("terraform/terraform.tfstate");
    },
  ],
  [
    "after it wrote a part of its evidence",
    () => {
      write("EVIDENCE.txt", "Evidence of a rehearsal.\n");
      write("probes.jsonl");
    },
  ],
];

describe.each(begun)("the folder of a rehearsal that ended %s", (_, make) => {
  beforeEach(make);

  test("is used again, and is emptied when it is opened", () => {
    const before = readdirSync(folder, { recursive: true });
    checkFolder(folder, "--keep");
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
    openFolder(folder, "--keep");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is left unchanged if it contains another program's file", () => {
    write("orders.jsonl");
    const before = readdirSync(folder, { recursive: true });
    expect(() => openFolder(folder, "--keep")).toThrow(expect.objectContaining({ code: "rehearsal-folder" }));
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });
});

test("uses a folder again that could not be emptied completely", () => {
  markFolder(folder);
  bundles.forEach((name) => void write(name));
  const fs = jest.requireActual<typeof import("node:fs")>("node:fs");
  const { rmSync: remove } = fs;
  let removed = 0;
  const broken = jest.spyOn(fs, "rmSync").mockImplementation((...given) => {
    if (removed === bundles.length) throw new Error("ended");
    removed += 1;
    remove(...given);
  });
  expect(() => openFolder(folder, "--keep")).toThrow();
  broken.mockRestore();
  expect(readdirSync(folder)).toEqual(["REHEARSAL.txt"]);
  openFolder(folder, "--keep");
  expect(readdirSync(folder)).toEqual([]);
});

test("states that the folder contains keys", () => {
  markFolder(join(folder, "new"));
  expect(readFileSync(join(folder, "new", "REHEARSAL.txt"), "utf8")).toMatch(/private keys.*don't share this folder/);
});

test("reports a full disk with a remedy", () => {
  expect(() => writeOwn("/dev/full", "x")).toThrow(
    "the rehearsal's file '/dev/full' can't be written: no space is left on its file system; make room there, or name another folder with --keep",
  );
});
