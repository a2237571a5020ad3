import { once } from "node:events";
import { type AddressInfo, connect as connectTcp, createServer } from "node:net";
import { connect } from "node:tls";
import { helloBody, message, records } from "../../support/client-hello";
import { openssl } from "../../support/openssl";
import { exchange } from "../../support/tls-client";
import { hostname, makeCertificates, startListener, type TestCertificates } from "../../support/tls-front-end";

let certificates: TestCertificates;

beforeAll(async () => {
  certificates = await makeCertificates();
});

/** Starts a listener that serves the ECDSA certificate. */
const start = (options?: Parameters<typeof startListener>[2]) =>
  startListener(certificates, [certificates.ecdsa], options);

const trustBundle = () => certificates.authority.trustBundlePem;

describe("the host name", () => {
  test("that is unknown gets PRIMARY", async () => {
    await using listener = await start({ primary: { certificates: [certificates.primary] } });
    const { client } = listener;

    expect(await client({ servername: "primary.example.com" })).toMatchObject({ commonName: "primary.example.com" });
  });

  test("that is missing gets PRIMARY", async () => {
    await using listener = await start({ primary: { certificates: [certificates.primary] } });
    const { port, reported } = listener;

    const { stdout } = await openssl(["s_client", "-connect", `127.0.0.1:${port}`, "-noservername"]);

    expect(stdout).toMatch(/^subject=CN = primary\.example\.com$/m);
    expect(await reported(1)).toEqual([{ ok: true, certificateName: certificates.primary.name, version: "TLSv1.3" }]);
  });

  test("that is unknown, without PRIMARY, gets the alert handshake_failure", async () => {
    await using listener = await start();
    const { port, reported } = listener;

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

test("a client of TLS 1.1 gets the alert protocol_version", async () => {
  await using listener = await start();
  const { client, reported } = listener;

  const seen = await client({ minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" });

  expect(seen).toEqual({ refused: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
  expect(await reported(1)).toMatchObject([{ ok: false, error: { code: "no-common-version" } }]);
});

test("a client of TLS 1.2 gets the alert protocol_version while TLS 1.3 is needed", async () => {
  let needsTls13 = true;
  await using listener = await start({ needsTls13: () => needsTls13 });
  const { client, reported } = listener;

  expect(await client({ maxVersion: "TLSv1.2" })).toEqual({ refused: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" });
  expect(await reported(1)).toMatchObject([{ ok: false, error: { code: "no-common-version" } }]);
  expect(await client({})).toMatchObject({ commonName: hostname });
  needsTls13 = false;
  expect(await client({ maxVersion: "TLSv1.2" })).toMatchObject({ commonName: hostname });
});

test.each([
  [["h2", "http/1.1"], "h2"],
  [["http/1.1"], "http/1.1"],
  [["http/1.1", "h2"], "h2"],
])("of %j the front end chooses %s", async (ALPNProtocols, alpn) => {
  await using listener = await start();
  const { client, reported } = listener;

  expect(await client({ ALPNProtocols })).toMatchObject({ alpn });
  expect(await reported(1)).toMatchObject([{ ok: true, alpn }]);
});

test("a client that offers only unsupported protocols is refused", async () => {
  await using listener = await start();
  const { client, reported } = listener;

  expect(await client({ ALPNProtocols: ["acme-tls/1"] })).toEqual({
    refused: "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL",
  });
  expect(await reported(1)).toEqual([
    {
      ok: false,
      serverName: hostname,
      certificateName: certificates.ecdsa.name,
      error: { code: "handshake-failed", message: "the handshake failed: 'no application protocol'" },
    },
  ]);
});

test("a session is resumed, and counts as a handshake", async () => {
  await using listener = await start();
  const { port, reported } = listener;
  const options = { host: "127.0.0.1", port, servername: hostname, ca: trustBundle() };
  const first = connect({ ...options, maxVersion: "TLSv1.2" });
  const [session] = (await once(first, "session")) as [Buffer];
  first.destroy();

  const second = connect({ ...options, maxVersion: "TLSv1.2", session });
  await once(second, "secureConnect");

  expect(second.isSessionReused()).toBe(true);
  second.end();
  expect(await reported(2)).toMatchObject([{ ok: true }, { ok: true }]);
});

describe("a fragmented hello", () => {
  const hello = message(
    helloBody({
      serverName: hostname,
      versions: [0x0304],
      cipherSuites: [0x1301],
      groups: [23],
      signatureSchemes: [0x0403],
      // key_share without a share: a server that understands the extension requests a share.
      extensions: [[51, Buffer.from([0, 0])]],
    }),
  );
  const serverHello = (bytes: Buffer) => [bytes[0], bytes[5]];

  test.each([
    ["a segment for each byte", [...records(hello)].map((byte) => Uint8Array.of(byte))],
    ["a record for each byte", [records(hello, 1)]],
    ["both", [...records(hello, 1)].map((byte) => Uint8Array.of(byte))],
    ["three records in two segments", [records(hello, 70).subarray(0, 100), records(hello, 70).subarray(100)]],
  ])("in %s: the server answers with its own hello", async (_, pieces) => {
    await using listener = await start({ limits: { handshakeMs: 2_000 } });
    const { port } = listener;
    const socket = connectTcp({ host: "127.0.0.1", port, noDelay: true });
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));

    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();

    expect(serverHello(answer)).toEqual([22, 2]);
  });

  test("a real client connects through a network that sends each byte as its own segment and record", async () => {
    await using listener = await start();
    const { port, client, reported } = listener;
    const network = createServer(async (near) => {
      const far = connectTcp({ host: "127.0.0.1", port, noDelay: true });
      far.pipe(near);
      const [flight] = (await once(near, "data")) as [Buffer];
      near.pause();
      const recordHeader = 5;
      for (const byte of records(flight.subarray(recordHeader), 1)) {
        await new Promise((resolve) => far.write(Uint8Array.of(byte), resolve));
      }
      near.pipe(far);
    });
    await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));

    const seen = await client({ port: (network.address() as AddressInfo).port });
    await new Promise((resolve) => network.close(resolve));

    expect(seen).toEqual({ commonName: hostname, protocol: "TLSv1.3" });
    expect(await reported(1)).toMatchObject([{ ok: true, serverName: hostname }]);
  });
});

test.each([
  ["plain HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n"), "not-tls", 10],
  ["a malformed hello", records(message(Buffer.alloc(3))), "hello-malformed", 50],
  ["a hello with a stated length of 16 MB", records(Buffer.from([1, 255, 255, 255])), "hello-too-long", 50],
])("%s gets an alert and is reported", async (_, bytes, code, alert) => {
  await using listener = await start();
  const { port, reported } = listener;

  expect(await exchange(port, [bytes])).toEqual(Buffer.from([21, 3, 1, 0, 2, 2, alert]));
  expect(await reported(1)).toMatchObject([{ ok: false, error: { code } }]);
});

test("a client that doesn't trust the certificate is reported as having refused", async () => {
  await using listener = await start();
  const { port, reported } = listener;

  await openssl(["s_client", "-connect", `127.0.0.1:${port}`, "-servername", hostname, "-verify_return_error"]);

  expect(await reported(1)).toEqual([
    {
      ok: false,
      serverName: hostname,
      certificateName: certificates.ecdsa.name,
      error: { code: "client-alert", message: "the client refused: 'unknown ca'" },
    },
  ]);
});

test("a client that disconnects during the handshake is reported", async () => {
  await using listener = await start();
  const { port, reported } = listener;
  const socket = connectTcp({ host: "127.0.0.1", port });
  socket.end(records(message(helloBody({ serverName: hostname }))).subarray(0, 20));

  expect(await reported(1)).toEqual([
    {
      ok: false,
      error: {
        code: "client-closed",
        message: "the client closed the connection before its ClientHello was complete",
      },
    },
  ]);
  socket.destroy();
});

test("a client of TLS 1.3 that disconnects before its last message is distinguished from a completed handshake", async () => {
  await using listener = await start();
  const { port, reported } = listener;
  const socket = connect({ host: "127.0.0.1", port, servername: hostname, ca: trustBundle() });
  socket.once("secureConnect", () => socket.destroy());

  expect(await reported(1)).toEqual([
    {
      ok: false,
      serverName: hostname,
      certificateName: certificates.ecdsa.name,
      error: { code: "client-left", message: "the client closed the connection when it had got the certificate" },
    },
  ]);
});

test("a silent connection is not a handshake", async () => {
  await using listener = await start();
  const { port, client, reported } = listener;
  const socket = connectTcp({ host: "127.0.0.1", port });
  await once(socket, "connect");
  socket.end();
  await once(socket, "close");

  await client();

  expect(await reported(1)).toMatchObject([{ ok: true }]);
});

test("a key that does not match the certificate is reported, and the client gets the alert internal_error", async () => {
  await using listener = await startListener(certificates, [
    { ...certificates.ecdsa, privateKeyPem: certificates.primary.privateKeyPem },
  ]);
  const { client, reported } = listener;

  expect(await client()).toEqual({ refused: "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR" });
  expect(await reported(1)).toMatchObject([
    { ok: false, certificateName: certificates.ecdsa.name, error: { code: "certificate-unusable" } },
  ]);
});

test("a client that sends its hello too slowly is disconnected", async () => {
  await using listener = await start({ limits: { handshakeMs: 60 } });
  const { port, reported } = listener;

  const answer = await exchange(port, [records(message(helloBody({ serverName: hostname }))).subarray(0, 20)]);

  expect(answer).toEqual(Buffer.alloc(0));
  expect(await reported(1)).toEqual([
    { ok: false, error: { code: "timeout", message: "the handshake was not done in 60 ms" } },
  ]);
});

test("a client that stays connected after a refusal is disconnected", async () => {
  await using listener = await start({ limits: { handshakeMs: 60 } });
  const { port, reported } = listener;
  const socket = connectTcp({ host: "127.0.0.1", port, allowHalfOpen: true });
  socket.resume().on("error", () => {});
  socket.write("GET / HTTP/1.1\r\n");

  // A client notices that the server has closed the connection only when it writes again.
  const writing = setInterval(() => socket.write("Host: a.example.com\r\n"), 10);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(writing);

  expect(await reported(1)).toMatchObject([{ ok: false, error: { code: "not-tls" } }]);
});

test("a client that sends its second message too slowly is disconnected", async () => {
  await using listener = await startListener(certificates, [certificates.rsa], { limits: { handshakeMs: 60 } });
  const { port, reported } = listener;
  const hello = helloBody({
    serverName: hostname,
    cipherSuites: [0xc02f],
    signatureSchemes: [0x0401],
    groups: [23],
  });

  const answer = await exchange(port, [records(message(hello))]);

  expect(answer[5]).toBe(2);
  expect(await reported(1)).toMatchObject([
    { ok: false, serverName: hostname, certificateName: certificates.rsa.name, error: { code: "timeout" } },
  ]);
});

test.each(["http/1.1", "h2"])("an idle connection of %s is closed", async (protocol) => {
  await using listener = await start({ limits: { idleMs: 60 } });
  const { port } = listener;
  const socket = connect({
    host: "127.0.0.1",
    port,
    servername: hostname,
    ca: trustBundle(),
    ALPNProtocols: [protocol],
  });
  await once(socket, "secureConnect");
  socket.on("error", () => {}).resume();

  await once(socket, "close");

  expect(socket.destroyed).toBe(true);
});
