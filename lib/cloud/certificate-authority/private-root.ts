import {
  dayMs,
  lastSecond,
  makeAuthorityCertificate,
  makeServerCertificate,
  newSerialNumber,
  wholeSecond,
} from "./certificates";
import { type KeptIssuer, makeRoot, readIssuer } from "./issuer";
import { exportPrivateKey, makeKeyPair, type PublicKeyAlgorithm } from "./keys";

export interface PrivateRoot extends KeptIssuer {
  /** Distinguished name on one line, for example `O=Example, CN=Example Root`. */
  readonly distinguishedName: string;
  /** RFC 3339. */
  readonly notAfter: string;
}

interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export async function makePrivateRoot({
  distinguishedName,
  publicKeyAlgorithm,
  notBefore,
  notAfter,
}: Validity & {
  readonly distinguishedName: string;
  readonly publicKeyAlgorithm: PublicKeyAlgorithm;
}): Promise<PrivateRoot> {
  const keyPair = await makeKeyPair(publicKeyAlgorithm);
  const root = { commonName: distinguishedName, distinguishedName, keyPair };
  const certificatePem = await makeAuthorityCertificate({
    signer: root,
    subject: root,
    serialNumber: newSerialNumber(),
    notBefore: wholeSecond(notBefore),
    notAfter: wholeSecond(notAfter),
  });
  const privateKeyPem = exportPrivateKey(keyPair);
  return { certificatePem, privateKeyPem, distinguishedName, notAfter: wholeSecond(notAfter).toISOString() };
}

/** Issues the certificate of a server or a client under a private root. It does not outlive the root. */
export async function issueUnder(
  root: PrivateRoot,
  {
    names,
    publicKeyAlgorithm,
    notBefore,
    notAfter,
    usage = "serverAuth",
  }: Validity & {
    readonly names: readonly string[];
    readonly publicKeyAlgorithm: PublicKeyAlgorithm;
    readonly usage?: "serverAuth" | "clientAuth";
  },
): Promise<{ readonly chainPem: string; readonly privateKeyPem: string; readonly notAfter: Date }> {
  const { distinguishedName, certificatePem } = root;
  const keyPair = await makeKeyPair(publicKeyAlgorithm);
  const endMs = Math.min(notAfter.getTime(), Date.parse(root.notAfter));
  const end = wholeSecond(new Date(endMs));
  const leaf = await makeServerCertificate({
    signer: { ...readIssuer(root), distinguishedName },
    names,
    publicKey: keyPair.publicKey,
    usage,
    serialNumber: newSerialNumber(),
    notBefore: wholeSecond(notBefore),
    notAfter: end,
  });
  return { chainPem: leaf + certificatePem, privateKeyPem: exportPrivateKey(keyPair), notAfter: end };
}

/** A client certificate of a CA that exists for the clients of a rehearsal. */
export interface IssuedIdentity {
  /** Root of the CA, in PEM. */
  readonly anchorPem: string;
  /** Certificate of the client, in PEM; the root signs it. */
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** Years for which the certificates are valid: rehearsals of renewals move the clock by months. */
const validYears = 10;

/** Creates a CA for clients, and one client certificate. @param now time at which the certificates have to be valid */
export async function makeClientIdentity(now: Date): Promise<IssuedIdentity> {
  const validity = {
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + validYears * 365 * dayMs),
    publicKeyAlgorithm: "ecdsa-p256",
  } as const;
  const root = await makePrivateRoot({ ...validity, distinguishedName: "O=Rehearsal, CN=Clients of the rehearsal" });
  const { chainPem, privateKeyPem } = await issueUnder(root, {
    ...validity,
    names: ["client.rehearsal.invalid"],
    usage: "clientAuth",
  });
  const certificatePem = chainPem.slice(0, -root.certificatePem.length);
  return { anchorPem: root.certificatePem, certificatePem, privateKeyPem };
}

interface LoopbackCertificate {
  /** The server's certificate chain, in the order in which a server sends it. */
  readonly chainPem: string;
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
    serialNumber: newSerialNumber(),
  });
  // Keeps the certificate valid if the machine's clock is set to a slightly earlier time.
  const notBefore = wholeSecond(new Date(now.getTime() - dayMs));
  const chainPem = await makeServerCertificate({
    signer: root,
    names: ["localhost"],
    addresses: ["127.0.0.1", "::1"],
    publicKey: keyPair.publicKey,
    serialNumber: newSerialNumber(),
    notBefore,
    notAfter: lastSecond(notBefore, validDays),
  });
  return { chainPem, privateKeyPem: exportPrivateKey(keyPair), trustBundlePem: root.certificatePem };
}
