import { readFaultPlan } from "../../lib/cloud";
import type { RehearsalResult } from "../../lib/rehearsal";
import { disturbances } from "../../lib/rehearsal";
import { scenarios } from "./scenarios";
import type { Scenario } from "./scenarios/scenario";
import type { Evidence, Proof } from "./scenarios/seen";
import { killedAt } from "./scenarios/shown";
import { problemsOf, proofOf } from "./scenarios/verdict";

test("lists at least forty scenarios with unique names", () => {
  const names = scenarios.map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(40);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test("has summaries in correct English: articles fit the next word, and words replace keys", () => {
  const summaries = scenarios.map(({ summary }) => summary);
  expect(summaries.filter((summary) => /\ba [aeio]|creat(?:ing|es) an [^aeiou]|forwarding-rule/.test(summary))).toEqual(
    [],
  );
  expect(summaries).toEqual(
    expect.arrayContaining([
      "creating an authorization fails six times with UNAVAILABLE",
      "the operation that creates a forwarding rule starts and fails, twice",
    ]),
  );
});

test("offers only faults to rehearsals: no acts, and no stack of its own", () => {
  const names = disturbances.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["killed-at-entry", "cname-late", "without-a-gate", "operations-slow"]));
  const others = ["renewal-under-gate-wait", "plain-sailing", "without-the-constructs", "existing-ssl-proxy-refused"];
  expect(names.filter((name) => others.includes(name))).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ["errors of the API and quota at each step", ["api-refuses-record", "api-refuses-traffic", "quota-at-every-step"]],
  ["operations that fail or hang", ["operation-fails-entry", "operations-hang"]],
  [
    "certificates that end as FAILED",
    ["certificate-failed-config", "certificate-failed-caa", "certificate-failed-rate-limited"],
  ],
  [
    "a CNAME that is missing, wrong, late, hidden by a proxy, published twice, gone",
    [
      ...["cname-missing", "cname-wrong", "cname-wrong-then-right", "cname-late"],
      ...["cname-proxied-then-dns-only", "cname-twice-then-once", "cname-vanished"],
    ],
  ],
  ["a zone that is not authoritative", ["zone-not-authoritative"]],
  [
    "an apply that is killed at each step",
    [
      ...["authorization", "record", "certificate", "gate", "map", "entry", "proxy", "forwarding-rule", "traffic"],
      ...["entries-gate", "verification", "repointing", "deletion", "destroy"],
    ].map((part) => `killed-at-${part}`),
  ],
  ["a saved plan that is stale", ["saved-plan-is-stale"]],
  [
    "a saved plan that was made while a certificate was ACTIVE",
    ["saved-plan-outlived-under-gate-wait", "saved-plan-outlived-under-gate-precondition"],
  ],
  ["two migrations on one domain", ["two-migrations-on-one-domain", "two-projects-on-one-domain"]],
  ["a renewal during an apply", ["renewal-during-an-apply"]],
  ["a renewal under each gate", ["wait", "precondition", "check", "none"].map((gate) => `renewal-under-gate-${gate}`)],
  ["a domain added, removed, moved", ["domain-added", "domain-removed", "domain-moved"]],
  ["a certificate renamed, a map replaced", ["certificate-renamed", "map-replaced"]],
  ["proxies with direct certificates", ["existing-proxy-with-certificates", "existing-ssl-proxy-refused"]],
  ["an alias, and one address family", ["alias-today", "ipv6-only-at-previous-provider", "ipv6-only-at-load-balancer"]],
  ["an upload replaced", ["uploaded-certificate-replaced"]],
  ["regional and cross-region kinds", ["regional-external", "regional-internal", "cross-region-internal"]],
  ["many hostnames, and the end of it all", ["two-hundred-hostnames", "deletion-of-the-whole"]],
  [
    "mutual TLS",
    ["optional", "required", "every-certificate", "existing-policy", "policy-dropped", "rejecting-policy-added"].map(
      (part) => `mutual-tls-${part}`,
    ),
  ],
  ["failures without the constructs", ["without-the-constructs", "without-the-constructs-map-replaced"]],
])("has a scenario of %s", (_, wanted) => {
  const names = new Set(scenarios.map(({ name }) => name));
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});

