import { makeThirdPartyCertificates } from "../../../lib/cloud";
import {
  type Handshake,
  type ServedCertificate,
  type VerifyOptions,
  type VerifyResult,
  verifyServing,
} from "../../../lib/live/verify";
import { readCertificateChain } from "../../../lib/x509";
import { makeCertificate } from "../../support/make-certificate";

const certificate: ServedCertificate = {
  issuer: "CN=Root",
  serialNumber: "1",
  notBefore: "2020-01-01T00:00:00.000Z",
  notAfter: "2060-01-01T00:00:00.000Z",
  keyType: "ecdsa-p256",
  fingerprintSha256: "aa",
  dnsNames: ["example.com"],
};
const ok: Handshake = { ok: true, protocol: "TLSv1.3", certificate };
const refused: Handshake = { ok: false, code: "handshake-refused", detail: "alert" };

function options(
  answers: readonly Handshake[],
  change: Partial<VerifyOptions> = {},
): VerifyOptions & { readonly asked: string[] } {
  let time = 0;
  let at = 0;
  const asked: string[] = [];
  return {
    asked,
    targets: [{ hostname: "example.com", addresses: ["203.0.113.7"] }],
    shakeHands: async (address, hostname) => {
      asked.push(`${hostname} ${address}`);
      const answer = answers[Math.min(at, answers.length - 1)] as Handshake;
      at += 1;
      return answer;
    },
    tryAllKeyTypes: false,
    signal: new AbortController().signal,
    now: () => time,
    sleep: async (milliseconds) => {
      time += milliseconds;
    },
    random: () => 0.5,
    ...change,
  };
}

test("accepts a name after three successful handshakes in a row, not in total", async () => {
  const given = options([ok, ok, refused, ok, ok, ok]);
  expect(await verifyServing(given)).toEqual([
    {
      hostname: "example.com",
      address: "203.0.113.7",
      ok: true,
      protocol: "TLSv1.3",
      certificate,
      confirmed: true,
      handshakes: 6,
      bad: 1,
    },
  ]);
  expect(given.asked).toHaveLength(6);
});

test("reports a name that keeps failing with its remedy when the time is over", async () => {
  const given = options([refused], { withinMs: 20_000 });
  const [result] = await verifyServing(given);
  expect(result).toMatchObject({ ok: false, code: "handshake-refused", remedy: expect.stringContaining("map entry") });
  expect(given.asked).toHaveLength(4);
});

test.each([
  ["good and bad by turns", "flapping", [ok, refused, ok, refused, ok, refused]],
  ["good at first, bad from then on", "handshake-refused", [ok, refused]],
  ["bad at first, good too late", "flapping", [refused, refused, refused, ok, refused, ok, ok]],
])("reports %s as %s", async (_, code, answers) => {
  const [result] = await verifyServing(options(answers, { withinMs: 20_000 }));
  expect(result).toMatchObject({ ok: false, code });
});

test("checks every name at every address", async () => {
  const addresses = ["203.0.113.7", "2001:db8::7"];
  const given = options([ok], {
    targets: [
      { hostname: "a.example.com", addresses },
      { hostname: "*.example.com", addresses },
    ],
    repeat: 1,
  });
  await verifyServing(given);
  expect(given.asked.sort()).toEqual([
    "a.example.com 2001:db8::7",
    "a.example.com 203.0.113.7",
    expect.stringMatching(/^probe-[0-9a-z]{8}\.example\.com 2001:db8::7$/),
    expect.stringMatching(/^probe-[0-9a-z]{8}\.example\.com 203\.0\.113\.7$/),
  ]);
});

test("frees the places of failing names while they pause, so that a thousand of them block no other", async () => {
  const hostnames = [...Array.from({ length: 1_000 }, (_, index) => `dead${index}.example.com`), "a.example.com"];
  const order: string[] = [];
  const given = options([ok], {
    targets: hostnames.map((hostname) => ({ hostname, addresses: ["203.0.113.7"] })),
    concurrency: 2,
    repeat: 1,
    withinMs: 12_000,
    shakeHands: async (_, hostname) => (hostname.startsWith("dead") ? refused : ok),
    onResult: ({ hostname }) => order.push(hostname),
  });
  const results = await verifyServing(given);
  expect(order[0]).toBe("a.example.com");
  expect(results.map(({ hostname }) => hostname)).toEqual(hostnames);
  expect(results[0]).toMatchObject({ code: "handshake-refused", handshakes: 3 });
});

