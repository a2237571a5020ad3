import { makeServerCertificate } from "./certificates";
import { type Issuer, makeIntermediateOf } from "./issuer";
import { exportPrivateKey, makeKeyPair } from "./keys";

/** A certificate of another CA that this CA reissues, so that it looks the same but leads to this CA's root. */
export interface CopyRequest {
  /** DNS names, at least one name; `*.` is allowed. */
  readonly names: readonly string[];
  /** Distinguished name of the issuer on one line, for example `C=US, O=Let's Encrypt, CN=R11`. */
  readonly issuer: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A reissued certificate with a new key. */
export interface CopiedCertificate {
  /** The server's certificate and the intermediate, in the order in which a server sends them. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

/**
 * Returns a function that reissues certificates. Each issuer gets an intermediate under the root. Dates are not limited
 * to the validity of the CA, so that certificates can be expired. Keys are ECDSA, because RSA generation is slow.
 *
 * @param newSerialNumber returns the serial number of an intermediate
 */
export function createCopies(
  root: Issuer,
  newSerialNumber: () => string,
): (request: CopyRequest) => Promise<CopiedCertificate> {
  const intermediates = new Map<string, Promise<Issuer>>();
  const intermediateOf = (issuer: string) => {
    const known =
      intermediates.get(issuer) ??
      makeKeyPair("ecdsa-p256").then((keyPair) =>
        makeIntermediateOf(root, { distinguishedName: issuer, keyPair, serialNumber: newSerialNumber() }),
      );
    intermediates.set(issuer, known);
    return known;
  };
  return async ({ names, issuer, serialNumber, notBefore, notAfter }) => {
    const signer = await intermediateOf(issuer);
    const keyPair = await makeKeyPair("ecdsa-p256");
    const { publicKey } = keyPair;
    const leaf = await makeServerCertificate({ signer, names, publicKey, serialNumber, notBefore, notAfter });
    return { chainPem: leaf + signer.certificatePem, privateKeyPem: exportPrivateKey(keyPair) };
  };
}