test("has only fault plans that the cloud accepts", () => {
  const plans = scenarios.flatMap(({ faults }) => (faults === undefined ? [] : [faults]));
  expect(plans.map(readFaultPlan)).toEqual(plans);
});

const nothing: Evidence = { said: [], requests: [], faultCounts: [], runs: [], issued: [], met: [] };

const emptyTimeline: RehearsalResult["timeline"] = {
  from: "2026-11-21T00:00:00.000Z",
  until: "2026-11-21T00:00:00.000Z",
  events: [],
  hostnames: [],
  certificates: [],
  addresses: { previous: [], loadBalancer: [] },
};

const goodResult: RehearsalResult = {
  ok: true,
  completed: true,
  steps: [],
  parts: [],
  probes: 100,
  failedHandshakes: 0,
  discarded: 0,
  acts: [{ name: "something", ok: true }],
  converged: true,
  destroyed: true,
  bySecond: [],
  partsEndedAt: "2026-11-21T00:00:00.000Z",
  timeline: emptyTimeline,
  left: [],
  failures: [],
  faultCounts: [],
  kills: 1,
  imports: 0,
};
const stopped: Partial<RehearsalResult> = { ok: false, completed: false };
const seen: Evidence = {
  ...nothing,
  said: ["ok step 1"],
  faultCounts: [{ list: "requests", fault: { method: "a.b", status: "INTERNAL", times: 2 }, count: 2 }],
};
const missed: Partial<Evidence> = { faultCounts: [{ list: "dns", fault: { name: "*" }, count: 0 }] };
const unharmed: Scenario["expect"] = { completes: true, failedHandshakes: "none" };
const harmed: Scenario["expect"] = { completes: false, failedHandshakes: "some" };

const request = {
  number: 1,
  time: "2026-11-20T10:00:01.000Z",
  httpMethod: "POST",
  target: "/",
  method: "a.b",
  status: 200,
  caller: "token …arsal",
  durationMs: 1,
  mutation: true,
};
const run = {
  program: "terraform" as const,
  folder: "terraform",
  words: ["apply"],
  from: "2026-11-20T10:00:00.000Z",
  until: "2026-11-20T10:00:02.000Z",
  exitCode: 1,
  output: "Creating...",
  killed: true,
  isLockLeft: true,
};
const next = {
  ...run,
  from: "2026-11-20T10:00:03.000Z",
  until: "2026-11-20T10:00:04.000Z",
  exitCode: 0,
  killed: false,
};
const killed: Partial<Evidence> = { requests: [request], runs: [run, next] };
const cutOff = killedAt("a.b").what;