test("frees the places of hanging connections after a second", async () => {
  const stopped = new AbortController();
  const given = options([ok], {
    targets: ["tarpit1", "tarpit2", "a", "b"].map((name) => ({ hostname: `${name}.example.com`, addresses: ["::1"] })),
    concurrency: 2,
    repeat: 1,
    signal: stopped.signal,
    shakeHands: (_, hostname) => (hostname.startsWith("tarpit") ? new Promise(() => {}) : Promise.resolve(ok)),
    onResult: ({ hostname }) => {
      if (hostname === "b.example.com") stopped.abort();
    },
  });
  expect((await verifyServing(given)).map((result) => (result.ok ? "ok" : result.code))).toEqual([
    "stopped",
    "stopped",
    "ok",
    "ok",
  ]);
});

test("reports what an abort interrupted or prevented as stopped, and an earlier failure as itself", async () => {
  const stopped = new AbortController();
  const hostnames = ["bad", "good", "under-way", "waiting"].map((name) => `${name}.example.com`);
  const results = await verifyServing({
    ...options([ok], { repeat: 1, concurrency: 3, signal: stopped.signal }),
    targets: hostnames.map((hostname) => ({ hostname, addresses: ["203.0.113.7"] })),
    shakeHands: async (_, hostname) => {
      if (hostname.startsWith("good")) return ok;
      if (hostname.startsWith("bad")) return { ok: false, code: "connection-refused", detail: "ECONNREFUSED" };
      return new Promise((resolve) => {
        const end = () => resolve({ ok: false, code: "stopped", detail: "the run was stopped" });
        stopped.signal.addEventListener("abort", end);
        setImmediate(() => stopped.abort());
      });
    },
  });
  expect(results.map((result) => (result.ok ? "ok" : result.code))).toEqual([
    "connection-refused",
    "ok",
    "stopped",
    "stopped",
  ]);
});

describe("reports what ends after an abort once, in the state at which it was given up", () => {
  const { certificatePem: upload } = makeCertificate(["other.example.com"]);
  const fingerprintSha256 = readCertificateChain(upload).leaf?.fingerprintSha256 ?? "";
  const mismatch = (served: string): Handshake => ({
    ok: false,
    code: "name-mismatch",
    detail: "it is for another",
    certificate: { ...certificate, fingerprintSha256: served },
  });

  /** Verifies a hostname whose answer, or Certificate Manager's answer, arrives after the end of the run. */
  async function stopDuring(what: "handshake" | "refresh", answer: Handshake) {
    const stopped = new AbortController();
    let end = () => {};
    const late = new Promise<void>((resolve) => {
      end = resolve;
    });
    const cutOff = async () => {
      setImmediate(() => stopped.abort());
      await late;
    };
    const passed: VerifyResult[] = [];
    const retried: string[] = [];
    const results = await verifyServing({
      ...options([ok], { repeat: 1, signal: stopped.signal }),
      targets: [{ hostname: "example.com", addresses: ["203.0.113.7"], uploads: [upload] }],
      planned: { of: () => [], refresh: what === "refresh" ? cutOff : async () => {} },
      shakeHands: async () => {
        if (what === "handshake") await cutOff();
        return answer;
      },
      onResult: (result) => passed.push(result),
      onRetry: ({ hostname }) => retried.push(hostname),
    });
    const returned = structuredClone(results);
    end();
    await new Promise(setImmediate);
    return { results, returned, passed, retried };
  }

  test.each<[string, "handshake" | "refresh", Handshake, object]>([
    ["a good handshake", "handshake", ok, { ok: false, code: "stopped" }],
    [
      "a query to Certificate Manager, for a permanent failure",
      "refresh",
      mismatch(fingerprintSha256),
      { ok: false, code: "name-mismatch", message: "it is for another" },
    ],
    [
      "a query to Certificate Manager, for a temporary failure",
      "refresh",
      mismatch("bb"),
      { ok: false, code: "name-mismatch", message: "it is for another" },
    ],
  ])("%s", async (_, what, answer, expected) => {
    const { results, returned, passed, retried } = await stopDuring(what, answer);
    expect(returned).toEqual([expect.objectContaining(expected)]);
    expect(results).toEqual(returned);
    expect(passed).toEqual(returned);
    expect(retried).toEqual([]);
  });
});

test("reports what there was no time for as not tried", async () => {
  const given = options([ok], { withinMs: 0 });
  expect(await verifyServing(given)).toMatchObject([{ ok: false, code: "not-tried", message: "nothing was tried" }]);
});

