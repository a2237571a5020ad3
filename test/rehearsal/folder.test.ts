import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkFolder, markFolder, openFolder, writeOwn } from "../../lib/rehearsal/folder";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bundles = ["old-certificates.pem", "old-trust-bundle.pem", "trust-bundle.pem", "uploaded.pem"];
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
    [
      "all bundles by the names of ours",
      bundles,
      "('old-certificates.pem', 'old-trust-bundle.pem', 'trust-bundle.pem' and more)",
    ],
    ["a text by the name of that of evidence", ["EVIDENCE.txt"], "('EVIDENCE.txt')"],
    ["a text by the name of that of a kept folder", ["REHEARSAL.txt"], "('REHEARSAL.txt')"],
  ])("fails for one that has %s, and leaves it alone", (_case, names, told) => {
    for (const name of names) write(name);
    expect(() => use(folder, "--evidence")).toThrow(
      `--evidence: the folder '${folder}' has other things in it ${told}, and nothing was removed; name an empty one, or that of an earlier rehearsal`,
    );
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });
});

/** What was written until a rehearsal was ended, in this order; what is in a text decides. */
const begun: readonly (readonly [what: string, make: () => void])[] = [
  ["in its first moment, with nothing in its text yet", () => write("REHEARSAL.txt", "")],
  ["within its text", () => write("REHEARSAL.txt", "Files of a re")],
  ["within that of its evidence", () => write("EVIDENCE.txt", "Evid")],
  ["when it had said what the folder is", () => markFolder(folder)],
  [
    "between two of its bundles",
    () => {
      markFolder(folder);
      for (const name of bundles.slice(0, 2)) write(name);
    },
  ],
  [
    "when Terraform was at work",
    () => {
      markFolder(folder);
      bundles.forEach((name) => void write(name));
      mkdirSync(join(folder, "terraform"));
      write("terraform/terraform.tfstate");
    },
  ],
  [
    "when it had kept some of its evidence",
    () => {
      write("EVIDENCE.txt", "Evidence of a rehearsal.\n");
      write("probes.jsonl");
    },
  ],
];

describe.each(begun)("the folder of a rehearsal that was ended %s", (_, make) => {
  beforeEach(make);

  test("is taken again, and emptied when it is opened", () => {
    const before = readdirSync(folder, { recursive: true });
    checkFolder(folder, "--keep");
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
    openFolder(folder, "--keep");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is left alone where somebody has put something else into it", () => {
    write("orders.jsonl");
    const before = readdirSync(folder, { recursive: true });
    expect(() => openFolder(folder, "--keep")).toThrow(expect.objectContaining({ code: "rehearsal-folder" }));
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });
});

test("a folder that could not be emptied to its end is taken again", () => {
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

test("says that it has keys in it", () => {
  markFolder(join(folder, "new"));
  expect(readFileSync(join(folder, "new", "REHEARSAL.txt"), "utf8")).toMatch(/private keys.*don't share this folder/);
});

test("fails with what to do where no space is left", () => {
  expect(() => writeOwn("/dev/full", "x")).toThrow(
    "the rehearsal's file '/dev/full' can't be written: no space is left on its file system; make room there, or name another folder with --keep",
  );
});
