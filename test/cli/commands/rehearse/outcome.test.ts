import {
  failureLines,
  rehearsalResult,
  rehearsalSummary,
  type SeededResult,
  standInNotes,
} from "../../../../lib/cli/commands/rehearse/outcome";
import { InputError } from "../../../../lib/errors";

const step = {
  number: 1,
  name: "certificates",
  ok: true,
  seconds: 4.21,
  probes: 90,
  failedHandshakes: 0,
  from: "2026-11-21T00:00:00.000Z",
  until: "2026-11-21T00:02:00.000Z",
};
const result: SeededResult = {
  ok: true,
  completed: true,
  steps: [step],
  parts: [{ numbers: [1], name: "step 1", state: "done", seconds: 4.21, handshakes: 90, failed: 0 }],
  probes: 90,
  failedHandshakes: 0,
  discarded: 0,
  watch: true,
  rotation: true,
  acts: [],
  converged: true,
  destroyed: true,
  left: [],
  partsEndedAt: step.until,
  bySecond: [],
  failures: [],
  faultCounts: [],
  kills: 0,
  imports: 0,
  seed: 7,
  timeline: {
    from: step.from,
    until: step.until,
    events: [],
    hostnames: [],
    certificates: [],
    addresses: { previous: [], loadBalancer: [] },
  },
  rehearsed: {
    input: { kind: "spec", name: "migration.yaml", sha256: "0".repeat(64), migrations: [] },
    hostnames: ["example.com"],
    versions: { package: "0.1.0", terraform: { program: "terraform", version: "1.11.4" }, kit: {}, node: "20.9.0" },
    provider: "stand-in",
    speed: 30,
    startedAt: step.from,
    endedAt: step.until,
  },
};
const summary = {
  ok: true,
  steps: [step],
  parts: result.parts,
  probes: 90,
  failedHandshakes: 0,
  rotation: true,
  rollback: null,
  seed: 7,
  destroyed: true,
  left: [],
  converged: true,
  acts: [],
  failures: [],
  faultCounts: [],
  kills: 0,
  imports: 0,
  rehearsed: result.rehearsed,
  timeline: result.timeline,
};

test("prints the documented fields of --json in order", () => {
  expect(JSON.stringify(rehearsalSummary(result, undefined))).toBe(JSON.stringify(summary));
});

test("counts discarded attempts apart from handshakes", () => {
  const thrownAway = { ...result, discarded: 3 };
  expect(rehearsalSummary(thrownAway, undefined)).toEqual({ ...summary, discarded: 3 });
});

test("reports what clients with and without a certificate got", () => {
  const withoutCertificate = { probes: 45, failed: 1, refused: 44 };
  const clients = { refusesOthers: true, withCertificate: { probes: 45, failed: 0 }, withoutCertificate };
  expect(rehearsalSummary({ ...result, clients }, undefined)).toEqual({ ...summary, clients });
});

test("reports a failure if a requested file could not be written", () => {
  const json = rehearsalSummary(result, new InputError("evidence-unwritable", "no space"));
  expect(json).toEqual({
    ...summary,
    ok: false,
    findings: [{ code: "evidence-unwritable", severity: "error", subject: "", message: "no space", remedy: "" }],
  });
});

test("explains names that no certificate contains", () => {
  const hostnames = ["example.com", "covered-by-wildcard.example.com", "covered-by-wildcard.example.net"];
  expect(standInNotes(hostnames, "added.by-rehearsal.example.com")).toEqual([
    "covered-by-wildcard.example.com stands for *.example.com, and 1 more likewise",
    "added.by-rehearsal.example.com exists only in the rehearsal, which adds this hostname to a certificate after the eight steps",
  ]);
  expect(standInNotes(["example.com"], undefined)).toEqual([]);
});

describe("the result for other tools", () => {
  test("has a check for each step, and for the whole rehearsal", () => {
    expect(rehearsalResult(result, undefined)).toEqual({
      ok: true,
      summary: "0 of 90 handshakes failed",
      checks: [
        { name: "step 1: certificates", group: "step 1", failure: undefined },
        { name: "the rehearsal reaches its end without a failed handshake", group: "rehearsal", failure: undefined },
      ],
      findings: [],
    });
  });

  test("fails the step in which a handshake failed, and the rehearsal", () => {
    const failed = { ...result, ok: false, failedHandshakes: 2, steps: [{ ...step, ok: false, failedHandshakes: 2 }] };
    expect(rehearsalResult(failed, undefined).checks.map(({ failure }) => failure?.code)).toEqual([
      "rehearsal-step-failed",
      "rehearsal-failed",
    ]);
  });

  test("is not ok if the report can't be written", () => {
    const refusal = new InputError("file-unwritable", "no space");
    expect(rehearsalResult(result, refusal)).toMatchObject({ ok: false, findings: [{ code: "file-unwritable" }] });
  });
});

describe("the lines of failures", () => {
  const failure = (second: number, hostname: string, error: string) => ({
    ...{ time: `2026-11-21T10:00:0${second}.000Z`, hostname, address: "203.0.113.7", ok: false, error },
  });

  test("name each kind once, with its first time and the number of repetitions", () => {
    const failures = [
      failure(1, "a.example.com", "ECONNRESET"),
      failure(2, "b.example.com", "ECONNRESET"),
      failure(3, "a.example.com", "ECONNRESET"),
    ];
    expect(failureLines(failures)).toEqual([
      "failed at 2026-11-21T10:00:01.000Z by the cloud's clock: a.example.com at 203.0.113.7: ECONNRESET, and 1 time after that",
      "failed at 2026-11-21T10:00:02.000Z by the cloud's clock: b.example.com at 203.0.113.7: ECONNRESET",
    ]);
  });

  test("are ten at most", () => {
    const failures = Array.from({ length: 12 }, (_, index) => failure(1, `h${index}.example.com`, "ECONNRESET"));
    expect(failureLines(failures)).toHaveLength(11);
    expect(failureLines(failures).at(-1)).toBe("and 2 more kinds of failures, in the report");
  });
});
