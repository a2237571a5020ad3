import { canonicalAddress } from "../../lib/hostnames";
import { judgeProject } from "../../lib/inventory/project";
import type {
  ProjectAddress,
  ProjectCertificate,
  ProjectCertificateMap,
  ProjectForwardingRule,
  ProjectInventory,
  ProjectProxy,
  ProjectUrlMap,
  ProjectZone,
} from "../../lib/project-inventory";

/** Sizes of a generated project. */
export interface GeneratedProjectOptions {
  readonly seed: number;
  /** @default 12 */
  readonly forwardingRules?: number;
  /** @default 16 */
  readonly certificates?: number;
  /** @default 4 */
  readonly zones?: number;
  /** Time to which the dates of the certificates relate. */
  readonly now: Date;
  /** @default "shop-prod" */
  readonly project?: string;
  /** Whether each served name has a zone. @default false */
  readonly everyNameHasZone?: boolean;
}

const regions = ["europe-west1", "us-central1"] as const;
const dayMs = 86_400_000;
const issuers = [
  "C=US, O=Let's Encrypt, CN=R11",
  "C=GB, O=Sectigo Limited, CN=Sectigo RSA Domain Validation Secure Server CA",
  "C=US, O=DigiCert Inc, CN=DigiCert Global G2 TLS RSA SHA256 2020 CA1",
];
const googleIssuer = "C=US, O=Google Trust Services, CN=WR3";

/**
 * Returns the inventory of a project as an organization has it after years: uploaded and managed certificates of
 * Compute Engine, regional ones, Certificate Manager with and without maps, IPv6, SSL proxies, proxies of GKE, expired,
 * failed and unused certificates, and zones in two projects. The same seed and sizes give the same project.
 */
export function generateProject(options: GeneratedProjectOptions): ProjectInventory {
  const { seed, now, project = "shop-prod" } = options;
  const { forwardingRules: ruleCount = 12, certificates: certificateCount = 16, zones: zoneCount = 4 } = options;
  const draw = createDraw(seed);
  const zones = makeZones(project, zoneCount);
  const certificates = makeCertificates(project, certificateCount, zones, draw, options);
  const maps = makeMaps(project, certificates, draw);
  const balancers = makeBalancers(project, ruleCount, certificates, maps, draw);
  return finish(project, now, { ...balancers, certificates, maps, zones });
}

interface Draw {
  /** Returns a whole number from 0 to `below - 1`. */
  readonly below: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly of: <Item>(items: readonly Item[]) => Item;
}

/** Creates a generator of numbers (mulberry32). */
function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(next() * most);
  return { below, chance: (probability) => next() < probability, of: (items) => items[below(items.length)] as never };
}

function makeZones(project: string, count: number): readonly ProjectZone[] {
  return Array.from({ length: count }, (_, index) => {
    const owner = index % 4 === 3 ? `${project}-dns` : project;
    const name = `brand${index}`;
    const visibility = index > 0 && index % 10 === 0 ? ("private" as const) : ("public" as const);
    return {
      id: `projects/${owner}/managedZones/${name}`,
      name,
      project: owner,
      dnsName: `${name}.example`,
      visibility,
    };
  });
}

type Certificate = Omit<ProjectCertificate, "proxyIds">;

