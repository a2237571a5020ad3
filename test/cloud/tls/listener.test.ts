import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { get } from "node:https";
import { connect as connectTcp } from "node:net";
import { type ConnectionOptions, connect, createSecureContext } from "node:tls";
import { type Authority, createAuthority } from "../../../lib/cloud/authority";
import {
  type CertificateEntries,
  type HandshakeReport,
  readServerCertificate,
  type ServerCertificate,
  selectCertificate,
  startTlsListener,
  type TlsListener,
  type TlsListenerOptions,
} from "../../../lib/cloud/tls";
import { helloBody, message, records } from "../../support/client-hello";
import { openssl } from "../../support/openssl";
import { exchange, seenBy } from "../../support/tls-client";

const hostname = "a.example.com";
let authority: Authority;
let rsa: ServerCertificate;
let ecdsa: ServerCertificate;
let primary: ServerCertificate;
let listeners: TlsListener[] = [];

async function makeCertificate(name: string, publicKeyAlgorithm: "ecdsa-p256" | "rsa-2048") {
  const { chainPem, privateKeyPem } = await authority.issue({ names: [name], publicKeyAlgorithm, validDays: 1 });
  return readServerCertificate({ name: `${name} ${publicKeyAlgorithm}`, chainPem, privateKeyPem });
}

beforeAll(async () => {
  authority = await createAuthority({ commonName: "Test", now: () => new Date() });
  rsa = await makeCertificate(hostname, "rsa-2048");
  ecdsa = await makeCertificate(hostname, "ecdsa-p256");
  primary = await makeCertificate("primary.example.com", "ecdsa-p256");
});

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.close()));
  listeners = [];
});

/** A listener on a free port with these certificates for {@link hostname}, and what it has reported. */
async function start(
  certificates: readonly ServerCertificate[] = [ecdsa],
  options: Partial<TlsListenerOptions> & { readonly primary?: CertificateEntries["primary"] } = {},
) {
  const reports: HandshakeReport[] = [];
  let told = () => {};
  const entries = { byHostname: new Map([[hostname, { certificates }]]), primary: options.primary };
  const listener = await startTlsListener({
    address: "127.0.0.1",
    port: 0,
    certificates: (hello) => selectCertificate(hello, entries),
    onHandshake: (report) => {
      reports.push(report);
      told();
    },
    ...options,
  });
  listeners.push(listener);
  return {
    ...listener,
    reports,
    /** Waits until so many handshakes have ended. */
    reported: async (count: number) => {
      while (reports.length < count) await new Promise<void>((resolve) => (told = resolve));
      return reports;
    },
    client: (more: ConnectionOptions = {}) =>
      seenBy({ port: listener.port, servername: hostname, ca: authority.trustBundlePem, ...more }),
  };
}

