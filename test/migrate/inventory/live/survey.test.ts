import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { createZone, createZoneSource, type NameServer, startNameServer } from "../../../../lib/cloud/name-server";
import { type Inventory, type InventoryFindingCode, inventoryFindings, takeInventory } from "../../../../lib/migrate";
import { createFindRoot } from "../../../../lib/migrate/inventory/live/chain";
import { createOffers, greet } from "../../../../lib/migrate/inventory/live/greet";
import { readHost } from "../../../../lib/migrate/inventory/live/hosts";
import { createAskRecords } from "../../../../lib/migrate/inventory/live/records";
import { type SurveyOptions, surveyHosts } from "../../../../lib/migrate/inventory/live/survey";
import { recordSet } from "../../../cloud/name-server/example-zones";
import { type ChainCertificate, type ChainRequest, makeChainCertificate } from "../../../support/made-chain";
import { type Servers, startServers } from "../../../support/servers";

const root = makeChainCertificate({ commonName: "Root", isAuthority: true });
const intermediate = makeChainCertificate({ commonName: "Intermediate", isAuthority: true, issuer: root });
const stranger = makeChainCertificate({ commonName: "Stranger", isAuthority: true });
const leaf = (...names: readonly string[]) => makeChainCertificate({ commonName: "leaf", names, issuer: intermediate });
const shop = leaf("shop.example.com");

const zones = createZoneSource([
  createZone(
    "example.com.",
    [
      "@ 300 SOA ns1.example.com. h.example.com. 1 2 3 4 5",
      "shop 60 A 127.0.0.1",
      "pay 60 A 127.0.0.1",
      "six 60 AAAA ::1",
      "two 60 A 127.0.0.1 | 127.0.0.2",
      "slow 3600 A 127.0.0.1",
      "alias 60 CNAME shop.example.com.",
      "lost 60 CNAME nowhere.example.com.",
      "unlisted 60 A 127.0.0.1",
      "*.wild 60 A 127.0.0.1",
    ].map((line) => recordSet("example.com.", line)),
  ),
]);

let names: NameServer;
let servers: Servers;
beforeAll(async () => {
  const fault = ({ name }: { readonly name: string }) =>
    name === "fails.example.com." ? ({ rcode: "SERVFAIL" } as const) : {};
  names = await startNameServer({ zones, fault });
});
afterAll(() => names.close());
beforeEach(() => {
  servers = startServers();
});
afterEach(() => servers[Symbol.asyncDispose]());

const nothing = takeInventory([], { now: new Date() });
const offers = createOffers([root.pem]);

function survey(
  hosts: readonly string[],
  {
    files = nothing,
    timeoutMs = 5_000,
    ...more
  }: Partial<SurveyOptions> & { files?: Inventory; timeoutMs?: number } = {},
): Promise<Inventory> {
  const signal = more.signal ?? new AbortController().signal;
  return surveyHosts(files, {
    hosts: hosts.map((text) => {
      const read = readHost(text);
      if ("problem" in read) throw new Error(read.problem.message);
      return read.target;
    }),
    askRecords: createAskRecords(`127.0.0.1:${names.port}`, signal),
    comparesNames: true,
    greet: ({ offer, ...target }) => greet({ ...target, timeoutMs, secureContext: offers[offer], signal }),
    findRoot: createFindRoot([root.pem]),
    now: new Date(),
    concurrency: 8,
    signal,
    ...more,
  });
}

const serve = (...chain: readonly ChainCertificate[]) => servers.tls([...chain]);
const serveBySni =
  (own: readonly ChainCertificate[]) => (name: string, done: (error: null, context?: SecureContext) => void) => {
    const found = own.find(({ der }) => new X509Certificate(der).checkHost(name) !== undefined);
    done(null, found && createSecureContext({ cert: found.pem + intermediate.pem, key: found.keyPem }));
  };
const days = (count: number) => new Date(Date.now() + count * 86_400_000);

