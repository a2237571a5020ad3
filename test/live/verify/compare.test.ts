import { type Authority, createAuthority } from "../../../lib/cloud/certificate-authority";
import { ServiceError } from "../../../lib/errors";
import {
  compareProviders,
  createClients,
  type HandshakeFailure,
  previousAddresses,
  shakeHands,
  type VerifyTarget,
} from "../../../lib/live/verify";
import { serveTls } from "../../support/tls-servers";

const [oldAddress, newAddress] = ["198.51.100.1", "203.0.113.7"];
let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority({ commonName: "Test", now: () => new Date(Date.now() - 60_000) });
});

async function serve(names: readonly string[], algorithm: "rsa-2048" | "ecdsa-p256", options = {}) {
  const { chainPem, privateKeyPem } = await authority.issue({ names, publicKeyAlgorithm: algorithm, validDays: 1 });
  return serveTls({ cert: chainPem, key: privateKeyPem, ...options });
}

async function compare(ports: Readonly<Record<string, number>>, hostname = "example.com") {
  const clients = createClients([authority.trustBundlePem]);
  return compareProviders({
    pairs: [{ hostname, previous: [{ address: oldAddress, from: "plan" }], loadBalancer: [newAddress] }],
    served: ["example.com", "*.example.com"],
    shakeHands: (address, name, { client = "modern", ...as }) => {
      const secureContext = clients(client);
      return shakeHands({
        address: "127.0.0.1",
        port: ports[address] ?? 1,
        hostname: name,
        timeoutMs: 2_000,
        secureContext,
        ...as,
      });
    },
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    now: Date.now,
    random: Math.random,
  });
}

/**
 * Compares ten hostnames, one at a time. For the previous addresses every handshake has the same outcome; the load
 * balancer refuses every handshake.
 */
async function compareTen(
  code: HandshakeFailure,
  {
    deadline = Number.POSITIVE_INFINITY,
    onOld = () => {},
  }: { readonly deadline?: number; readonly onOld?: () => void } = {},
  signal = new AbortController().signal,
) {
  let seconds = 0;
  const asked: string[] = [];
  const hostnames = Array.from({ length: 10 }, (_, index) => `h${index}.example.com`);
  const { findings } = await compareProviders({
    pairs: hostnames.map((hostname) => ({
      hostname,
      previous: [{ address: oldAddress, from: "given" }],
      loadBalancer: [newAddress],
    })),
    served: hostnames,
    shakeHands: async (address) => {
      if (address === newAddress) return { ok: false, code: "handshake-refused", detail: "alert 112" };
      asked.push(address);
      seconds += 10;
      onOld();
      return { ok: false, code, detail: "none" };
    },
    concurrency: 1,
    deadline,
    now: () => seconds * 1_000,
    signal,
    random: Math.random,
  });
  return {
    asked: asked.length,
    found: findings.map(({ code, subject, message: detail }) => `${subject}: ${code} (${detail})`),
  };
}

test("reports whatever clients of the previous provider would lose", async () => {
  const names = ["example.com", "forgotten.example.net", "a.example.com"];
  const everything = { minVersion: "TLSv1", ciphers: "DEFAULT:@SECLEVEL=0", ALPNProtocols: ["h2", "http/1.1"] };
  await using old = await serve(names, "rsa-2048", everything);
  await using now = await serve(["other.example.com"], "ecdsa-p256", { minVersion: "TLSv1.3" });
  const { comparisons, findings } = await compare({ [oldAddress]: old.port, [newAddress]: now.port });
  expect(comparisons).toEqual([
    {
      hostname: "example.com",
      previous: {
        address: oldAddress,
        protocols: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"],
        keyTypes: ["rsa"],
        alpn: ["h2", "http/1.1"],
        withoutSni: true,
      },
      previousFrom: "plan",
      loadBalancer: { address: newAddress, protocols: ["TLSv1.3"], keyTypes: ["ecdsa"], alpn: [], withoutSni: false },
    },
  ]);
  expect(findings.map(({ code, severity, subject }) => [code, severity, subject])).toEqual([
    ["protocol-lost", "error", "example.com"],
    ["obsolete-protocol-lost", "warning", "example.com"],
    ["key-type-lost", "warning", "example.com"],
    ["alpn-lost", "warning", "example.com"],
    ["no-sni-lost", "warning", "example.com"],
    ["name-not-planned", "warning", "forgotten.example.net"],
  ]);
});

test("reports nothing for equal providers, and checks a wildcard with a label", async () => {
  await using old = await serve(["*.example.com"], "ecdsa-p256");
  await using now = await serve(["*.example.com"], "ecdsa-p256");
  const { findings } = await compare({ [oldAddress]: old.port, [newAddress]: now.port }, "*.example.com");
  expect(findings).toEqual([]);
});

