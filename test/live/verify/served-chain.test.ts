import { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { chainFailures } from "../../../lib/live/verify/served-chain";
import { makeCertificate } from "../../support/make-certificate";

const served = new X509Certificate(makeCertificate(["a.example.com"]).certificatePem);

let readings = 0;

function connectTo(remoteAddress: string): void {
  const getPeerX509Certificate = () => {
    readings += 1;
    return { fingerprint256: served.fingerprint256, subject: served.subject, issuerCertificate: undefined };
  };
  const socket = { remoteAddress, remotePort: 443, getPeerX509Certificate } as unknown as TLSSocket;
  chainFailures(socket, { keyType: "ecdsa-p256", fingerprintSha256: served.fingerprint256 } as never);
}

function readingsOf(connections: number, address: string): number {
  const before = readings;
  for (let made = 0; made < connections; made++) connectTo(address);
  return readings - before;
}

test("reads equal chains 200 times at each address, then 4 times, because Node never frees what a reading takes", () => {
  expect([readingsOf(3, "192.0.2.1"), readingsOf(300, "192.0.2.1"), readingsOf(300, "192.0.2.1")]).toEqual([3, 197, 0]);
  const others = Array.from({ length: 12 }, (_, index) => readingsOf(300, `198.51.100.${index}`));
  expect(others).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 40 + 4, 4, 4]);
});

test("reads a chain whose certificate has no subject, which Node 20 gives as undefined", () => {
  const getPeerX509Certificate = () => ({ fingerprint256: "00", subject: undefined, issuerCertificate: undefined });
  const socket = { remoteAddress: "192.0.2.9", remotePort: 443, getPeerX509Certificate } as unknown as TLSSocket;
  expect(chainFailures(socket, { keyType: "ecdsa-p256", fingerprintSha256: "00" } as never)).toEqual({});
});
