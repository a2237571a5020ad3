import { compareHostnames, type Hostname, readHostname } from "../../hostnames";
import type { CertificateSpec, MigrationSpec } from "../../plan";
import type { Inventory, InventoryCertificate } from "./model";

export interface SpecFromInventory {
  readonly spec: MigrationSpec;
  /** What was left out or merged, one sentence each. */
  readonly notices: readonly string[];
}

/**
 * The migration that replaces what an inventory found: a managed certificate for each set of names, every name served as before. Names
 * that can't be migrated are left out with a notice. Where two certificates have a name in common, the one that expires last keeps it.
 *
 * @param name identity of the migration
 * @returns nothing where no certificate has a name that can be migrated
 */
export function inventoryToSpec(inventory: Inventory, name: string): SpecFromInventory | undefined {
  const notices: string[] = [];
  const taken = new Map<Hostname, string>();
  const certificates: CertificateSpec[] = [];
  const names = new Set<string>();
  for (const certificate of newestFirst(inventory.certificates)) {
    const domains = migratableNames(certificate, notices);
    const own = domains.filter((domain) => !taken.has(domain));
    const shared = domains.filter((domain) => taken.has(domain));
    if (own.length === 0) {
      if (domains.length > 0)
        notices.push(`${certificate.source}: all its names are in certificates that expire later`);
      continue;
    }
    for (const domain of shared) {
      notices.push(
        `${certificate.source}: ${domain} stays in the certificate of ${taken.get(domain)}, which expires later`,
      );
    }
    for (const domain of own) taken.set(domain, certificate.source);
    certificates.push({ name: freshName(own, names), domains: own });
  }
  if (certificates.length === 0) return undefined;
  const served = [...taken.keys()].sort(compareHostnames);
  return {
    spec: {
      name,
      certificates: certificates.sort((a, b) => compareHostnames(a.name ?? "", b.name ?? "")),
      dns: { kind: "external" },
      mustServe: served,
    },
    notices,
  };
}

function newestFirst(certificates: readonly InventoryCertificate[]): readonly InventoryCertificate[] {
  const rank = ({ notAfter, domains, source }: InventoryCertificate) => [notAfter, domains.length, source] as const;
  return [...certificates].sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    if (left[0] !== right[0]) return left[0] > right[0] ? -1 : 1;
    if (left[1] !== right[1]) return right[1] - left[1];
    return compareHostnames(left[2], right[2]);
  });
}

function migratableNames({ source, domains }: InventoryCertificate, notices: string[]): readonly Hostname[] {
  return domains.flatMap((domain) => {
    const read = readHostname(domain);
    if ("hostname" in read) return [read.hostname];
    notices.push(`${source}: ${read.problem.message}`);
    return [];
  });
}

/** The shortest name, wildcards written as `wildcard.`: it stays when further names join the certificate. */
function freshName(domains: readonly Hostname[], names: Set<string>): string {
  const plain = domains.filter((domain) => !domain.startsWith("*."));
  const [first] = [...(plain.length > 0 ? plain : domains)].sort(
    (a, b) => a.split(".").length - b.split(".").length || a.length - b.length || compareHostnames(a, b),
  );
  const name = (first as string)
    .replace(/^\*\./, "wildcard.")
    .slice(0, 63)
    .replace(/[^a-z0-9]+$/, "");
  let candidate = name;
  for (let copy = 2; names.has(candidate); copy += 1) candidate = `${name.slice(0, 58)}-${copy}`;
  names.add(candidate);
  return candidate;
}
