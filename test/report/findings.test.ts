import type { ReportData } from "../../lib/report";
import { reportFindings } from "../../lib/report/findings";
import { historyOf } from "../../lib/report/history";
import { hostnameStatesOf } from "../../lib/report/hostname-states";
import { fullReport, t0 } from "../support/report-data";

function findings(data: Omit<ReportData, "title" | "generatedAt">) {
  const whole = { title: "t", generatedAt: new Date(t0), ...data };
  return reportFindings(whole, hostnameStatesOf(whole), historyOf(whole.statuses ?? []));
}

test("returns every source's findings, errors before warnings", () => {
  const reported = findings(fullReport(100)).map(({ by, code, severity, subjectCount }) => [
    by,
    code,
    severity,
    subjectCount,
  ]);
  expect(reported).toEqual([
    ["verify", "name-mismatch", "error", 2],
    ["doctor", "caa-forbids", "error", 1],
    ["status", "record-missing", "error", 1],
    ["watch", "timeout", "error", 1],
    ["watch", "connection-refused", "error", 1],
    ["rehearse", "rehearsed-handshake-failed", "error", 1],
    ["rehearse", "rehearsed-step-failed", "error", 0],
    ["rehearse", "rollback-failed", "error", 0],
    ["verify", "unplanned-fallback", "warning", 1],
    ["watch", "watch-gap", "warning", 0],
  ]);
});

test("joins thousands of findings with one cause, with fifty of them by name and the first as an example", () => {
  const results = Array.from({ length: 2_000 }, (_, index) => ({
    hostname: `host-${index}.example.com`,
    address: "203.0.113.7",
    ok: false,
    failure: { code: "name-mismatch", message: `host-${index}.example.com is not in the names` },
  }));
  const [finding, ...others] = findings({ verifications: [{ source: "v.json", time: new Date(t0), results }] });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ subjectCount: 2_000, example: "host-0.example.com is not in the names" });
  expect(finding?.subjects).toHaveLength(50);
});

test("reports a watch without a summary as killed", () => {
  const { watches = [] } = fullReport(1);
  const killed = watches.map(({ verdict: _, ...watch }) => ({ ...watch, blind: { count: 0, milliseconds: 0 } }));
  expect(findings({ watches: killed }).map(({ code }) => code)).toEqual([
    "timeout",
    "connection-refused",
    "watch-without-summary",
  ]);
});

test("reports a step that was done and is no longer done", () => {
  const { statuses = [] } = fullReport(3);
  const backwards = statuses.map((status, index) => ({ ...status, time: new Date(t0 - index) }));
  const undone = findings({ statuses: backwards }).filter(({ code }) => code === "step-undone");
  expect(undone.map(({ message: what, subjectCount }) => `${subjectCount}: ${what}`).sort()).toEqual([
    "1: step 1, certificate made, was done and is no longer done",
    "1: step 8, traffic moved, was done and is no longer done",
    "2: step 2, CNAME published, was done and is no longer done",
    "2: step 7, served and verified, was done and is no longer done",
    "3: step 3, certificate active, was done and is no longer done",
    "3: step 4, entry made, was done and is no longer done",
    "3: step 5, entry active, was done and is no longer done",
    "3: step 6, map attached, was done and is no longer done",
  ]);
});

test("treats codes that are names of JavaScript's own like any other code", () => {
  const { watches = [] } = fullReport(1);
  const [watch] = watches;
  const codes = ["__proto__", "constructor", "toString"].map((code) => ({ code, count: 1 }));
  const hostnames = (watch?.hostnames ?? []).map((hostname) => ({ ...hostname, codes }));
  const reported = findings({
    watches: watches.map((one) => ({ ...one, hostnames, blind: { count: 0, milliseconds: 0 } })),
  });
  expect(reported.map(({ code, message: what }) => `${code}: ${what}`)).toEqual([
    "__proto__: watch.jsonl: 1 connection failed",
    "constructor: watch.jsonl: 1 connection failed",
    "toString: watch.jsonl: 1 connection failed",
  ]);
});

test("reports each failure of a rehearsal as its own finding", () => {
  const { rehearsal } = fullReport(1);
  if (rehearsal === undefined) throw new Error("a full report has a rehearsal");
  const result = {
    ...rehearsal.result,
    steps: [],
    failures: [],
    failedHandshakes: 0,
    rotation: false,
    rollback: false,
    acts: [{ name: "a renewal", ok: false }],
    converged: false,
    destroyed: false,
  };
  const reported = findings({ rehearsal: { ...rehearsal, result } }).map(
    ({ code, message: what }) => `${code}: ${what}`,
  );
  expect(reported).toEqual([
    "rotation-failed: a domain added to a certificate",
    "rollback-failed: traffic back and forth",
    "rehearsed-act-failed: a renewal",
    "not-converged: a last plan was not empty",
    "left-behind: something was left after destroying the stack",
  ]);
});

test("reports an aborted rehearsal as aborted, and none of its steps as failed", () => {
  const { rehearsal } = fullReport(1);
  if (rehearsal === undefined) throw new Error("a full report has a rehearsal");
  const steps = rehearsal.result.steps.slice(0, 2).map((step) => ({ ...step, ok: false, stopped: true }));
  const { rollback: _, converged: __, ...result } = rehearsal.result;
  const stopped = { ...result, ok: false, stopped: true, steps, failures: [], failedHandshakes: 0 };
  const reported = findings({ rehearsal: { ...rehearsal, result: stopped } }).map(({ code, severity }) => [
    code,
    severity,
  ]);
  expect(reported).toEqual([["rehearsal-stopped", "warning"]]);
});

test("gives a failure without a code a code", () => {
  const results = [{ hostname: "a.example.com", address: "203.0.113.7", ok: false }];
  const verified = findings({ verifications: [{ source: "v.json", time: new Date(t0), results }] });
  expect(verified.map(({ code }) => code)).toEqual(["not-served"]);
  const { statuses = [] } = fullReport(1);
  const failed = statuses.map((status) => ({
    ...status,
    hostnames: status.hostnames.map((hostname) => ({
      ...hostname,
      steps: hostname.steps.map(({ code: _, ...one }) => ({ ...one, state: "failed" as const })),
    })),
  }));
  expect(new Set(findings({ statuses: failed }).map(({ code }) => code))).toEqual(new Set(["step-failed"]));
});