test.each<[string, Scenario["expect"], Partial<RehearsalResult>, readonly string[], Partial<Evidence>?]>([
  ["a correct run", unharmed, {}, []],
  ["failures in a scenario that measures failures", harmed, { ...stopped, failedHandshakes: 3 }, []],
  ["a failed handshake", unharmed, { ...stopped, failedHandshakes: 1 }, ["1 of 100 handshakes failed"]],
  ["a rehearsal that stopped", unharmed, stopped, ["the migration did not complete"]],
  [
    "a failed act",
    unharmed,
    { ...stopped, acts: [{ name: "something", ok: false }] },
    ["the migration did not complete", "did not end as it should: something"],
  ],
  ["a fault that never took effect", unharmed, {}, ["1 of 1 faults never took effect"], missed],
  [
    "a kill that did not occur",
    unharmed,
    { kills: 0 },
    ["killed 0 times, not 1", `not proven: 0 ${cutOff}, and not 1`],
    { runs: [] },
  ],
  ["a missing message", { ...unharmed, messages: ["AAAA", "step"] }, {}, ["no message contains: AAAA"]],
  ["an expected message", { ...unharmed, messages: ["step"] }, {}, []],
  ["changes that never end", unharmed, { converged: false }, ["a last plan is not empty"]],
  ["changes that end unexpectedly", { ...unharmed, converges: false }, {}, ["a last plan is empty, and should not be"]],
  ["resources that are left over", unharmed, { destroyed: false, left: ["a map"] }, ["a destroy left a map"]],
  ["a refused destroy", { ...unharmed, destroyed: false }, { destroyed: false }, []],
  [
    "a destroy that succeeds and must be refused",
    { ...unharmed, destroyed: false },
    {},
    ["a destroy went through, and should not have"],
  ],
  [
    "no failure where failures are required",
    harmed,
    {},
    ["no handshake failed, and some had to: the measurement is wrong", "the migration completed, and should not have"],
  ],
])("the verdict on a scenario is correct for %s", (_, expect_, change, problems, evidence = {}) => {
  const scenario: Scenario = { name: "s", summary: "", kills: ["a.b"], expect: expect_ };
  expect(problemsOf(scenario, { ...goodResult, ...change }, { ...seen, ...killed, ...evidence })).toEqual(problems);
});

const counted = (bounds: Pick<Proof, "atLeast" | "atMost">): Proof => ({
  what: "requests",
  count: ({ requests }) => requests.length,
  ...bounds,
});

test.each<[string, Pick<Proof, "atLeast" | "atMost">, number, readonly string[]]>([
  ["one of one", {}, 1, []],
  ["none of one", {}, 0, ["not proven: 0 requests, and not 1"]],
  ["one of two", { atLeast: 2 }, 1, ["not proven: 1 requests, and not 2"]],
  ["none of zero", { atMost: 0 }, 0, []],
  ["one of zero", { atMost: 0 }, 1, ["disproven: 1 requests, and not 0"]],
])("the verdict on a scenario is correct for a required event: %s", (_, bounds, count, problems) => {
  const scenario: Scenario = { name: "s", summary: "", proofs: [counted(bounds)], expect: unharmed };
  const evidence = { ...seen, requests: Array.from({ length: count }, () => request) };
  expect(problemsOf(scenario, goodResult, evidence)).toEqual(problems);
});

test("the verdict on a scenario does not count requests of the final destroy as evidence", () => {
  const scenario: Scenario = { name: "s", summary: "", proofs: [counted({})], expect: unharmed };
  const evidence = { ...seen, requests: [{ ...request, time: "2026-11-21T00:00:00.001Z" }] };
  expect(problemsOf(scenario, goodResult, evidence)).toEqual(["not proven: 0 requests, and not 1"]);
});

test("the verdict on a scenario counts faults, kills and requests as evidence", () => {
  expect(proofOf({ kills: ["a.b"], proofs: [counted({})] }, { ...seen, ...killed }, goodResult.partsEndedAt)).toEqual([
    'requests a.b status "INTERNAL": 2',
    `${cutOff}: 1`,
    "requests: 1",
  ]);
});

test("the verdict on a scenario fails every scenario whose subject was never seen", () => {
  const passing = scenarios.filter((scenario) => {
    const { requests = [], operations = [], dns = [], issuance = [], authorities = [] } = scenario.faults ?? {};
    const faultCounts = [requests, operations, dns, issuance, authorities]
      .flat()
      .map((fault) => ({ list: "", fault, count: 0 }));
    const kills = scenario.kills?.length ?? 0;
    const problems = problemsOf(scenario, { ...goodResult, kills }, { ...nothing, faultCounts });
    return !problems.some((problem) => /^not proven: |faults never took effect$/.test(problem));
  });
  expect(passing.map(({ name }) => name)).toEqual([]);
});
