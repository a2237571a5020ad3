import { TLSSocket } from "node:tls";
import { queryObjects } from "node:v8";
import { createAuthority } from "../../../lib/cloud/certificate-authority";
import { createClients, shakeHands } from "../../../lib/live/verify";
import { serveTls } from "../../support/tls-servers";

test("keeps no connection in memory after its handshake, while later ones are open", async () => {
  const authority = await createAuthority({ commonName: "Test", now: () => new Date() });
  const { chainPem, privateKeyPem } = await authority.issue({
    names: ["example.com"],
    publicKeyAlgorithm: "ecdsa-p256",
    validDays: 1,
  });
  await using server = await serveTls({ cert: chainPem, key: privateKeyPem });
  const target = {
    address: "127.0.0.1",
    port: server.port,
    hostname: "example.com",
    timeoutMs: 60_000,
    secureContext: createClients([authority.trustBundlePem])("modern"),
  };
  let mostOpen = 0;
  let left = 160;
  const clients = Array.from({ length: 8 }, async () => {
    for (; left > 0; left -= 1) {
      expect(await shakeHands(target)).toMatchObject({ ok: true });
      // Walks the whole heap, so it is asked once.
      if (left === 8 && mostOpen === 0) mostOpen = queryObjects(TLSSocket, { format: "count" });
    }
  });
  await Promise.all(clients);
  // Both sides of each connection are in this process.
  expect(mostOpen).toBeGreaterThan(0);
  expect(mostOpen).toBeLessThan(80);
}, 120_000);
