import { randomBytes } from "node:crypto";
import { makeAuthorityCertificate, makeServerCertificate } from "./certificates";
import { type KeptIssuer, readIssuer } from "./issuer";
import { exportPrivateKey, makeKeyPair, type PublicKeyAlgorithm } from "./keys";
import { wholeSecond } from "./validity";

/** The root of a private CA in text form. */
export interface PrivateRoot extends KeptIssuer {
  /** Distinguished name on one line, for example `O=Example, CN=Example Root`. */
  readonly distinguishedName: string;
  /** RFC 3339. */
  readonly notAfter: string;
}

/** A period of validity. */
interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Creates the root of a private CA with a new key. */
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
    /** @default "serverAuth" */
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

/** Returns 126 random bits after two fixed bits, as for the cloud's own CA. */
function newSerialNumber(): string {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] as number) & 0x3f) | 0x40;
  return octets.toString("hex");
}
