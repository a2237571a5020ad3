import type { Problem } from "../errors";
import type { InventoryFinding } from "./findings";

/** What was found in files and on servers; the JSON that `cert-migration inventory --json` prints. */
export interface Inventory {
  /** Leaf certificates, each once however often it was found, in the order in which they were. */
  readonly certificates: readonly InventoryCertificate[];
  /** Files without a leaf certificate and files that can't be read. */
  readonly errors: readonly InventoryError[];
  /** Servers that were asked, in the order of the list; empty where only files were read. */
  readonly hosts: readonly InventoryHost[];
  /** Names of hosts and certificates with what DNS has of them, sorted; empty where DNS was not asked. */
  readonly names: readonly InventoryName[];
  /** What is to be known of servers, chains and names; what is to be known of a certificate is among its problems. */
  readonly findings: readonly InventoryFinding[];
}

export interface InventoryCertificate {
  /** Where it was found first: path of the file, or `HOST:PORT`. */
  readonly source: string;
  /** Place among the certificates of the file, from 0; 0 for a server. */
  readonly index: number;
  /**
   * DNS names in lower-case A-labels, sorted: the subject alternative names, or the common name where there are none of any kind. Names that are not in
   * ASCII are among the problems alone.
   */
  readonly domains: readonly string[];
  /** `null` where the subject has none. */
  readonly commonName: string | null;
  readonly issuer: string;
  /** Hexadecimal in lower case without leading zeros, `-` before a negative one. */
  readonly serialNumber: string;
  /** ISO 8601 in UTC. */
  readonly notBefore: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
  /** As in `rsa-2048`, `ecdsa-p256`. */
  readonly keyType: string;
  readonly selfSigned: boolean;
  /** What stands against replacing it, or should be known before. */
  readonly problems: readonly CertificateProblem[];
  /** The wildcards among the domains. */
  readonly wildcards: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly mustStaple: boolean;
  /** What its authority validated; `null` where it does not say. */
  readonly validation: "DV" | "OV" | "IV" | "EV" | null;
  /** Lower-case hexadecimal. */
  readonly fingerprintSha256: string;
  /** Everywhere it was found, `source` first. */
  readonly places: readonly InventoryPlace[];
}

/** What is odd about a certificate. */
export interface CertificateProblem extends Problem {
  /** `error`: clients fail with it today. `warning`: decide before the migration. `info`: good to know. */
  readonly severity: "error" | "warning" | "info";
  readonly remedy: string;
}

/** Where a certificate was found. */
export type InventoryPlace =
  | { readonly kind: "file"; readonly path: string; readonly index: number }
  /** `host` is `HOST:PORT`; the addresses are those that served it. */
  | { readonly kind: "host"; readonly host: string; readonly addresses: readonly string[] };

export interface InventoryError {
  readonly source: string;
  /** As of a problem. */
  readonly code: string;
  readonly message: string;
}

/** A server, and what each of its addresses did. */
export interface InventoryHost {
  /** A host name in lower-case A-labels, or an IP address. */
  readonly host: string;
  readonly port: number;
  /** Empty where DNS has none or could not be asked. */
  readonly endpoints: readonly InventoryEndpoint[];
}

export interface InventoryEndpoint {
  readonly address: string;
  /** What clients get that can check one kind of key only; two items where the server holds two certificates. */
  readonly served: readonly InventoryServed[];
  /** What clients get that name no host (SNI); `null` where they get nothing, or it was not asked: where nothing was served, and of hosts that are addresses. */
  readonly withoutSni: InventoryDefault | null;
  /** Why nothing was served; `null` where something was. */
  readonly failure: { readonly code: EndpointFailure; readonly detail: string } | null;
}

/** `not-asked`: the run ended before. */
export type EndpointFailure =
  | "connection-refused"
  | "unreachable"
  | "timeout"
  | "plaintext-answer"
  | "handshake-refused"
  | "not-asked";

export interface InventoryServed {
  /** Of one of the inventory's certificates. */
  readonly fingerprintSha256: string;
  /** As in `TLSv1.3`. */
  readonly protocol: string;
  /** How the certificate is for the host; `null` where an address was asked without a name. */
  readonly coverage: "exact" | "wildcard" | "none" | null;
  /** Whether its chain leads to a root that is known here and all of it is valid now. */
  readonly trusted: boolean;
  /** The chain in the order in which it was sent, the server's certificate first. */
  readonly chain: readonly InventoryChainLink[];
}

/** The certificate that a server has for clients that name no host; not among the inventory's certificates where it is served to nobody else. */
export interface InventoryDefault {
  readonly fingerprintSha256: string;
  /** DNS names in lower-case A-labels, sorted. */
  readonly domains: readonly string[];
  /** How it is for the host that was asked there. */
  readonly coverage: "exact" | "wildcard" | "none";
}

export interface InventoryChainLink {
  /** Distinguished name on one line. */
  readonly subject: string;
  /** Distinguished name on one line. */
  readonly issuer: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
  readonly fingerprintSha256: string;
}

/** A name and what DNS has of it today. */
export interface InventoryName {
  /** Lower-case A-labels. */
  readonly name: string;
  /** Whether somebody named it as a host to ask. */
  readonly listed: boolean;
  /** `null` where nobody could say. */
  readonly records: NameRecords | null;
}

/** What DNS has of a name: an alias, or addresses. Where a cache was asked, times are what is left of them. */
export interface NameRecords {
  /** Where the name itself is a CNAME. */
  readonly cname: { readonly target: string; readonly ttlSeconds: number } | null;
  /** IPv4 addresses, the alias followed. */
  readonly a: NameAddresses;
  /** IPv6 addresses, the alias followed. */
  readonly aaaa: NameAddresses;
}

export interface NameAddresses {
  /** Sorted; empty where there are none. */
  readonly addresses: readonly string[];
  /** `null` where there are none. */
  readonly ttlSeconds: number | null;
}