test("reports a previous provider without a handshake, because nothing was compared", async () => {
  await using now = await serve(["example.com"], "ecdsa-p256");
  const { comparisons, findings } = await compare({ [newAddress]: now.port });
  expect(comparisons[0]).not.toHaveProperty("previous");
  expect(findings.map(({ code, message: detail }) => [code, detail])).toEqual([
    ["comparison-unfinished", `${oldAddress}: connection-refused`],
  ]);
});

test.each([
  ["timeout", 3],
  ["handshake-timeout", 6],
  ["unreachable", 3],
  ["connection-refused", 10],
  ["handshake-refused", 40],
] as const)(
  "connects to a previous provider that ends with %s %i times for ten hostnames, and reports each of them",
  async (code, times) => {
    const { asked, found } = await compareTen(code);
    expect(asked).toBe(times);
    expect(found).toHaveLength(10);
    const reported = code === "handshake-refused" ? "previous-provider-unseen" : "comparison-unfinished";
    expect(found[0]).toBe(`h0.example.com: ${reported} (${oldAddress}: ${code})`);
    const isTakenForDead = times < 10;
    expect(found[9]).toBe(
      `h9.example.com: ${reported} (${oldAddress}: ${isTakenForDead ? "it did not answer for 3 names before" : code})`,
    );
  },
);

test("starts nothing after the deadline, and reports every hostname that was not compared", async () => {
  const { asked, found } = await compareTen("handshake-refused", { deadline: 60_000 });
  expect(asked).toBe(6);
  expect(found).toEqual([
    `h0.example.com: previous-provider-unseen (${oldAddress}: handshake-refused)`,
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (index) =>
        `h${index}.example.com: comparison-unfinished (${oldAddress}: the time was over, ${newAddress}: the time was over)`,
    ),
  ]);
});

test("reports an aborted comparison as not compared, and opens no further connection", async () => {
  const stopping = new AbortController();
  const { asked, found } = await compareTen("stopped", { onOld: () => stopping.abort() }, stopping.signal);
  expect(asked).toBe(1);
  expect(found).toHaveLength(10);
  expect(found[0]).toContain(`h0.example.com: comparison-unfinished (${oldAddress}: the run was stopped`);
});

test("reports a load balancer that stops accepting connections midway as not compared, not as a loss", async () => {
  await using now = await serve(["example.com"], "ecdsa-p256");
  let left = 5;
  const { findings } = await compareProviders({
    pairs: [
      { hostname: "example.com", previous: [{ address: oldAddress, from: "given" }], loadBalancer: [newAddress] },
    ],
    served: ["example.com"],
    shakeHands: async (address, hostname, { client = "modern", ...as }) => {
      if (address === newAddress && left-- <= 0) return { ok: false, code: "timeout", detail: "none" };
      const secureContext = createClients([authority.trustBundlePem])(client);
      return shakeHands({ address: "127.0.0.1", port: now.port, hostname, timeoutMs: 2_000, secureContext, ...as });
    },
    deadline: Number.POSITIVE_INFINITY,
    now: Date.now,
    signal: new AbortController().signal,
    random: Math.random,
  });
  expect(findings.map(({ code, message: detail }) => [code, detail])).toEqual([
    ["comparison-unfinished", `${newAddress}: timeout`],
  ]);
});

test("reports a previous provider that becomes unreachable with what it had served, and compares other names", async () => {
  await using old = await serve(["example.com", "forgotten.example.net"], "ecdsa-p256");
  await using now = await serve(["example.com", "www.example.com"], "ecdsa-p256");
  const clients = createClients([authority.trustBundlePem]);
  let left = 5;
  const { comparisons, findings } = await compareProviders({
    pairs: ["www.example.com", "example.com"].map((hostname) => ({
      hostname,
      previous: [{ address: hostname === "example.com" ? oldAddress : "198.51.100.2", from: "given" as const }],
      loadBalancer: [newAddress],
    })),
    served: ["example.com", "www.example.com"],
    shakeHands: async (address, hostname, { client = "modern", ...as }) => {
      if (address === oldAddress && left-- <= 0) {
        throw new ServiceError("asking the rehearsal cloud: no connection", { code: "unreachable", retryable: true });
      }
      const { port } = address === oldAddress ? old : now;
      const secureContext = clients(client);
      return shakeHands({ address: "127.0.0.1", port, hostname, timeoutMs: 2_000, secureContext, ...as });
    },
    deadline: Number.POSITIVE_INFINITY,
    now: Date.now,
    signal: new AbortController().signal,
    random: Math.random,
  });
  expect(comparisons.map(({ hostname, previous: seen }) => [hostname, seen?.address])).toEqual([
    ["www.example.com", "198.51.100.2"],
    ["example.com", undefined],
  ]);
  expect(findings.map(({ code, subject, message: detail }) => [code, subject, detail])).toEqual([
    ["comparison-unfinished", "example.com", `${oldAddress}: asking the rehearsal cloud: no connection`],
    ["name-not-planned", "forgotten.example.net", expect.stringMatching(/^in the certificate with /)],
  ]);
});

