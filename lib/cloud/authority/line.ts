import { X509Certificate } from "node:crypto";
import { InputError } from "../../errors";
import { makeAuthorityCertificate, type Signer } from "./certificates";
import { exportPrivateKey, importPrivateKey, type KeyPair, type PublicKeyAlgorithm } from "./keys";
import { dayMs, lastSecond, wholeSecond } from "./validity";

/** A root and the intermediate that issues in its name, all of one kind of key. */
export interface Line {
  readonly root: LineSigner;
  readonly intermediate: LineSigner;
}

interface LineSigner extends Signer {
  readonly certificatePem: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A {@link Line} as text. */
export interface KeptLine {
  readonly root: KeptSigner;
  readonly intermediate: KeptSigner;
}

interface KeptSigner {
  readonly certificatePem: string;
  /** PKCS #8. */
  readonly privateKeyPem: string;
}

/** Authorities are older than what they issue, so that a certificate can be one that has expired. */
const ageDays = 365;
const rootDays = 20 * 365;
const intermediateDays = 10 * 365;
const keyKinds = { "ecdsa-p256": "ECDSA", "rsa-2048": "RSA" } as const;

/** Signs the two certificates of a new line. */
export async function makeLine({
  algorithm,
  commonName,
  now,
  keyPairs,
  serialNumber,
}: {
  readonly algorithm: PublicKeyAlgorithm;
  readonly commonName: string;
  readonly now: Date;
  readonly keyPairs: readonly [root: KeyPair, intermediate: KeyPair];
  readonly serialNumber: () => string;
}): Promise<Line> {
  const notBefore = wholeSecond(new Date(now.getTime() - ageDays * dayMs));
  const kind = keyKinds[algorithm];
  const root = { commonName: `${commonName} Root ${kind}`, keyPair: keyPairs[0] };
  const intermediate = { commonName: `${commonName} ${kind}`, keyPair: keyPairs[1] };
  const rootDates = { notBefore, notAfter: lastSecond(notBefore, rootDays) };
  const intermediateDates = { notBefore, notAfter: lastSecond(notBefore, intermediateDays) };
  const [rootPem, intermediatePem] = await Promise.all([
    makeAuthorityCertificate({ signer: root, subject: root, serialNumber: serialNumber(), ...rootDates }),
    makeAuthorityCertificate({
      signer: root,
      subject: intermediate,
      pathLength: 0,
      serialNumber: serialNumber(),
      ...intermediateDates,
    }),
  ]);
  return {
    root: { ...root, ...rootDates, certificatePem: rootPem },
    intermediate: { ...intermediate, ...intermediateDates, certificatePem: intermediatePem },
  };
}

export function keepLine({ root, intermediate }: Line): KeptLine {
  return { root: keep(root), intermediate: keep(intermediate) };
}

/** @throws InputError `authority-state-unreadable` */
export function readLine(kept: KeptLine): Line {
  try {
    return { root: read(kept.root), intermediate: read(kept.intermediate) };
  } catch (cause) {
    const refusal = new InputError(
      "authority-state-unreadable",
      "the kept authority is no pair of certificates and keys in PEM: bring back what was written, or begin without it",
    );
    refusal.cause = cause;
    throw refusal;
  }
}

function keep({ certificatePem, keyPair }: LineSigner): KeptSigner {
  return { certificatePem, privateKeyPem: exportPrivateKey(keyPair) };
}

function read({ certificatePem, privateKeyPem }: KeptSigner): LineSigner {
  const certificate = new X509Certificate(certificatePem);
  const keyPair = importPrivateKey(privateKeyPem);
  if (!certificate.checkPrivateKey(keyPair.privateKey)) throw new Error("the key is another certificate's");
  return {
    commonName: certificate.subject.replace(/^CN=/, ""),
    keyPair,
    certificatePem,
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
  };
}
