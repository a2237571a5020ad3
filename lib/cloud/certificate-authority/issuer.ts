import { X509Certificate } from "node:crypto";
import { InputError } from "../../errors";
import { dayMs, lastSecond, makeAuthorityCertificate, makeServerCertificate, wholeSecond } from "./certificates";
import {
  exportPrivateKey,
  importPrivateKey,
  type KeyPair,
  makeKeyPair,
  type PublicKeyAlgorithm,
  type Signer,
} from "./keys";

export interface Issuer extends Signer {
  readonly certificatePem: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface KeptIssuer {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface IssuerParts {
  readonly commonName: string;
  readonly algorithm: PublicKeyAlgorithm;
  readonly keyPair: KeyPair;
  readonly now: Date;
  readonly serialNumber: string;
}

/** Age of issuers at their creation, in days: issuers predate their certificates, which can be expired. */
const ageDays = 365;
const rootDays = 20 * 365;
const intermediateDays = 10 * 365;
const keyKinds = { "ecdsa-p256": "ECDSA", "rsa-2048": "RSA" } as const;

export async function makeRoot({ commonName, algorithm, keyPair, now, serialNumber }: IssuerParts): Promise<Issuer> {
  const root = { commonName: `${commonName} Root ${keyKinds[algorithm]}`, keyPair };
  const dates = validity(now, rootDays);
  const certificatePem = await makeAuthorityCertificate({ signer: root, subject: root, serialNumber, ...dates });
  return { ...root, ...dates, certificatePem };
}

export async function makeIntermediate(
  root: Issuer,
  { commonName, algorithm, keyPair, now, serialNumber }: IssuerParts,
): Promise<Issuer> {
  const { notBefore, notAfter } = validity(now, intermediateDays);
  return signIntermediate(root, { commonName: `${commonName} ${keyKinds[algorithm]}`, keyPair }, serialNumber, {
    notBefore,
    notAfter: notAfter < root.notAfter ? notAfter : root.notAfter,
  });
}

async function signIntermediate(
  root: Issuer,
  subject: Signer,
  serialNumber: string,
  dates: Pick<Issuer, "notBefore" | "notAfter">,
): Promise<Issuer> {
  const parts = { signer: root, subject, pathLength: 0, serialNumber, ...dates };
  return { ...subject, ...dates, certificatePem: await makeAuthorityCertificate(parts) };
}

export function keepIssuer({ certificatePem, keyPair }: Issuer): KeptIssuer {
  return { certificatePem, privateKeyPem: exportPrivateKey(keyPair) };
}

/** Reads an issuer from text. @throws InputError `authority-state-unreadable` */
export function readIssuer({ certificatePem, privateKeyPem }: KeptIssuer): Issuer {
  try {
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
  } catch (cause) {
    const refusal = new InputError(
      "authority-state-unreadable",
      "the stored CA is not a certificate with its key in PEM: restore the file, or start without it",
    );
    refusal.cause = cause;
    throw refusal;
  }
}

function validity(now: Date, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const notBefore = wholeSecond(new Date(now.getTime() - ageDays * dayMs));
  return { notBefore, notAfter: lastSecond(notBefore, days) };
}

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
      makeKeyPair("ecdsa-p256").then((keyPair) => {
        const { notBefore, notAfter } = root;
        const subject = { commonName: issuer, distinguishedName: issuer, keyPair };
        return signIntermediate(root, subject, newSerialNumber(), { notBefore, notAfter });
      });
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
