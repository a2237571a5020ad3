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
import { keepEvidence } from "../../../lib/rehearsal/evidence/evidence";
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
  const { hooks, broken, conclude } = keepEvidence(folder);
  hooks.onProbe(probe);
  hooks.keepFile("terraform/plans/01-apply.json", "{}");
  hooks.keepFile("terraform/terraform.log", "one\n", "added");
  hooks.keepFile("terraform/terraform.log", "two\n", "added");
  const manifest = conclude(result);
  expect(manifest).toBe(createHash("sha256").update(read("SHA256SUMS")).digest("hex"));
  // Data after the verdict does not belong to the evidence.
  hooks.onProbe(probe);
  hooks.keepFile("late.txt", "x");
  expect(broken.aborted).toBe(false);
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

  test.each<[name: string, act: (hooks: ReturnType<typeof keepEvidence>["hooks"]) => void]>([
    ["probes.jsonl", (hooks) => hooks.onProbe(probe)],
    ["answers.jsonl", (hooks) => hooks.onAnswer({ time: probe.time, name: "a.example.com", type: "A", answers: [] })],
    ["terraform.log", (hooks) => hooks.keepFile("terraform.log", "one\n", "added")],
    ["EVIDENCE.txt", () => undefined],
  ])("for %s: continues the rehearsal, and reports once which files are safe and what to do", (name, act) => {
    fill(name);
    const { hooks, broken, conclude } = keepEvidence(folder);
    act(hooks);
    expect(broken.reason).toMatchObject({
      name: "InputError",
      code: "evidence-unwritable",
      message: `--evidence: '${join(folder, name)}' can't be written: no space is left on its file system; the rehearsal was stopped, and what is in '${folder}' is what happened up to then, without a verdict; make room there or name another folder, and rehearse again`,
    });
    const { reason } = broken;
    act(hooks);
    hooks.onProbe(probe);
    conclude(result);
    expect(broken.reason).toBe(reason);
    expect(readdirSync(folder)).not.toContain("result.json");
  });

  test.each(["result.json", "SHA256SUMS"])("for %s: writes no verdict", (name) => {
    fill(name);
    const { broken, conclude } = keepEvidence(folder);
    conclude(result);
    expect(broken.reason).toMatchObject({ code: "evidence-unwritable" });
    expect(readdirSync(folder)).not.toContain("result.json");
  });
});

test("reports a folder that can't be created", () => {
  const { hooks, broken } = keepEvidence(folder);
  writeFileSync(join(folder, "terraform"), "a file");
  hooks.keepFile("terraform/plans/01-apply.json", "{}");
  expect(broken.reason).toMatchObject({ message: expect.stringContaining("there is a file in its place") });
});

test("reports a folder that has the name of a list, and throws nothing", () => {
  mkdirSync(join(folder, "probes.jsonl"));
  const { hooks, broken } = keepEvidence(folder);
  hooks.onProbe(probe);
  expect(broken.reason).toMatchObject({ message: expect.stringContaining("it is a folder") });
});
