import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import fc from "fast-check";
import { createOffers, type Offer, probeTls, type TlsProbeResult } from "../../lib/tls/probe";
import { readSentChain } from "../../lib/tls/sent-chain";
import { makeChainCertificate } from "../support/made-chain";
import { type Servers, startServers } from "../support/servers";

const name = "shop.example.com";
const root = makeChainCertificate({ commonName: "Root", isAuthority: true });
const intermediate = makeChainCertificate({ commonName: "Intermediate", isAuthority: true, issuer: root });
const ecdsa = makeChainCertificate({ commonName: name, names: [name], issuer: intermediate });
const rsa = makeChainCertificate({ commonName: name, names: [name], issuer: intermediate, keyType: "rsa" });
const offers = createOffers([root.pem]);

let servers: Servers;
beforeEach(() => {
  servers = startServers();
});
afterEach(() => servers[Symbol.asyncDispose]());

function ask(
  port: number,
  offer: Offer,
  { timeoutMs = 5_000, signal = new AbortController().signal, address = "127.0.0.1" } = {},
): Promise<TlsProbeResult> {
  return probeTls({ address, port, serverName: name, timeoutMs, secureContext: offers[offer], signal });
}

describe("reads the chain as sent", () => {
  const odd = [ecdsa, root, intermediate, rsa, root];

  test.each<[string, TlsOptions, string]>([
    ["TLS 1.2", { maxVersion: "TLSv1.2" }, "TLSv1.2"],
    ["TLS 1.3 with AES-128", { ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "TLSv1.3" }, "TLSv1.3"],
    ["TLS 1.3 with AES-256", { ciphers: "TLS_AES_256_GCM_SHA384", minVersion: "TLSv1.3" }, "TLSv1.3"],
    ["TLS 1.3 with ChaCha20", { ciphers: "TLS_CHACHA20_POLY1305_SHA256", minVersion: "TLSv1.3" }, "TLSv1.3"],
    // The client guesses another group first, so that the server has to ask for a second hello.
    ["TLS 1.3 in two rounds", { ecdhCurve: "secp521r1", minVersion: "TLSv1.3" }, "TLSv1.3"],
    ["TLS 1.3 with a client certificate wanted", { requestCert: true, rejectUnauthorized: false }, "TLSv1.3"],
  ])("by %s", async (_, options, protocol) => {
    const port = await servers.tls(odd, options);
    const probe = await ask(port, "ecdsa");
    expect(probe).toMatchObject({ ok: true, protocol });
    expect(probe.ok && probe.chain.map((der) => Buffer.from(der))).toEqual(odd.map(({ der }) => der));
  });

  test("also if it is longer than a TLS record", async () => {
    const names = Array.from({ length: 500 }, (__, number) => `${"x".repeat(40)}${number}.example.com`);
    const long = makeChainCertificate({ commonName: name, names, issuer: intermediate });
    const port = await servers.tls([long, intermediate]);
    const probe = await ask(port, "ecdsa");
    expect(probe.ok && probe.chain.map(({ length }) => length)).toEqual([long.der.length, intermediate.der.length]);
    expect(long.der.length).toBeGreaterThan(16_384);
  });
});

describe("one key type at a time", () => {
  test.each<[Offer, "TLSv1.2" | "TLSv1.3", boolean, boolean]>([
    ["ecdsa", "TLSv1.3", true, false],
    ["ecdsa", "TLSv1.2", true, false],
    ["rsa", "TLSv1.3", false, true],
    ["rsa", "TLSv1.2", false, true],
    ["legacy", "TLSv1.3", true, true],
    ["legacy", "TLSv1.2", true, true],
  ])("%s over %s", async (offer, maxVersion, seesEcdsa, seesRsa) => {
    const ports = [await servers.tls([ecdsa], { maxVersion }), await servers.tls([rsa], { maxVersion })];
    const probes = await Promise.all(ports.map((port) => ask(port, offer)));
    expect(probes.map(({ ok }) => ok)).toEqual([seesEcdsa, seesRsa]);
    expect(probes.find(({ ok }) => !ok) ?? { code: "handshake-refused" }).toMatchObject({
      code: "handshake-refused",
    });
  });

  test("classifies an ECDSA certificate by its key, whatever key signed it", async () => {
    const rsaRoot = makeChainCertificate({ commonName: "RSA Root", isAuthority: true, keyType: "rsa" });
    const port = await servers.tls([makeChainCertificate({ commonName: name, names: [name], issuer: rsaRoot })]);
    expect(await ask(port, "ecdsa")).toMatchObject({ ok: true });
  });

  test("connects to an obsolete server with the legacy offer only", async () => {
    const port = await servers.tls([rsa], {
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT:@SECLEVEL=0",
    });
    expect(await ask(port, "rsa")).toMatchObject({ ok: false, code: "handshake-refused" });
    expect(await ask(port, "legacy")).toMatchObject({ ok: true, protocol: "TLSv1.1" });
  });
});

