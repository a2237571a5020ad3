/** Migrations of regional and internal proxies, which take certificates directly instead of a certificate map. */
import { compareHostnames } from "../../hostnames";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import { directKind, type LoadBalancerKind, type MigrationSpec, traitsOf } from "../../plan";
import type { ProjectForwardingRule, ProjectInventory, ProjectProxy } from "../../project-inventory";
import { certificatesOf, dnsOf, groupNames, type ProjectMigrationOptions, servedDomains } from "./migration-parts";
import { wereRead } from "./unread";

/** The migration of the proxies of one kind in one region. */
export interface DirectProjectMigration {
  /** Region and kind: `europe-west6`, `europe-west6-internal`, or `internal` for cross-region load balancers. */
  readonly place: string;
  /** @default - none: no name of the proxies can be migrated; `notices` has the reasons */
  readonly spec?: MigrationSpec;
  /** What was left out or needs attention, one sentence each. */
  readonly notices: readonly string[];
}

interface Member {
  readonly proxy: ProjectProxy;
  readonly addresses: readonly string[];
  readonly kind: LoadBalancerKind;
  readonly place: string;
}

/**
 * Returns a migration for each region and kind of the regional and internal target HTTPS proxies of a project that
 * present certificates of Compute Engine. The new certificates are in the location of the proxies. The configuration
 * that owns each proxy attaches them in place, so traffic does not move.
 *
 * @param options `name` is the beginning of each name; the place follows
 */
export function projectToDirectMigrations(
  inventory: ProjectInventory,
  options: Pick<ProjectMigrationOptions, "name" | "group" | "caPool" | "now">,
): readonly DirectProjectMigration[] {
  const places = groupBy(directMembers(inventory), ({ place }) => place);
  return [...places.entries()]
    .sort(([left], [right]) => compareHostnames(left, right))
    .map(([place, members]) => ({
      place,
      ...toMigration(inventory, members, { ...options, name: `${options.name}-${place}` }),
    }));
}

function toMigration(
  inventory: ProjectInventory,
  members: readonly Member[],
  { name, group = "certificate", caPool, now }: Pick<ProjectMigrationOptions, "name" | "group" | "caPool" | "now">,
): Omit<DirectProjectMigration, "place"> {
  const notices: string[] = [];
  const [first] = members;
  if (first === undefined) return { notices };
  const { kind, proxy } = first;
  const { region } = proxy;
  const presented = new Set(members.flatMap((member) => member.proxy.certificateIds));
  const today = inventory.certificates.filter(({ id }) => presented.has(id));
  const served = servedDomains(today, caPool, now, notices);
  const names = [...served.values()].flat().sort(compareHostnames);
  if (names.length === 0) return { notices };
  const place = { scope: traitsOf(kind).certificateScope, ...defined({ region }) };
  const certificates = certificatesOf(groupNames(served, group), caPool, inventory, now, notices, place);
  for (const member of members) {
    notices.push(`${member.proxy.id}: attach the new certificates in the configuration that owns it`);
  }
  const addresses = [...new Set(members.flatMap((member) => member.addresses))].sort();
  return {
    spec: {
      name,
      project: inventory.project,
      certificates,
      dns: dnsOf(certificates, inventory, notices),
      loadBalancer: { kind, ...defined({ region }), addresses },
      mustServe: names,
    },
    notices,
  };
}

function directMembers(inventory: ProjectInventory): readonly Member[] {
  const { proxies, forwardingRules } = inventory;
  const knowsRules = wereRead(inventory, "forwardingRules");
  return proxies.flatMap((proxy) => {
    const rules = forwardingRules.filter(({ proxyId }) => proxyId === proxy.id);
    const internal = isInternal(rules);
    const kind = directKind({ isRegional: proxy.region !== undefined, isInternal: internal });
    if (kind === undefined) return [];
    if (proxy.owner === "gke" || whyWithoutDirectMigration(proxy, rules, { knowsRules }) !== undefined) return [];
    const place = [proxy.region, internal ? "internal" : undefined].filter((part) => part !== undefined).join("-");
    return [{ proxy, addresses: addressesOf(rules), kind, place }];
  });
}

/** Returns why a regional or internal proxy is in no migration; undefined if it is. */
export function whyWithoutDirectMigration(
  proxy: ProjectProxy,
  rules: readonly ProjectForwardingRule[],
  { knowsRules }: { readonly knowsRules: boolean },
): string | undefined {
  if (proxy.kind === "ssl") return "its target SSL proxy takes no certificates of Certificate Manager";
  if (proxy.presents === "managerCertificates") return "it presents certificates of Certificate Manager directly";
  if (proxy.presents !== "computeCertificates") return "it presents no certificates of Compute Engine";
  if (!knowsRules) return "its addresses could not be checked: forwarding rules not readable";
  return rules.some(({ port }) => port === 443) ? undefined : "no forwarding rule on port 443 leads to it";
}

/** Returns whether forwarding rules belong to an internal load balancer. */
export function isInternal(rules: readonly ProjectForwardingRule[]): boolean {
  return rules.some(({ scheme }) => !scheme.startsWith("EXTERNAL"));
}

/** Returns the addresses of forwarding rules on port 443, sorted. */
export function addressesOf(rules: readonly ProjectForwardingRule[]): readonly string[] {
  const addresses = rules.filter(({ port }) => port === 443).map(({ ipAddress }) => ipAddress.replace(/\/\d+$/, ""));
  return [...new Set(addresses)].sort();
}
