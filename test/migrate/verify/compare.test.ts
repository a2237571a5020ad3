import { type Authority, createAuthority } from "../../../lib/cloud/authority";
import { compareSides, createClients, previousAddresses, shakeHands, type VerifyTarget } from "../../../lib/migrate";
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
  return compareSides({
    pairs: [{ hostname, old: [{ address: oldAddress, from: "plan" }], new: newAddress }],
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
    random: Math.random,
  });
}

test("whatever clients of the old side would lose is a finding", async () => {
  const names = ["example.com", "forgotten.example.net", "a.example.com"];
  const everything = { minVersion: "TLSv1", ciphers: "DEFAULT:@SECLEVEL=0", ALPNProtocols: ["h2", "http/1.1"] };
  await using old = await serve(names, "rsa-2048", everything);
  await using now = await serve(["other.example.com"], "ecdsa-p256", { minVersion: "TLSv1.3" });
  const { comparisons, findings } = await compare({ [oldAddress]: old.port, [newAddress]: now.port });
  expect(comparisons).toEqual([
    {
      hostname: "example.com",
      old: {
        address: oldAddress,
        protocols: ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"],
        keyTypes: ["rsa"],
        alpn: ["h2", "http/1.1"],
        withoutSni: true,
      },
      oldFrom: "plan",
      new: { address: newAddress, protocols: ["TLSv1.3"], keyTypes: ["ecdsa"], alpn: [], withoutSni: false },
    },
  ]);
  expect(findings.map(({ code, severity, subject }) => [code, severity, subject])).toEqual([
    ["protocol-lost", "error", "example.com"],
    ["old-protocol-lost", "warning", "example.com"],
    ["key-type-lost", "warning", "example.com"],
    ["alpn-lost", "warning", "example.com"],
    ["no-sni-lost", "warning", "example.com"],
    ["name-not-planned", "warning", "forgotten.example.net"],
  ]);
});

test("between sides that can do the same nothing is found, a wildcard asked for by a label", async () => {
  await using old = await serve(["*.example.com"], "ecdsa-p256");
  await using now = await serve(["*.example.com"], "ecdsa-p256");
  const { findings } = await compare({ [oldAddress]: old.port, [newAddress]: now.port }, "*.example.com");
  expect(findings).toEqual([]);
});

test("an old side that makes no handshake is told, for nothing was compared", async () => {
  await using now = await serve(["example.com"], "ecdsa-p256");
  const { comparisons, findings } = await compare({ [newAddress]: now.port });
  expect(comparisons[0]).not.toHaveProperty("old");
  expect(findings.map(({ code, detail }) => [code, detail])).toEqual([["old-side-unseen", oldAddress]]);
});

test("old addresses are those that are given, those of the plan before the move, else those of DNS", async () => {
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
  const migrations = [{ traffic }] as unknown as Parameters<typeof previousAddresses>[1]["migrations"];
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

test("a server with keys of both families is asked for either certificate, whose names may differ", async () => {
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
  expect(comparisons[0]?.old?.keyTypes).toEqual(["rsa", "ecdsa"]);
  expect(findings.map(({ code, subject }) => [code, subject])).toEqual([
    ["name-not-planned", "of-ecdsa.example.net"],
    ["name-not-planned", "of-rsa.example.net"],
  ]);
});
