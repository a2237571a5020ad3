import { ServiceError } from "../../../lib/errors";
import type { CertificateReader, LiveCertificate } from "../../../lib/google";
import {
  assess,
  describeFinding,
  type ResourceState,
  type WaitOptions,
  waitForCertificates,
} from "../../../lib/live/wait";
import { assessEntries } from "../../../lib/live/wait/assess";

const name = "projects/p/locations/global/certificates/shop";
const live = (state: string, more: Partial<LiveCertificate> = {}): LiveCertificate => ({
  name,
  kind: "managed",
  state,
  domains: ["example.com"],
  attempts: [],
  ...more,
});

/** Returns the answers in order and then repeats the last answer; throws an answer that is an error. */
function reader(...answers: readonly (readonly LiveCertificate[] | Error)[]): CertificateReader {
  let at = 0;
  return {
    read: async () => {
      const answer = answers[Math.min(at, answers.length - 1)];
      at += 1;
      if (answer instanceof Error) throw answer;
      return answer ?? [];
    },
  };
}

/** Creates a clock that advances when the code sleeps. */
function options(change: Partial<WaitOptions> = {}): WaitOptions & { readonly pauses: number[] } {
  let time = 0;
  const pauses: number[] = [];
  return {
    pauses,
    certificates: [name],
    signal: new AbortController().signal,
    now: () => time,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
      time += milliseconds;
    },
    random: () => 0.5,
    ...change,
  };
}

test("ends as soon as the certificate is active", async () => {
  const given = options();
  const result = await waitForCertificates(reader([], [live("PROVISIONING")], [live("ACTIVE")]), given);
  expect(result).toEqual({ verdict: "active", resources: [{ name, state: "ACTIVE", findings: [] }] });
  expect(given.pauses).toEqual([2_000, 5_000]);
});

test("ends immediately when a certificate has failed, with reason and remedy for each domain", async () => {
  const failed = live("FAILED", {
    attempts: [
      { domain: "example.com", state: "FAILED", failureReason: "CAA", details: "CAA forbids pki.goog" },
      { domain: "www.example.com", state: "AUTHORIZED" },
    ],
    issue: { reason: "AUTHORIZATION_ISSUE", details: "example.com" },
  });
  const given = options();
  const result = await waitForCertificates(reader([failed]), given);
  expect(result.verdict).toBe("failed");
  expect(result.resources[0]?.findings.map(describeFinding)).toEqual([
    'example.com: a CAA record forbids the certificate, or could not be looked up (CAA forbids pki.goog) - allow pki.goog, as in: CAA 0 issue "pki.goog", at the domain or the nearest parent that has CAA records [domain-caa]',
    "the certificate can't be issued because of a domain's authorization (example.com) - fix the domains that the message lists [issuance-authorization]",
    "the certificate has failed, and never recovers on its own - fix the cause, then increase the certificate's 'generation' and apply, so that Terraform creates a new certificate [certificate-failed]",
  ]);
  expect(given.pauses).toEqual([]);
});

test("ends at the time limit after a last check, and not before", async () => {
  const given = options({ timeoutMs: 60_000 });
  const result = await waitForCertificates(reader([live("PROVISIONING")]), given);
  expect(result.verdict).toBe("timed-out");
  expect(given.pauses).toEqual([2_000, 5_000, 10_000, 22_500, 20_500]);
});

test("retries after a temporary failure, and not after a refusal", async () => {
  const passing = new ServiceError("reading: quota", { code: "service-refused", retryable: true });
  const refusal = new ServiceError("reading: permission", { code: "service-refused", retryable: false });
  const retried: ServiceError[] = [];
  const given = options({ onRetry: (error) => retried.push(error) });
  expect((await waitForCertificates(reader(passing, [live("ACTIVE")]), given)).verdict).toBe("active");
  expect(retried).toEqual([passing]);
  await expect(waitForCertificates(reader(refusal), options())).rejects.toBe(refusal);
});

test("reports each change once", async () => {
  const reported: ResourceState[] = [];
  const provisioning = [live("PROVISIONING", { attempts: [{ domain: "example.com", state: "AUTHORIZING" }] })];
  await waitForCertificates(
    reader([], provisioning, provisioning, [live("ACTIVE")]),
    options({ onChange: (state) => reported.push(state) }),
  );
  expect(reported.map(({ state }) => state)).toEqual(["MISSING", "PROVISIONING", "ACTIVE"]);
});

test("stops on abort, and reports all states", async () => {
  const stopping = new AbortController();
  const given = options({
    signal: stopping.signal,
    sleep: async () => {
      stopping.abort();
      throw new Error("aborted");
    },
  });
  const result = await waitForCertificates(reader([live("PROVISIONING")]), given);
  expect(result.verdict).toBe("stopped");
  expect(result.resources.map(({ state }) => state)).toEqual(["PROVISIONING"]);
});

