import { ServiceError } from "../../../lib/errors";
import type { LiveCertificate } from "../../../lib/google";
import {
  expiryFindings,
  type Handshake,
  readPlanned,
  type ServedCertificate,
  type VerifyOptions,
  verifyServing,
} from "../../../lib/live/verify";
import type { ExpectedCertificate } from "../../../lib/live/verify/planned";
import { readCertificateChain } from "../../../lib/x509";
import { makeCertificate } from "../../support/make-certificate";

const parent = "projects/p/locations/global";
const { signal } = new AbortController();
const [first, second] = [0, 1].map((key) => makeCertificate(["example.com"], { key: key as 0 | 1 }).certificatePem) as [
  string,
  string,
];

function live(name: string, certificatePem?: string, state = "ACTIVE"): LiveCertificate {
  const issued = certificatePem === undefined ? {} : { certificatePem };
  return { name: `${parent}/certificates/${name}`, kind: "managed", state, domains: [], attempts: [], ...issued };
}

function served(pem: string): ServedCertificate {
  const { leaf } = readCertificateChain(pem);
  if (leaf === undefined) throw new Error("there is no certificate");
  const { issuer, serialNumber, keyType, fingerprintSha256, dnsNames, notBefore, notAfter } = leaf;
  const dates = { notBefore: notBefore.toISOString(), notAfter: notAfter.toISOString() };
  return { issuer, serialNumber, keyType, fingerprintSha256, dnsNames, ...dates };
}

/** Verifies one address; `listed` returns the certificates of Certificate Manager for each call. */
async function run(
  listed: (call: number) => readonly LiveCertificate[],
  handshake: (client: string | undefined) => Handshake,
  change: Partial<VerifyOptions> = {},
) {
  let time = 0;
  let calls = 0;
  const asked: (string | undefined)[] = [];
  const planned = [`${parent}/certificates/shop`, `${parent}/certificates/shop-rsa`];
  const lister = { certificates: async () => listed(calls++) };
  const results = await verifyServing({
    targets: [{ hostname: "example.com", addresses: ["203.0.113.7"], planned }],
    planned: await readPlanned(planned, lister, { signal, now: () => time }),
    shakeHands: async (_address, _hostname, client) => {
      asked.push(client);
      return handshake(client);
    },
    repeat: 1,
    withinMs: 60_000,
    signal,
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds;
    },
    random: Math.random,
    ...change,
  });
  return { results, asked, calls };
}

const serving = (pem: string): Handshake => ({ ok: true, protocol: "TLSv1.3", certificate: served(pem) });

test("accepts any certificate of an entry, and reports which was served", async () => {
  const { results, asked } = await run(
    () => [live("shop", second), live("other", first)],
    () => serving(second),
  );
  expect(results).toEqual([expect.objectContaining({ ok: true, planned: `${parent}/certificates/shop` })]);
  expect(asked).toEqual([undefined, "ecdsa"]);
});

test("reads a renewed certificate again, at most twice a minute", async () => {
  const { results, calls } = await run(
    (call) => [live("shop", call < 1 ? first : second)],
    () => serving(second),
  );
  expect(results).toEqual([expect.objectContaining({ ok: true, bad: 7 })]);
  expect(calls).toBe(2);
});

describe("the certificates of the plan, read again", () => {
  const name = `${parent}/certificates/shop`;
  const readAgain = async (answer: () => readonly LiveCertificate[], { nowMs = 30_000, isStopped = false } = {}) => {
    let time = 0;
    let calls = 0;
    const lister = { certificates: async () => (calls++ === 0 ? [live("shop", first)] : answer()) };
    const planned = await readPlanned([name], lister, { signal, now: () => time });
    time = nowMs;
    await planned.refresh(isStopped ? AbortSignal.abort() : signal);
    return { state: planned.of([name])[0]?.state, calls };
  };
  const failing = (error: Error) => () => {
    throw error;
  };
  const unreachable = new ServiceError("no connection", { code: "unreachable", retryable: true });

  test.each<[string, Promise<object>, object]>([
    ["have their new state", readAgain(() => [live("shop", second, "FAILED")]), { state: "FAILED", calls: 2 }],
    ["are missing if they were deleted", readAgain(() => []), { state: "MISSING", calls: 2 }],
    ["are not read within 30 seconds", readAgain(() => [], { nowMs: 29_999 }), { state: "ACTIVE", calls: 1 }],
    ["stay as they were if the service fails", readAgain(failing(unreachable)), { state: "ACTIVE", calls: 2 }],
    [
      "stay as they were if the run is stopped",
      readAgain(failing(new Error("aborted")), { isStopped: true }),
      { state: "ACTIVE", calls: 2 },
    ],
  ])("%s", async (_, result, expected) => {
    expect(await result).toEqual(expected);
  });

  test("pass on an error that is not of the service", async () => {
    await expect(readAgain(failing(new TypeError("a defect")))).rejects.toThrow("a defect");
  });
});

test("reads the certificates again every 30 seconds while another certificate is served", async () => {
  const { calls } = await run(
    () => [live("shop", first)],
    () => serving(second),
    { withinMs: 70_000 },
  );
  // At the start, and after 30 and 60 seconds.
  expect(calls).toBe(3);
});

