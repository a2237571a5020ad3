import { InputError } from "../../errors";
import { compareHostnames } from "../../hostnames";
import { defined } from "../../json/defined";
import { type AdoptedTargetHttpsProxySpec, escapeTemplate, type ServingProxySpec } from "../../plan";
import type { ProjectForwardingRule, ProjectInventory, ProjectProxy } from "../../project-inventory";
import { projectIn } from "../../resource-names";
import { quote } from "../../text/quote";
import { addressesOf, isInternal, whyWithoutDirectMigration } from "./direct-migrations";
import {
  certificatesOf,
  dnsOf,
  groupNames,
  isIssued,
  namesOfProxy,
  type ProjectMigration,
  type ProjectMigrationOptions,
  servedDomains,
} from "./migration-parts";
import { withPrimary } from "./primary";
import { wereRead } from "./unread";

interface Member {
  readonly proxy: ProjectProxy;
  readonly addresses: readonly string[];
}

/**
 * Returns the migration that attaches a certificate map in place to the global target proxies of a project that
 * present certificates of Compute Engine. Proxies that already have a map, regional and internal proxies (see
 * `projectToDirectMigrations`), proxies of the network tier STANDARD and proxies of GKE are left out with a notice, as
 * are target SSL proxies without `sslProxies`.
 *
 * @returns undefined if no proxy can be migrated
 * @throws InputError `adopt-unknown` for a proxy that is not part of the migration
 */
export function projectToMigration(
  inventory: ProjectInventory,
  { name, group = "certificate", adopt = [], sslProxies = false, caPool, now }: ProjectMigrationOptions,
): ProjectMigration | undefined {
  const { notices, members, today, served } = servingToday(inventory, { sslProxies, now, ...defined({ caPool }) });
  const names = [...served.values()].flat().sort(compareHostnames);
  if (names.length === 0) return undefined;
  const groups = groupNames(served, group);
  const proxies = members.map(({ proxy }) => proxy);
  const { certificates, notices: ofPrimary } = withPrimary(
    certificatesOf(groups, caPool, inventory, now, notices, { scope: "DEFAULT" }),
    proxies,
    today,
  );
  notices.push(...ofPrimary);
  const adopted = adoptedOf(members, adopt, notices);
  return {
    spec: {
      name,
      project: inventory.project,
      certificates,
      dns: dnsOf(certificates, inventory, notices),
      loadBalancer: {
        kind: "globalExternal",
        servingProxies: members.map((member) => servingOf(member, inventory, caPool)),
        ...defined({ adoptTargetHttpsProxies: adopted.length === 0 ? undefined : adopted }),
      },
      mustServe: names,
    },
    notices,
  };
}

/**
 * Returns why a project gives no migration: the reason for which each proxy, certificate or name is left out, one
 * sentence each.
 */
export function whyWithoutMigration(
  inventory: ProjectInventory,
  options: Pick<ProjectMigrationOptions, "sslProxies" | "caPool" | "now">,
): readonly string[] {
  return servingToday(inventory, options).notices;
}

/** Returns the proxies of a migration with their certificates and names, and notices about what is left out. */
function servingToday(
  inventory: ProjectInventory,
  { sslProxies = false, caPool, now }: Pick<ProjectMigrationOptions, "sslProxies" | "caPool" | "now">,
) {
  const notices = inventory.unread.map(
    ({ what, project }) => `the ${what} of the project ${project} could not be read`,
  );
  const members = membersOf(inventory, { sslProxies }, notices);
  const presented = new Set(members.flatMap(({ proxy }) => proxy.certificateIds));
  const today = inventory.certificates.filter(({ id }) => presented.has(id));
  return { notices, members, today, served: servedDomains(today, caPool, now, notices) };
}