function makeCertificates(
  project: string,
  count: number,
  zones: readonly ProjectZone[],
  draw: Draw,
  { now, everyNameHasZone = false }: GeneratedProjectOptions,
): readonly Certificate[] {
  const open = zones.filter(({ visibility }) => visibility === "public");
  const kinds = ["computeUploaded", "computeUploaded", "computeManaged", "managerManaged", "managerUploaded"] as const;
  return Array.from({ length: count }, (_, index): Certificate => {
    const kind = index < kinds.length ? (kinds[index] as (typeof kinds)[number]) : draw.of(kinds);
    // Each project has a regional certificate.
    const isRegional = kind !== "computeManaged" && (draw.chance(0.2) || index === 1);
    const region = isRegional ? draw.of(regions) : undefined;
    const hasZone = open.length > 0 && (everyNameHasZone || !draw.chance(0.03));
    const base = `app${index}.${hasZone ? draw.of(open).dnsName : `lost${index}.example`}`;
    const isManaged = kind === "computeManaged" || kind === "managerManaged";
    const names = [base, ...Array.from({ length: draw.below(3) }, (_, further) => `n${further}.${base}`)];
    if (kind !== "computeManaged" && draw.chance(0.2)) names.push(`*.${base}`);
    const state = isManaged ? draw.of([...Array<string>(12).fill("ACTIVE"), "PROVISIONING", "FAILED"]) : "ACTIVE";
    const isOfManager = kind.startsWith("manager");
    const isIssued = state === "ACTIVE";
    const name = `cert-${index}`;
    const place = placeOf(isOfManager, region);
    const domains = names.sort();
    const status = state === "FAILED" && !isOfManager ? "PROVISIONING_FAILED" : state;
    const statusOf = { ACTIVE: "ACTIVE", PROVISIONING: "PROVISIONING", FAILED: "FAILED_NOT_VISIBLE" }[state] ?? state;
    const ofCompute = { status: statusOf, ...(state === "FAILED" ? { failureReason: "CONFIG" } : {}) };
    const attempt = { ACTIVE: "AUTHORIZED", PROVISIONING: "AUTHORIZING", FAILED: "FAILED" }[state] ?? state;
    const endMs = drawEnd(now, draw);
    return {
      id: `projects/${project}/${place}/${isOfManager ? "certificates" : "sslCertificates"}/${name}`,
      name,
      kind,
      ...(region === undefined ? {} : { region }),
      domains,
      renewedBy: isManaged ? "google" : "you",
      ...(isManaged ? { validation: isOfManager ? ("dns" as const) : ("loadBalancer" as const) } : {}),
      status,
      domainStatuses: isManaged
        ? domains.map((domain) => ({ domain, ...(isOfManager ? { status: attempt } : ofCompute) }))
        : [],
      ...(isIssued
        ? {
            issuer: isManaged ? googleIssuer : draw.of(issuers),
            serialNumber: `4${Array.from({ length: 31 }, () => draw.below(16).toString(16)).join("")}`,
            notBefore: new Date(endMs - 300 * dayMs).toISOString(),
            notAfter: new Date(endMs).toISOString(),
          }
        : {}),
      dnsAuthorizationIds:
        kind === "managerManaged"
          ? [...new Set(domains.map((domain) => domain.replace(/^\*\./, "")))].map(
              (_, number) => `projects/${project}/${place}/dnsAuthorizations/${name}-${number}`,
            )
          : [],
    };
  });
}

function placeOf(isOfManager: boolean, region: string | undefined): string {
  if (isOfManager) return `locations/${region ?? "global"}`;
  return region === undefined ? "global" : `regions/${region}`;
}

/** Returns when a certificate expires, in milliseconds since 1970: a few have expired, and a few expire soon. */
function drawEnd(now: Date, draw: Draw): number {
  const leftDays = draw.chance(0.05) ? -3 : draw.chance(0.05) ? 10 : 40 + draw.below(250);
  return Math.floor((now.getTime() + leftDays * dayMs) / 1_000) * 1_000;
}

type CertificateMap = Omit<ProjectCertificateMap, "proxyIds">;

/** Maximum number of maps: the entries of each map are a request of their own. */
const mostMaps = 20;

function makeMaps(project: string, certificates: readonly Certificate[], draw: Draw): readonly CertificateMap[] {
  const own = certificates.filter(({ kind, region }) => kind.startsWith("manager") && region === undefined);
  const count = Math.min(mostMaps, Math.ceil(own.length / 3));
  return Array.from({ length: count }, (_, index): CertificateMap => {
    const id = `projects/${project}/locations/global/certificateMaps/map-${index}`;
    const entryOf = (name: string, hostname: string, { id: certificate, notAfter }: Certificate) => ({
      id: `${id}/certificateMapEntries/${name}`,
      name,
      hostname,
      state: notAfter === undefined ? "PENDING" : "ACTIVE",
      certificateIds: [certificate],
    });
    const mine = own.filter((_, at) => at % count === index);
    const entries = mine.flatMap((certificate) =>
      certificate.domains.map((domain) =>
        entryOf(domain.replace("*", "wildcard").replaceAll(".", "-"), domain, certificate),
      ),
    );
    const [first] = mine;
    const primary = first !== undefined && draw.chance(0.5) ? [entryOf("primary", "PRIMARY", first)] : [];
    return { id, name: `map-${index}`, entries: sorted([...entries, ...primary]) };
  });
}

interface Balancers {
  readonly forwardingRules: readonly ProjectForwardingRule[];
  readonly addresses: readonly ProjectAddress[];
  readonly proxies: readonly ProjectProxy[];
  readonly urlMaps: readonly ProjectUrlMap[];
}

type ProxyForm = "classic" | "regional" | "regionalManager" | "map" | "ssl" | "gke" | "full";