describe("certificates of mixed keys, which SNICallback gets wrong on Node 20", () => {
  const rsaOnly = "rsa_pss_rsae_sha256:rsa_pkcs1_sha256";
  const ecdsaOnly = "ecdsa_secp256r1_sha256";
  const kinds = { RSA: () => rsa, ECDSA: () => ecdsa };
  const cells = [
    ["RSA", "any client", undefined, "RSA"],
    ["RSA", "one that knows RSA only", rsaOnly, "RSA"],
    ["RSA", "one that knows ECDSA only", ecdsaOnly, "refused"],
    ["ECDSA, RSA", "any client", undefined, "ECDSA"],
    ["ECDSA, RSA", "one that knows RSA only", rsaOnly, "RSA"],
    ["ECDSA, RSA", "one that knows ECDSA only", ecdsaOnly, "ECDSA"],
    ["RSA, ECDSA", "any client", undefined, "ECDSA"],
    ["RSA, ECDSA", "one that knows RSA only", rsaOnly, "RSA"],
    ["RSA, ECDSA", "one that knows ECDSA only", ecdsaOnly, "ECDSA"],
  ] as const;
  const certificatesOf = (listed: string) => listed.split(", ").map((kind) => kinds[kind as keyof typeof kinds]());

  describe.each(["TLSv1.3", "TLSv1.2"] as const)("in %s", (version) => {
    test.each(cells)("%s for %s: Node's client", async (listed, _, sigalgs, expected) => {
      const { client, reported } = await start(certificatesOf(listed));

      const seen = await client({ minVersion: version, maxVersion: version, ...(sigalgs ? { sigalgs } : {}) });
      const [report] = await reported(1);

      if (expected === "refused") {
        expect(seen).toEqual({ refused: "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE" });
        expect(report).toMatchObject({ ok: false, serverName: hostname, error: { code: "no-accepted-certificate" } });
      } else {
        expect(seen).toEqual({ commonName: hostname, protocol: version });
        expect(report).toEqual({ ok: true, serverName: hostname, certificateName: kinds[expected]().name, version });
      }
    });

    test.each(cells)("%s for %s: openssl's client", async (listed, _, sigalgs, expected) => {
      const { port } = await start(certificatesOf(listed));

      const { code, stdout } = await openssl(
        [
          ...["s_client", "-connect", `127.0.0.1:${port}`, "-servername", hostname, "-verify_hostname", hostname],
          ...["-verify_return_error", "-CAfile", "{roots}", version === "TLSv1.3" ? "-tls1_3" : "-tls1_2"],
          ...(sigalgs === undefined ? [] : ["-sigalgs", sigalgs]),
        ],
        { files: { roots: authority.trustBundlePem } },
      );

      if (expected === "refused") {
        expect(code).toBe(1);
        expect(stdout).toContain("no peer certificate available");
      } else {
        expect(stdout).toMatch(expected === "RSA" ? /^Peer signature type: RSA/m : /^Peer signature type: ECDSA$/m);
        expect(stdout).toContain("Verify return code: 0 (ok)");
        expect(code).toBe(0);
      }
    });
  });

  test.each([
    ["ECDHE-RSA-AES128-GCM-SHA256", "RSA"],
    ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDSA"],
    ["AES128-SHA", "RSA"],
  ] as const)("in TLS 1.2, a client whose only suite is %s gets %s", async (ciphers, expected) => {
    const { client, reported } = await start([ecdsa, rsa]);

    await client({ maxVersion: "TLSv1.2", ciphers });

    expect(await reported(1)).toMatchObject([{ ok: true, certificateName: kinds[expected]().name }]);
  });
});

describe("the host name", () => {
  test("that is unknown gets PRIMARY", async () => {
    const { client } = await start([ecdsa], { primary: { certificates: [primary] } });

    expect(await client({ servername: "primary.example.com" })).toMatchObject({ commonName: "primary.example.com" });
  });

  test("that is missing gets PRIMARY", async () => {
    const { port, reported } = await start([ecdsa], { primary: { certificates: [primary] } });

    const { stdout } = await openssl(["s_client", "-connect", `127.0.0.1:${port}`, "-noservername"]);

    expect(stdout).toMatch(/^subject=CN = primary\.example\.com$/m);
    expect(await reported(1)).toEqual([{ ok: true, certificateName: primary.name, version: "TLSv1.3" }]);
  });

  test("that is unknown, without PRIMARY, gets the alert handshake_failure", async () => {
    const { port, reported } = await start();

    const { code, stderr } = await openssl(["s_client", "-connect", `127.0.0.1:${port}`, "-servername", "b.example"]);

    expect(code).toBe(1);
    expect(stderr).toContain("SSL alert number 40");
    expect(await reported(1)).toEqual([
      {
        ok: false,
        serverName: "b.example",
        error: { code: "no-entry", message: "no entry is for 'b.example', and none is PRIMARY" },
      },
    ]);
  });
});