function membersOf(
  inventory: ProjectInventory,
  { sslProxies }: { readonly sslProxies: boolean },
  notices: string[],
): readonly Member[] {
  const { proxies, forwardingRules } = inventory;
  return proxies.flatMap((proxy) => {
    const rules = forwardingRules.filter(({ proxyId }) => proxyId === proxy.id);
    const reason = whyLeftOut(proxy, rules, { sslProxies, knowsRules: wereRead(inventory, "forwardingRules") });
    if (reason !== undefined) {
      notices.push(`${proxy.id} is left out: ${reason}`);
      return [];
    }
    if (proxy.kind === "ssl") {
      notices.push(`${proxy.id} is a target SSL proxy: the configuration that owns it needs google 7.19 or later`);
    }
    return [{ proxy, addresses: addressesOf(rules) }];
  });
}

function whyLeftOut(
  proxy: ProjectProxy,
  rules: readonly ProjectForwardingRule[],
  { sslProxies, knowsRules }: { readonly sslProxies: boolean; readonly knowsRules: boolean },
): string | undefined {
  if (proxy.owner === "gke") return "GKE manages it; name the certificate map in its Gateway or Ingress";
  if (proxy.region !== undefined || isInternal(rules)) {
    const kind = proxy.region === undefined ? "an internal" : "a regional";
    const reason = whyWithoutDirectMigration(proxy, rules, { knowsRules }) ?? "it gets its own migration";
    return `${kind} load balancer takes no certificate map; ${reason}`;
  }
  if (proxy.mapId !== undefined) return `it has the certificate map ${proxy.mapId}, whose entries are kept`;
  if (proxy.kind === "ssl" && !sslProxies)
    return "a target SSL proxy needs google 7.19 or later to hold a map beside certificates; --ssl-proxies includes it";
  if (proxy.presents !== "computeCertificates") return "it presents no certificates of Compute Engine";
  if (!knowsRules) return "its addresses could not be checked: forwarding rules not readable";
  if (rules.some(({ networkTier }) => networkTier === "STANDARD"))
    return "a forwarding rule of the network tier STANDARD leads to it, and a certificate map needs PREMIUM";
  return rules.some(({ port }) => port === 443) ? undefined : "no forwarding rule on port 443 leads to it";
}

function servingOf(
  { proxy, addresses }: Member,
  { certificates }: ProjectInventory,
  caPool: string | undefined,
): ServingProxySpec {
  const listed = new Map(certificates.filter(isIssued).map(({ id, domains }) => [id, namesOfProxy(domains, caPool)]));
  const direct = proxy.certificateIds.flatMap((id) => {
    const domains = listed.get(id) ?? [];
    return domains.length === 0 ? [] : [{ id, domains }];
  });
  return { proxy: proxy.id, addresses, certificates: direct };
}

function adoptedOf(
  members: readonly Member[],
  adopt: readonly string[],
  notices: string[],
): readonly AdoptedTargetHttpsProxySpec[] {
  const adoptable = members.filter(({ proxy }) => proxy.kind === "https");
  return [...new Set(adopt)].map((wanted) => {
    const member = adoptable.find(({ proxy }) => proxy.id === wanted || proxy.name === wanted);
    if (member === undefined) {
      const known = adoptable.map(({ proxy }) => proxy.name).join(", ");
      const expected = known === "" ? "it has none" : `expected one of ${known}`;
      const what = `--adopt ${quote(wanted)} is not a target HTTPS proxy of the migration`;
      throw new InputError("adopt-unknown", `${what}; ${expected}`);
    }
    const { proxy } = member;
    notices.push(`${proxy.id} is imported: no other Terraform configuration or tool may manage it any more`);
    return {
      name: proxy.name,
      ...defined({ project: projectIn(proxy.id) }),
      urlMap: proxy.urlMapId ?? "",
      sslCertificates: proxy.certificateIds,
      sslPolicy: proxy.sslPolicyId ?? "",
      quicOverride: (proxy.quicOverride ?? "UNSET") as NonNullable<AdoptedTargetHttpsProxySpec["quicOverride"]>,
      tlsEarlyData: (proxy.tlsEarlyData ?? "UNSET") as NonNullable<AdoptedTargetHttpsProxySpec["tlsEarlyData"]>,
      httpKeepAliveTimeoutSeconds: proxy.httpKeepAliveTimeoutSeconds ?? 0,
      serverTlsPolicy: proxy.serverTlsPolicyId ?? "",
      description: proxy.description === undefined ? "" : escapeTemplate(proxy.description),
    };
  });
}