test("stops while a request hangs", async () => {
  const stopping = new AbortController();
  const read = () => {
    setImmediate(() => stopping.abort());
    return new Promise<never>(() => {});
  };
  const reported: ResourceState[] = [];
  const given = options({ signal: stopping.signal, onChange: (state) => reported.push(state) });
  const result = await waitForCertificates({ read }, given);
  expect(result).toEqual({ verdict: "stopped", resources: [{ name, state: "UNKNOWN", findings: [] }] });
  expect(reported).toEqual([]);
});

test("retries failing requests with growing delays, and then returns to its usual interval", async () => {
  const passing = new ServiceError("reading: quota", { code: "service-refused", retryable: true });
  const answers = [...Array<Error>(6).fill(passing), [live("PROVISIONING")], [live("ACTIVE")]];
  const given = options();
  expect((await waitForCertificates(reader(...answers), given)).verdict).toBe("active");
  expect(given.pauses).toEqual([2_000, 30_000, 60_000, 120_000, 120_000, 120_000, 22_500]);
});

test("spreads the requests of waits that start together", async () => {
  const pausesWith = async (random: number) => {
    const given = options({ random: () => random, timeoutMs: 60_000 });
    await waitForCertificates(reader([live("PROVISIONING")]), given);
    return given.pauses;
  };
  expect(await pausesWith(0)).toEqual([1_500, 3_750, 7_500, 15_000, 15_000, 15_000, 2_250]);
  expect(await pausesWith(1)).toEqual([2_500, 6_250, 12_500, 30_000, 8_750]);
});

test.each<[string, Partial<LiveCertificate>, readonly string[]]>([
  ["nothing known", {}, ["certificate-provisioning"]],
  [
    "a domain that has to lead to a load balancer with the certificate first",
    { validation: "loadBalancer", attempts: [{ domain: "a", state: "AUTHORIZING" }] },
    ["domain-awaits-traffic"],
  ],
  ["a domain on its way", { attempts: [{ domain: "a", state: "AUTHORIZING" }] }, ["domain-authorizing"]],
  [
    "the worst first",
    {
      attempts: [
        { domain: "a", state: "AUTHORIZING" },
        { domain: "b", state: "FAILED", failureReason: "RATE_LIMITED" },
        { domain: "c", state: "FAILED", failureReason: "CONFIG" },
        { domain: "d", state: "AUTHORIZED" },
      ],
    },
    ["domain-config", "domain-rate-limited", "domain-authorizing"],
  ],
  ["a reason that is new", { attempts: [{ domain: "a", state: "FAILED", failureReason: "MOON" }] }, ["domain-failed"]],
  ["an issue", { issue: { reason: "RATE_LIMITED", details: "" } }, ["issuance-rate-limited"]],
  ["an issue that is new", { issue: { reason: "MOON", details: "" } }, ["issuance-failed"]],
])("reports for a certificate that is not active: %s", (_, change, codes) => {
  const [standing] = assess([name], [live("PROVISIONING", change)]).resources;
  expect(standing?.findings.map(({ code }) => code)).toEqual(codes);
});

test.each([
  [["ACTIVE", "ACTIVE"], "active"],
  [["ACTIVE", "PROVISIONING"], "waiting"],
  [["PROVISIONING", "FAILED"], "failed"],
])("%j is %s", (states, verdict) => {
  const found = states.map((state, index) => live(state, { name: `${name}-${index}` }));
  expect(
    assess(
      found.map((certificate) => certificate.name),
      found,
    ).verdict,
  ).toBe(verdict);
});

test("cuts off an unanswered request at the time limit, and reports the missing answer as an error", async () => {
  jest.useFakeTimers();
  try {
    const given = options({ timeoutMs: 200, now: () => Date.now() });
    const read = () => new Promise<never>(() => {});
    let ended = false;
    const waiting = waitForCertificates({ read }, given).finally(() => {
      ended = true;
    });
    const refused = expect(waiting).rejects.toMatchObject({ name: "ServiceError", code: "service-timeout" });
    await jest.advanceTimersByTimeAsync(199);
    expect(ended).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await refused;
  } finally {
    jest.useRealTimers();
  }
});

test("reports no service error at the time limit if one request was answered", async () => {
  const passing = new ServiceError("reading: quota", { code: "service-refused", retryable: true });
  const given = options({ timeoutMs: 60_000 });
  const result = await waitForCertificates(reader([live("PROVISIONING")], passing), given);
  expect(result.verdict).toBe("timed-out");
  expect(result.resources.map(({ state }) => state)).toEqual(["PROVISIONING"]);
});

test("ends with the last failure at the time limit if all requests fail", async () => {
  const passing = new ServiceError("reading: quota", { code: "service-refused", retryable: true });
  const given = options({ timeoutMs: 60_000 });
  await expect(waitForCertificates(reader(passing), given)).rejects.toBe(passing);
  expect(given.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(60_000);
});

test("reports what does not exist yet as missing", () => {
  const entry = "projects/p/locations/global/certificateMaps/m/certificateMapEntries/e";
  expect(assess([name], []).resources).toMatchObject([
    { state: "MISSING", findings: [{ code: "certificate-not-there" }] },
  ]);
  expect(assessEntries([entry], []).resources).toMatchObject([
    { state: "MISSING", findings: [{ code: "entry-not-there" }] },
  ]);
});
