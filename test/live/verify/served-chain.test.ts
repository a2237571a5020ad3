import { X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from "node:tls";
import type * as servedChain from "../../../lib/live/verify/served-chain";
import { makeCertificate } from "../../support/make-certificate";

const served = new X509Certificate(makeCertificate(["a.example.com"]).certificatePem);

let readings = 0;
let chainFailures: typeof servedChain.chainFailures;

// A process reads a limited number of chains, whatever test it runs first.
beforeEach(() => {
  jest.isolateModules(() => {
    ({ chainFailures } = jest.requireActual<typeof servedChain>("../../../lib/live/verify/served-chain"));
  });
});

/** @param path names of the certificate and the issuers by which a client trusts it */
function connectTo(remoteAddress: string, path: readonly string[]): void {
  const getPeerX509Certificate = () => {
    readings += 1;
    return { fingerprint256: served.fingerprint256, subject: served.subject, issuerCertificate: undefined };
  };
  const socket = { remoteAddress, remotePort: 443, getPeerX509Certificate } as unknown as TLSSocket;
  const root = { fingerprint256: "root" } as DetailedPeerCertificate;
  root.issuerCertificate = root;
  const peer = path.reduceRight<DetailedPeerCertificate>(
    (issuerCertificate, fingerprint256) => ({ fingerprint256, issuerCertificate }) as DetailedPeerCertificate,
    root,
  );
  chainFailures(socket, { keyType: "ecdsa-p256" }, peer);
}

function readingsOf(connections: number, address: string, path: readonly string[] = ["leaf", "issuer"]): number {
  const before = readings;
  for (let made = 0; made < connections; made++) connectTo(address, path);
  return readings - before;
}

test("reads equal chains 200 times at each address, then once, because Node never frees what a reading takes", () => {
  expect([readingsOf(3, "192.0.2.1"), readingsOf(300, "192.0.2.1"), readingsOf(300, "192.0.2.1")]).toEqual([3, 197, 0]);
  const others = Array.from({ length: 12 }, (_, index) => readingsOf(300, `198.51.100.${index}`));
  expect(others).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 10 + 1, 1, 1]);
});

test("reads a chain again when the issuers by which the certificate is trusted have changed", () => {
  expect(readingsOf(300, "192.0.2.1")).toBe(200);
  expect(readingsOf(1, "192.0.2.1", ["leaf", "another issuer"])).toBe(1);
  expect(readingsOf(1, "192.0.2.1", ["another leaf", "issuer"])).toBe(1);
  expect(readingsOf(1, "192.0.2.1")).toBe(0);
});

test("reads a chain whose certificate has no subject, which Node 20 gives as undefined", () => {
  const getPeerX509Certificate = () => ({ fingerprint256: "00", subject: undefined, issuerCertificate: undefined });
  const socket = { remoteAddress: "192.0.2.9", remotePort: 443, getPeerX509Certificate } as unknown as TLSSocket;
  const peer = { fingerprint256: "00" } as PeerCertificate;
  expect(chainFailures(socket, { keyType: "ecdsa-p256" }, peer)).toEqual({});
});
