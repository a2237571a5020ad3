/** Wrong certificates and chains that `verify` must report, and right certificates that it must accept. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import {
  authority,
  hostname,
  issue,
  onlyTls12,
  plain,
  serve,
  serveLate,
  serveOpenssl,
  serveStapled,
  staple,
} from "../support/defect-servers";
import { runCli, withUsual } from "../support/io";
import { type ChainCertificate, makeChainCertificate } from "../support/made-chain";
import { serveTcp, serveTls, type TestServer } from "../support/tls-servers";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "defects-verify-"));
  writeFileSync(join(folder, "roots.pem"), authority.pem);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Verified {
  readonly exitCode: number;
  readonly results: readonly { readonly ok: boolean; readonly code?: string; readonly client?: string }[];
  /** Severity and code of each finding. */
  readonly findings: readonly string[];
}

/** Runs `verify --json` for {@link hostname} at each address. */
async function verify(port: number, addresses: readonly string[], words: readonly string[]): Promise<Verified> {
  const { exitCode, stdout } = await runCli(
    [
      ...["verify", "--hostname", hostname, ...addresses.flatMap((address) => ["--address", address])],
      ...["--port", String(port), "--ca", join(folder, "roots.pem"), "--repeat", "1", "--json"],
      ...withUsual({ "--timeout": "5s", "--within": "1s" }, words),
    ],
    { now: () => new Date() },
  );
  const { results, findings } = JSON.parse(stdout);
  const found = findings as readonly { readonly severity: string; readonly code: string }[];
  return { exitCode, results, findings: found.map(({ severity, code }) => `${severity} ${code}`) };
}

type Make = () => Promise<TestServer>;

const first = makeChainCertificate({ commonName: "First", isAuthority: true, issuer: authority });
const second = makeChainCertificate({ commonName: "Second", isAuthority: true, issuer: first });
const ofSecond = makeChainCertificate({ commonName: hostname, names: [hostname], issuer: second });
const weakAuthority = makeChainCertificate({
  commonName: "Weak",
  isAuthority: true,
  issuer: authority,
  keyType: "rsa-1024",
});
const ofWeak = makeChainCertificate({ commonName: hostname, names: [hostname], issuer: weakAuthority });
const weak = issue({ keyType: "rsa-1024" });
const otherRoot = makeChainCertificate({ commonName: "Other", isAuthority: true });
const foreign = makeChainCertificate({ commonName: "Foreign", isAuthority: true, issuer: otherRoot });
const crossed = makeChainCertificate({ commonName: "Second", isAuthority: true, issuer: otherRoot, of: second });
const anySecurity: TlsOptions = { ciphers: "DEFAULT:@SECLEVEL=0" };

/** Serves certificates in this order; the first is the leaf. */
function serveChain(chain: readonly ChainCertificate[], options: TlsOptions = {}): Promise<TestServer> {
  const [leaf = plain] = chain;
  return serve({ cert: chain.map(({ pem }) => pem).join(""), key: leaf.keyPem, ...options });
}

/** Serves several leaves with different key types. */
function serveBoth(...leaves: readonly ChainCertificate[]): Promise<TestServer> {
  return serveTls({ cert: leaves.map(({ pem }) => pem), key: leaves.map(({ keyPem }) => keyPem) });
}

const named = (...names: readonly string[]) => serve({}, undefined, issue({ names }));
const rsa = issue({ keyType: "rsa" });
const expired = (keyType: "ec" | "rsa") =>
  makeChainCertificate({
    ...{ commonName: hostname, names: [hostname], issuer: authority, keyType },
    ...{ notBefore: new Date("2020-01-01"), notAfter: new Date("2021-01-01") },
  });