describe("the planned certificates", () => {
  const { leaf } = readCertificateChain(first);
  const issued = { state: "ACTIVE", ...(leaf && { facts: leaf }) };
  const expired: Handshake = { ok: false, code: "certificate-expired", detail: "", certificate: served(second) };
  const refused: Handshake = { ok: false, code: "connection-refused", detail: "ECONNREFUSED" };

  test.each<[string, Handshake, Omit<ExpectedCertificate, "name">, readonly AbortSignal[]]>([
    ["are read again after another certificate", serving(second), issued, [signal]],
    ["are read again if no planned certificate is issued", serving(second), { state: "PROVISIONING" }, [signal]],
    ["are read again after an expired certificate", expired, issued, [signal]],
    ["are not read again after a refused connection", refused, issued, []],
  ])("%s", async (_, handshake, certificate, expected) => {
    const signals: AbortSignal[] = [];
    const planned = {
      of: (names: readonly string[]) => names.map((name) => ({ name, ...certificate })),
      refresh: async (given: AbortSignal) => {
        signals.push(given);
      },
    };
    await run(
      () => [],
      () => handshake,
      { planned, withinMs: 1 },
    );
    expect(signals).toEqual(expected);
    expect(signals.every((given) => given === signal)).toBe(true);
  });
});

test("reports another certificate with both serial numbers and all accepted certificates", async () => {
  const { results } = await run(
    () => [live("shop", first)],
    () => serving(second),
    { withinMs: 1 },
  );
  expect(results).toEqual([
    expect.objectContaining({
      ok: false,
      code: "other-certificate",
      message: `served: serial a1b2c of CN=example.com, until 2060-01-01; planned: ${parent}/certificates/shop with a1b2c`,
    }),
  ]);
});

test("reports as the reason that no certificate is issued yet", async () => {
  const { results } = await run(
    () => [live("shop", undefined, "PROVISIONING")],
    () => serving(first),
    { withinMs: 1 },
  );
  expect(results).toEqual([
    expect.objectContaining({
      code: "certificate-not-issued",
      message: `${parent}/certificates/shop is PROVISIONING, ${parent}/certificates/shop-rsa is MISSING`,
    }),
  ]);
});

test("checks an entry with both key types with clients of either type", async () => {
  const planned = {
    of: (names: readonly string[]) =>
      names.map((name) => {
        const keyType = name.endsWith("-rsa") ? "rsa-2048" : "ecdsa-p256";
        return { name, state: "ACTIVE", facts: { fingerprintSha256: keyType, serialNumber: "1", keyType } };
      }),
    refresh: async () => {},
  };
  const handshake = (client: string | undefined): Handshake => {
    if (client === "ecdsa") return { ok: false, code: "handshake-refused", detail: "alert" };
    return {
      ok: true,
      protocol: "TLSv1.3",
      certificate: { ...served(first), keyType: "rsa-2048", fingerprintSha256: "rsa-2048" },
    };
  };
  const { results } = await run(() => [], handshake, { planned, withinMs: 1 });
  expect(results).toEqual([
    expect.objectContaining({ client: "ecdsa", ok: false, code: "key-type-missing" }),
    expect.objectContaining({ client: "rsa", ok: true, planned: `${parent}/certificates/shop-rsa` }),
  ]);
});

describe("a key type that the planned certificates don't need", () => {
  const facts = (keyType: string) => ({ fingerprintSha256: keyType, serialNumber: "1", keyType });
  const planOf = (...keyTypes: readonly string[]) => ({
    of: (names: readonly string[]) =>
      names.map((name, index) => ({ name, state: "ACTIVE", facts: facts(keyTypes[index % keyTypes.length] ?? "") })),
    refresh: async () => {},
  });
  const withKey = (keyType: string): Handshake => ({
    ok: true,
    protocol: "TLSv1.3",
    certificate: { ...served(first), ...facts(keyType) },
  });
  const refused: Handshake = { ok: false, code: "handshake-refused", detail: "alert" };

  test.each<[string, Handshake, object]>([
    ["may be refused", refused, { ok: true }],
    [
      "must not have another certificate",
      withKey("rsa-2048"),
      { ok: false, client: "rsa", code: "other-certificate", message: expect.stringContaining("takes rsa alone: ") },
    ],
  ])("%s", async (_, answer, expected) => {
    const { results, asked } = await run(
      () => [],
      (client) => (client === "rsa" ? answer : withKey("ecdsa-p256")),
      { planned: planOf("ecdsa-p256"), withinMs: 1 },
    );
    expect(results).toEqual([expect.objectContaining(expected)]);
    expect(asked.slice(0, 2)).toEqual([undefined, "rsa"]);
  });

  test("does not exist if they have both key types", async () => {
    const { results, asked } = await run(
      () => [],
      (client) => withKey(client === "rsa" ? "rsa-2048" : "ecdsa-p256"),
      { planned: planOf("ecdsa-p256", "rsa-2048") },
    );
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect([...asked].sort()).toEqual(["ecdsa", "rsa"]);
  });
});

test("warns once of a certificate that expires within two weeks", async () => {
  const soon: Handshake = {
    ok: true,
    protocol: "TLSv1.3",
    certificate: { ...served(first), notAfter: "2026-12-01T00:00:00.000Z" },
  };
  const targets = ["a.example.com", "b.example.com"].map((hostname) => ({ hostname, addresses: ["203.0.113.7"] }));
  const { results } = await run(
    () => [],
    () => soon,
    { targets },
  );
  expect(expiryFindings(results, new Date("2026-11-21T00:00:00Z"))).toEqual([
    expect.objectContaining({ code: "expires-soon", severity: "warning", subject: "a.example.com" }),
  ]);
  expect(expiryFindings(results, new Date("2026-11-16T00:00:00Z"))).toEqual([]);
});