test("compares eight addresses of each provider, and reports the others", async () => {
  const old = Array.from({ length: 10 }, (_, index) => ({ address: `198.51.100.${index}`, from: "dns" as const }));
  const asked = new Set<string>();
  const { findings } = await compareProviders({
    pairs: [{ hostname: "example.com", previous: old, loadBalancer: [newAddress] }],
    served: ["example.com"],
    shakeHands: async (address) => {
      asked.add(address);
      return { ok: false, code: "connection-refused", detail: "none" };
    },
    deadline: Number.POSITIVE_INFINITY,
    now: Date.now,
    signal: new AbortController().signal,
    random: Math.random,
  });
  expect(asked.size).toBe(9);
  expect(findings.slice(1).map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ["not-compared", "warning", "198.51.100.8: more than 8 addresses, 198.51.100.9: more than 8 addresses"],
  ]);
});

test("uses the given previous addresses, else those of the plan before the move, else those in DNS", async () => {
  const names = ["planned.example.com", "alias.example.com", "*.example.com"];
  const targets: readonly VerifyTarget[] = names.map((hostname) => ({
    hostname,
    addresses: [newAddress],
  }));
  const records = [{ name: "planned.example.com.", type: "A", data: [oldAddress] }];
  const previousAliases = { "alias.example.com": "old-cdn.example.org" };
  const traffic = { to: "previous" as const, hostnames: names, records, previousAliases };
  const asked: string[] = [];
  const lookUp = async (name: string, type: string) => {
    asked.push(`${name} ${type}`);
    return { ok: true as const, data: type === "A" ? [newAddress, "192.0.2.1"] : [] };
  };
  const migrations = [{}, { traffic }] as unknown as Parameters<typeof previousAddresses>[1]["migrations"];
  const options = { migrations, random: () => 0.5 };
  expect(await previousAddresses(targets, { ...options, given: [], lookUp })).toEqual(
    new Map([
      ["planned.example.com", [{ address: oldAddress, from: "plan" }]],
      ["alias.example.com", [{ address: "192.0.2.1", from: "alias" }]],
      ["*.example.com", [{ address: "192.0.2.1", from: "dns" }]],
    ]),
  );
  expect(asked.slice(0, 2)).toEqual(["old-cdn.example.org A", "old-cdn.example.org AAAA"]);
  expect(asked.slice(2)).toEqual([
    expect.stringMatching(/^probe-\w{8}\.example\.com A$/),
    expect.stringMatching(/ AAAA$/),
  ]);
  expect(await previousAddresses(targets, { ...options, given: ["192.0.2.9"] })).toEqual(
    new Map(names.map((hostname) => [hostname, [{ address: "192.0.2.9", from: "given" }]])),
  );
});

test("does not treat the load balancer's own address as the previous provider, however DNS spells it", async () => {
  const targets: readonly VerifyTarget[] = [{ hostname: "example.com", addresses: ["2001:DB8:0::7", newAddress] }];
  const lookUp = async (_: string, type: string) =>
    ({ ok: true, data: type === "AAAA" ? ["2001:db8::7"] : [newAddress] }) as const;
  const options = { migrations: [], given: [], lookUp, random: Math.random };
  expect(await previousAddresses(targets, options)).toEqual(new Map([["example.com", []]]));
});

test("requests both certificates of a server with RSA and ECDSA keys, whose names may differ", async () => {
  const issue = (names: readonly string[], publicKeyAlgorithm: "rsa-2048" | "ecdsa-p256") =>
    authority.issue({ names, publicKeyAlgorithm, validDays: 1 });
  const ecdsa = await issue(["example.com", "of-ecdsa.example.net"], "ecdsa-p256");
  const rsa = await issue(["example.com", "of-rsa.example.net"], "rsa-2048");
  await using old = await serveTls({
    cert: [ecdsa.chainPem, rsa.chainPem],
    key: [ecdsa.privateKeyPem, rsa.privateKeyPem],
  });
  await using now = await serveTls({
    cert: [ecdsa.chainPem, rsa.chainPem],
    key: [ecdsa.privateKeyPem, rsa.privateKeyPem],
  });
  const { comparisons, findings } = await compare({ [oldAddress]: old.port, [newAddress]: now.port });
  expect(comparisons[0]?.previous?.keyTypes).toEqual(["rsa", "ecdsa"]);
  expect(findings.map(({ code, subject }) => [code, subject])).toEqual([
    ["name-not-planned", "of-ecdsa.example.net"],
    ["name-not-planned", "of-rsa.example.net"],
  ]);
});
