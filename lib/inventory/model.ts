import type { Finding } from "../findings/finding";
import type { TlsProbeFailure } from "../tls/probe";
import type { InventoryFinding } from "./findings";

/** The results from files and servers; the JSON that `cert-migration inventory --json` prints. */
export interface Inventory {
  /** Leaf certificates, each once however often it was found, in the order of first findings. */
  readonly certificates: readonly InventoryCertificate[];
  /** Files without a leaf certificate and files that cannot be read. The subject is the path. */
  readonly errors: readonly Finding[];
  /**
   * Contents of folders that are not certificates: other files, private keys, links that lead nowhere, pipes and
   * devices. They don't make the inventory incomplete. The subject is the path. Absent if nothing was skipped.
   */
  readonly skipped?: readonly Finding[];
  /** Servers that were checked, in the order of the list; empty if only files were read. */
  readonly hosts: readonly InventoryHost[];
  /** Names of hosts and certificates with their DNS records, sorted; empty if DNS was not queried. */
  readonly names: readonly InventoryName[];
  /** Findings about servers, chains and names. Findings about a certificate are in its `problems`. */
  readonly findings: readonly InventoryFinding[];
}

/** A certificate in files or on servers. */
export interface InventoryCertificate {
  /** Where the certificate was found first: path of the file, or `HOST:PORT`. */
  readonly source: string;
  /** Index of the certificate in the file, from 0; 0 for a server. */
  readonly index: number;
  /**
   * DNS names in lower-case A-labels, sorted: the subject alternative names, or the common name if the certificate has
   * no alternative names of any kind. Names that are not ASCII appear only in `problems`.
   */
  readonly domains: readonly string[];
  /** `null` if the subject has no common name. */
  readonly commonName: string | null;
  readonly issuer: string;
  /** Hexadecimal in lower case without leading zeros; negative numbers begin with `-`. */
  readonly serialNumber: string;
  /** ISO 8601 in UTC. */
  readonly notBefore: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
  /** For example `rsa-2048`, `ecdsa-p256`. */
  readonly keyType: string;
  readonly selfSigned: boolean;
  /** What prevents a replacement, or should be known before it. The subject is `source`. */
  readonly problems: readonly Finding[];
  /** The wildcards among the domains. */
  readonly wildcards: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly mustStaple: boolean;
  /** Validation type that the certificate states; `null` if it states none. */
  readonly validation: "DV" | "OV" | "IV" | "EV" | null;
  /** Lower-case hexadecimal. */
  readonly fingerprintSha256: string;
  /** All places where the certificate was found, `source` first. */
  readonly places: readonly InventoryPlace[];
}

/** Where a certificate was found. */
export type InventoryPlace =
  | { readonly kind: "file"; readonly path: string; readonly index: number }
  /** `host` is `HOST:PORT`; `addresses` served the certificate. */
  | { readonly kind: "host"; readonly host: string; readonly addresses: readonly string[] };

/** A server with the results of each of its addresses. */
export interface InventoryHost {
  /** A hostname in lower-case A-labels, or an IP address. */
  readonly host: string;
  readonly port: number;
  /** Empty if DNS has no addresses or could not be queried. */
  readonly endpoints: readonly InventoryEndpoint[];
}

/** One address of a host, with the certificates that it serves. */
export interface InventoryEndpoint {
  readonly address: string;
  /** Certificates by the key type that the client accepts; two items if the server has two certificates. */
  readonly served: readonly InventoryServed[];
  /**
   * Certificate for clients without SNI. `null` if they get none, or if it was not requested: because nothing was
   * served, or because the host is an address.
   */
  readonly withoutSni: InventoryDefault | null;
  /** Why nothing was served, or why a certificate can't be read; `null` if all that was served can be read. */
  readonly failure: { readonly code: TlsProbeFailure; readonly detail: string } | null;
}

/** A certificate as an address serves it to some clients. */
export interface InventoryServed {
  /** Fingerprint of one of the inventory's certificates. */
  readonly fingerprintSha256: string;
  /** For example `TLSv1.3`. */
  readonly protocol: string;
  /** How the certificate covers the host; `null` if an address was checked without a name. */
  readonly coverage: "exact" | "wildcard" | "none" | null;
  /** Whether the chain leads to a known root and all of its certificates are valid now. */
  readonly trusted: boolean;
  /** The chain in the order in which it was sent, the server's certificate first. */
  readonly chain: readonly InventoryChainLink[];
}

/**
 * The certificate that a server has for clients without SNI. It is not among the inventory's certificates if only these
 * clients get it.
 */
export interface InventoryDefault {
  readonly fingerprintSha256: string;
  /** DNS names in lower-case A-labels, sorted. */
  readonly domains: readonly string[];
  /** How the certificate covers the host that was checked at this address. */
  readonly coverage: "exact" | "wildcard" | "none";
}

/** A certificate of a chain, after the certificate of the server. */
export interface InventoryChainLink {
  /** Distinguished name on one line. */
  readonly subject: string;
  /** Distinguished name on one line. */
  readonly issuer: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
  readonly fingerprintSha256: string;
}

/** A name and its current DNS records. */
export interface InventoryName {
  /** Lower-case A-labels. */
  readonly name: string;
  /** Whether the user listed the name as a host. */
  readonly listed: boolean;
  /** `null` if the records could not be queried. */
  readonly records: NameRecords | null;
}

/** The DNS records of a name: an alias, or addresses. If a cache answered, times to live are the remaining times. */
export interface NameRecords {
  /** The CNAME record of the name itself; `null` if it has none. */
  readonly cname: { readonly target: string; readonly ttlSeconds: number } | null;
  /** IPv4 addresses, after following the alias. */
  readonly a: NameAddresses;
  /** IPv6 addresses, after following the alias. */
  readonly aaaa: NameAddresses;
}

/** The addresses of a name. */
export interface NameAddresses {
  /** Sorted; empty if the name has no addresses. */
  readonly addresses: readonly string[];
  /** Time to live in seconds; `null` if the name has no addresses. */
  readonly ttlSeconds: number | null;
}
