import { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { chainFailures } from "../../../lib/live/verify/served-chain";
import { makeCertificate } from "../../support/make-certificate";

const served = new X509Certificate(makeCertificate(["a.example.com"]).certificatePem);

test("reads equal chains of a certificate four times at each address, because Node never frees what a reading takes", () => {
  let readings = 0;
  const connectionTo = (remoteAddress: string) => {
    const getPeerX509Certificate = () => {
      readings += 1;
      return { fingerprint256: served.fingerprint256, subject: served.subject, issuerCertificate: undefined };
    };
    return { remoteAddress, remotePort: 443, getPeerX509Certificate } as unknown as TLSSocket;
  };
  const certificate = { keyType: "ecdsa-p256", fingerprintSha256: served.fingerprint256 };
  const readingsAfter = (connections: number, address: string) => {
    for (let made = 0; made < connections; made++) chainFailures(connectionTo(address), certificate as never);
    return readings;
  };
  expect([readingsAfter(3, "192.0.2.1"), readingsAfter(50, "192.0.2.1"), readingsAfter(50, "192.0.2.2")]).toEqual([
    3, 4, 8,
  ]);
});
