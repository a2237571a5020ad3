/** Reads the self-managed certificates that a stack uploads with their keys. */
import { targetsOf } from "../live/verify";
import type { SourceMigration } from "../source";
import { certificateBlocksOf } from "../x509";
import { type Block, resourcesOf, type StackJson } from "./stack";

/** Functions that read the chain in PEM, by resource type. */
const chains: Readonly<Record<string, (block: Block) => readonly unknown[]>> = {
  google_certificate_manager_certificate: ({ self_managed: given }) =>
    blocksOf(given).flatMap(({ pem_certificate: pem, certificate_pem: formerPem }) => [pem, formerPem]),
  google_compute_ssl_certificate: ({ certificate }) => [certificate],
  google_compute_region_ssl_certificate: ({ certificate }) => [certificate],
};

/**
 * Returns the chains in PEM that the stack itself contains. Clients of a rehearsal trust them, whichever CA signed
 * them.
 */
export function uploadedChainsOf(stack: StackJson): readonly string[] {
  const found = Object.entries(chains).flatMap(([type, pemsOf]) =>
    Object.values(resourcesOf(stack, type)).flatMap((block) => pemsOf(block)),
  );
  const isPem = (value: unknown): value is string =>
    typeof value === "string" && value.includes("-----BEGIN CERTIFICATE-----");
  return [...new Set(found.filter(isPem).map(certificateBlocksOf))].filter((pem) => pem !== "");
}

/**
 * Returns the certificates that migrations upload for each hostname, leaf and chain in PEM. Hostnames that also have
 * other certificates are omitted.
 */
export function uploadsByHostname(
  migrations: readonly SourceMigration[],
  hostnames: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  // The addresses do not affect the uploads, but every target needs one.
  const addresses = { ipv4: ["192.0.2.1"], ipv6: [] };
  const targets = targetsOf(
    migrations.map((migration) => ({ ...migration, addresses })),
    hostnames,
  );
  return new Map(targets.flatMap(({ hostname, uploads }) => (uploads === undefined ? [] : [[hostname, uploads]])));
}

function blocksOf(given: unknown): readonly Block[] {
  if (given === undefined || given === null) return [];
  return (Array.isArray(given) ? given : [given]) as readonly Block[];
}