function makeBalancers(
  project: string,
  ruleCount: number,
  certificates: readonly Certificate[],
  maps: readonly CertificateMap[],
  draw: Draw,
): Balancers {
  // Some certificates stay unused.
  const usable = certificates.filter((_, index) => index % 25 !== 24);
  const pick = poolsOf(usable);
  const forms: readonly ProxyForm[] = [
    "classic",
    "map",
    "regional",
    "gke",
    "ssl",
    "classic",
    "regionalManager",
    "classic",
    "full",
  ];
  const made = { forwardingRules: [], addresses: [], proxies: [], urlMaps: [] } as {
    forwardingRules: ProjectForwardingRule[];
    addresses: ProjectAddress[];
    proxies: ProjectProxy[];
    urlMaps: ProjectUrlMap[];
  };
  for (let index = 0; made.forwardingRules.length < ruleCount; index += 1) {
    const form = index < forms.length ? (forms[index] as ProxyForm) : draw.of(forms);
    const region = form.startsWith("regional") ? draw.of(regionsOf(usable, form === "regionalManager")) : undefined;
    const map = form === "map" ? maps[index % Math.max(1, maps.length)] : undefined;
    if (form === "map" && map === undefined) continue;
    const count = form === "full" ? 15 : 1 + draw.below(2);
    const own = map === undefined ? pick(form === "regionalManager", region, count) : [];
    if (map === undefined && own.length === 0) continue;
    addBalancer(made, { project, index, form, region, map, own, left: ruleCount - made.forwardingRules.length }, draw);
  }
  return made;
}

/** Returns the regions that have certificates of a service, or all regions if none has. */
function regionsOf(certificates: readonly Certificate[], isOfManager: boolean): readonly string[] {
  const own = certificates.filter(({ kind }) => kind.startsWith("manager") === isOfManager);
  const found = regions.filter((region) => own.some((certificate) => certificate.region === region));
  return found.length === 0 ? regions : found;
}

/** Returns a function that takes certificates in turn, so that each is used. */
function poolsOf(certificates: readonly Certificate[]) {
  const taken = new Map<string, number>();
  return (isOfManager: boolean, region: string | undefined, count: number): readonly string[] => {
    const key = `${isOfManager} ${region}`;
    const pool = certificates.filter(
      (certificate) => certificate.kind.startsWith("manager") === isOfManager && certificate.region === region,
    );
    const start = taken.get(key) ?? 0;
    taken.set(key, start + count);
    const ids = Array.from({ length: Math.min(count, pool.length) }, (_, at) => pool[(start + at) % pool.length]!.id);
    return ids;
  };
}

interface BalancerPlan {
  readonly project: string;
  readonly index: number;
  readonly form: ProxyForm;
  readonly region: string | undefined;
  readonly map: CertificateMap | undefined;
  readonly own: readonly string[];
  /** Maximum number of rules. */
  readonly left: number;
}

type MadeBalancers = { [Part in keyof Balancers]: Balancers[Part][number][] };

function addBalancer(
  made: MadeBalancers,
  { project, index, form, region, map, own, left }: BalancerPlan,
  draw: Draw,
): void {
  const place = region === undefined ? `projects/${project}/global` : `projects/${project}/regions/${region}`;
  const inRegion = region === undefined ? {} : { region };
  const isSsl = form === "ssl";
  const isInternal = form === "regional" && draw.chance(0.3);
  const scheme = isInternal ? "INTERNAL_MANAGED" : form === "classic" || isSsl ? "EXTERNAL" : "EXTERNAL_MANAGED";
  const name = form === "gke" ? `k8s2-ts-${(index + 4096).toString(36)}-shop-web` : `web-${index}`;
  const proxyId = `${place}/${isSsl ? "targetSslProxies" : "targetHttpsProxies"}/${name}`;
  const backendId = `${place}/backendServices/backend-${index}`;
  const urlMapId = `${place}/urlMaps/${name}`;
  if (!isSsl) {
    const hosts = draw.chance(0.5) ? [`app${index}.brand0.example`] : [];
    made.urlMaps.push({ id: urlMapId, name, ...inRegion, hosts, backendIds: [backendId] });
  }
  made.proxies.push({
    id: proxyId,
    name,
    kind: isSsl ? "ssl" : "https",
    ...inRegion,
    presents: map !== undefined ? "map" : form === "regionalManager" ? "managerCertificates" : "computeCertificates",
    ...(map === undefined ? {} : { mapId: map.id }),
    certificateIds: own,
    ...(form === "gke" ? { owner: "gke" as const, ownerReason: 'the name begins with "k8s2-ts-"' } : {}),
    ...(isSsl ? { backendServiceId: backendId } : { urlMapId }),
    ...(isSsl ? {} : { quicOverride: draw.of(["NONE", "ENABLE"]), tlsEarlyData: "DISABLED" }),
    ...(isSsl ? { proxyHeader: "NONE" } : {}),
    ...(draw.chance(0.2) ? { description: `front end ${index}` } : {}),
  });
  addRules(made, { place, inRegion, index, form, left, scheme, name, proxyId }, draw);
}

