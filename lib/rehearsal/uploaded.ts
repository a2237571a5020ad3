/** Certificates that a stack uploads with their keys, self-managed. */
import { InputError } from "../errors";
import { targetsOf } from "../live/verify";
import { sourceFromStack } from "../source";
import { certificateBlocksOf } from "../x509";
import { type Block, resourcesOf, type StackJson } from "./stack";

/** Where a resource type has the chain, in PEM. */
const chains: Readonly<Record<string, (block: Block) => readonly unknown[]>> = {
  google_certificate_manager_certificate: ({ self_managed: given }) =>
    blocksOf(given).flatMap(({ pem_certificate: pem, certificate_pem: older }) => [pem, older]),
  google_compute_ssl_certificate: ({ certificate }) => [certificate],
  google_compute_region_ssl_certificate: ({ certificate }) => [certificate],
};

/** Their chains in PEM, as far as the stack itself has them: whoever signed them, clients of a rehearsal trust them. */
export function uploadedChainsOf(stack: StackJson): readonly string[] {
  const found = Object.entries(chains).flatMap(([type, pemsOf]) =>
    Object.values(resourcesOf(stack, type)).flatMap((block) => pemsOf(block)),
  );
  const isPem = (value: unknown): value is string =>
    typeof value === "string" && value.includes("-----BEGIN CERTIFICATE-----");
  return [...new Set(found.filter(isPem).map(certificateBlocksOf))].filter((pem) => pem !== "");
}

/** What the stack's migrations upload for each of the hostnames, leaf and chain in PEM; nothing for those that have other certificates as well. */
export function uploadsByHostname(
  stack: StackJson,
  hostnames: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  // Where load balancers answer is no part of the question, but of each target.
  const somewhere = { ipv4: ["192.0.2.1"], ipv6: [] };
  try {
    const { migrations } = sourceFromStack(JSON.stringify(stack), "the stack");
    const targets = targetsOf(
      migrations.map((migration) => ({ ...migration, addresses: somewhere })),
      hostnames,
    );
    return new Map(targets.flatMap(({ hostname, uploads }) => (uploads === undefined ? [] : [[hostname, uploads]])));
  } catch (error) {
    // Not every stack that can be rehearsed tells of its migrations.
    if (error instanceof InputError) return new Map();
    throw error;
  }
}

function blocksOf(given: unknown): readonly Block[] {
  if (given === undefined || given === null) return [];
  return (Array.isArray(given) ? given : [given]) as readonly Block[];
}
