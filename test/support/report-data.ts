import { stepNames } from "../../lib/live/status";
import type { ReportData } from "../../lib/report";
import { rehearsalDetails } from "./rehearsal-details";

/** Start time of the reports, in milliseconds since 1970. */
export const t0 = Date.parse("2026-11-21T08:00:00Z");

const minutes = (count: number) => new Date(t0 + count * 60_000);

type Word = (usual: string) => string;

/** Returns a report with every part and every kind of failure. `word` can change each text. */
export function fullReport(hostnameCount: number, word: Word = (usual) => usual): ReportData {
  const hostnames = Array.from({ length: hostnameCount }, (_, index) => word(`host-${index}.example.com`));
  return {
    title: word("Migration of shop"),
    generatedAt: minutes(120),
    statuses: statusesOf(hostnames, word),
    verifications: verificationsOf(hostnames, word),
    watches: [watchOf(hostnames, word)],
    doctor: doctorOf(word),
    rehearsal: { ...sourceOf(word, "rehearsal.json"), result: rehearsalOf(hostnames, word) },
  };
}

function sourceOf(word: Word, name: string) {
  return { source: word(name), notes: [word(`note on ${name}`)] };
}

type Part<Name extends keyof ReportData> = NonNullable<ReportData[Name]>;

/** Returns three statuses: the later one shows more steps as done. */
function statusesOf(hostnames: readonly string[], word: Word): Part<"statuses"> {
  return [0, 1, 2].map((time) => ({
    ...sourceOf(word, `status-${time}.json`),
    time: minutes(time * 20),
    hostnames: hostnames.map((hostname, index) => ({
      migration: word(index % 2 === 0 ? "prod/shop" : "prod/pay"),
      hostname,
      steps: stepNames.map((name, at) => {
        const reach = time * 3 + (index % 3);
        const stuck = {
          code: word("record-missing"),
          reason: word("nothing is published"),
          next: word("publish the CNAME"),
        };
        if (at < reach) return { step: at + 1, name, state: "done" as const };
        const state = at > reach ? "todo" : index % 40 === 3 ? "failed" : index % 3 === 0 ? "waiting" : "unknown";
        return { step: at + 1, name, state, ...stuck } as const;
      }),
    })),
  }));
}

/** Returns two verifications: every 50th hostname has another certificate. */
function verificationsOf(hostnames: readonly string[], word: Word): Part<"verifications"> {
  return [0, 1].map((time) => ({
    ...sourceOf(word, `verify-${time}.json`),
    time: minutes(60 + time),
    findings: [
      {
        code: word("unplanned-fallback"),
        severity: "warning",
        subject: word("203.0.113.7"),
        message: word("a client without SNI gets a certificate"),
        remedy: word("look which entry it comes from"),
      },
    ],
    results: hostnames.map((hostname, index) => {
      const pair = { hostname, address: word("203.0.113.7") };
      const certificate = { issuer: word("CN=WR3, O=Google Trust Services"), notAfter: minutes(80 * 1_440) };
      if (index % 50 !== 7) return { ...pair, ok: true, protocol: word("TLSv1.3"), certificate };
      const failure = {
        failure: {
          code: word("name-mismatch"),
          message: word("not in the names"),
          remedy: word("look for the entry"),
        },
      };
      return { ...pair, ok: false, client: word("rsa"), ...failure };
    }),
  }));
}

/** Returns a watch in which connections fail for a minute and the network is lost for two. */
function watchOf(hostnames: readonly string[], word: Word): Part<"watches">[number] {
  return {
    ...sourceOf(word, "watch.jsonl"),
    from: minutes(0),
    until: minutes(100),
    resolvers: [word("authoritative"), word("192.0.2.53:53")],
    bucketMs: 60_000,
    buckets: Array.from({ length: 100 }, (_, index) => ({
      from: t0 + index * 60_000,
      good: 200 + ((index * 37) % 50),
      failed: index > 40 && index < 46 ? 5 : 0,
      answers: {
        previous: 100 - index,
        loadBalancer: index,
        other: index % 20 === 0 ? 3 : 0,
        unknown: index === 44 ? 5 : 0,
      },
    })),
    gaps: [
      { reason: "network-lost", discarded: 4, from: minutes(52), until: minutes(54) },
      {
        reason: "resolver-silent",
        resolver: word("192.0.2.53:53"),
        discarded: 14,
        from: minutes(50),
        until: minutes(55),
      },
    ],
    gapCount: 2,
    blind: { count: 1, milliseconds: 120_000 },
    courses: coursesOf(hostnames.slice(0, 3), word),
    attempts: 22_475,
    failures: 25,
    hostnames: [
      {
        hostname: hostnames[0] ?? "",
        attempts: 400,
        failures: 25,
        codes: [
          { code: word("timeout"), count: 20, detail: word("no answer in 10000 ms") },
          { code: word("connection-refused"), count: 5 },
        ],
        lastFailureAt: minutes(46),
        share: { previous: 0, loadBalancer: 2, other: 0, unknown: 0 },
      },
    ],
    verdict: { verdict: "failures", reason: word("25 of 22475 connections failed") },
  };
}

