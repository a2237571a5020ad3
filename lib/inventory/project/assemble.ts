import { defined } from "../../json/defined";
import { type Fields, fieldsOf } from "../../json/fields";
import { groupBy } from "../../json/group-by";
import type { ProjectCertificateMap, ProjectInventory, ProjectProxy, ProjectUnread } from "../../project-inventory";
import { lastPart, resourceNameIn } from "../../resource-names";
import { describeAddress, describeProxy, describeRule, describeUrlMap, optionalText } from "./describe-balancers";
import {
  type CertificateDescription,
  describeEntry,
  describeManagerCertificate,
  describeSslCertificate,
  describeZone,
} from "./describe-certificates";

/** Resources of a project as the services describe them. A list that could not be read is empty. */
export interface ProjectResources {
  readonly project: string;
  readonly compute: ComputeResources;
  readonly manager: ManagerResources;
  /** Zones by project, the project itself first. */
  readonly zones: ReadonlyMap<string, readonly Fields[]>;
  readonly unread: readonly ProjectUnread[];
}

/** Resources of Compute Engine. */
interface ComputeResources {
  readonly forwardingRules: readonly Fields[];
  readonly proxies: readonly Fields[];
  readonly urlMaps: readonly Fields[];
  readonly addresses: readonly Fields[];
  readonly sslCertificates: readonly Fields[];
}

/** Resources of Certificate Manager. */
interface ManagerResources {
  readonly certificates: readonly Fields[];
  /** Read only if certificates use one. @default none */
  readonly issuanceConfigs?: readonly Fields[];
  readonly certificateMaps: readonly { readonly map: Fields; readonly entries: readonly Fields[] }[];
}

/** An inventory without probes and findings. */
export type AssembledProject = Omit<ProjectInventory, "probes" | "findings">;

/** The inventory of a project, before its probes and findings. */
export interface Assembled {
  readonly inventory: AssembledProject;
  /** Ids of certificates by the SHA-256 fingerprint of the leaf. */
  readonly idsByFingerprint: ReadonlyMap<string, string>;
}

/** Connects the resources of a project with each other, and sorts them by id. */
export function assembleProject(resources: ProjectResources): Assembled {
  const { compute, manager } = resources;
  const rules = compute.forwardingRules.flatMap((rule) => describeRule(rule) ?? []);
  const addresses = new Map(compute.addresses.map(describeAddress).map((address) => [address.ipAddress, address]));
  const urlMaps = new Map(compute.urlMaps.map(describeUrlMap).map((urlMap) => [urlMap.id, urlMap]));
  const rulesOfProxy = groupBy(rules, ({ proxyId }) => proxyId);
  const proxies = compute.proxies.map((proxy) => {
    const urlMap = urlMaps.get(resourceNameIn(optionalText(proxy.urlMap) ?? ""));
    const rules = rulesOfProxy.get(resourceNameIn(optionalText(proxy.selfLink) ?? "")) ?? [];
    return describeProxy(proxy, {
      descriptions: [urlMap, ...rules].flatMap((resource) => resource?.description ?? []),
      labels: rules.flatMap(({ labels }) => Object.keys(labels ?? {})),
    });
  });
  const maps = manager.certificateMaps.map(({ map, entries }) => describeMap(map, entries, proxies));
  const read = [
    ...compute.sslCertificates.map(describeSslCertificate),
    ...manager.certificates.map(describeManagerCertificate),
  ];
  const users = usersOfCertificates(proxies, maps);
  const usedUrlMaps = new Set(proxies.map(({ urlMapId }) => urlMapId));
  const usedAddresses = new Set(rules.map(({ ipAddress }) => ipAddress));
  // The service may write the project's number into names.
  const configs = new Map((manager.issuanceConfigs ?? []).map((config) => [lastPart(String(config.name)), config]));
  return {
    inventory: {
      schemaVersion: 1,
      project: resources.project,
      dnsProjects: [...resources.zones.keys()],
      forwardingRules: sorted(
        rules.map(({ proxyId, labels, description, ...rule }) => ({
          ...rule,
          ...defined({ addressId: addresses.get(rule.ipAddress)?.id }),
          proxyId,
          ...defined({ labels, description }),
        })),
      ),
      addresses: sorted([...addresses.values()].filter(({ ipAddress }) => usedAddresses.has(ipAddress))),
      proxies: sorted(proxies),
      urlMaps: sorted([...urlMaps.values()].filter(({ id }) => usedUrlMaps.has(id))),
      certificates: sorted(
        read.map(({ certificate: { description, ...certificate } }) => ({
          ...certificate,
          ...renewalTerms(configs.get(lastPart(certificate.issuanceConfigId ?? ""))),
          proxyIds: users.get(certificate.id) ?? [],
          ...defined({ description }),
        })),
      ),
      maps: sorted(maps),
      zones: sorted(
        [...resources.zones].flatMap(([project, zones]) => zones.map((zone) => describeZone(zone, project))),
      ),
      unread: resources.unread,
    },
    idsByFingerprint: fingerprintsOf(read),
  };
}

function describeMap(map: Fields, entries: readonly Fields[], proxies: readonly ProjectProxy[]): ProjectCertificateMap {
  const id = optionalText(map.name) ?? "";
  return {
    id,
    name: lastPart(id),
    entries: sorted(entries.map((entry) => describeEntry(fieldsOf(entry)))),
    proxyIds: proxies
      .filter(({ mapId }) => mapId === id)
      .map((proxy) => proxy.id)
      .sort(),
    ...defined({ description: optionalText(map.description) }),
  };
}

/** Returns when a private CA renews a certificate, as its issuance config has it. */
function renewalTerms({ rotationWindowPercentage: percentage, lifetime }: Fields = {}) {
  const [, seconds] = /^(\d+)s$/.exec(String(lifetime)) ?? [];
  return {
    ...(typeof percentage === "number" ? { renewalShare: percentage / 100 } : {}),
    ...(seconds === undefined ? {} : { lifetimeSeconds: Number(seconds) }),
  };
}

/** Returns the proxies that present each certificate, sorted. Certificates beside a map are not presented. */
function usersOfCertificates(
  proxies: readonly ProjectProxy[],
  maps: readonly ProjectCertificateMap[],
): ReadonlyMap<string, readonly string[]> {
  const inMap = new Map(maps.map(({ id, entries }) => [id, entries.flatMap(({ certificateIds }) => certificateIds)]));
  const uses = proxies.flatMap(({ id: proxy, mapId, certificateIds }) => {
    const presented = mapId === undefined ? certificateIds : (inMap.get(mapId) ?? []);
    return [...new Set(presented)].map((certificate) => ({ certificate, proxy }));
  });
  const users = groupBy(uses, ({ certificate }) => certificate);
  return new Map(
    [...users].map(([certificate, usersOfCertificate]) => [
      certificate,
      usersOfCertificate.map(({ proxy }) => proxy).sort(),
    ]),
  );
}

function fingerprintsOf(read: readonly CertificateDescription[]): ReadonlyMap<string, string> {
  return new Map(
    read.flatMap(({ certificate, fingerprintSha256 }) =>
      fingerprintSha256 === undefined ? [] : [[fingerprintSha256, certificate.id] as const],
    ),
  );
}

function sorted<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
