import type { CertificateMapEntry, KeyMaterial } from "../certificate-manager";
import type { Frontend, FrontendCertificate } from "../compute";
import {
  type CertificateEntries,
  type CertificateEntry,
  directEntries,
  readServerCertificate,
  type ServerCertificate,
} from "../tls";

/** What load balancers ask Certificate Manager. */
export interface CertificateSource {
  entriesOf(map: string): readonly CertificateMapEntry[];
  /** Undefined before a certificate has been issued. */
  keyMaterial(name: string): KeyMaterial | undefined;
}

/** Reads certificates as servers need them, each once for as long as anybody has it. */
export class ServerCertificates {
  readonly #source: CertificateSource;
  readonly #presentsDeleted: boolean;
  readonly #read = new WeakMap<KeyMaterial, ServerCertificate>();

  /** @param presentsDeleted whether what was deleted is still found by who looked before */
  constructor(source: CertificateSource, presentsDeleted: boolean) {
    this.#source = source;
    this.#presentsDeleted = presentsDeleted;
  }

  /** What is presented for a certificate from now on; it is read when a client asks for it. Undefined where there is nothing to present. */
  find(certificate: FrontendCertificate): (() => ServerCertificate | undefined) | undefined {
    if (typeof certificate === "string") {
      const keys = this.#source.keyMaterial(certificate);
      if (keys === undefined) return undefined;
      return () => {
        const isThere = this.#presentsDeleted || this.#source.keyMaterial(certificate) !== undefined;
        return isThere ? this.#readOnce(certificate, keys) : undefined;
      };
    }
    const { sslCertificate, pem, key } = certificate;
    const keys = { chainPem: pem, privateKeyPem: key };
    return () => this.#readOnce(sslCertificate, keys);
  }

  #readOnce(name: string, keys: KeyMaterial): ServerCertificate {
    const known = this.#read.get(keys);
    if (known !== undefined) return known;
    const certificate = readServerCertificate({ name, ...keys });
    this.#read.set(keys, certificate);
    return certificate;
  }
}

/**
 * What a frontend serves from now on: the entries that its map has at this moment with their certificates, or its own certificates. Whatever changes later,
 * a renewal too, has to travel.
 */
export function servedBy(
  frontend: Frontend,
  source: CertificateSource,
  certificates: ServerCertificates,
): CertificateEntries {
  if (frontend.certificateMap === undefined) {
    return directEntries(frontend.certificates.flatMap((certificate) => certificates.find(certificate)?.() ?? []));
  }
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
