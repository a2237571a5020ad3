import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EvidenceFolder } from "../../../lib/rehearsal/evidence/evidence";
import type { RehearsalResult } from "../../../lib/rehearsal/rehearsal";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const probe = { time: "2026-11-21T00:00:00Z", hostname: "a.example.com", ok: true };
const result = { ok: true } as RehearsalResult;
const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("writes events line by line, then the verdict and the digests of all files", () => {
  const evidence = new EvidenceFolder(folder);
  evidence.observer.probe(probe);
  evidence.keepFile("terraform/plans/01-apply.json", "{}");
  evidence.keepFile("terraform/terraform.log", "one\n", "added");
  evidence.keepFile("terraform/terraform.log", "two\n", "added");
  const manifest = evidence.conclude(result);
  expect(manifest).toBe(createHash("sha256").update(read("SHA256SUMS")).digest("hex"));
  // Data after the verdict does not belong to the evidence.
  evidence.observer.probe(probe);
  evidence.keepFile("late.txt", "x");
  expect(evidence.broken.aborted).toBe(false);
  expect(read("probes.jsonl")).toBe(`${JSON.stringify(probe)}\n`);
  expect(read("terraform/terraform.log")).toBe("one\ntwo\n");
  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
  expect(["terraform.log", "plans/01-apply.json"].map((name) => modeOf(`terraform/${name}`))).toEqual(["600", "600"]);
  expect(JSON.parse(read("result.json"))).toEqual({
    ok: true,
    lines: {
      "probes.jsonl": 1,
      "answers.jsonl": 0,
      "requests.jsonl": 0,
      "certificates.jsonl": 0,
      "discarded.jsonl": 0,
    },
  });
  const named = read("SHA256SUMS")
    .trim()
    .split("\n")
    .map((line) => line.split("  ")[1]);
  expect(named).toEqual([
    "EVIDENCE.txt",
    "answers.jsonl",
    "certificates.jsonl",
    "discarded.jsonl",
    "probes.jsonl",
    "requests.jsonl",
    "result.json",
    "terraform/plans/01-apply.json",
    "terraform/terraform.log",
  ]);
});

describe("no space left on the disk", () => {
  /** Links a file to a device that accepts no bytes. */
  const fill = (name: string) => symlinkSync("/dev/full", join(folder, name));

  test.each<[name: string, act: (evidence: EvidenceFolder) => void]>([
    ["probes.jsonl", (evidence) => evidence.observer.probe(probe)],
    [
      "answers.jsonl",
      (evidence) => evidence.observer.answer({ time: probe.time, name: "a.example.com", type: "A", answers: [] }),
    ],
    ["terraform.log", (evidence) => evidence.keepFile("terraform.log", "one\n", "added")],
    ["EVIDENCE.txt", () => undefined],
  ])("for %s: continues the rehearsal, and reports once which files are safe and what to do", (name, act) => {
    fill(name);
    const evidence = new EvidenceFolder(folder);
    act(evidence);
    expect(evidence.broken.reason).toMatchObject({
      name: "InputError",
      code: "evidence-unwritable",
      message: `--evidence: '${join(folder, name)}' can't be written: no space is left on its file system; the rehearsal was stopped, and what is in '${folder}' is what happened up to then, without a verdict; make room there or name another folder, and rehearse again`,
    });
    const { reason } = evidence.broken;
    act(evidence);
    evidence.observer.probe(probe);
    evidence.conclude(result);
    expect(evidence.broken.reason).toBe(reason);
    expect(readdirSync(folder)).not.toContain("result.json");
  });

  test.each(["result.json", "SHA256SUMS"])("for %s: writes no verdict", (name) => {
    fill(name);
    const evidence = new EvidenceFolder(folder);
    evidence.conclude(result);
    expect(evidence.broken.reason).toMatchObject({ code: "evidence-unwritable" });
    expect(readdirSync(folder)).not.toContain("result.json");
  });
});

test("reports a folder that can't be created", () => {
  const evidence = new EvidenceFolder(folder);
  writeFileSync(join(folder, "terraform"), "a file");
  evidence.keepFile("terraform/plans/01-apply.json", "{}");
  expect(evidence.broken.reason).toMatchObject({ message: expect.stringContaining("there is a file in its place") });
});

test("reports a folder that has the name of a list, and throws nothing", () => {
  mkdirSync(join(folder, "probes.jsonl"));
  const evidence = new EvidenceFolder(folder);
  evidence.observer.probe(probe);
  expect(evidence.broken.reason).toMatchObject({ message: expect.stringContaining("it is a folder") });
});
