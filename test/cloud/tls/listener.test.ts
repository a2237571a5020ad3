import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect } from "node:tls";
import { helloBody, message, records } from "../../support/client-hello";
import { seenBy } from "../../support/tls-client";
import { hostname, makeCertificates, startListener, type TestCertificates } from "../../support/tls-front-end";

let certificates: TestCertificates;

beforeAll(async () => {
  certificates = await makeCertificates();
});

/** Starts a listener that serves the ECDSA certificate. */
const start = (options?: Parameters<typeof startListener>[2]) =>
  startListener(certificates, [certificates.ecdsa], options);

const trustBundle = () => certificates.authority.trustBundlePem;

describe("an address", () => {
  test.each(["127.0.0.1", "127.0.0.9", "::1"])("%s can be listened on", async (address) => {
    await using listener = await start({ address });
    const { port, address: actual } = listener;

    expect(actual).toBe(address);
    expect(await seenBy({ host: address, port, servername: hostname, ca: trustBundle() })).toMatchObject({
      commonName: hostname,
    });
  });

  test("is refused if its port is in use", async () => {
    await using listener = await start();
    const { port } = listener;

    await expect(start({ port })).rejects.toMatchObject({
      code: "listener-address-in-use",
      message: `127.0.0.1, port ${port} is in use: end what listens there, or choose another`,
    });
  });

  test("is refused if other machines could reach it", async () => {
    await expect(start({ address: "0.0.0.0" })).rejects.toMatchObject({ code: "listener-address-not-loopback" });
  });
});

describe("a close", () => {
  test("ends connections before, during and after their handshake, and the listener", async () => {
    await using listener = await start({ limits: { handshakeMs: 60_000 } });
    const { port, close, reported } = listener;
    const silent = connectTcp({ host: "127.0.0.1", port });
    const halfway = connectTcp({ host: "127.0.0.1", port });
    halfway.write(records(message(helloBody())).subarray(0, 9));
    const done = connect({ host: "127.0.0.1", port, servername: hostname, ca: trustBundle() });
    const sockets = [silent, halfway, done];
    const closed = sockets.map((socket) => once(socket.on("error", () => {}).resume(), "close"));
    await once(done, "secureConnect");
    await reported(1);

    await close();
    await Promise.all(closed);

    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(await seenBy({ port })).toEqual({ refused: "ECONNREFUSED" });
  });

  test("can be repeated", async () => {
    await using listener = await start();
    const { close } = listener;

    await close();

    await expect(close()).resolves.toBeUndefined();
  });
});
