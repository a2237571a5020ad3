import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { readCertificateChain } from "../../x509";
import type { ClientHello } from "./client-hello";
import { acceptsKeyType } from "./key-types";

/** A server's certificate with its key. {@link readServerCertificate} creates it. */
export interface ServerCertificate {
  /** Name in reports, for example the name of its resource. */
  readonly name: string;
  readonly chainPem: string;
  readonly privateKeyPem: string;
  /** Kind of key, for example `rsa-2048` and `ecdsa-p256`. */
  readonly keyType: string;
  /** Length of the server's certificate in octets. */
  readonly octets: number;
  readonly dnsNames: readonly string[];
}

export interface CertificateEntry {
  readonly certificates: readonly ServerCertificate[];
}

/**
 * Certificates of a proxy: the entries of its map, or the result of {@link directEntries} for a proxy without a map.
 */
export interface CertificateEntries {
  /** Entries by hostname in lower case; a wildcard has its own name as the key, for example `*.example.com`. */
  readonly byHostname: { readonly get: (hostname: string) => CertificateEntry | undefined };
  readonly primary?: CertificateEntry | undefined;
}

export type CertificateSelection = { readonly certificate: ServerCertificate } | { readonly refusal: SelectionRefusal };

/**
 * Reasons without a certificate.
 * - `no-entry`: no entry matches the hostname, and the map lacks a PRIMARY entry.
 * - `no-certificate`: the matching entry has no certificate that is ready.
 * - `no-accepted-certificate`: the client supports no certificate of the matching entry.
 */
export type SelectionRefusal = "no-entry" | "no-certificate" | "no-accepted-certificate";

/**
 * Selects a certificate as the service does. The entry is the first match of: the hostname, the wildcard for its first
 * label, PRIMARY. Among the entry's certificates that the client supports, ECDSA precedes RSA, then the smaller
 * certificate, then the first.
 *
 * Only the first matching entry counts, even if it has no certificate for the client.
 */
export function selectCertificate(hello: ClientHello, entries: CertificateEntries): CertificateSelection {
  const entry = entryFor(hello.serverName, entries);
  if (entry === undefined) return { refusal: "no-entry" };
  if (entry.certificates.length === 0) return { refusal: "no-certificate" };
  let best: ServerCertificate | undefined;
  for (const certificate of entry.certificates) {
    if (!acceptsKeyType(hello, certificate.keyType)) continue;
    if (best === undefined || isPreferred(certificate, best)) best = certificate;
  }
  return best === undefined ? { refusal: "no-accepted-certificate" } : { certificate: best };
}

/** Returns the entry for a hostname: the first match of the hostname, the wildcard for its first label, PRIMARY. */
export function entryFor(
  hostname: string | undefined,
  { byHostname, primary }: CertificateEntries,
): CertificateEntry | undefined {
  if (hostname === undefined) return primary;
  const parent = hostname.indexOf(".");
  const wildcard = parent > 0 ? `*${hostname.slice(parent)}` : undefined;
  return byHostname.get(hostname) ?? (wildcard === undefined ? undefined : byHostname.get(wildcard)) ?? primary;
}

function isPreferred(left: ServerCertificate, right: ServerCertificate): boolean {
  const [oneIsEcdsa, otherIsEcdsa] = [left, right].map(({ keyType }) => keyType.startsWith("ecdsa-"));
  return oneIsEcdsa === otherIsEcdsa ? left.octets < right.octets : oneIsEcdsa === true;
}

/**
 * Returns the entries of certificates that are attached to a proxy directly: each certificate under its own names, and
 * the first as PRIMARY.
 */
export function directEntries(certificates: readonly ServerCertificate[]): CertificateEntries {
  const byHostname = new Map<string, { readonly certificates: ServerCertificate[] }>();
  for (const certificate of certificates) {
    for (const name of certificate.dnsNames) {
      const entry = byHostname.get(name);
      if (entry === undefined) byHostname.set(name, { certificates: [certificate] });
      else entry.certificates.push(certificate);
    }
  }
  const [first] = certificates;
  return { byHostname, ...(first === undefined ? {} : { primary: { certificates: [first] } }) };
}

/** Reads the properties for the selection from the certificate. @throws InputError `server-certificate-unreadable` */
export function readServerCertificate(given: {
  readonly name: string;
  readonly chainPem: string;
  readonly privateKeyPem: string;
}): ServerCertificate {
  const { leaf } = readCertificateChain(given.chainPem);
  if (leaf === undefined)
    throw new InputError(
      "server-certificate-unreadable",
      `'chainPem' of ${quote(given.name)} holds no server's certificate in PEM: give the certificate, then its intermediates`,
    );
  const octets = Buffer.from(leaf.pem.replace(/-----[^-]+-----|\s/g, ""), "base64").length;
  return { ...given, keyType: leaf.keyType, octets, dnsNames: leaf.dnsNames };
}
