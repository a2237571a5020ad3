import { randomBytes } from "node:crypto";
import { makeServerCertificate } from "./certificates";
import { makeRoot } from "./issuer";
import { exportPrivateKey, makeKeyPair } from "./keys";
import { dayMs, lastSecond, wholeSecond } from "./validity";

/** The certificate of a server that listens on this machine only. */
export interface LoopbackCertificate {
  /** The server's certificate chain, in the order in which a server sends it. */
  readonly chainPem: string;
  /** Private key in PKCS #8. */
  readonly privateKeyPem: string;
  /** Certificate of the CA that signed the chain, for the trust store of clients. */
  readonly trustBundlePem: string;
}

/** Validity in days: long enough for any run, because the CA ends with its process. */
const validDays = 30;
const algorithm = "ecdsa-p256";

/**
 * Creates a CA and one certificate for `localhost`, `127.0.0.1` and `::1`. The CA's private key is discarded on return,
 * so that no further certificate can be signed.
 *
 * @param now time of the machine's clock, against which clients check the certificate
 */
export async function makeLoopbackCertificate(now: Date): Promise<LoopbackCertificate> {
  const [rootPair, keyPair] = await Promise.all([makeKeyPair(algorithm), makeKeyPair(algorithm)]);
  const root = await makeRoot({
    commonName: "Rehearsal Loopback",
    algorithm,
    keyPair: rootPair,
    now,
    serialNumber: serialNumber(),
  });
  // Keeps the certificate valid if the machine's clock is set to a slightly earlier time.
  const notBefore = wholeSecond(new Date(now.getTime() - dayMs));
  const chainPem = await makeServerCertificate({
    signer: root,
    names: ["localhost"],
    addresses: ["127.0.0.1", "::1"],
    publicKey: keyPair.publicKey,
    serialNumber: serialNumber(),
    notBefore,
    notAfter: lastSecond(notBefore, validDays),
  });
  return { chainPem, privateKeyPem: exportPrivateKey(keyPair), trustBundlePem: root.certificatePem };
}

/** Returns a positive serial number of constant length. */
function serialNumber(): string {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return octets.toString("hex");
}