/** Each kind of trouble: what makes it, and everything that is found. */
const troubles: readonly (readonly [
  trouble: string,
  make: () => Promise<Inventory>,
  found: readonly (readonly [code: InventoryFindingCode, about: RegExp, message: RegExp])[],
])[] = [
  ["a healthy host", async () => survey([`shop.example.com:${await serve(shop, intermediate)}`]), []],
  [
    "a healthy host with IPv6 alone",
    async () => {
      const port = await servers.tls([leaf("six.example.com"), intermediate], { address: "::1" });
      return survey([`six.example.com:${port}`]);
    },
    [],
  ],
  [
    "nothing that listens",
    () => survey(["shop.example.com:1"]),
    [
      ["connection-refused", /^shop\.example\.com:1$/, /^127\.0\.0\.1 refuses connections \(ECONNREFUSED\)$/],
      ["name-uncovered", /^shop\.example\.com:1$/, /./],
    ],
  ],
  [
    "no way to the network",
    () =>
      survey(["shop.example.com"], { greet: async () => ({ ok: false, code: "unreachable", detail: "ENETUNREACH" }) }),
    [
      ["unreachable", /^shop/, /can't be reached \(ENETUNREACH\)/],
      ["name-uncovered", /^shop/, /./],
    ],
  ],
  [
    "a tar pit",
    async () => survey([`shop.example.com:${await servers.tcp(() => {})}`], { timeoutMs: 100 }),
    [
      ["timeout", /^shop/, /^127\.0\.0\.1 does not answer \(no answer in 100 ms\)$/],
      ["name-uncovered", /^shop/, /./],
    ],
  ],
  [
    "a server that knows no such host",
    async () => survey([`shop.example.com:${await servers.tcp((socket: Socket) => socket.end())}`]),
    [
      ["handshake-refused", /^shop/, /refuses handshakes for it/],
      ["name-uncovered", /^shop/, /./],
    ],
  ],
  [
    "a run that was stopped",
    () => survey(["shop.example.com"], { signal: AbortSignal.abort() }),
    [
      ["name-uncovered", /^shop/, /./],
      ["dns-failed", /^shop\.example\.com$/, /the run was stopped/],
    ],
  ],
  [
    "a run that was stopped before an address",
    () => survey(["127.0.0.1:1"], { signal: AbortSignal.abort() }),
    [["not-asked", /^127\.0\.0\.1:1$/, /was not asked/]],
  ],
  [
    "TLS 1.1",
    async () => {
      const old = makeChainCertificate({
        commonName: "old",
        names: ["shop.example.com"],
        issuer: intermediate,
        keyType: "rsa",
      });
      const port = await servers.tls([old, intermediate], {
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT:@SECLEVEL=0",
      });
      return survey([`shop.example.com:${port}`]);
    },
    [["legacy-protocol", /^shop/, /^127\.0\.0\.1 speaks TLSv1\.1$/]],
  ],
  [
    "mutual TLS 1.2",
    async () => {
      const port = await servers.tls([shop, intermediate], { requestCert: true, ca: root.pem, maxVersion: "TLSv1.2" });
      return survey([`shop.example.com:${port}`]);
    },
    [["client-certificate-wanted", /^shop/, /^at 127\.0\.0\.1 clients are asked for a certificate$/]],
  ],
  [
    "mutual TLS 1.3",
    async () => {
      const port = await servers.tls([shop, intermediate], { requestCert: true, ca: root.pem });
      return survey([`shop.example.com:${port}`]);
    },
    [["client-certificate-wanted", /^shop/, /./]],
  ],
  [
    "a certificate of another host",
    async () => survey([`shop.example.com:${await serve(leaf("pay.example.com"), intermediate)}`]),
    [
      ["name-mismatch", /^shop/, /^127\.0\.0\.1 serves a certificate for pay\.example\.com$/],
      ["name-uncovered", /^shop/, /./],
      [
        "default-of-others",
        /^127\.0\.0\.1:\d+$/,
        /^clients that name no host get the certificate for pay\.example\.com, /,
      ],
      ["name-not-listed", /^pay\.example\.com$/, /^DNS has 127\.0\.0\.1 for it$/],
    ],
  ],
  [
    "a wildcard that covers the host",
    async () => survey([`shop.example.com:${await serve(leaf("*.example.com"), intermediate)}`]),
    [["wildcard-coverage", /^shop/, /^it is served by the wildcard \*\.example\.com$/]],
  ],
  [
    "a wildcard one label short",
    async () => survey([`host.wild.example.com:${await serve(leaf("*.example.com"), intermediate)}`]),
    [
      ["name-mismatch", /^host\.wild/, /a certificate for \*\.example\.com$/],
      ["name-uncovered", /^host\.wild/, /./],
      ["default-of-others", /^127/, /for \*\.example\.com, which is for none of the hosts there$/],
    ],
  ],
  [
    "a server with another certificate for clients without SNI",
    async () => {
      const provider = leaf("*.provider.example");
      const port = await servers.tls([provider, intermediate], {
        SNICallback: serveBySni([shop, leaf("pay.example.com")]),
      });
      return survey([`shop.example.com:${port}`, `pay.example.com:${port}`]);
    },
    [
      [
        "default-of-others",
        /^127\.0\.0\.1:\d+$/,
        /^clients that name no host get the certificate for \*\.provider\.example, which is for none of the hosts there$/,
      ],
    ],
  ],
  [
    "a server with the certificate of one host for clients without SNI, at two addresses",
    async () => {
      const [one, two] = [leaf("two.example.com"), leaf("pay.example.com")];
      const options = { SNICallback: serveBySni([one, two]) };
      const port = await servers.tls([one, intermediate], options);
      await servers.tls([one, intermediate], { ...options, address: "127.0.0.2", port });
      return survey([`two.example.com:${port}`, `pay.example.com:${port}`]);
    },
    [
      [
        "no-sni-served",
        /^127\.0\.0\.1:\d+$/,
        /^clients that name no host get the certificate for two\.example\.com \(and at 1 other address\), which is for two\.example\.com$/,
      ],
    ],
  ],
  [
    "two servers of one host",
    async () => {
      const port = await servers.tls([leaf("two.example.com"), intermediate]);
      await servers.tls([leaf("two.example.com"), intermediate], { address: "127.0.0.2", port });
      return survey([`two.example.com:${port}`]);
    },
    [
      [
        "addresses-differ",
        /^two/,
        /^different ECDSA certificates at 127\.0\.0\.1 \([0-9a-f]{16}, until .{10}\) and 127\.0\.0\.2 \(/,
      ],
    ],
  ],
  [
    "one dead address of two",
    async () => survey([`two.example.com:${await serve(leaf("two.example.com"), intermediate)}`]),
    [["connection-refused", /^two/, /^127\.0\.0\.2 /]],
  ],
  [
    "an RSA certificate beside an ECDSA one",
    async () => {
      const rsa = makeChainCertificate({
        commonName: "rsa",
        names: ["shop.example.com"],
        issuer: intermediate,
        keyType: "rsa",
      });
      const port = await servers.tls([], {
        cert: [shop, rsa].map(({ pem }) => pem + intermediate.pem),
        key: [shop.keyPem, rsa.keyPem],
      });
      return survey([`shop.example.com:${port}`]);
    },
    [["two-key-types", /^shop/, /^an ECDSA certificate and an RSA one are served at 127\.0\.0\.1$/]],
  ],
  [
    "a chain without its intermediate",
    async () => survey([`shop.example.com:${await serve(shop)}`]),
    [
      [
        "chain-incomplete",
        /^shop/,
        /^at 127\.0\.0\.1 its chain ends at CN=leaf, and its issuer CN=Intermediate is neither sent nor known here$/,
      ],
    ],
  ],
  [
    "a chain in another order",
    async () => {
      const second = makeChainCertificate({ commonName: "Second", isAuthority: true, issuer: intermediate });
      const own = makeChainCertificate({ commonName: "leaf", names: ["shop.example.com"], issuer: second });
      return survey([`shop.example.com:${await serve(own, intermediate, second)}`]);
    },
    [["chain-wrong-order", /^shop/, /belong in the order 1, 3, 2$/]],
  ],
  [
    "a chain with its root",
    async () => survey([`shop.example.com:${await serve(shop, intermediate, root)}`]),
    [["chain-has-root", /^shop/, /it sends the root CN=Root too/]],
  ],
  [
    "a chain with somebody else",
    async () => survey([`shop.example.com:${await serve(shop, intermediate, stranger)}`]),
    [["chain-has-strangers", /^shop/, /it also sends CN=Stranger, which has issued nothing of the chain/]],
  ],
  [
    "a root that nobody knows",
    async () => {
      const own = makeChainCertificate({ commonName: "leaf", names: ["shop.example.com"], issuer: stranger });
      return survey([`shop.example.com:${await serve(own, stranger)}`]);
    },
    [
      ["chain-has-root", /^shop/, /./],
      ["chain-root-unknown", /^shop/, /its chain ends at CN=Stranger, which is not known here/],
    ],
  ],
  [
    "an intermediate that has expired",
    async () => {
      const old = makeChainCertificate({
        commonName: "Old",
        isAuthority: true,
        issuer: root,
        notBefore: days(-9),
        notAfter: days(-1),
      });
      const own = makeChainCertificate({ commonName: "leaf", names: ["shop.example.com"], issuer: old });
      return survey([`shop.example.com:${await serve(own, old)}`]);
    },
    [["chain-expired", /^shop/, /CN=Old is valid from .{10} to .{10}$/]],
  ],
  [
    "an issuer that is no authority",
    async () => {
      const none = makeChainCertificate({ commonName: "None", names: ["none.example.com"], issuer: root });
      const own = makeChainCertificate({ commonName: "leaf", names: ["shop.example.com"], issuer: none });
      return survey([`shop.example.com:${await serve(own, none)}`]);
    },
    [["chain-untrusted", /^shop/, /OpenSSL does not trust its chain: INVALID_PURPOSE$/]],
  ],
  [
    "a listed host that is not in DNS",
    () => survey(["gone.example.com"]),
    [
      ["name-uncovered", /^gone/, /./],
      ["name-not-resolving", /^gone\.example\.com$/, /^DNS has no address of it$/],
    ],
  ],
  [
    "a listed host whose alias leads nowhere",
    () => survey(["lost.example.com"]),
    [
      ["name-uncovered", /^lost/, /./],
      ["name-not-resolving", /^lost\.example\.com$/, /its alias nowhere\.example\.com\. leads nowhere$/],
      ["name-is-alias", /^lost\.example\.com$/, /./],
    ],
  ],
  [
    "a host of which DNS says nothing",
    () => survey(["fails.example.com"]),
    [
      ["name-uncovered", /^fails/, /./],
      ["dns-failed", /^fails\.example\.com$/, /\(SERVFAIL\)$/],
    ],
  ],
  [
    "names in a certificate that are used, gone, and somebody else's",
    async () => {
      const shared = leaf("shop.example.com", "unlisted.example.com", "gone.example.com", "shop.example.net");
      return survey([`shop.example.com:${await serve(shared, intermediate)}`]);
    },
    [
      ["name-of-others", /^shop\.example\.net$/, /^it is in the certificate of shop\.example\.com:\d+$/],
      ["name-gone", /^gone\.example\.com$/, /./],
      ["name-not-listed", /^unlisted\.example\.com$/, /^DNS has 127\.0\.0\.1 for it$/],
    ],
  ],
  [
    "a host that is an alias",
    async () => survey([`alias.example.com:${await serve(leaf("alias.example.com"), intermediate)}`]),
    [["name-is-alias", /^alias\.example\.com$/, /^it is an alias of shop\.example\.com\.$/]],
  ],
  [
    "records that are kept for long",
    async () => survey([`slow.example.com:${await serve(leaf("slow.example.com"), intermediate)}`]),
    [["ttl-long", /^slow\.example\.com$/, /^its records may be kept for 3600 seconds$/]],
  ],
  [
    "a record for every name",
    async () => survey([`host.wild.example.com:${await serve(leaf("*.wild.example.com"), intermediate)}`]),
    [
      ["wildcard-coverage", /^host\.wild/, /./],
      ["dns-wildcard", /^\*\.wild\.example\.com$/, /^DNS has 127\.0\.0\.1 for every name below it/],
    ],
  ],
];

test.each(troubles)("%s", async (_, make, found) => {
  const all = (await make()).findings;
  // What a server has for everybody, it has for those without SNI as well.
  const isShown = found.some(([code]) => code === "no-sni-served");
  const findings = isShown ? all : all.filter(({ code }) => code !== "no-sni-served");
  expect(findings).toEqual(
    found.map(([code, about, message]) => ({
      code,
      severity: inventoryFindings[code].severity,
      about: expect.stringMatching(about),
      message: expect.stringMatching(message),
      remedy: inventoryFindings[code].remedy,
    })),
  );
});

test("every finding is among these troubles", () => {
  const shown = new Set(troubles.flatMap(([, , found]) => found.map(([code]) => code)));
  expect([...shown].sort()).toEqual(Object.keys(inventoryFindings).sort());
});

test("a host is told whole: every address, what each serves, and the chain as it was sent", async () => {
  const port = await servers.tls([leaf("two.example.com", "*.two.example.com"), root, intermediate]);
  const inventory = await survey([`two.example.com:${port}`]);
  const [certificate] = inventory.certificates;
  const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/);
  const link = (subject: string, issuer: string) => ({
    subject,
    issuer,
    notAfter: expect.stringMatching(/Z$/),
    fingerprintSha256: fingerprint,
  });
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
  expect(inventory.names).toEqual([
    { name: "*.two.example.com", listed: false, records: noRecords },
    {
      name: "two.example.com",
      listed: true,
      records: { cname: null, a: { addresses: ["127.0.0.1", "127.0.0.2"], ttlSeconds: 60 }, aaaa: noRecords.aaaa },
    },
  ]);
  expect(certificate).toMatchObject({
    source: `two.example.com:${port}`,
    index: 0,
    domains: ["*.two.example.com", "two.example.com"],
    places: [{ kind: "host", host: `two.example.com:${port}`, addresses: ["127.0.0.1"] }],
  });
  expect(servers.received()).toBe("");
});

const noRecords = {
  cname: null,
  a: { addresses: [], ttlSeconds: null },
  aaaa: { addresses: [], ttlSeconds: null },
};

test("one certificate of a file and of several hosts and addresses is one, with all its places", async () => {
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
])("of a served certificate is told that it is %s", async (_, request, code) => {
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

test("an address is asked without a name, and its certificate's names are taken for somebody else's", async () => {
  const inventory = await survey([`127.0.0.1:${await serve(shop, intermediate)}`]);
  expect(inventory.hosts[0]?.endpoints[0]?.served[0]?.coverage).toBeNull();
  expect(inventory.findings.map(({ code }) => code)).toEqual(["name-of-others"]);
});

test("without comparison and with an address to connect to, DNS is not asked", async () => {
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
] as const)("after %s an address has been asked %i times", async (code, times) => {
  const asked: string[] = [];
  await survey(["shop.example.com"], {
    greet: async ({ offer }) => {
      asked.push(offer);
      return { ok: false, code, detail: "" };
    },
  });
  expect(asked).toHaveLength(times);
});

test("what clients without SNI get is asked once for each address and port, of those alone that answer", async () => {
  const asked: string[] = [];
  const hosts = ["shop.example.com:1", "pay.example.com:1", "shop.example.com:2", "127.0.0.1:1", "dead.example.com:3"];
  await survey(hosts, {
    connect: ["127.0.0.1"],
    comparesNames: false,
    greet: async ({ serverName, port }) => {
      if (serverName === undefined) asked.push(`${port}`);
      if (port === 3) return { ok: false, code: "timeout", detail: "" };
      return { ok: true, protocol: "TLSv1.3", chain: [shop.der], clientCertificateWanted: false };
    },
  });
  // Two more for the host that is an address.
  expect(asked.sort()).toEqual(["1", "1", "1", "2"]);
});

test("a run that is stopped asks nothing for clients without SNI any more", async () => {
  const stopping = new AbortController();
  const asked: (string | undefined)[] = [];
  const inventory = await survey(["shop.example.com:1"], {
    connect: ["127.0.0.1"],
    comparesNames: false,
    signal: stopping.signal,
    greet: async ({ serverName, offer }) => {
      asked.push(serverName);
      if (offer === "rsa") stopping.abort();
      return { ok: true, protocol: "TLSv1.3", chain: [shop.der], clientCertificateWanted: false };
    },
  });
  expect(asked).toEqual(["shop.example.com", "shop.example.com"]);
  expect(inventory.hosts[0]?.endpoints[0]).toMatchObject({ withoutSni: null, failure: null });
});

test("hosts that don't answer hold up no other, and no more are asked at a time than is allowed", async () => {
  const good = Array.from({ length: 30 }, (__, number) => `good${number}.example.com`);
  const dead = ["dead0.example.com", "dead1.example.com", "dead2.example.com"];
  let answered = 0;
  let under = 0;
  let most = 0;
  let release = () => {};
  const allAnswered = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The dead ones end when everybody else has ended; were one waited for, this test would never end.
  await survey([...dead, ...good], {
    concurrency: 4,
    connect: ["127.0.0.1"],
    comparesNames: false,
    greet: async ({ serverName = "", offer }) => {
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
