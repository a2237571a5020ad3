import { randomBytes } from "node:crypto";
import { makeServerCertificate } from "./certificates";
import { makeRoot } from "./issuer";
import { exportPrivateKey, makeKeyPair } from "./keys";
import { dayMs, lastSecond, wholeSecond } from "./validity";

/** The certificate of a server that answers on this machine alone. */
export interface LoopbackCertificate {
  /** The server's certificate, as a server sends it. */
  readonly chainPem: string;
  /** PKCS #8. */
  readonly privateKeyPem: string;
  /** Certificate of the CA that signed it: what a client has to trust. */
  readonly trustBundlePem: string;
}

/** Long enough for any run, as the CA is gone with its process. */
const validDays = 30;
const algorithm = "ecdsa-p256";

/**
 * Makes a CA and one certificate for `localhost`, `127.0.0.1` and `::1`. The CA's private key is dropped when this returns: nobody can sign with it again.
 *
 * @param now by the machine's clock, which clients judge by
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
  // A clock that was set back by a little since must not make it one of the future.
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

/** Positive, and of one length. */
function serialNumber(): string {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return octets.toString("hex");
}
