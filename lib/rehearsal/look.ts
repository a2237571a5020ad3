import type { Cloud } from "../cloud";
import { ServiceError } from "../errors";
import type { HttpClient } from "../http";
import type { World } from "./world";

/** What a rehearsal reads of a certificate, an entry or a map. */
export interface Listed {
  readonly name: string;
  readonly state?: string;
  readonly managed?: { readonly state?: string };
  readonly pemCertificate?: string;
}

/** An authorization, and the CNAME that it asks for. */
export interface Authorization {
  readonly name: string;
  readonly domain: string;
  readonly dnsResourceRecord?: { readonly name: string; readonly type: string; readonly data: string };
}

/** Everything that a migration makes, as the services tell of it. */
export type Look = ReturnType<typeof lookAt>;

interface Zone {
  readonly project: string;
  readonly name: string;
}

/** How often a look is tried, as a plan of faults may strike it as well. */
const mostAttempts = 5;

/** What Compute Engine lists over all scopes at once. */
const aggregated = [
  "addresses",
  "backendServices",
  "forwardingRules",
  "sslCertificates",
  "targetHttpProxies",
  "targetHttpsProxies",
  "urlMaps",
];

/**
 * Reads what the cloud has, from its services.
 *
 * @param projects in which something may have been made so far; asked anew by each look
 */
export function lookAt(cloud: Cloud, http: HttpClient, projects: () => readonly string[], zones: World["zones"]) {
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const url = `${cloud.endpoints.http}${path}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const { text } = await http.send({ method: "GET", url, purpose: "looking at the rehearsal" });
        return JSON.parse(text) as Readonly<Record<string, unknown>>;
      } catch (error) {
        // A project in which the service is not enabled has nothing of it.
        const isEmpty = error instanceof ServiceError && (error.status === 404 || error.reason === "SERVICE_DISABLED");
        if (isEmpty) return {};
        if (attempt >= mostAttempts) throw error;
      }
    }
  };
  const inEach = async <Item>(look: (project: string) => Promise<readonly Item[]>): Promise<readonly Item[]> =>
    (await Promise.all([...new Set(projects())].sort().map(look))).flat();
  const list = async (path: string, field: string): Promise<readonly Listed[]> =>
    ((await read(`${path}?pageSize=1000`))[field] ?? []) as readonly Listed[];
  const managed = (collection: string) =>
    inEach((project) => list(`v1/projects/${project}/locations/-/${collection}`, collection));
  const certificates = () => managed("certificates");
  const maps = () => managed("certificateMaps");
  const entries = async () => {
    const ofMaps = (await maps()).map(({ name }) => list(`v1/${name}/certificateMapEntries`, "certificateMapEntries"));
    return (await Promise.all(ofMaps)).flat();
  };
  /** As in `projects/p/global/targetHttpsProxies/web`. */
  const computed = (collection: string) =>
    inEach(async (project) => {
      const { items = {} } = await read(`compute/v1/projects/${project}/aggregated/${collection}`);
      const scopes = Object.entries(items as Readonly<Record<string, Readonly<Record<string, readonly Listed[]>>>>);
      return scopes.flatMap(([scope, { [collection]: found = [] }]) =>
        found.map(({ name }) => `projects/${project}/${scope}/${collection}/${name}`),
      );
    });
  const globals = (collection: string) =>
    inEach(async (project) => {
      const { items = [] } = await read(`compute/v1/projects/${project}/global/${collection}`);
      return (items as readonly Listed[]).map(({ name }) => `projects/${project}/global/${collection}/${name}`);
    });
  const managedZones = () =>
    inEach(async (project): Promise<readonly Zone[]> => {
      const { managedZones: found = [] } = await read(`dns/v1/projects/${project}/managedZones`);
      return (found as readonly Listed[]).map(({ name }) => ({ project, name }));
    });
  const recordsOf = async ({ project, name }: Zone): Promise<readonly string[]> => {
    const found: { readonly name: string; readonly type: string }[] = [];
    let page = "";
    do {
      const path = `dns/v1/projects/${project}/managedZones/${name}/rrsets?maxResults=1000${page}`;
      const { rrsets = [], nextPageToken } = await read(path);
      found.push(...(rrsets as typeof found));
      page = nextPageToken === undefined ? "" : `&pageToken=${encodeURIComponent(String(nextPageToken))}`;
    } while (page !== "");
    return found.filter(({ type }) => type !== "SOA" && type !== "NS").map((record) => `${record.name} ${record.type}`);
  };
  const authorizations = () => managed("dnsAuthorizations");
  return {
    certificates,
    maps,
    entries,
    /** Record sets of all zones, as in `www.example.com. CNAME`; without those that a zone has by itself. */
    records: async (): Promise<readonly string[]> =>
      (await Promise.all(distinct([...zones, ...(await managedZones())]).map(recordsOf))).flat(),
    authorizations: async () => (await authorizations()) as readonly unknown[] as readonly Authorization[],
    /** As in `projects/p/global/targetHttpsProxies/web` and `projects/p/regions/europe-west1/targetHttpsProxies/web`. */
    targetHttpsProxies: () => computed("targetHttpsProxies"),
    /** Names of everything that a stack of a migration may make: certificates, authorizations, maps, load balancers, zones and record sets. */
    everything: async (): Promise<readonly string[]> => {
      const zonesThere = await managedZones();
      const all = await Promise.all([
        ...[certificates, maps, entries, authorizations].map(async (look) => (await look()).map(({ name }) => name)),
        ...aggregated.map(computed),
        // These have no list over all scopes.
        ...["targetSslProxies", "healthChecks"].map(globals),
        ...distinct([...zones, ...zonesThere]).map(recordsOf),
      ]);
      const ofZones = zonesThere.map(({ project, name }) => `projects/${project}/managedZones/${name}`);
      return [...all.flat(), ...ofZones].sort();
    },
  };
}

function distinct(zones: readonly Zone[]): readonly Zone[] {
  return [...new Map(zones.map((zone) => [`${zone.project}/${zone.name}`, zone])).values()];
}
