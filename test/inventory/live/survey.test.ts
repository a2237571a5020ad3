import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeInventory } from "../../../lib/inventory";
import { type ChainRequest, makeChainCertificate } from "../../support/made-chain";
import { days, intermediate, leaf, root, serve, servers, shop, survey } from "./surveyed";

/** Starts a server that sends its chain out of order, and takes an inventory of its host. */
async function surveyTwo() {
  const port = await servers.tls([leaf("two.example.com", "*.two.example.com"), root, intermediate]);
  const inventory = await survey([`two.example.com:${port}`]);
  const [certificate] = inventory.certificates;
  return { port, inventory, certificate };
}

const anyFingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
const link = (subject: string, issuer: string) => ({
  subject,
  issuer,
  notAfter: expect.stringMatching(/Z$/),
  fingerprintSha256: anyFingerprint,
});

test("reports a host completely: every address, what each serves, and the chain as sent", async () => {
  const { port, inventory, certificate } = await surveyTwo();
  expect(inventory.hosts).toEqual([
    {
      host: "two.example.com",
      port,
      endpoints: [
        {
          address: "127.0.0.1",
          served: [
            {
              fingerprintSha256: certificate?.fingerprintSha256,
              protocol: "TLSv1.3",
              coverage: "exact",
              trusted: true,
              chain: [
                link("CN=leaf", "CN=Intermediate"),
                link("CN=Root", "CN=Root"),
                link("CN=Intermediate", "CN=Root"),
              ],
            },
          ],
          withoutSni: {
            fingerprintSha256: certificate?.fingerprintSha256,
            domains: ["*.two.example.com", "two.example.com"],
            coverage: "exact",
          },
          failure: null,
        },
        {
          address: "127.0.0.2",
          served: [],
          withoutSni: null,
          failure: { code: "connection-refused", detail: "ECONNREFUSED" },
        },
      ],
    },
  ]);
  expect(servers.received()).toBe("");
});

test("reports the records of every name of a served certificate", async () => {
  const { inventory } = await surveyTwo();
  expect(inventory.names).toEqual([
    { name: "*.two.example.com", listed: false, records: noRecords },
    {
      name: "two.example.com",
      listed: true,
      records: { cname: null, a: { addresses: ["127.0.0.1", "127.0.0.2"], ttlSeconds: 60 }, aaaa: noRecords.aaaa },
    },
  ]);
});

test("reports a served certificate with the host and the addresses that serve it", async () => {
  const { port, certificate } = await surveyTwo();
  expect(certificate).toMatchObject({
    source: `two.example.com:${port}`,
    index: 0,
    domains: ["*.two.example.com", "two.example.com"],
    places: [{ kind: "host", host: `two.example.com:${port}`, addresses: ["127.0.0.1"] }],
  });
});

const noRecords = {
  cname: null,
  a: { addresses: [], ttlSeconds: null },
  aaaa: { addresses: [], ttlSeconds: null },
};

