import { createClients, shakeHands } from "../../../lib/live/verify";
import { makeCertificate } from "../../support/make-certificate";
import { serveTcp, serveTls } from "../../support/tls-servers";

const secureContext = createClients(undefined)("modern");

test.each(["", "a b\r\nc", "\u0000", "x".repeat(300), "münchen.example"])(
  "reports a name that can't be sent (%j) as a failed handshake, without throwing",
  async (hostname) => {
    await using server = await serveTcp((socket) => socket.end());
    const handshake = await shakeHands({
      address: "127.0.0.1",
      port: server.port,
      hostname,
      timeoutMs: 2_000,
      secureContext,
    });
    expect(handshake).toMatchObject({ ok: false, detail: expect.any(String) });
  },
);

test.each([
  ["all its names, up to five", 5, "it is for a1.example, a2.example, a3.example, a4.example, a5.example"],
  ["five of its names", 7, "it is for a1.example, a2.example, a3.example, a4.example, a5.example and 2 more"],
])("reports a certificate of other names with %s", async (_, count, detail) => {
  const names = Array.from({ length: count }, (_, index) => `a${index + 1}.example`);
  const { certificatePem, privateKeyPem } = makeCertificate(names);
  await using server = await serveTls({ cert: certificatePem, key: privateKeyPem });
  const { port } = server;
  const target = { address: "127.0.0.1", port, hostname: "example.com", timeoutMs: 10_000, secureContext };
  expect(await shakeHands(target)).toMatchObject({ ok: false, code: "name-mismatch", detail });
});

test("closes the connection immediately on abort", async () => {
  await using server = await serveTcp(() => {});
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 20);
  const target = { address: "127.0.0.1", port: server.port, hostname: "example.com", timeoutMs: 60_000, secureContext };
  const { signal } = stopping;
  const stopped = { ok: false, code: "stopped", detail: "the run was stopped" };
  expect(await shakeHands({ ...target, signal })).toEqual(stopped);
  expect(await shakeHands({ ...target, signal })).toEqual(stopped);
});