describe("versions and protocols", () => {
  test("a client of TLS 1.1 gets the alert protocol_version", async () => {
    const { client, reported } = await start();

    const seen = await client({ minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" });

    expect(seen).toEqual({ refused: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
    expect(await reported(1)).toMatchObject([{ ok: false, error: { code: "no-common-version" } }]);
  });

  test.each([
    [["h2", "http/1.1"], "h2"],
    [["http/1.1"], "http/1.1"],
    [["http/1.1", "h2"], "h2"],
  ])("of %j the front end chooses %s", async (ALPNProtocols, alpn) => {
    const { client, reported } = await start();

    expect(await client({ ALPNProtocols })).toMatchObject({ alpn });
    expect(await reported(1)).toMatchObject([{ ok: true, alpn }]);
  });

  test("a client that offers only other protocols is refused", async () => {
    const { client, reported } = await start();

    expect(await client({ ALPNProtocols: ["acme-tls/1"] })).toEqual({
      refused: "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL",
    });
    expect(await reported(1)).toEqual([
      {
        ok: false,
        serverName: hostname,
        certificateName: ecdsa.name,
        error: { code: "handshake-failed", message: "the handshake failed: 'no application protocol'" },
      },
    ]);
  });

  test("a session is resumed, and that is a handshake too", async () => {
    const { port, reported } = await start();
    const options = { host: "127.0.0.1", port, servername: hostname, ca: authority.trustBundlePem };
    const first = connect({ ...options, maxVersion: "TLSv1.2" });
    const [session] = (await once(first, "session")) as [Buffer];
    first.destroy();

    const second = connect({ ...options, maxVersion: "TLSv1.2", session });
    await once(second, "secureConnect");

    expect(second.isSessionReused()).toBe(true);
    second.end();
    expect(await reported(2)).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

describe("requests", () => {
  const httpsBody = (port: number, path: string) =>
    new Promise<string>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port,
        path,
        servername: hostname,
        ca: authority.trustBundlePem,
        agent: false,
      };
      get(options, async (response) => {
        let body = "";
        for await (const chunk of response) body += String(chunk);
        resolve(`${response.statusCode} ${body}`);
      }).once("error", reject);
    });

  test("are answered with what is known of the handshake", async () => {
    const { port } = await start();
    const handshake = { serverName: hostname, certificateName: ecdsa.name, version: "TLSv1.3" };

    expect(await httpsBody(port, "/x?y")).toBe(`200 ${JSON.stringify({ method: "GET", url: "/x?y", ...handshake })}`);
  });

  test("are answered with what the caller makes of them", async () => {
    const { port } = await start([ecdsa], {
      respond: ({ url, serverName }) => JSON.stringify({ rule: "web", url, serverName }),
    });

    expect(await httpsBody(port, "/")).toBe(`200 {"rule":"web","url":"/","serverName":"${hostname}"}`);
  });

  test("are answered in HTTP/2", async () => {
    const { port } = await start();
    const session = connectHttp2(`https://${hostname}`, {
      createConnection: () =>
        connect({
          host: "127.0.0.1",
          port,
          servername: hostname,
          ca: authority.trustBundlePem,
          ALPNProtocols: ["h2"],
        }),
    });
    const ask = async (method: string) => {
      const stream = session.request({ ":method": method, ":path": "/x" });
      const [headers] = (await once(stream, "response")) as [{ readonly ":status": number }];
      let body = "";
      for await (const chunk of stream) body += String(chunk);
      return { status: headers[":status"], body };
    };

    const answers = [await ask("GET"), await ask("HEAD")];
    session.destroy();

    expect(answers).toEqual([
      {
        status: 200,
        body: JSON.stringify({
          method: "GET",
          url: "/x",
          serverName: hostname,
          certificateName: ecdsa.name,
          version: "TLSv1.3",
          alpn: "h2",
        }),
      },
      { status: 200, body: "" },
    ]);
  });
});

describe("a hello in pieces", () => {
  const hello = message(
    helloBody({
      serverName: hostname,
      versions: [0x0304],
      cipherSuites: [0x1301],
      groups: [23],
      signatureSchemes: [0x0403],
      // key_share with no share: the server has to ask for one, which shows that it has understood.
      extensions: [[51, Buffer.from([0, 0])]],
    }),
  );
  const serverHello = (bytes: Buffer) => [bytes[0], bytes[5]];

  test.each([
    ["a segment for each byte", [...records(hello)].map((byte) => Uint8Array.of(byte))],
    ["a record for each byte", [records(hello, 1)]],
    ["both", [...records(hello, 1)].map((byte) => Uint8Array.of(byte))],
    ["three records in two segments", [records(hello, 70).subarray(0, 100), records(hello, 70).subarray(100)]],
  ])("%s: the server answers with its own hello", async (_, pieces) => {
    const { port } = await start([ecdsa], { limits: { handshakeMs: 2_000 } });
    const socket = connectTcp({ host: "127.0.0.1", port, noDelay: true });
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));

    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();

    expect(serverHello(answer)).toEqual([22, 2]);
  });
});

describe("what is no handshake", () => {
  test.each([
    ["plain HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n"), "not-tls", 10],
    ["a malformed hello", records(message(Buffer.alloc(3))), "hello-malformed", 50],
    ["a hello that says it is 16 MB long", records(Buffer.from([1, 255, 255, 255])), "hello-too-long", 50],
  ])("%s gets an alert and is reported", async (_, bytes, code, alert) => {
    const { port, reported } = await start();

    expect(await exchange(port, [bytes])).toEqual(Buffer.from([21, 3, 1, 0, 2, 2, alert]));
    expect(await reported(1)).toMatchObject([{ ok: false, error: { code } }]);
  });

  test("a client that doesn't trust the certificate is reported as having refused", async () => {
    const { port, reported } = await start();

    await openssl(["s_client", "-connect", `127.0.0.1:${port}`, "-servername", hostname, "-verify_return_error"], {
      files: {},
    });

    expect(await reported(1)).toEqual([
      {
        ok: false,
        serverName: hostname,
        certificateName: ecdsa.name,
        error: { code: "client-alert", message: "the client refused: 'unknown ca'" },
      },
    ]);
  });

  test("a client that goes away in the middle is reported", async () => {
    const { port, reported } = await start();
    const socket = connectTcp({ host: "127.0.0.1", port });
    socket.end(records(message(helloBody({ serverName: hostname }))).subarray(0, 20));

    expect(await reported(1)).toEqual([
      {
        ok: false,
        error: { code: "client-closed", message: "the client closed the connection before it had said what it wants" },
      },
    ]);
    socket.destroy();
  });

  test("a client of TLS 1.3 that tears down before its last message is told from one that is content", async () => {
    const { port, reported } = await start();
    const socket = connect({ host: "127.0.0.1", port, servername: hostname, ca: authority.trustBundlePem });
    socket.once("secureConnect", () => socket.destroy());

    expect(await reported(1)).toEqual([
      {
        ok: false,
        serverName: hostname,
        certificateName: ecdsa.name,
        error: { code: "client-left", message: "the client closed the connection when it had got the certificate" },
      },
    ]);
  });

  test("a connection on which nothing is ever said is no handshake", async () => {
    const { port, client, reported } = await start();
    const socket = connectTcp({ host: "127.0.0.1", port });
    await once(socket, "connect");
    socket.end();
    await once(socket, "close");

    await client();

    expect(await reported(1)).toMatchObject([{ ok: true }]);
  });

  test("a key that isn't the certificate's is reported, and the client gets the alert internal_error", async () => {
    const { client, reported } = await start([{ ...ecdsa, privateKeyPem: primary.privateKeyPem }]);

    expect(await client()).toEqual({ refused: "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR" });
    expect(await reported(1)).toMatchObject([
      { ok: false, certificateName: ecdsa.name, error: { code: "certificate-unusable" } },
    ]);
  });
});

describe("time", () => {
  test("a client that is slow with its hello is cut off", async () => {
    const { port, reported } = await start([ecdsa], { limits: { handshakeMs: 60 } });

    const answer = await exchange(port, [records(message(helloBody({ serverName: hostname }))).subarray(0, 20)]);

    expect(answer).toEqual(Buffer.alloc(0));
    expect(await reported(1)).toEqual([
      { ok: false, error: { code: "timeout", message: "the handshake was not done in 60 ms" } },
    ]);
  });

  test("a client that is slow with its second message is cut off", async () => {
    const { port, reported } = await start([rsa], { limits: { handshakeMs: 60 } });
    const hello = helloBody({
      serverName: hostname,
      cipherSuites: [0xc02f],
      signatureSchemes: [0x0401],
      groups: [23],
    });

    const answer = await exchange(port, [records(message(hello))]);

    expect(answer[5]).toBe(2);
    expect(await reported(1)).toMatchObject([
      { ok: false, serverName: hostname, certificateName: rsa.name, error: { code: "timeout" } },
    ]);
  });

  test.each(["http/1.1", "h2"])("a connection of %s that is idle is ended", async (protocol) => {
    const { port } = await start([ecdsa], { limits: { idleMs: 60 } });
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: hostname,
      ca: authority.trustBundlePem,
      ALPNProtocols: [protocol],
    });
    await once(socket, "secureConnect");
    socket.on("error", () => {}).resume();

    await once(socket, "close");

    expect(socket.destroyed).toBe(true);
  });
});