/** Returns the courses of hostnames, of which the first fails for a minute. */
function coursesOf(hostnames: readonly string[], word: Word): NonNullable<Part<"watches">[number]["courses"]> {
  return hostnames.map((hostname, index) => ({
    hostname,
    bucketMs: 60_000,
    buckets: Array.from({ length: 100 }, (_, minute) => ({
      from: t0 + minute * 60_000,
      good: 2,
      failed: index === 0 && minute === 41 ? 5 : 0,
      answers: {
        previous: minute < 40 ? 2 : minute < 50 ? 1 : 0,
        loadBalancer: minute < 40 ? 0 : minute < 50 ? 1 : 2,
        other: 0,
        unknown: index === 0 && minute === 41 ? 5 : 0,
      },
    })).filter((_, minute) => minute < 52 || minute > 53),
    failures:
      index === 0 ? [{ from: minutes(41).getTime(), to: minutes(42).getTime(), count: 5, error: word("timeout") }] : [],
  }));
}

function doctorOf(word: Word): Part<"doctor"> {
  return {
    ...sourceOf(word, "doctor.json"),
    findings: [
      {
        code: word("caa-forbids"),
        severity: "error",
        subject: word("example.com"),
        message: word("CAA of example.com does not let Google issue"),
        meaning: word("no certificate becomes ACTIVE"),
        remedy: word("add a CAA record"),
        command: word("gcloud dns record-sets create example.com. --type=CAA"),
      },
    ],
  };
}

/** Returns a rehearsal with a failed handshake in step 7. */
function rehearsalOf(hostnames: readonly string[], word: Word): Part<"rehearsal">["result"] {
  return {
    ok: false,
    days: daysOf(word),
    steps: stepNames.map((_, index) => ({
      number: index + 1,
      name: word(`rehearsed step ${index + 1}`),
      ok: index !== 6,
      seconds: 3.25,
      probes: 400,
      failedHandshakes: index === 6 ? 1 : 0,
    })),
    probes: 3_200,
    failedHandshakes: 1,
    rotation: true,
    rollback: false,
    acts: [{ name: word("renew a certificate"), ok: true }],
    converged: true,
    destroyed: true,
    failures: [
      {
        time: minutes(3).toISOString(),
        hostname: word("r.example.com"),
        address: word("198.51.100.1"),
        error: word("ECONNRESET"),
      },
    ],
    seed: 7,
    faultCounts: [{ list: word("requests"), count: 2 }],
    kills: 1,
    imports: 1,
    ...rehearsalDetails(hostnames, t0, word),
  };
}

/** Returns the days after the cut-over, in which a deleted CNAME prevents a renewal. */
function daysOf(word: Word): NonNullable<Part<"rehearsal">["result"]["days"]> {
  return {
    days: 100,
    probes: 1_781,
    failedHandshakes: 88,
    firstFailureDay: 91,
    plans: 1,
    plansWithChanges: 0,
    renewals: [{ day: 61, certificate: word("projects/p/locations/global/certificates/pay") }],
    replacements: [{ day: 80, certificate: word("projects/p/locations/global/certificates/up") }],
    expiries: [{ day: 91, certificate: word("projects/p/locations/global/certificates/shop") }],
    incidents: [
      { day: 66, closedDay: 91, policy: word("Certificate of shop.example.com") },
      { day: 91, policy: word("Certificates have expired") },
    ],
    failure: { name: word("cname-deleted"), beganDay: 0 },
  };
}
