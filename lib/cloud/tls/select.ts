import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import { type CertificateFacts, readCertificateChain } from "../../x509";
import type { ClientHello } from "./client-hello";
import { acceptsKeyType } from "./key-types";

/** A certificate with its key, as a server needs it. {@link readServerCertificate} makes one. */
export interface ServerCertificate {
  /** What it is reported under, as in the name of its resource. */
  readonly name: string;
  /** The server's certificate and its intermediates. */
  readonly chainPem: string;
  readonly privateKeyPem: string;
  /** As in `rsa-2048` and `ecdsa-p256`. */
  readonly keyType: string;
  /** Length of the server's certificate in octets. */
  readonly octets: number;
  /** Names that it is for. */
  readonly dnsNames: readonly string[];
}

/** One place where certificates are looked for. */
export interface CertificateEntry {
  readonly certificates: readonly ServerCertificate[];
}

/** What a proxy serves: the entries of a certificate map, or what {@link directEntries} makes of certificates without one. */
export interface CertificateEntries {
  /** By host name in lower case; a wildcard is under its own name, as in `*.example.com`. */
  readonly byHostname: { readonly get: (hostname: string) => CertificateEntry | undefined };
  /** For clients that name no host, or one without entry. */
  readonly primary?: CertificateEntry | undefined;
}

/** A certificate, or why there is none. */
export type Selection = { readonly certificate: ServerCertificate } | { readonly refusal: SelectionRefusal };

/**
 * `no-entry`: nothing leads from the name to a certificate, and nothing is PRIMARY. `no-certificate`: the entry that counts has none that is
 * ready. `no-accepted-certificate`: the client can check none of that entry's.
 */
export type SelectionRefusal = "no-entry" | "no-certificate" | "no-accepted-certificate";

/**
 * Chooses as the service does: the entry of the host name, else the one of the wildcard over its first label, else PRIMARY, else none. Among that
 * entry's certificates only such as the client can check count, ECDSA before RSA, then the smaller before the larger, then the first.
 *
 * The first entry that is found decides: one without a certificate for the client is no reason to look further.
 */
export function selectCertificate(hello: ClientHello, { byHostname, primary }: CertificateEntries): Selection {
  const entry = (hello.serverName === undefined ? undefined : find(byHostname, hello.serverName)) ?? primary;
  if (entry === undefined) return { refusal: "no-entry" };
  if (entry.certificates.length === 0) return { refusal: "no-certificate" };
  let best: ServerCertificate | undefined;
  for (const certificate of entry.certificates) {
    if (!acceptsKeyType(hello, certificate.keyType)) continue;
    if (best === undefined || isPreferred(certificate, best)) best = certificate;
  }
  return best === undefined ? { refusal: "no-accepted-certificate" } : { certificate: best };
}

function find(byHostname: CertificateEntries["byHostname"], hostname: string): CertificateEntry | undefined {
  const parent = hostname.indexOf(".");
  return byHostname.get(hostname) ?? (parent > 0 ? byHostname.get(`*${hostname.slice(parent)}`) : undefined);
}

function isPreferred(one: ServerCertificate, other: ServerCertificate): boolean {
  const [oneIsEcdsa, otherIsEcdsa] = [one, other].map(({ keyType }) => keyType.startsWith("ecdsa-"));
  return oneIsEcdsa === otherIsEcdsa ? one.octets < other.octets : oneIsEcdsa === true;
}

/** The entries of certificates that hang on a proxy without a map: each under its own names, and the first for everybody else. */
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

/**
 * Reads what selection needs to know from the certificate itself.
 *
 * @throws InputError `server-certificate-unreadable`
 */
export function readServerCertificate(given: {
  readonly name: string;
  readonly chainPem: string;
  readonly privateKeyPem: string;
}): ServerCertificate {
  const { leaf } = readCertificateChain(given.chainPem);
  if (leaf === undefined) {
    throw new InputError(
      "server-certificate-unreadable",
      `'chainPem' of ${quote(given.name)} holds no server's certificate in PEM: give the certificate, then its intermediates`,
    );
  }
  return { ...given, keyType: leaf.keyType, octets: octetsOf(leaf), dnsNames: leaf.dnsNames };
}

function octetsOf({ pem }: CertificateFacts): number {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64").length;
}
