import { ownDescription } from "../../discovery";
import { InputError } from "../../errors";
import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import type { ProjectCertificate, ProjectInventory, ProjectZone } from "../../project-inventory";
import { namesServedByProxy } from "../../project-inventory";
import { lastPart, regionIn, withoutLastParts } from "../../resource-names";
import type { CopiedCertificate, CopyRequest } from "../certificate-authority";
import { recordOf } from "../certificate-manager/dns-authorizations";
import { type RecordSetResource, recordSetKey } from "../cloud-dns/record-sets";
import { apexRecordSets, type ManagedZone, newZone } from "../cloud-dns/zones";
import { createIds, decimalId, linkTo } from "../compute/links";
import { seal } from "../compute/verbs";
import type { Json } from "../front";
import type { Clock, Store } from "../state";
import { balancerResources, certificateResource, type WorldResource } from "./compute-resources";

interface WorldOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly copy: (request: CopyRequest) => Promise<CopiedCertificate>;
}

const dayMs = 86_400_000;

/**
 * Fills an empty store with the project of an inventory, before the services open it. The services then continue as
 * after a restart: certificates have keys, load balancers serve them, and names have address records. Findings and
 * probes are ignored.
 *
 * @throws InputError `world-not-empty` if the store has resources, which a kept state brings
 */
export async function loadWorld(inventory: ProjectInventory, options: WorldOptions): Promise<void> {
  const { store } = options;
  if (store.collection("compute.counters").size > 0 || store.collection("dns.managedZones").size > 0)
    throw new InputError(
      "world-not-empty",
      "--world can't be combined with a --state file that already has resources; give another file, or leave out --world",
    );
  const keys = await copyCertificates(inventory.certificates, options);
  loadCompute(inventory, keys, options);
  loadCertificateManager(inventory, keys, options);
  loadZones(inventory, options);
  store.commit();
}

type Keys = ReadonlyMap<string, CopiedCertificate>;

/** Reissues the issued certificates. A certificate without an issuer gets one of the cloud's own. */
async function copyCertificates(
  certificates: readonly ProjectCertificate[],
  { clock, copy }: WorldOptions,
): Promise<Keys> {
  const keys = new Map<string, CopiedCertificate>();
  const now = clock.now().getTime();
  for (const [index, certificate] of certificates.entries()) {
    const { id, domains, notAfter, notBefore, issuer = "CN=Rehearsal Cloud World", serialNumber } = certificate;
    if (notAfter === undefined || domains.length === 0) continue;
    const copied = await copy({
      names: domains,
      issuer,
      serialNumber: serialNumber ?? (index + 1).toString(16).padStart(2, "0"),
      notBefore: new Date(notBefore ?? now - dayMs),
      notAfter: new Date(notAfter),
    });
    keys.set(id, copied);
  }
  return keys;
}

function loadCompute(inventory: ProjectInventory, keys: Keys, { store, clock }: WorldOptions): void {
  const description = ownDescription("compute:v1");
  const ids = createIds(store, "");
  const creationTimestamp = clock.now().toISOString();
  const add = ({ path, collection, schema, members }: WorldResource) => {
    const region = regionIn(path) === undefined ? undefined : linkTo(withoutLastParts(path, 2));
    const resource = {
      kind: description.schema(schema).properties?.kind?.default ?? "",
      id: decimalId(ids.next()),
      creationTimestamp,
      name: lastPart(path),
      selfLink: linkTo(path),
      region,
      ...members,
    };
    store.collection(`compute.${collection}`).set(path, seal(resource, { schema }, { description }));
  };
  for (const certificate of inventory.certificates) {
    if (certificate.kind.startsWith("compute")) add(certificateResource(certificate, keys.get(certificate.id)));
  }
  for (const resource of balancerResources(inventory, linkTo)) add(resource);
}

function loadCertificateManager(
  { certificates, maps }: ProjectInventory,
  keys: Keys,
  { store, clock }: WorldOptions,
): void {
  const now = clock.now().toISOString();
  const stamp = { createTime: now, updateTime: now };
  const add = (collection: string, name: string, members: Json) =>
    store.collection(`certificatemanager.${collection}`).set(name, defined({ ...members, name, ...stamp }));
  for (const certificate of certificates) {
    const { id, kind, domains, dnsAuthorizationIds, notAfter, scope, description } = certificate;
    if (kind.startsWith("compute")) continue;
    const copied = keys.get(id);
    for (const [index, authorization] of dnsAuthorizationIds.entries()) {
      const bases = [...new Set(domains.map((domain) => domain.replace(/^\*\./, "")))];
      const domain = bases[index] ?? bases[0] ?? "";
      const type = id.includes("/locations/global/") ? "FIXED_RECORD" : "PER_PROJECT_RECORD";
      const dnsResourceRecord = recordOf(authorization, domain, type);
      add("dnsAuthorizations", authorization, { domain, type, dnsResourceRecord });
    }
    add("certificates", id, {
      description,
      scope,
      ...(kind === "managerManaged" ? { managed: managedOf(certificate) } : { selfManaged: {} }),
      sanDnsnames: domains,
      pemCertificate: copied?.chainPem,
      expireTime: notAfter,
    });
    if (copied === undefined) continue;
    const { chainPem, privateKeyPem } = copied;
    store.collection("certificatemanager.keys").set(id, { chainPem, privateKeyPem });
  }
  for (const { id, description, entries } of maps) {
    add("certificateMaps", id, { description });
    for (const { id: entry, hostname, certificateIds } of entries) {
      const match = hostname === "PRIMARY" ? { matcher: "PRIMARY" } : { hostname };
      add("certificateMapEntries", entry, { ...match, certificates: certificateIds });
    }
  }
}

