import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { createAuthority } from "../lib/cloud/certificate-authority";

/**
 * Serves one certificate over TLS for every name below `bench.example.com`. Prints its address and its CA certificate,
 * and ends when its standard input ends.
 */
async function main(): Promise<void> {
  const authority = await createAuthority({ commonName: "Bench", now: () => new Date(Date.now() - 60_000) });
  const { chainPem, privateKeyPem } = await authority.issue({
    names: ["*.bench.example.com"],
    publicKeyAlgorithm: "ecdsa-p256",
    validDays: 1,
  });
  const server = createServer({ cert: chainPem, key: privateKeyPem }, (socket) => {
    socket.on("error", () => {});
    socket.resume();
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ port, ca: authority.trustBundlePem })}\n`);
  });
  process.stdin.resume().once("end", () => process.exit(0));
}

void main();
