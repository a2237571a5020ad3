import { createPrivateKey, sign } from "node:crypto";
import forge from "node-forge";

export interface MadeCertificate {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

// Making an RSA key takes a sixth of a second, so the certificates of a test run share two.
const keys = [forge.pki.rsa.generateKeyPair(2048), forge.pki.rsa.generateKeyPair(2048)] as const;

/** A certificate with its key, signed by itself. */
export function makeCertificate(
  dnsNames: readonly string[],
  options: {
    readonly notBefore?: Date;
    readonly notAfter?: Date;
    readonly key?: 0 | 1;
    readonly commonName?: string;
  } = {},
): MadeCertificate {
  const pair = keys[options.key ?? 0];
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = pair.publicKey;
  certificate.serialNumber = "0a1b2c";
  certificate.validity.notBefore = options.notBefore ?? new Date("2020-01-01T00:00:00Z");
  certificate.validity.notAfter = options.notAfter ?? new Date("2060-01-01T00:00:00Z");
  const name = [{ name: "commonName", value: options.commonName ?? dnsNames[0] ?? "Somebody" }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  if (dnsNames.length > 0) {
    const altNames = dnsNames.map((value) => ({ type: 2, value }));
    certificate.setExtensions([{ name: "subjectAltName", altNames }]);
  }
  signWith(certificate, pair.privateKey);
  return {
    certificatePem: forge.pki.certificateToPem(certificate),
    privateKeyPem: forge.pki.privateKeyToPem(pair.privateKey),
  };
}

/** Signs with Node's own RSA: 1 ms instead of the 25 ms of the library, which calculates in JavaScript. */
function signWith(certificate: forge.pki.Certificate, key: forge.pki.rsa.PrivateKey): void {
  const signer = {
    sign: () => {
      const signed = forge.asn1.toDer(certificate.tbsCertificate).getBytes();
      return sign("sha256", Buffer.from(signed, "latin1"), forge.pki.privateKeyToPem(key)).toString("latin1");
    },
  };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
}

/** Makes a chain of root, intermediate and certificate: the server's chain, and the root for clients. */
export function makeChain(dnsName: string, intermediateNotAfter: Date): MadeCertificate & { readonly rootPem: string } {
  const make = (commonName: string, issuer: string, pair: number, signer: number, notAfter: Date, isLeaf: boolean) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = keys[pair as 0 | 1].publicKey;
    certificate.serialNumber = `0${commonName.length}`;
    certificate.validity.notBefore = new Date("2020-01-01T00:00:00Z");
    certificate.validity.notAfter = notAfter;
    certificate.setSubject([{ name: "commonName", value: commonName }]);
    certificate.setIssuer([{ name: "commonName", value: issuer }]);
    const altNames = [{ type: 2, value: dnsName }];
    certificate.setExtensions(
      isLeaf ? [{ name: "subjectAltName", altNames }] : [{ name: "basicConstraints", cA: true }],
    );
    signWith(certificate, keys[signer as 0 | 1].privateKey);
    return forge.pki.certificateToPem(certificate);
  };
  const later = new Date("2060-01-01T00:00:00Z");
  const leaf = make(dnsName, "Chain Intermediate", 0, 1, later, true);
  return {
    certificatePem: leaf + make("Chain Intermediate", "Chain Root", 1, 0, intermediateNotAfter, false),
    privateKeyPem: forge.pki.privateKeyToPem(keys[0].privateKey),
    rootPem: make("Chain Root", "Chain Root", 0, 0, later, false),
  };
}

/** Returns the same key, encrypted with a password. */
export function encryptKey(privateKeyPem: string, passphrase: string): string {
  return createPrivateKey(privateKeyPem)
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase })
    .toString();
}
