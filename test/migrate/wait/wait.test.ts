import { ServiceError } from "../../../lib/errors";
import type { CertificateReader, LiveCertificate } from "../../../lib/google";
import { assess, type Standing, type WaitOptions, waitForCertificates } from "../../../lib/migrate";

const name = "projects/p/locations/global/certificates/shop";
const live = (state: string, more: Partial<LiveCertificate> = {}): LiveCertificate => ({
  name,
  kind: "managed",
  state,
  domains: ["example.com"],
  attempts: [],
  ...more,
});

/** Answers one after the other, the last one from then on; an error is thrown. */
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

/** A clock that sleeping moves. */
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
  expect(result).toEqual({ verdict: "active", standings: [{ name, state: "ACTIVE", reasons: [] }] });
  expect(given.pauses).toEqual([2_000, 5_000]);
});

test("ends at once when one has failed, with reason and remedy for each domain", async () => {
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
  expect(result.standings[0]?.reasons).toEqual([
    "example.com is FAILED (CAA): a CAA record forbids it, or can't be looked up: allow pki.goog at the domain or its parents - CAA forbids pki.goog",
    "AUTHORIZATION_ISSUE: example.com",
    "it never recovers: mend the cause, then raise the certificate's 'generation' to have it issued anew",
  ]);
  expect(given.pauses).toEqual([]);
});

test("gives up when the time is over, and not before", async () => {
  const given = options({ timeoutMs: 60_000 });
  const result = await waitForCertificates(reader([live("PROVISIONING")]), given);
  expect(result.verdict).toBe("timed-out");
  expect(given.pauses).toEqual([2_000, 5_000, 10_000, 22_500]);
});

test("asks again after what passes by itself, and not after a refusal", async () => {
  const passing = new ServiceError("reading: quota", { code: "service-refused", retryable: true });
  const refusal = new ServiceError("reading: permission", { code: "service-refused", retryable: false });
  const retried: ServiceError[] = [];
  const given = options({ onRetry: (error) => retried.push(error) });
  expect((await waitForCertificates(reader(passing, [live("ACTIVE")]), given)).verdict).toBe("active");
  expect(retried).toEqual([passing]);
  await expect(waitForCertificates(reader(refusal), options())).rejects.toBe(refusal);
});

test("tells each change once", async () => {
  const told: Standing[] = [];
  const provisioning = [live("PROVISIONING", { attempts: [{ domain: "example.com", state: "AUTHORIZING" }] })];
  await waitForCertificates(
    reader([], provisioning, provisioning, [live("ACTIVE")]),
    options({ onChange: (standing) => told.push(standing) }),
  );
  expect(told.map(({ state }) => state)).toEqual(["MISSING", "PROVISIONING", "ACTIVE"]);
});

test("stops when it is told to, and says where everything stands", async () => {
  const stopping = new AbortController();
  const given = options({
    signal: stopping.signal,
    sleep: async () => {
      stopping.abort();
      throw new Error("aborted");
    },
  });
  const result = await waitForCertificates(reader([live("PROVISIONING")]), given);
  expect(result).toEqual({ verdict: "stopped", standings: [{ name, state: "PROVISIONING", reasons: [] }] });
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
