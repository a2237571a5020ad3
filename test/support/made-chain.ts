import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { bitString, der, octetString, oid, sequence } from "./der";

/** A certificate with its key, which may have issued others. */
export interface ChainCertificate {
  readonly pem: string;
  readonly keyPem: string;
  readonly der: Buffer;
  readonly subject: Buffer;
}

export interface ChainRequest {
  readonly commonName: string;
  /** Subject alternative names. @default - none */
  readonly names?: readonly string[];
  /** @default - itself */
  readonly issuer?: ChainCertificate;
  /** @default false */
  readonly isAuthority?: boolean;
  /** Certificate with the same key, for cross-signed certificates. @default - a new key */
  readonly of?: ChainCertificate;
  /** @default "ec" */
  readonly keyType?: "ec" | "rsa" | "rsa-1024";
  /** @default - an hour ago */
  readonly notBefore?: Date;
  /** @default - in a hundred days */
  readonly notAfter?: Date;
  /** Extended key usages by object identifier. @default - none */
  readonly usages?: readonly string[];
  /** Policies by object identifier. @default - none */
  readonly policies?: readonly string[];
  /** @default false */
  readonly mustStaple?: boolean;
  /** Domains of the name constraints. @default - none */
  readonly constraints?: { readonly permitted?: readonly string[]; readonly excluded?: readonly string[] };
  /** @default - none */
  readonly organization?: string;
}

const dayMs = 86_400_000;
let rsaKey: KeyObject | undefined;

/** Makes a certificate of a chain, valid or invalid. */
export function makeChainCertificate(request: ChainRequest): ChainCertificate {
  const {
    commonName,
    names = [],
    issuer,
    isAuthority = false,
    policies = [],
    usages = [],
    mustStaple = false,
    constraints,
  } = request;
  const privateKey = privateKeyFor(request);
  const publicKey = publicOf(privateKey);
  const utf8 = (text: string) => der(0x0c, Buffer.from(text));
  const attribute = (type: string, text: string) => der(0x31, sequence(oid(type), utf8(text)));
  const subject = sequence(
    ...(request.organization === undefined ? [] : [attribute("2.5.4.10", request.organization)]),
    attribute("2.5.4.3", commonName),
  );
  const signer = issuer === undefined ? privateKey : createPrivateKey(issuer.keyPem);
  const algorithm =
    signer.asymmetricKeyType === "rsa"
      ? sequence(oid("1.2.840.113549.1.1.11"), der(0x05))
      : sequence(oid("1.2.840.10045.4.3.2"));
  const extension = (type: string, value: Buffer) => sequence(oid(type), octetString(value));
  const small = (value: number) => der(0x02, Buffer.from([value]));
  const extensions = [
    ...(names.length > 0
      ? [extension("2.5.29.17", sequence(...names.map((name) => der(0x82, Buffer.from(name, "latin1")))))]
      : []),
    ...(isAuthority ? [extension("2.5.29.19", sequence(der(0x01, Buffer.from([0xff]))))] : []),
    ...(usages.length > 0 ? [extension("2.5.29.37", sequence(...usages.map((id) => oid(id))))] : []),
    ...(policies.length > 0 ? [extension("2.5.29.32", sequence(...policies.map((id) => sequence(oid(id)))))] : []),
    ...(constraints === undefined ? [] : [extension("2.5.29.30", constraintsOf(constraints))]),
    ...(mustStaple ? [extension("1.3.6.1.5.5.7.1.24", sequence(small(5)))] : []),
  ];
  const signed = sequence(
    der(0xa0, small(2)),
    der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    algorithm,
    issuer?.subject ?? subject,
    sequence(
      time(request.notBefore ?? new Date(Date.now() - 3_600_000)),
      time(request.notAfter ?? new Date(Date.now() + 100 * dayMs)),
    ),
    subject,
    publicKey,
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const made = sequence(signed, algorithm, bitString(sign("sha256", signed, signer)));
  const lines = made.toString("base64").match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  return { pem, keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), der: made, subject };
}

function constraintsOf({ permitted = [], excluded = [] }: NonNullable<ChainRequest["constraints"]>): Buffer {
  const subtrees = (domains: readonly string[]) =>
    Buffer.concat(domains.map((domain) => sequence(der(0x82, Buffer.from(domain)))));
  return sequence(
    ...(permitted.length > 0 ? [der(0xa0, subtrees(permitted))] : []),
    ...(excluded.length > 0 ? [der(0xa1, subtrees(excluded))] : []),
  );
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, "")}Z`));
}

function privateKeyFor({ of, keyType }: ChainRequest): KeyObject {
  if (of !== undefined) return createPrivateKey(of.keyPem);
  if (keyType === "rsa-1024") return generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  return keyType === "rsa" ? sharedRsaKey() : generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

function sharedRsaKey(): KeyObject {
  rsaKey ??= generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  return rsaKey;
}

function publicOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: "spki", format: "der" });
}
