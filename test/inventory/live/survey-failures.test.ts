import type { Socket } from "node:net";
import { type Inventory, type InventoryFindingCode, inventoryFindings } from "../../../lib/inventory";
import { der } from "../../support/der";
import { makeChainCertificate } from "../../support/made-chain";
import { makeOddCertificate } from "../../support/odd-certificates";
import { answerOddly } from "../../support/odd-tls-server";
import { days, intermediate, leaf, root, serve, serveBySni, servers, shop, stranger, survey } from "./surveyed";

/** Each kind of problem: how the test causes it, and all findings. */
const problems: readonly (readonly [
  problem: string,
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
      survey(["shop.example.com"], {
        probeTls: async () => ({ ok: false, code: "unreachable", detail: "ENETUNREACH" }),
      }),
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
    "a server of mail that begins TLS later",
    async () =>
      survey([`shop.example.com:${await servers.tcp((socket: Socket) => socket.write("220 mail ESMTP\r\n"))}`]),
    [
      ["plaintext-answer", /^shop/, /answers in plain text in place of TLS/],
      ["name-uncovered", /^shop/, /./],
    ],
  ],
  [
    "a run that was stopped",
    () => survey(["shop.example.com"], { run: { signal: AbortSignal.abort() } }),
    [["dns-failed", /^shop\.example\.com$/, /the run was stopped/]],
  ],
  [
    "a run that was stopped before an address",
    () => survey(["127.0.0.1:1"], { run: { signal: AbortSignal.abort() } }),
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
    "two servers of one host that have no kind of key in common",
    async () => {
      const request = { commonName: "rsa", names: ["two.example.com"], issuer: intermediate, keyType: "rsa" } as const;
      const port = await servers.tls([leaf("two.example.com"), intermediate]);
      await servers.tls([makeChainCertificate(request), intermediate], { address: "127.0.0.2", port });
      return survey([`two.example.com:${port}`]);
    },
    [
      [
        "addresses-differ",
        /^two/,
        /^an ECDSA certificate at 127\.0\.0\.1 \([0-9a-f]{16}, until .{10}\) and an RSA one at 127\.0\.0\.2 \(/,
      ],
    ],
  ],
  [
    "a certificate that OpenSSL refuses",
    async () => {
      const time = (text: string) => der(0x17, Buffer.from(text));
      const [notBefore, notAfter] = [time("250101000000Z"), time("350101000000Z")];
      const odd = makeOddCertificate({ notBefore, notAfter, commonName: der(0x0c, Buffer.from([0x41, 0x80])) });
      return survey([`two.example.com:${await servers.tcp(answerOddly([odd], "TLSv1.3"))}`], {
        connect: ["127.0.0.1"],
      });
    },
    [
      ["certificate-malformed", /^two/, /^127\.0\.0\.1 serves a malformed X\.509 certificate \(.*utf8/],
      ["name-uncovered", /^two/, /./],
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
    "a chain with a foreign certificate",
    async () => survey([`shop.example.com:${await serve(shop, intermediate, stranger)}`]),
    [["chain-has-strangers", /^shop/, /it also sends CN=Stranger, which has issued nothing of the chain/]],
  ],
  [
    "an unknown root",
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
    "an expired leaf, with the known root as an unknown one has signed it, until it expired",
    async () => {
      const former = makeChainCertificate({ commonName: "Former", isAuthority: true });
      const expired = { notBefore: days(-9), notAfter: days(-1) };
      const signed = makeChainCertificate({
        commonName: "Root",
        isAuthority: true,
        issuer: former,
        of: root,
        ...expired,
      });
      const own = makeChainCertificate({
        commonName: "leaf",
        names: ["shop.example.com"],
        issuer: intermediate,
        ...expired,
      });
      return survey([`shop.example.com:${await serve(own, intermediate, signed)}`]);
    },
    [],
  ],
  [
    "an issuer that is not a CA",
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
    [["name-not-resolving", /^gone\.example\.com$/, /^DNS has no address of it$/]],
  ],
  [
    "a listed host whose alias leads nowhere",
    () => survey(["lost.example.com"]),
    [
      ["name-not-resolving", /^lost\.example\.com$/, /its alias nowhere\.example\.com\. leads nowhere$/],
      ["name-is-alias", /^lost\.example\.com$/, /./],
    ],
  ],
  [
    "a host without DNS records",
    () => survey(["fails.example.com"]),
    [["dns-failed", /^fails\.example\.com$/, /: SERVFAIL$/]],
  ],
  [
    "names in a certificate that are used, deleted, and foreign",
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

test.each(problems)("%s", async (_, make, found) => {
  const all = (await make()).findings;
  // A certificate that a server presents for every hostname, it also presents to clients without SNI.
  const isShown = found.some(([code]) => code === "no-sni-served");
  const findings = isShown ? all : all.filter(({ code }) => code !== "no-sni-served");
  expect(findings).toEqual(
    found.map(([code, about, message]) => ({
      code,
      ...inventoryFindings[code],
      subject: expect.stringMatching(about),
      message: expect.stringMatching(message),
    })),
  );
});

test("has every finding in this table", () => {
  const shown = new Set(problems.flatMap(([, , found]) => found.map(([code]) => code)));
  expect([...shown].sort()).toEqual(Object.keys(inventoryFindings).sort());
});