test("reports a certificate of a file and of several hosts and addresses once, with all its places", async () => {
  const shared = leaf("shop.example.com", "pay.example.com");
  const folder = mkdtempSync(join(tmpdir(), "survey-"));
  const file = join(folder, "shared.pem");
  try {
    writeFileSync(file, shared.pem);
    const port = await servers.tls([shared, intermediate]);
    await servers.tls([shared, intermediate], { address: "127.0.0.2", port });
    const { certificates } = await survey([`shop.example.com:${port}`, `pay.example.com:${port}`], {
      files: takeInventory([file], { now: new Date() }),
      connect: ["127.0.0.1", "127.0.0.2"],
    });
    expect(certificates.map(({ places }) => places)).toEqual([
      [
        { kind: "file", path: file, index: 0 },
        { kind: "host", host: `shop.example.com:${port}`, addresses: ["127.0.0.1", "127.0.0.2"] },
        { kind: "host", host: `pay.example.com:${port}`, addresses: ["127.0.0.1", "127.0.0.2"] },
      ],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ["expired", { notBefore: days(-9), notAfter: days(-1) }, "expired"],
  ["about to expire", { notAfter: days(12.5) }, "expires-soon"],
  ["not valid yet", { notBefore: days(1) }, "not-yet-valid"],
  ["bound to stapling", { mustStaple: true }, "must-staple"],
  ["EV by its policy", { policies: ["2.23.140.1.1"] }, "validation-lost"],
  ["OV by its subject", { policies: ["1.3.6.1.4.1.6449.1.2.1.3.4"], organization: "Shop" }, "validation-lost"],
  ["its own issuer", { issuer: undefined }, "self-signed"],
])("reports that a served certificate is %s", async (_, request, code) => {
  const { issuer = "issuer" in request ? undefined : intermediate, ...more } = request as Partial<ChainRequest>;
  const own = makeChainCertificate({
    commonName: "leaf",
    names: ["shop.example.com"],
    ...(issuer === undefined ? {} : { issuer }),
    ...more,
  });
  const { certificates } = await survey([`shop.example.com:${await serve(own, intermediate)}`]);
  expect(certificates[0]?.problems.map((problem) => problem.code)).toEqual([code]);
});

test("connects to an address without a name, and treats its certificate's names as foreign", async () => {
  const inventory = await survey([`127.0.0.1:${await serve(shop, intermediate)}`]);
  expect(inventory.hosts[0]?.endpoints[0]?.served[0]?.coverage).toBeNull();
  expect(inventory.findings.map(({ code }) => code)).toEqual(["name-of-others"]);
});

test("sends no DNS query without a comparison and with an address to connect to", async () => {
  const { findings, names: compared } = await survey([`shop.example.com:${await serve(shop, intermediate)}`], {
    connect: ["127.0.0.1"],
    comparesNames: false,
    askRecords: () => Promise.reject(new Error("DNS was asked")),
  });
  expect(findings.map(({ code }) => code)).toEqual(["no-sni-served"]);
  expect(compared).toEqual([]);
});

test.each([
  ["timeout", 1],
  ["connection-refused", 1],
  ["unreachable", 1],
  ["handshake-refused", 3],
] as const)("after %s has connected to an address %i times", async (code, times) => {
  const asked: string[] = [];
  await survey(["shop.example.com"], {
    probeTls: async ({ offer }) => {
      asked.push(offer);
      return { ok: false, code, detail: "" };
    },
  });
  expect(asked).toHaveLength(times);
});

test("checks clients without SNI once for each address and port that answers", async () => {
  const asked: string[] = [];
  const hosts = ["shop.example.com:1", "pay.example.com:1", "shop.example.com:2", "127.0.0.1:1", "dead.example.com:3"];
  await survey(hosts, {
    connect: ["127.0.0.1"],
    comparesNames: false,
    probeTls: async ({ serverName, port }) => {
      if (serverName === undefined) asked.push(`${port}`);
      if (port === 3) return { ok: false, code: "timeout", detail: "" };
      return { ok: true, protocol: "TLSv1.3", chain: [shop.der], clientCertificateWanted: false };
    },
  });
  // Two more for the host that is an address.
  expect(asked.sort()).toEqual(["1", "1", "1", "2"]);
});

test("does not check clients without SNI after an abort", async () => {
  const stopping = new AbortController();
  const asked: (string | undefined)[] = [];
  const inventory = await survey(["shop.example.com:1"], {
    connect: ["127.0.0.1"],
    comparesNames: false,
    run: { signal: stopping.signal },
    probeTls: async ({ serverName, offer }) => {
      asked.push(serverName);
      if (offer === "rsa") stopping.abort();
      return { ok: true, protocol: "TLSv1.3", chain: [shop.der], clientCertificateWanted: false };
    },
  });
  expect(asked).toEqual(["shop.example.com", "shop.example.com"]);
  expect(inventory.hosts[0]?.endpoints[0]).toMatchObject({ withoutSni: null, failure: null });
});

test("limits concurrent connections, and does not let unresponsive hosts block others", async () => {
  const good = Array.from({ length: 30 }, (__, number) => `good${number}.example.com`);
  const dead = ["dead0.example.com", "dead1.example.com", "dead2.example.com"];
  let answered = 0;
  let under = 0;
  let most = 0;
  let release = () => {};
  const allAnswered = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Dead hosts close only after all other hosts; if the survey waited for them first, the test would never end.
  await survey([...dead, ...good], {
    run: { concurrency: 4 },
    connect: ["127.0.0.1"],
    comparesNames: false,
    probeTls: async ({ serverName = "", offer }) => {
      under += 1;
      most = Math.max(most, under);
      if (dead.includes(serverName)) await allAnswered;
      else await Promise.resolve();
      under -= 1;
      if (!dead.includes(serverName) && offer === "rsa") answered += 1;
      if (answered === good.length) release();
      return dead.includes(serverName)
        ? { ok: false, code: "timeout", detail: "" }
        : { ok: true, protocol: "TLSv1.3", chain: [shop.der], clientCertificateWanted: false };
    },
  });
  expect({ answered, most }).toEqual({ answered: good.length, most: 4 });
});
