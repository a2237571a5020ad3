import { type StepState, stepNames } from "../../lib/live/status";
import type { ReportData } from "../../lib/report";
import { hostnameStatesOf } from "../../lib/report/hostname-states";
import { verdictOf } from "../../lib/report/summary";
import { fullReport } from "../support/report-data";

const time = new Date("2026-11-21T08:00:00Z");

function statuses(...hostnames: readonly (readonly StepState[])[]) {
  const all = hostnames.map((states, index) => {
    const steps = stepNames.map((name, at) => ({ step: at + 1, name, state: states[at] ?? "done" }) as const);
    return { migration: "prod/shop", hostname: `host-${index}.example.com`, steps };
  });
  return [{ source: "s.json", time, hostnames: all }];
}

function watch(attempts: number, failures: number, hasEnded = true) {
  const verdict = { verdict: failures > 0 ? "failures" : "good", reason: "so it was" } as const;
  const share = { previous: 0, loadBalancer: 1, other: 0, unknown: 0 };
  const hostnames = [{ hostname: "host-0.example.com", attempts, failures, codes: [], share }];
  const counts = {
    buckets: [],
    bucketMs: 1_000,
    gaps: [],
    gapCount: 0,
    blind: { count: 0, milliseconds: 0 },
    hostnames,
    attempts,
    failures,
  };
  return [
    { source: "w.jsonl", from: time, until: time, resolvers: ["one"], ...counts, ...(hasEnded ? { verdict } : {}) },
  ];
}

const verified = (ok: boolean) => [
  { source: "v.json", time, results: [{ hostname: "host-0.example.com", address: "203.0.113.7", ok }] },
];
const doctor = (severity: "error" | "warning") => ({
  source: "d.json",
  findings: [{ code: "c", severity, subject: "", message: "w", remedy: "" }],
});
const result = { ...fullReport(0).rehearsal!.result, failures: [], failedHandshakes: 0 };
const rehearsal = (ok: boolean, failedHandshakes = 0) => ({
  source: "r.json",
  result: { ...result, ok, failedHandshakes },
});

const done = [] as const;
const waitingAt3 = ["done", "done", "waiting", "todo", "todo", "todo", "todo", "todo"] as const;
const todoAt2 = ["done", "todo", "todo", "todo", "todo", "todo", "todo", "todo"] as const;
const unknownAt7 = ["done", "done", "done", "done", "done", "done", "unknown", "done"] as const;
const failedAt2 = ["done", "failed", "todo", "todo", "todo", "todo", "todo", "todo"] as const;

test.each<[string, Omit<ReportData, "title" | "generatedAt">, "good" | "pending" | "bad", string]>([
  ["all through", { statuses: statuses(done, done) }, "good", "Done: all 2 hostnames are through the eight steps."],
  ["the only one through", { statuses: statuses(done) }, "good", "Done: the one hostname is through the eight steps."],
  [
    "all through, watched, examined and rehearsed",
    { statuses: statuses(done), watches: watch(1_200, 0), doctor: doctor("warning"), rehearsal: rehearsal(true) },
    "good",
    "Done: the one hostname is through the eight steps; none of 1,200 connections failed while it was watched; doctor found no error; the rehearsal went through with 0 of 3,200 handshakes failed.",
  ],
  [
    "all through, and a watch that was killed",
    { statuses: statuses(done), watches: watch(10, 0, false) },
    "good",
    "Done: the one hostname is through the eight steps; none of 10 connections failed while it was watched; a watch has not ended.",
  ],
  [
    "one waits",
    { statuses: statuses(done, waitingAt3) },
    "pending",
    "In progress: 1 of 2 hostnames is through the eight steps; step 3, certificate active, is in progress for 1 hostname.",
  ],
  [
    "the earliest step is reported",
    { statuses: statuses(waitingAt3, todoAt2, todoAt2) },
    "pending",
    "In progress: 0 of 3 hostnames are through the eight steps; step 2, CNAME published, is to do for 2 hostnames.",
  ],
  [
    "the seventh is not known",
    { statuses: statuses(unknownAt7) },
    "pending",
    "In progress: 0 of 1 hostname is through the eight steps; step 7, served and verified, is not known yet for 1 hostname.",
  ],
  [
    "a step has failed",
    { statuses: statuses(done, failedAt2) },
    "bad",
    "Needs a fix: 1 of 2 hostnames is at a step that has failed.",
  ],
  [
    "an address does not serve",
    { verifications: verified(false) },
    "bad",
    "Needs a fix: the one hostname is at a step that has failed.",
  ],
  [
    "an address does not serve one hostname although a newer status reports it as served, and a step of another hostname has failed",
    { statuses: statuses(done, failedAt2), verifications: verified(false) },
    "bad",
    "Needs a fix: 1 of 2 hostnames is at a step that has failed; verify found 1 hostname not served as it should be.",
  ],
  ["only verify, and good", { verifications: verified(true) }, "good", "The one hostname is served as it should be."],
  [
    "a connection failed while traffic moved, though all is through now",
    { statuses: statuses(done), watches: watch(1_000, 1) },
    "bad",
    "Needs a fix: 1 of 1,000 connections failed while traffic moved.",
  ],
  [
    "doctor found an error",
    { statuses: statuses(done), doctor: doctor("error") },
    "bad",
    "Needs a fix: doctor found 1 error.",
  ],
  [
    "doctor was stopped before it found an error",
    { statuses: statuses(done), doctor: { ...doctor("warning"), stopped: true } },
    "good",
    "Done: the one hostname is through the eight steps; doctor found no error before it was stopped.",
  ],
  [
    "the rehearsal failed without a failed handshake",
    { rehearsal: rehearsal(false) },
    "bad",
    "Needs a fix: the rehearsal did not end as it should.",
  ],
  [
    "the rehearsal was stopped",
    { rehearsal: { source: "r.json", result: { ...result, ok: false, stopped: true } } },
    "bad",
    "Needs a fix: the rehearsal was stopped before it was over.",
  ],
  [
    "the rehearsal lost handshakes",
    { rehearsal: rehearsal(false, 3) },
    "bad",
    "Needs a fix: 3 of 3,200 handshakes failed in the rehearsal.",
  ],
  [
    "only a rehearsal, and good",
    { rehearsal: rehearsal(true) },
    "good",
    "The rehearsal went through with 0 of 3,200 handshakes failed.",
  ],
  [
    "a watch without failures, and a watch that ended blind",
    {
      watches: [
        ...watch(10, 0),
        ...watch(3, 0).map((one) => ({ ...one, verdict: { verdict: "blind", reason: "no answer" } as const })),
      ],
    },
    "pending",
    "None of 13 connections failed while it was watched; 1 watch ended because no server answered.",
  ],
  [
    "a watch of what has no address",
    { watches: watch(0, 0) },
    "pending",
    "Nothing is known yet: no connection was made to the 1 hostname that was watched.",
  ],
  ["nothing", {}, "pending", "Nothing is known yet: no input contains a hostname."],
])("%s", (_, parts, tone, sentence) => {
  const data = { title: "t", generatedAt: time, ...parts };
  expect(verdictOf(data, hostnameStatesOf(data))).toEqual({ tone, sentence });
});