describe("verify", () => {
  it.concurrent.each<[string, Make, string]>([
    ["a chain out of order over TLS 1.3", () => serveChain([ofSecond, first, second]), "chain-out-of-order"],
    ["a chain out of order over TLS 1.2", () => serveChain([ofSecond, first, second], onlyTls12), "chain-out-of-order"],
    [
      "a chain with its root before the intermediates",
      () => serveChain([ofSecond, authority, second, first]),
      "chain-out-of-order",
    ],
    [
      "a chain with a foreign certificate between its own",
      () => serveChain([ofSecond, second, foreign, first]),
      "chain-out-of-order",
    ],
    ["a key of RSA 1024", () => serve(anySecurity, undefined, weak), "weak-key"],
    ["a key of RSA 1024 over TLS 1.2", () => serve({ ...anySecurity, ...onlyTls12 }, undefined, weak), "weak-key"],
    [
      "a key of RSA 1024 of an intermediate certificate",
      () => serveChain([ofWeak, weakAuthority], anySecurity),
      "weak-key",
    ],
    [
      "a staple that reports a certificate as revoked that needs no staple",
      () => serveStapled(staple({ leaf: plain, verdict: "revoked" }), plain),
      "certificate-revoked",
    ],
    [
      "the same over TLS 1.2",
      () => serveStapled(staple({ leaf: plain, verdict: "revoked" }), plain, onlyTls12),
      "certificate-revoked",
    ],
    [
      "a staple that has expired and reports the certificate as revoked",
      () => serveStapled(staple({ leaf: plain, verdict: "revoked", from: -9, until: -2 }), plain),
      "certificate-revoked",
    ],
    ["a wildcard inside a label", () => named("sh*p.example.com"), "name-mismatch"],
    ["a wildcard at the end of a label", () => named("sho*.example.com"), "name-mismatch"],
    ["a wildcard at the start of a label", () => named("*hop.example.com"), "name-mismatch"],
    [
      "a server of TLS 1.2 that ends the connection right after the handshake",
      () => serve(onlyTls12, (one) => one.end()),
      "rejected-after-handshake",
    ],
    [
      "a server that sends session tickets and ends the connection 10 ms later",
      () => serve({}, (one) => setTimeout(() => one.end(), 10)),
      "rejected-after-handshake",
    ],
    [
      "a server far away that ends the connection right after the handshake",
      async () => serveLate(await serve(onlyTls12, (one) => one.end()), 100),
      "rejected-after-handshake",
    ],
    [
      "an RSA certificate for other names beside a good one",
      () => serveBoth(plain, issue({ names: ["other.example.com"], keyType: "rsa" })),
      "name-mismatch",
    ],
    [
      "an ECDSA certificate for other names beside a good one",
      () => serveBoth(issue({ names: ["other.example.com"] }), rsa),
      "name-mismatch",
    ],
    [
      "an RSA certificate that has expired beside a good one",
      () => serveBoth(plain, expired("rsa")),
      "certificate-expired",
    ],
    [
      "an ECDSA certificate that has expired beside a good one",
      () => serveBoth(expired("ec"), rsa),
      "certificate-expired",
    ],
    [
      "an RSA certificate of an unknown CA beside a good one",
      () =>
        serveBoth(
          plain,
          makeChainCertificate({ commonName: hostname, names: [hostname], issuer: otherRoot, keyType: "rsa" }),
        ),
      "chain-incomplete",
    ],
  ])("finds %s", async (_, make, code) => {
    await using server = await make();
    const { exitCode, results } = await verify(server.port, [server.address], []);
    expect(results).toEqual([expect.objectContaining({ ok: false, code, message: expect.stringMatching(/./) })]);
    expect(exitCode).toBe(4);
  });

  it.concurrent.each<[string, Make]>([
    ["a chain in order", () => serveChain([ofSecond, second, first])],
    ["a chain with its root at the end", () => serveChain([ofSecond, second, first, authority])],
    ["a chain with a foreign certificate at its end", () => serveChain([ofSecond, second, first, foreign])],
    ["a chain with a certificate twice", () => serveChain([ofSecond, second, second, first])],
    ["a chain with a second certificate of the same CA", () => serveChain([ofSecond, second, crossed, first])],
    ["a staple that reports another certificate as revoked", () => serveStapled(staple({ verdict: "revoked" }), plain)],
    [
      "a staple that has expired for a certificate that needs none",
      () => serveStapled(staple({ leaf: plain, from: -9, until: -2 }), plain),
    ],
    ["a wildcard for the whole label", () => named("*.example.com")],
    ["a wildcard inside a label beside the name", () => named("sh*p.example.com", hostname)],
    ["a name in capital letters", () => named("SHOP.Example.com")],
    [
      "a server that closes an idle connection 1 s after the handshake",
      // Much later than verify waits: on a busy machine, the client may see the handshake some 100 ms after the server.
      () => serve({}, (one) => setTimeout(() => one.end(), 1_000)),
    ],
    [
      "a server of TLS 1.2 that sends data and ends the connection",
      () => serve(onlyTls12, (one) => one.end("bye\r\n")),
    ],
    ["a server with an RSA key alone", () => serve({}, undefined, rsa)],
    ["OpenSSL with an ECDSA key alone over TLS 1.2", () => serveOpenssl(["-tls1_2"])],
    ["a server with good certificates of both key types", () => serveBoth(plain, rsa)],
    ["a server that resets connections of clients that take only RSA keys", serveResettingRsa],
  ])("accepts %s", async (_, make) => {
    await using server = await make();
    const { exitCode, results, findings } = await verify(server.port, [server.address], []);
    expect(results).toEqual([expect.objectContaining({ ok: true })]);
    expect(findings).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it("finds an RSA certificate for other names, and names the client that gets it", async () => {
    await using server = await serveBoth(plain, issue({ names: ["other.example.com"], keyType: "rsa" }));
    const { results } = await verify(server.port, [server.address], []);
    expect(results).toEqual([
      expect.objectContaining({
        client: "rsa",
        message: "a client that takes rsa alone: it is for other.example.com",
        certificate: expect.objectContaining({ dnsNames: ["other.example.com"] }),
      }),
    ]);
  });
});

/** Starts a server that resets the connection of every client without ECDSA. */
async function serveResettingRsa(): Promise<TestServer> {
  const server = await serve();
  const ecdsaP256 = Buffer.from([0x04, 0x03]);
  const relay = await serveTcp((near) => {
    near.once("data", (hello: Buffer) => {
      const at = hello.indexOf(Buffer.from([0x00, 0x0d]));
      if (!hello.subarray(at, at + 40).includes(ecdsaP256)) {
        near.resetAndDestroy();
        return;
      }
      const far = connect({ host: server.address, port: server.port });
      far.on("error", () => near.destroy());
      far.write(hello);
      near.pipe(far).pipe(near);
    });
  });
  return {
    address: relay.address,
    port: relay.port,
    [Symbol.asyncDispose]: async () => {
      await relay[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("verify at two addresses", () => {
  const renewed = issue();
  const addresses = ["127.0.0.1", "127.0.0.2"] as const;

  /** Serves one certificate at each address, at the same port. */
  async function serveTwo(leaves: readonly [ChainCertificate, ChainCertificate], options: TlsOptions = {}) {
    const at = ({ pem, keyPem }: ChainCertificate, address: string, port = 0) =>
      serveTls({ cert: pem, key: keyPem, ...options }, { address, port });
    const near = await at(leaves[0], addresses[0]);
    return { port: near.port, servers: [near, await at(leaves[1], addresses[1], near.port)] };
  }

  it.each<[string, readonly [ChainCertificate, ChainCertificate], readonly string[], readonly string[], number]>([
    ["finds different certificates", [plain, renewed], [], ["error addresses-differ"], 4],
    ["finds certificates with different keys", [plain, rsa], [], ["error addresses-differ"], 4],
    [
      "finds different certificates as a warning with --no-exact",
      [plain, renewed],
      ["--no-exact"],
      ["warning addresses-differ"],
      0,
    ],
    ["accepts the same certificate", [plain, plain], [], [], 0],
  ])("%s", async (_, leaves, words, expected, code) => {
    const { port, servers } = await serveTwo(leaves);
    try {
      const { exitCode, results, findings } = await verify(port, addresses, words);
      expect(results.map(({ ok }) => ok)).toEqual([true, true]);
      expect(findings).toEqual(expected);
      expect(exitCode).toBe(code);
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  });

  it("reports which address serves which certificate", async () => {
    const { port, servers } = await serveTwo([plain, renewed]);
    try {
      const words = ["verify", "--hostname", hostname, "--address", addresses[0], "--address", addresses[1]];
      const { stdout } = await runCli([
        ...[...words, "--port", String(port), "--ca", join(folder, "roots.pem"), "--repeat", "1"],
      ]);
      expect(stdout.replace(/\s+/g, " ")).toMatch(
        /error: shop\.example\.com: served at 127\.0\.0\.1: serial \w+ of CN=Defects, until [-\d]+; at 127\.0\.0\.2: serial \w+ of CN=Defects, until [-\d]+ .* \[addresses-differ\]/,
      );
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  });
});

describe("verify --against", () => {
  const old = "127.0.0.3";

  it.each<[string, (port: number) => Promise<TestServer> | undefined, readonly string[], readonly string[], number]>([
    [
      "finds a comparison that the time limit ends",
      (port) => serveTcp(() => {}, { address: old, port }),
      ["--within", "600ms"],
      ["error comparison-unfinished"],
      4,
    ],
    ["finds a previous provider that refuses connections", () => undefined, [], ["error comparison-unfinished"], 4],
    [
      "accepts a previous provider that does not serve the name",
      (port) => serveTls({}, { address: old, port }),
      [],
      ["warning previous-provider-unseen"],
      0,
    ],
    [
      "accepts a complete comparison",
      (port) => serveTls({ cert: plain.pem, key: plain.keyPem }, { address: old, port }),
      [],
      [],
      0,
    ],
  ])("%s", async (_, serveOld, words, expected, code) => {
    await using now = await serve();
    const previous = await serveOld(now.port);
    try {
      const { exitCode, findings } = await verify(now.port, [now.address], ["--against", old, ...words]);
      expect(findings).toEqual(expected);
      expect(exitCode).toBe(code);
    } finally {
      await previous?.[Symbol.asyncDispose]();
    }
  });
});
