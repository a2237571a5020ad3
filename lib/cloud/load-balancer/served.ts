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

/** Certificates as servers need them, read once for each key that they had. */
export class ServerCertificates {
  readonly #source: CertificateSource;
  readonly #read = new Map<string, { readonly keys: KeyMaterial; readonly certificate: ServerCertificate }>();

  constructor(source: CertificateSource) {
    this.#source = source;
  }

  /** Undefined where there is nothing to present. */
  find(certificate: FrontendCertificate): ServerCertificate | undefined {
    if (typeof certificate === "string") return this.#prepared(certificate, this.#source.keyMaterial(certificate));
    const { sslCertificate, pem, key } = certificate;
    return this.#prepared(sslCertificate, { chainPem: pem, privateKeyPem: key });
  }

  #prepared(name: string, keys: KeyMaterial | undefined): ServerCertificate | undefined {
    if (keys === undefined) return undefined;
    const known = this.#read.get(name);
    if (known?.keys.chainPem === keys.chainPem) return known.certificate;
    const certificate = readServerCertificate({ name, ...keys });
    this.#read.set(name, { keys, certificate });
    return certificate;
  }
}

/**
 * What a frontend serves from now on: the entries that its map has at this moment, or its own certificates. Certificates are looked at when a client
 * asks for them, so that a renewal needs no new copy; one that has been deleted since is presented still, as that is a change that has to travel as well.
 */
export function servedBy(
  frontend: Frontend,
  source: CertificateSource,
  certificates: ServerCertificates,
): CertificateEntries {
  if (frontend.certificateMap === undefined) {
    return directEntries(frontend.certificates.flatMap((certificate) => certificates.find(certificate) ?? []));
  }
  const names = new Map<string, readonly string[]>();
  let primary: readonly string[] | undefined;
  for (const entry of source.entriesOf(frontend.certificateMap)) {
    if (entry.hostname === undefined) primary = entry.certificates;
    else names.set(entry.hostname, entry.certificates);
  }
  const seen = new Map([...names.values(), primary ?? []].flat().map((name) => [name, certificates.find(name)]));
  const entryOf = (of: readonly string[] | undefined): CertificateEntry | undefined =>
    of && { certificates: of.flatMap((name) => certificates.find(name) ?? seen.get(name) ?? []) };
  return {
    byHostname: { get: (hostname) => entryOf(names.get(hostname)) },
    get primary() {
      return entryOf(primary);
    },
  };
}
