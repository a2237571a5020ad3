import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import type { asn1 } from "node-forge";
import { InputError } from "../errors";

declare module "node-forge" {
  /** Part of the library that its published types omit. */
  namespace pbe {
    function getCipherForPKCS12PBE(oid: string, parameters: asn1.Asn1, password: string): cipher.BlockCipher;
  }
}

/** The highest iteration counts that are accepted. Typical files use 2,048 to 600,000. */
const maxIterations = { pbkdf2: 2_000_000, pkcs12: 100_000 } as const;

const oid = {
  data: "1.2.840.113549.1.7.1",
  encryptedData: "1.2.840.113549.1.7.6",
  certificateBag: "1.2.840.113549.1.12.10.1.3",
  safeContentsBag: "1.2.840.113549.1.12.10.1.6",
  x509Certificate: "1.2.840.113549.1.9.22.1",
  pbes2: "1.2.840.113549.1.5.13",
  pbkdf2: "1.2.840.113549.1.5.12",
} as const;

const digests: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.8": "sha224",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
};

const ciphers: Readonly<Record<string, { readonly name: string; readonly keyLength: number }>> = {
  "2.16.840.1.101.3.4.1.2": { name: "aes-128-cbc", keyLength: 16 },
  "2.16.840.1.101.3.4.1.22": { name: "aes-192-cbc", keyLength: 24 },
  "2.16.840.1.101.3.4.1.42": { name: "aes-256-cbc", keyLength: 32 },
  "1.2.840.113549.3.7": { name: "des-ede3-cbc", keyLength: 24 },
};

type Asn1 = asn1.Asn1;

/**
 * Returns the certificates of a PKCS#12 file (RFC 7292), in DER. Keys in the file are never decrypted.
 *
 * @param passwords tried in turn; contains the empty password
 * @throws InputError `certificate-file-password`, `certificate-file-iterations` if deriving the key would take too
 * long, `certificate-file-unreadable`
 */
export function readPkcs12(der: Uint8Array, passwords: readonly string[]): readonly Uint8Array[] {
  const root = parseDer(der);
  const [, authSafe] = children(root);
  const content = children(children(authSafe)[1])[0];
  const certificates: Uint8Array[] = [];
  for (const info of children(parse(octets(content)))) {
    const [type, wrapped] = children(info);
    if (oidText(type) === oid.data) collect(parse(octets(children(wrapped)[0])), certificates);
    else if (oidText(type) === oid.encryptedData) collect(decrypt(children(wrapped)[0], passwords), certificates);
  }
  return certificates;
}

export function looksLikePkcs12(der: Uint8Array): boolean {
  try {
    const [version, authSafe] = children(parseDer(der));
    return version?.type === forge().asn1.Type.INTEGER && oidText(children(authSafe)[0]) === oid.data;
  } catch {
    return false;
  }
}

function collect(safeContents: Asn1, certificates: Uint8Array[], depth = 0): void {
  for (const bag of children(safeContents)) {
    const [type, wrapped] = children(bag);
    if (oidText(type) === oid.certificateBag) {
      const [kind, value] = children(children(wrapped)[0]);
      if (oidText(kind) === oid.x509Certificate) {
        certificates.push(Buffer.from(octets(children(value)[0]), "binary"));
      }
    } else if (oidText(type) === oid.safeContentsBag && depth < 8) {
      const nested = children(wrapped)[0];
      if (nested !== undefined) collect(nested, certificates, depth + 1);
    }
  }
}

function decrypt(encryptedData: Asn1 | undefined, passwords: readonly string[]): Asn1 {
  const [, info] = children(encryptedData);
  const [, algorithm, ciphertext] = children(info);
  const [method, parameters] = children(algorithm);
  const bytes = octets(ciphertext);
  for (const password of passwords) {
    try {
      const clear =
        oidText(method) === oid.pbes2
          ? decryptPbes2(parameters, bytes, password)
          : decryptPkcs12(oidText(method), parameters, bytes, password);
      return parse(clear);
    } catch (error) {
      // A wrong password appears as invalid padding or an invalid structure.
      if (error instanceof InputError) throw error;
    }
  }
  const message = "it is encrypted and none of the passwords fits; give the right one in a file with --password-file";
  throw new InputError("certificate-file-password", message);
}

function decryptPbes2(parameters: Asn1 | undefined, bytes: string, password: string): string {
  const [derivation, encryption] = children(parameters);
  const [derivationMethod, derivationParameters] = children(derivation);
  if (oidText(derivationMethod) !== oid.pbkdf2) throw unsupported(oidText(derivationMethod));
  const [salt, iterations, ...rest] = children(derivationParameters);
  const count = readCount(iterations, maxIterations.pbkdf2);
  const prf = rest.find(({ type }) => type === forge().asn1.Type.SEQUENCE);
  const digest = prf === undefined ? "sha1" : digests[oidText(children(prf)[0])];
  const [cipherMethod, iv] = children(encryption);
  const cipher = ciphers[oidText(cipherMethod)];
  if (digest === undefined || cipher === undefined) throw unsupported(oidText(cipherMethod));
  const key = pbkdf2Sync(password, Buffer.from(octets(salt), "binary"), count, cipher.keyLength, digest);
  const decipher = createDecipheriv(cipher.name, key, Buffer.from(octets(iv), "binary"));
  return Buffer.concat([decipher.update(Buffer.from(bytes, "binary")), decipher.final()]).toString("binary");
}

/** Decrypts with the legacy methods, for example RC2. OpenSSL has these in a provider that is not loaded. */
function decryptPkcs12(method: string, parameters: Asn1 | undefined, bytes: string, password: string): string {
  readCount(children(parameters)[1], maxIterations.pkcs12);
  const cipher = forge().pbe.getCipherForPKCS12PBE(method, parameters as Asn1, password);
  cipher.update(forge().util.createBuffer(bytes));
  if (!cipher.finish()) throw new Error("wrong padding");
  return cipher.output.getBytes();
}

function readCount(element: Asn1 | undefined, limit: number): number {
  const bytes = Buffer.from(octets(element), "binary");
  const count = bytes.length > 6 ? Number.POSITIVE_INFINITY : bytes.readUIntBE(0, bytes.length);
  if (count <= limit) return count;
  const message = `its key is derived in ${count} rounds and at most ${limit} are worked through; export it again with fewer`;
  throw new InputError("certificate-file-iterations", message);
}

function unsupported(method: string): InputError {
  const what = `it is encrypted by the method ${method}, which is not supported`;
  return new InputError("certificate-file-encryption", `${what}; export it again with AES-256 or 3DES`);
}

function parse(bytes: string): Asn1 {
  return forge().asn1.fromDer(forge().util.createBuffer(bytes), false);
}

export function parseDer(bytes: Uint8Array): Asn1 {
  return parse(Buffer.from(bytes).toString("binary"));
}

export function children(element: Asn1 | undefined): readonly Asn1[] {
  return Array.isArray(element?.value) ? element.value : [];
}

/** Returns the content of an octet string, also if BER splits it into several parts. */
function octets(element: Asn1 | undefined): string {
  if (element === undefined) throw new Error("an element is missing");
  return Array.isArray(element.value) ? element.value.map(octets).join("") : element.value;
}

export function oidText(element: Asn1 | undefined): string {
  return element?.type === forge().asn1.Type.OID && typeof element.value === "string"
    ? forge().asn1.derToOid(element.value)
    : "";
}

/** Loads node-forge, only for PKCS#7 and PKCS#12: loading it takes as long as reading a hundred certificates. */
export function forge(): typeof import("node-forge") {
  return require("node-forge") as typeof import("node-forge");
}
