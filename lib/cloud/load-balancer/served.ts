import type { CertificateMapEntry, KeyMaterial } from "../certificate-manager";
import type { Frontend, FrontendCertificate } from "../compute";
import {
  type CertificateEntries,
  type CertificateEntry,
  directEntries,
  readServerCertificate,
  type ServerCertificate,
} from "../tls";

export interface CertificateSource {
  entriesOf(map: string): readonly CertificateMapEntry[];
  /** Returns the chain and key of a certificate; undefined before its issuance. */
  keyMaterial(name: string): KeyMaterial | undefined;
}

interface ServerCertificatesOptions {
  /** Whether an earlier result of {@link ServerCertificates.find} still returns a certificate after its deletion. */
  readonly presentsDeleted: boolean;
}

/** Reads certificates in the format of servers, and caches each while it is in use. */
export class ServerCertificates {
  readonly #source: CertificateSource;
  readonly #presentsDeleted: boolean;
  /** By the key material, or by the certificate of Compute Engine itself. */
  readonly #read = new WeakMap<object, ServerCertificate>();

  constructor(source: CertificateSource, { presentsDeleted }: ServerCertificatesOptions) {
    this.#source = source;
    this.#presentsDeleted = presentsDeleted;
  }

  /**
   * Returns a function that returns the present chain of a certificate and reads it at the first request of a client.
   * Returns undefined if the certificate has no chain yet.
   */
  find(certificate: FrontendCertificate): (() => ServerCertificate | undefined) | undefined {
    if (typeof certificate === "string") {
      const keys = this.#source.keyMaterial(certificate);
      if (keys === undefined) return undefined;
      return () => {
        const isThere = this.#presentsDeleted || this.#source.keyMaterial(certificate) !== undefined;
        return isThere ? this.#readOnce(certificate, keys, keys) : undefined;
      };
    }
    const { sslCertificate, pem, key } = certificate;
    const keys = { chainPem: pem, privateKeyPem: key };
    return () => this.#readOnce(sslCertificate, keys, certificate);
  }

  /** @param identity object that stays the same as long as the certificate does */
  #readOnce(name: string, keys: KeyMaterial, identity: object): ServerCertificate {
    const known = this.#read.get(identity);
    if (known !== undefined) return known;
    const certificate = readServerCertificate({ name, ...keys });
    this.#read.set(identity, certificate);
    return certificate;
  }
}

/**
 * Returns the certificates that a frontend serves from now on: the present entries of its map, or the certificates
 * attached directly. Later changes, including renewals, are not included until the next call.
 */
export function servedBy(
  frontend: Frontend,
  source: CertificateSource,
  certificates: ServerCertificates,
): CertificateEntries {
  if (frontend.certificateMap === undefined)
    return directEntries(frontend.certificates.flatMap((certificate) => certificates.find(certificate)?.() ?? []));
  type Found = readonly (() => ServerCertificate | undefined)[];
  const names = new Map<string, Found>();
  let primary: Found | undefined;
  for (const entry of source.entriesOf(frontend.certificateMap)) {
    const found = entry.certificates.flatMap((name) => certificates.find(name) ?? []);
    if (entry.hostname === undefined) primary = found;
    else names.set(entry.hostname, found);
  }
  const entryOf = (found: Found | undefined): CertificateEntry | undefined =>
    found && { certificates: found.flatMap((read) => read() ?? []) };
  return {
    byHostname: { get: (hostname) => entryOf(names.get(hostname)) },
    get primary() {
      return entryOf(primary);
    },
  };
}