function managedOf(certificate: ProjectCertificate): Json {
  const { domains, dnsAuthorizationIds, issuanceConfigId, status, domainStatuses, provisioningIssue } = certificate;
  return {
    domains,
    ...defined({ issuanceConfig: issuanceConfigId }),
    dnsAuthorizations: dnsAuthorizationIds,
    state: status,
    ...defined({ provisioningIssue }),
    authorizationAttemptInfo: domainStatuses.map(({ status: state, ...attempt }) => ({ ...attempt, state })),
  };
}

/** Time to live of the address records, in seconds. */
const ttlSeconds = 300;

function loadZones(inventory: ProjectInventory, { store, clock }: WorldOptions): void {
  const now = clock.now().toISOString();
  const made = new Map<string, ManagedZone>();
  const keep = (zone: ManagedZone, recordSet: RecordSetResource) =>
    store
      .collection("dns.resourceRecordSets")
      .set(`${zone.id} ${recordSetKey(recordSet)}`, { zoneId: zone.id, recordSet });
  for (const { id, name, project, dnsName, visibility } of inventory.zones) {
    const zone = newZone({ name, dnsName: `${dnsName}.`, visibility }, project, now);
    made.set(id, zone);
    store.collection("dns.managedZones").set(`${project}/${name}`, { project, zone });
    for (const recordSet of apexRecordSets(zone)) keep(zone, recordSet);
  }
  for (const { zone, name, type, addresses } of addressRecords(inventory, namesServedByProxy(inventory))) {
    keep(made.get(zone.id) as ManagedZone, {
      kind: "dns#resourceRecordSet",
      name: `${name}.`,
      type,
      ttl: ttlSeconds,
      rrdatas: addresses,
      signatureRrdatas: [],
    });
  }
}

interface AddressRecords {
  readonly zone: ProjectZone;
  /** Without trailing dot; wildcards begin with `*.`. */
  readonly name: string;
  readonly type: "A" | "AAAA";
  readonly addresses: readonly string[];
}

/**
 * Returns the address records of the names that proxies serve: the addresses of the forwarding rules of the proxy, in
 * the public zone with the longest matching suffix. The inventory contains no records, so that names lead where their
 * certificates are. A name of several proxies has the addresses of the first.
 *
 * @param namesOf returns the names of a proxy
 */
function addressRecords(
  { zones, proxies, forwardingRules }: ProjectInventory,
  namesOf: (proxy: ProjectInventory["proxies"][number]) => readonly string[],
): readonly AddressRecords[] {
  const zoneOf = new Map(zones.filter(({ visibility }) => visibility === "public").map((zone) => [zone.dnsName, zone]));
  const external = forwardingRules.filter(({ scheme }) => !scheme.startsWith("INTERNAL"));
  const rulesOf = groupBy(external, ({ proxyId }) => proxyId);
  const taken = new Set<string>();
  return proxies.flatMap((proxy) => {
    const addresses = [...new Set(rulesOf.get(proxy.id)?.map(({ ipAddress }) => ipAddress))];
    if (addresses.length === 0) return [];
    return namesOf(proxy).flatMap((name): readonly AddressRecords[] => {
      const zone = zoneFor(name, zoneOf);
      if (zone === undefined || taken.has(name)) return [];
      taken.add(name);
      const ipv4 = addresses.filter((address) => !address.includes(":"));
      const ipv6 = addresses.filter((address) => address.includes(":"));
      return [
        ...(ipv4.length === 0 ? [] : [{ zone, name, type: "A" as const, addresses: ipv4 }]),
        ...(ipv6.length === 0 ? [] : [{ zone, name, type: "AAAA" as const, addresses: ipv6 }]),
      ];
    });
  });
}

function zoneFor(name: string, zones: ReadonlyMap<string, ProjectZone>): ProjectZone | undefined {
  for (let at = name.replace(/^\*\./, ""); at !== ""; at = at.includes(".") ? at.slice(at.indexOf(".") + 1) : "") {
    const zone = zones.get(at);
    if (zone !== undefined) return zone;
  }
  return undefined;
}
