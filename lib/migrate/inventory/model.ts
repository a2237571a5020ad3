import type { Problem } from "../../errors";

/** What was found in files; the JSON that `cert-migration inventory --json` prints. */
export interface Inventory {
  /** Leaf certificates in the order in which they were read; the same one in two files is listed twice. */
  readonly certificates: readonly InventoryCertificate[];
  /** Files without a leaf certificate and files that can't be read. */
  readonly errors: readonly InventoryError[];
}

export interface InventoryCertificate {
  /** Path of the file. */
  readonly source: string;
  /** Place among the certificates of the file, from 0. */
  readonly index: number;
  /** DNS names in lower-case A-labels, sorted: the subject alternative names, or the common name where there are none of any kind. */
  readonly domains: readonly string[];
  /** `null` where the subject has none. */
  readonly commonName: string | null;
  readonly issuer: string;
  /** Lower-case hexadecimal without leading zeros. */
  readonly serialNumber: string;
  /** ISO 8601 in UTC. */
  readonly notBefore: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
  /** As in `rsa-2048`, `ecdsa-p256`. */
  readonly keyType: string;
  readonly selfSigned: boolean;
  /** What stands against replacing it, or should be known before. */
  readonly problems: readonly Problem[];
  /** The wildcards among the domains. */
  readonly wildcards: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly mustStaple: boolean;
  /** What its authority validated; `null` where it does not say. */
  readonly validation: "DV" | "OV" | "IV" | "EV" | null;
  /** Lower-case hexadecimal. */
  readonly fingerprintSha256: string;
}

export interface InventoryError {
  readonly source: string;
  readonly message: string;
}