describe("an uploaded certificate that does not match", () => {
  const { certificatePem: upload } = makeCertificate(["other.example.com"]);
  const { leaf } = readCertificateChain(upload);
  const served: ServedCertificate = { ...certificate, fingerprintSha256: leaf?.fingerprintSha256 ?? "" };
  const mismatch: Handshake = { ok: false, code: "name-mismatch", detail: "it is for another", certificate: served };
  const before: Handshake = { ...mismatch, certificate };
  const target = { hostname: "example.com", addresses: ["203.0.113.7"] };
  const planned = "projects/p/locations/global/certificates/c";
  /** The certificates in Certificate Manager. */
  const live = (...uploads: readonly (string | undefined)[]): NonNullable<VerifyOptions["planned"]> => ({
    of: () =>
      uploads.map((pem) => ({
        name: planned,
        state: "ACTIVE",
        facts: { fingerprintSha256: certificate.fingerprintSha256, serialNumber: "1", keyType: "rsa-2048" },
        ...(pem === undefined ? {} : { upload: pem }),
      })),
    refresh: async () => {},
  });

  test.each<[string, Partial<VerifyOptions>]>([
    ["the plan has it", { targets: [{ ...target, uploads: [upload] }] }],
    ["Certificate Manager has it", { targets: [{ ...target, planned: [planned] }], planned: live(upload) }],
  ])("is tried once if %s, and reported with what to do", async (_, change) => {
    const given = options([mismatch], change);
    expect(await verifyServing(given)).toEqual([
      {
        hostname: "example.com",
        address: "203.0.113.7",
        ok: false,
        code: "name-mismatch",
        severity: "error",
        subject: "example.com",
        message: "it is for another; the plan uploads this certificate for the hostname, so a retry cannot succeed",
        remedy: "upload a certificate that has the name, or use a managed certificate, and apply",
        meaning: "the served certificate is for other names",
        final: true,
        certificate: served,
        handshakes: 1,
        bad: 1,
      },
    ]);
  });

  test("is tried once if clients of its key type get no other", async () => {
    const { certificates } = await makeThirdPartyCertificates(
      [{ names: ["example.com"], publicKeyAlgorithm: "ecdsa-p256" }],
      { now: () => new Date() },
    );
    const uploads = [upload, certificates[0]?.chainPem ?? ""];
    const given = options([mismatch], { targets: [{ ...target, uploads }], keyFamilies: ["rsa"] });
    expect(await verifyServing(given)).toMatchObject([{ client: "rsa", final: true, handshakes: 1 }]);
  });

  /** A certificate that is replaced in Certificate Manager after the start of the run. */
  function replaced(): NonNullable<VerifyOptions["planned"]> {
    let current = live(upload);
    return {
      of: (names) => current.of(names),
      refresh: async () => {
        current = live(makeCertificate(["example.com"], { key: 1 }).certificatePem);
      },
    };
  }

  test.each<[string, Handshake, Partial<VerifyOptions>, "open" | "unknown"]>([
    ["another one is still served", before, { targets: [{ ...target, uploads: [upload] }] }, "open"],
    [
      "it has been replaced in Certificate Manager meanwhile",
      mismatch,
      { targets: [{ ...target, planned: [planned] }], planned: replaced() },
      "open",
    ],
    ["the uploaded certificate is unknown", mismatch, {}, "unknown"],
    ["the name has a second one", mismatch, { targets: [{ ...target, uploads: [upload, upload] }] }, "unknown"],
    [
      "the name has one that Google manages as well",
      mismatch,
      { targets: [{ ...target, planned: [planned] }], planned: live(upload, undefined) },
      "unknown",
    ],
  ])("is retried if %s", async (_, answer, change, outlook) => {
    const outlooks: string[] = [];
    const onRetry: VerifyOptions["onRetry"] = (_, outlook) => outlooks.push(outlook);
    const given = options([answer, answer, ok], { ...change, onRetry, withinMs: 60_000, repeat: 1 });
    expect((await verifyServing(given))[0]).toMatchObject({ ok: true, bad: 2 });
    expect(outlooks).toEqual([outlook, outlook]);
  });

  test("does not delay the others: each is tried and reported", async () => {
    const given = options([], {
      targets: [
        { hostname: "pending.example.com", addresses: target.addresses },
        { ...target, uploads: [upload] },
        { hostname: "good.example.com", addresses: target.addresses },
      ],
      shakeHands: async (_, hostname) =>
        hostname === "example.com" ? mismatch : hostname === "good.example.com" ? ok : refused,
      concurrency: 1,
    });
    const [pending, bad, good] = await verifyServing(given);
    expect(given.now()).toBeLessThanOrEqual(5_000);
    expect(pending).toMatchObject({
      code: "handshake-refused",
      message: "alert; retries ended, because another hostname failed permanently",
      handshakes: 2,
    });
    expect([bad, good]).toMatchObject([{ final: true }, { ok: true }]);
  });
});
