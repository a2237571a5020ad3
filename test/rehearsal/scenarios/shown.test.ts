import type { LoggedRequest } from "../../../lib/cloud";
import type { Evidence, Meeting, Proof } from "./seen";
import {
  afterwards,
  answered,
  askedFor,
  bothAtOnce,
  failedSaying,
  failuresMet,
  hostnamesMet,
  inOneApply,
  issuedAgain,
  killedAt,
  lockedOut,
  nothingWrong,
  operationsOver,
  presentedAfter,
  refused,
  renewedMeanwhile,
  whileRenewing,
} from "./shown";

type Run = Evidence["runs"][number];
const nothing: Evidence = { said: [], requests: [], faultCounts: [], runs: [], issued: [], met: [] };

/** Returns the time `seconds` after an arbitrary start. */
function at(seconds: number): string {
  return new Date(Date.parse("2026-11-21T10:00:00Z") + seconds * 1_000).toISOString();
}

/** Returns a successful change by Terraform. */
function request(seconds: number, method: string, change: Partial<LoggedRequest> = {}): LoggedRequest {
  const given = { number: 1, httpMethod: "POST", target: "/", status: 200, caller: "token …arsal", durationMs: 1 };
  return { ...given, time: at(seconds), method, mutation: true, ...change };
}

/** Returns a successful apply of the migration. */
function run(from: number, until: number, change: Partial<Run> = {}): Run {
  const ended = { exitCode: 0, output: "Apply complete!", killed: false, isLockLeft: false };
  return {
    program: "terraform",
    folder: "terraform",
    words: ["apply"],
    from: at(from),
    until: at(until),
    ...ended,
    ...change,
  };
}

const issuedAt = (seconds: number, ...domains: readonly string[]) => ({ time: at(seconds), domains });
const met = (seconds: number, change: Partial<Meeting> = {}): Meeting => ({
  hostname: "example.com",
  address: "203.0.113.7",
  side: "loadBalancer",
  ok: true,
  certificate: "aa",
  firstAt: at(seconds),
  ...change,
});
const cutOff = run(0, 10, { killed: true, isLockLeft: true, exitCode: 1, output: "Creating..." });
const locked = { exitCode: 1, output: "Error: Error acquiring the state lock" };
const polled = (seconds: number, name: string) => request(seconds, "get", { target: `/v1/operations/${name}` });