describe("a server that requires a client certificate", () => {
  test.each(["TLSv1.2", "TLSv1.3"] as const)("still presents its own over %s", async (maxVersion) => {
    const port = await servers.tls([ecdsa, intermediate], { maxVersion, requestCert: true, ca: root.pem });
    const probe = await ask(port, "ecdsa");
    expect(probe).toMatchObject({ ok: true, clientCertificateWanted: true });
    expect(probe.ok && probe.chain).toHaveLength(2);
  });
});

describe("reads an untrusted certificate and reports the distrust", () => {
  test.each([
    ["signed itself", [makeChainCertificate({ commonName: name, names: [name] })], "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["of an unknown issuer", [ecdsa], "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    [
      "expired",
      [
        makeChainCertificate({
          commonName: name,
          names: [name],
          issuer: root,
          notAfter: new Date("2026-01-01T00:00:00Z"),
        }),
      ],
      "CERT_HAS_EXPIRED",
    ],
  ])("%s", async (_, chain, distrust) => {
    expect(await ask(await servers.tls(chain), "ecdsa")).toMatchObject({ ok: true, distrust });
  });

  test("for another name, which is not checked here", async () => {
    const other = makeChainCertificate({ commonName: "other", names: ["other.example.com"], issuer: root });
    const probe = await ask(await servers.tls([other]), "ecdsa");
    expect(probe).not.toHaveProperty("distrust");
    expect(probe.ok).toBe(true);
  });
});

describe("fails in time without a handshake", () => {
  const hello = Buffer.from("160303", "hex");

  test.each<[string, (socket: Socket) => void, string, RegExp]>([
    ["a silent server", () => {}, "timeout", /no answer in 200 ms/],
    ["a server that sends an octet now and then", drip, "timeout", /no answer in 200 ms/],
    ["one that closes at once", (socket) => socket.end(), "handshake-refused", /./],
    ["one that resets", (socket) => socket.resetAndDestroy(), "handshake-refused", /./],
    [
      "one that speaks another protocol",
      (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
      "plaintext-answer",
      /./,
    ],
    [
      "one that never ends a record",
      (socket) => socket.write(Buffer.concat([hello, Buffer.from("4000", "hex")])),
      "timeout",
      /./,
    ],
    ["one that floods", (socket) => socket.write(Buffer.alloc(4_000_000, 0x16)), "plaintext-answer", /./],
  ])("%s", async (_, serve, code, detail) => {
    const port = await servers.tcp(serve);
    expect(await ask(port, "ecdsa", { timeoutMs: code === "timeout" ? 200 : 5_000 })).toEqual({
      ok: false,
      code,
      detail: expect.stringMatching(detail),
    });
  });

  test("a port where nothing listens", async () => {
    expect(await ask(1, "ecdsa")).toEqual({ ok: false, code: "connection-refused", detail: "ECONNREFUSED" });
  });

  test("an abort before or during the connection", async () => {
    const port = await servers.tcp(() => {});
    const stopping = new AbortController();
    const asked = ask(port, "ecdsa", { signal: stopping.signal });
    stopping.abort();
    const stopped = { ok: false, code: "not-asked", detail: "the run was stopped" };
    expect([await asked, await ask(port, "ecdsa", { signal: stopping.signal })]).toEqual([stopped, stopped]);
  });

  test("a chain that is longer than the limit", async () => {
    const port = await servers.tls([ecdsa, ...Array.from({ length: 400 }, () => intermediate)]);
    expect(await ask(port, "ecdsa")).toMatchObject({ ok: false, code: "handshake-refused" });
  });
});

test("sends only the handshake", async () => {
  const port = await servers.tls([ecdsa]);
  await ask(port, "ecdsa");
  expect(servers.received()).toBe("");
});

test("disconnects from a server that never closes the connection", async () => {
  const ended = new Promise<void>((resolve) => {
    const port = servers.tls([ecdsa], { allowHalfOpen: true }, (socket) => {
      const timer = setInterval(() => socket.write("more"), 20);
      socket.once("close", () => {
        clearInterval(timer);
        resolve();
      });
    });
    void port.then((free) => ask(free, "ecdsa"));
  });
  await ended;
});

test("terminates without throwing for any bytes of a chain", async () => {
  const octets = fc.uint8Array({ maxLength: 400 });
  const record = fc
    .tuple(fc.constantFrom(20, 21, 22, 23), octets)
    .map(([type, content]) =>
      Buffer.concat([Buffer.from([type, 3, 3, content.length >> 8, content.length & 0xff]), content]),
    );
  const message = fc
    .tuple(fc.constantFrom(2, 11, 13), octets)
    .map(([type, body]) =>
      Buffer.concat([
        Buffer.from([
          22,
          3,
          3,
          (body.length + 4) >> 8,
          (body.length + 4) & 0xff,
          type,
          0,
          body.length >> 8,
          body.length & 0xff,
        ]),
        body,
      ]),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(record, message, octets), { maxLength: 6 }), octets, (parts, secret) => {
      const sent = readSentChain(Buffer.concat(parts), secret);
      expect(sent === undefined || sent.certificates.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function drip(socket: Socket): void {
  socket.write(Buffer.from("1603034000", "hex"));
  const timer = setInterval(() => socket.write(Buffer.from([0x16])), 20);
  socket.once("close", () => clearInterval(timer));
}