test("500 clients at once are all served", async () => {
  const { client, reported } = await start();
  // Making a context takes a client as long as a handshake.
  const secureContext = createSecureContext({ ca: authority.trustBundlePem });

  const seen = await Promise.all(Array.from({ length: 500 }, () => client({ secureContext })));

  expect(seen).toEqual(Array.from({ length: 500 }, () => ({ commonName: hostname, protocol: "TLSv1.3" })));
  expect((await reported(500)).filter(({ ok }) => ok)).toHaveLength(500);
}, 30_000);

describe("closing", () => {
  test("ends connections before, in and after their handshake, and the listener", async () => {
    const { port, close, reported } = await start([ecdsa], { limits: { handshakeMs: 60_000 } });
    const silent = connectTcp({ host: "127.0.0.1", port });
    const halfway = connectTcp({ host: "127.0.0.1", port });
    halfway.write(records(message(helloBody())).subarray(0, 9));
    const done = connect({ host: "127.0.0.1", port, servername: hostname, ca: authority.trustBundlePem });
    const sockets = [silent, halfway, done];
    const closed = sockets.map((socket) => once(socket.on("error", () => {}).resume(), "close"));
    await once(done, "secureConnect");
    await reported(1);

    await close();
    await Promise.all(closed);

    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(await seenBy({ port })).toEqual({ refused: "ECONNREFUSED" });
  });

  test("twice is as good as once", async () => {
    const { close } = await start();

    await close();

    await expect(close()).resolves.toBeUndefined();
  });
});

describe("an address", () => {
  test.each(["127.0.0.1", "127.0.0.9", "::1"])("%s can be listened on", async (address) => {
    const { port, address: actual } = await start([ecdsa], { address });

    expect(actual).toBe(address);
    expect(await seenBy({ host: address, port, servername: hostname, ca: authority.trustBundlePem })).toMatchObject({
      commonName: hostname,
    });
  });

  test("that is in use is refused", async () => {
    const { port } = await start();

    await expect(start([ecdsa], { port })).rejects.toMatchObject({
      code: "listener-address-in-use",
      message: `'127.0.0.1', port ${port} is in use: end what listens there, or choose another`,
    });
  });

  test.each(["192.0.2.1", "localhost"])("%s, which is none of this machine, is refused", async (address) => {
    await expect(start([ecdsa], { address })).rejects.toMatchObject({ code: "listener-address-unavailable" });
  });
});