/** Evidence that counts, and similar evidence that does not count. */
const cases: readonly (readonly [string, Proof, Partial<Evidence>, Readonly<Record<string, Partial<Evidence>>>])[] = [
  [
    "an answer",
    answered("a.create", "made"),
    { requests: [request(1, "a.create")] },
    {
      "another method": { requests: [request(1, "b.create")] },
      "a refusal": { requests: [request(1, "a.create", { status: 409 })] },
      "a connection that was cut": { requests: [request(1, "a.create", { status: 0 })] },
    },
  ],
  [
    "a refusal",
    refused(409, "refused", "a.create"),
    { requests: [request(1, "a.create", { status: 409 })] },
    {
      "an answer": { requests: [request(1, "a.create")] },
      "that of another method": { requests: [request(1, "b.create", { status: 409 })] },
    },
  ],
  [
    "a question of Terraform's",
    askedFor(/name=alias/, "asked"),
    { requests: [request(1, "get", { target: "/rrsets?name=alias" })] },
    {
      "a request of another client": {
        requests: [request(1, "get", { target: "/rrsets?name=alias", caller: "anonymous" })],
      },
    },
  ],
  [
    "a failure where all has to succeed",
    nothingWrong,
    { requests: [request(1, "a.create", { status: 503 })] },
    {
      "something that is not there yet": { requests: [request(1, "a.get", { status: 404 })] },
      "a plan with changes": { runs: [run(0, 1, { words: ["plan"], exitCode: 2 })] },
      "a run that went well": { runs: [run(0, 1)] },
    },
  ],
  [
    "a run that failed for a reason",
    failedSaying("plan is stale", "stale"),
    { runs: [run(0, 1, { exitCode: 1, output: "Error: Saved plan is stale" })] },
    {
      "one that failed for another": { runs: [run(0, 1, { exitCode: 1, output: "Error: no" })] },
      "one that went through": { runs: [run(0, 1, { output: "plan is stale" })] },
    },
  ],
  [
    "a hostname that was met",
    hostnamesMet("met", 1, ({ side }) => side === "loadBalancer"),
    { met: [met(1)] },
    { "one that was met elsewhere": { met: [met(1, { side: "previous" })] } },
  ],
  [
    "a failure of a kind",
    failuresMet(/^DNS/, "unresolved"),
    { met: [met(1, { ok: false, error: "DNS has no address" })] },
    {
      "one of another": { met: [met(1, { ok: false, error: "ECONNRESET" })] },
      "a handshake that went well": { met: [met(1)] },
    },
  ],
  [
    "one apply that did all",
    inOneApply(["a.create", "b.create"], "at once"),
    { runs: [run(0, 10)], requests: [request(1, "a.create"), request(2, "b.create")] },
    {
      "two that did it": {
        runs: [run(0, 10), run(20, 30)],
        requests: [request(1, "a.create"), request(21, "b.create")],
      },
      "one that failed": {
        runs: [run(0, 10, { exitCode: 1 })],
        requests: [request(1, "a.create"), request(2, "b.create")],
      },
    },
  ],
  [
    "an apply that locked another out",
    lockedOut,
    { runs: [run(1, 2, locked), run(0, 10)] },
    {
      "applies one after the other": { runs: [run(0, 1, locked), run(2, 10)] },
      "two that went through": { runs: [run(1, 2), run(0, 10)] },
      "one that failed for another reason": { runs: [run(1, 2, { ...locked, output: "Error: no" }), run(0, 10)] },
    },
  ],
  [
    "two states that were changed at once",
    bothAtOnce,
    { runs: [run(0, 10), run(5, 15, { folder: "beside" })], requests: [request(7, "a.create")] },
    {
      "one after the other": {
        runs: [run(0, 5), run(6, 15, { folder: "beside" })],
        requests: [request(4, "a.create"), request(7, "b.create")],
      },
      "one of which failed": {
        runs: [run(0, 10), run(5, 15, { folder: "beside", exitCode: 1 })],
        requests: [request(7, "a.create")],
      },
      "of which one changed nothing": {
        runs: [run(0, 10), run(5, 15, { folder: "beside" })],
        requests: [request(1, "a.create")],
      },
    },
  ],
  [
    "a renewal",
    issuedAgain(1),
    { issued: [issuedAt(1, "a"), issuedAt(9, "a")] },
    { "certificates of other domains": { issued: [issuedAt(1, "a"), issuedAt(9, "a", "b")] } },
  ],
  [
    "a renewal during an apply",
    renewedMeanwhile(1),
    {
      runs: [run(10, 20)],
      requests: [request(11, "a.patch"), request(19, "b.patch")],
      issued: [issuedAt(1, "a"), issuedAt(15, "a")],
    },
    {
      "a renewal before its first change": {
        runs: [run(10, 20)],
        requests: [request(17, "a.patch"), request(19, "b.patch")],
        issued: [issuedAt(1, "a"), issuedAt(15, "a")],
      },
      "a renewal after its last change": {
        runs: [run(10, 20)],
        requests: [request(11, "a.patch"), request(12, "b.patch")],
        issued: [issuedAt(1, "a"), issuedAt(15, "a")],
      },
      "a first certificate": {
        runs: [run(10, 20)],
        requests: [request(11, "a.patch"), request(19, "b.patch")],
        issued: [issuedAt(15, "a")],
      },
      "changes of two applies around it": {
        runs: [run(10, 12), run(18, 20)],
        requests: [request(11, "a.patch"), request(19, "b.patch")],
        issued: [issuedAt(1, "a"), issuedAt(15, "a")],
      },
    },
  ],
  [
    "an operation that takes long",
    operationsOver(60, "slow"),
    { requests: [polled(0, "one"), polled(30, "one"), polled(61, "one")] },
    {
      "one that is quick": { requests: [polled(0, "one"), polled(30, "one")] },
      "two operations": { requests: [polled(0, "one"), polled(61, "two")] },
    },
  ],
  [
    "an operation of one service that takes long",
    operationsOver(60, "slow", /^\/v1\/operations\//),
    { requests: [polled(0, "one"), polled(61, "one")] },
    {
      "one of another service": {
        requests: [0, 61].map((seconds) => request(seconds, "get", { target: "/v2/projects/p/operations/one" })),
      },
    },
  ],
  [
    "a deletion that comes late",
    afterwards("a.delete", "b.patch", (seconds) => seconds >= 240, "late"),
    { requests: [request(0, "b.patch"), request(5, "b.patch"), request(246, "a.delete")] },
    {
      "one that comes at once": { requests: [request(0, "b.patch"), request(5, "b.patch"), request(244, "a.delete")] },
      "one that comes before": { requests: [request(0, "a.delete"), request(300, "b.patch")] },
    },
  ],
  [
    "a certificate that reaches front ends late",
    presentedAfter(280, "late"),
    {
      requests: [request(10, "x.certificateMapEntries.patch")],
      met: [met(1), met(291, { certificate: "bb" })],
    },
    {
      "one that is there at once": {
        requests: [request(10, "x.certificateMapEntries.patch")],
        met: [met(1), met(20, { certificate: "bb" })],
      },
      "the one of before": { requests: [request(10, "x.certificateMapEntries.patch")], met: [met(1)] },
      "an entry that was never changed": { met: [met(1), met(291, { certificate: "bb" })] },
    },
  ],
  [
    "a kill in the middle",
    killedAt("a.create"),
    { runs: [cutOff, run(20, 30)], requests: [request(5, "a.create")] },
    {
      "a run that failed by itself": {
        runs: [{ ...cutOff, killed: false }, run(20, 30)],
        requests: [request(5, "a.create")],
      },
      "a run that had released the lock": {
        runs: [{ ...cutOff, isLockLeft: false }, run(20, 30)],
        requests: [request(5, "a.create")],
      },
      "a run that was done": {
        runs: [{ ...cutOff, output: "Apply complete! Resources: 1 added" }, run(20, 30)],
        requests: [request(5, "a.create")],
      },
      "a kill before it was asked for": { runs: [cutOff, run(20, 30)], requests: [request(25, "a.create")] },
      "a kill without a later successful run": {
        runs: [cutOff, run(20, 30, { folder: "beside" })],
        requests: [request(5, "a.create")],
      },
    },
  ],
];

test.each(cases)("detects %s", (_, { count }, evidence) => {
  expect(count({ ...nothing, ...evidence })).toBe(1);
});

const lookalikes = cases.flatMap(([what, proof, , broken]) =>
  Object.entries({ ...broken, nothing: {} }).map(([name, evidence]) => [what, name, proof, evidence] as const),
);

test.each(lookalikes)("does not accept as evidence of %s: %s", (_, __, { count }, evidence) => {
  expect(count({ ...nothing, ...evidence })).toBe(0);
});

test("assigns runs to the renewal from the due date of the certificates until the first reissue", () => {
  const days = 24 * 3_600;
  const issued = [issuedAt(0, "a"), issuedAt(10, "b"), issuedAt(61 * days, "a"), issuedAt(62 * days, "b")];
  const runs = [run(100, 200), run(60 * days + 11, 60 * days + 20), run(60 * days + 30, 61 * days + 1)];
  expect(whileRenewing({ ...nothing, issued, runs })).toEqual([runs[1]]);
});