interface RulePlan extends Pick<BalancerPlan, "index" | "form" | "left"> {
  readonly place: string;
  readonly inRegion: { readonly region?: string };
  readonly scheme: "INTERNAL_MANAGED" | "EXTERNAL" | "EXTERNAL_MANAGED";
  /** Name of the proxy. */
  readonly name: string;
  readonly proxyId: string;
}

function addRules(made: MadeBalancers, plan: RulePlan, draw: Draw): void {
  const { place, inRegion, index, form, left, scheme, name, proxyId } = plan;
  const isInternal = scheme === "INTERNAL_MANAGED";
  // The first load balancer of each project has both.
  const hasIpv6 = inRegion.region === undefined && (draw.chance(0.5) || index === 0);
  const versions = ["IPV4", ...(hasIpv6 ? ["IPV6"] : [])] as const;
  for (const ipVersion of versions.slice(0, left)) {
    const number = made.forwardingRules.length;
    const ipAddress = addressOf(number, ipVersion as "IPV4" | "IPV6", isInternal);
    const rule = `${name}-${ipVersion === "IPV4" ? "v4" : "v6"}`;
    const tier = isInternal ? {} : { networkTier: "PREMIUM" };
    const version = ipVersion as "IPV4" | "IPV6";
    const isReserved = draw.chance(0.8);
    const addressId = `${place}/addresses/${rule}`;
    if (isReserved) {
      const addressType = isInternal ? "INTERNAL" : "EXTERNAL";
      made.addresses.push({
        id: addressId,
        name: rule,
        ...inRegion,
        ipAddress,
        ipVersion: version,
        addressType,
        ...tier,
      });
    }
    made.forwardingRules.push({
      id: `${place}/forwardingRules/${rule}`,
      name: rule,
      ...inRegion,
      ipAddress,
      ipVersion: version,
      ...(isReserved ? { addressId } : {}),
      port: 443,
      scheme,
      ...tier,
      proxyId,
      ...(form === "gke" ? { labels: { "goog-gke-node": "" } } : {}),
    });
  }
}

/** Addresses for benchmarks (RFC 2544), for documentation (RFC 3849), and private ones. */
function addressOf(number: number, version: "IPV4" | "IPV6", isInternal: boolean): string {
  if (version === "IPV6")
    return canonicalAddress(`2001:db8:${(number >> 8).toString(16)}:${(number & 255).toString(16)}::`);
  const [high, low] = [number >> 8, number & 255];
  return isInternal ? `10.${128 + (high >> 8)}.${high & 255}.${low}` : `198.${18 + (high >> 8)}.${high & 255}.${low}`;
}

function finish(
  project: string,
  now: Date,
  parts: Balancers & {
    readonly certificates: readonly Certificate[];
    readonly maps: readonly CertificateMap[];
    readonly zones: readonly ProjectZone[];
  },
): ProjectInventory {
  const { proxies, maps } = parts;
  const users = new Map<string, Set<string>>();
  const use = (certificate: string, proxy: string) =>
    users.set(certificate, (users.get(certificate) ?? new Set()).add(proxy));
  const entriesOf = new Map(maps.map(({ id, entries }) => [id, entries]));
  for (const { id, mapId, certificateIds } of proxies) {
    if (mapId === undefined) for (const certificate of certificateIds) use(certificate, id);
    for (const entry of entriesOf.get(mapId ?? "") ?? []) {
      for (const certificate of entry.certificateIds) use(certificate, id);
    }
  }
  const assembled = {
    schemaVersion: 1 as const,
    project,
    dnsProjects: [project, `${project}-dns`],
    forwardingRules: sorted(parts.forwardingRules),
    addresses: sorted(parts.addresses),
    proxies: sorted(proxies),
    urlMaps: sorted(parts.urlMaps),
    certificates: sorted(
      parts.certificates.map((certificate) => ({
        ...certificate,
        proxyIds: [...(users.get(certificate.id) ?? [])].sort(),
      })),
    ),
    maps: sorted(
      maps.map((map) => ({
        ...map,
        proxyIds: proxies
          .filter(({ mapId }) => mapId === map.id)
          .map(({ id }) => id)
          .sort(),
      })),
    ),
    zones: sorted(parts.zones),
    unread: [],
  };
  return { ...assembled, probes: [], findings: judgeProject(assembled, [], now) };
}

function sorted<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
