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

/** Reads what the cloud has, from its services. */
export function lookAt(cloud: Cloud, http: HttpClient, project: string, zones: World["zones"]) {
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const url = `${cloud.endpoints.http}${path}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const { text } = await http.send({ method: "GET", url, purpose: "looking at the rehearsal" });
        return JSON.parse(text) as Readonly<Record<string, unknown>>;
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return {};
        if (attempt >= mostAttempts) throw error;
      }
    }
  };
  const list = async (path: string, field: string): Promise<readonly Listed[]> =>
    ((await read(`${path}?pageSize=1000`))[field] ?? []) as readonly Listed[];
  const locations = `v1/projects/${project}/locations/-`;
  const certificates = () => list(`${locations}/certificates`, "certificates");
  const maps = () => list(`${locations}/certificateMaps`, "certificateMaps");
  const entries = async () => {
    const ofMaps = (await maps()).map(({ name }) => list(`v1/${name}/certificateMapEntries`, "certificateMapEntries"));
    return (await Promise.all(ofMaps)).flat();
  };
  const computed = async (collection: string): Promise<readonly string[]> => {
    const { items = {} } = await read(`compute/v1/projects/${project}/aggregated/${collection}`);
    const scopes = Object.values(items as Readonly<Record<string, Readonly<Record<string, readonly Listed[]>>>>);
    return scopes.flatMap((scope) => (scope[collection] ?? []).map(({ name }) => `${collection}/${name}`));
  };
  const recordsOf = async ({ project: owner, name }: Zone): Promise<readonly string[]> => {
    const { rrsets = [] } = await read(`dns/v1/projects/${owner}/managedZones/${name}/rrsets`);
    return (rrsets as readonly { readonly name: string; readonly type: string }[])
      .filter(({ type }) => type !== "SOA" && type !== "NS")
      .map((record) => `${record.name} ${record.type}`);
  };
  const authorizations = () => list(`${locations}/dnsAuthorizations`, "dnsAuthorizations");
  return {
    certificates,
    maps,
    entries,
    authorizations: async () => (await authorizations()) as readonly unknown[] as readonly Authorization[],
    /** As in `global/targetHttpsProxies/web` and `regions/europe-west1/targetHttpsProxies/web`. */
    targetHttpsProxies: async (): Promise<readonly string[]> => {
      const { items = {} } = await read(`compute/v1/projects/${project}/aggregated/targetHttpsProxies`);
      const scopes = Object.entries(items as Readonly<Record<string, Readonly<Record<string, readonly Listed[]>>>>);
      return scopes.flatMap(([scope, { targetHttpsProxies: found = [] }]) =>
        found.map(({ name }) => `${scope}/targetHttpsProxies/${name}`),
      );
    },
    /** Names of everything that a stack of a migration may make: certificates, authorizations, maps, load balancers, zones and record sets. */
    everything: async (): Promise<readonly string[]> => {
      const managed = await Promise.all([certificates(), maps(), entries(), authorizations()]);
      const others = [
        ...aggregated.map(computed),
        // These have no list over all scopes.
        ...["targetSslProxies", "healthChecks"].map((collection) =>
          read(`compute/v1/projects/${project}/global/${collection}`).then(({ items = [] }) =>
            (items as readonly Listed[]).map(({ name }) => `${collection}/${name}`),
          ),
        ),
        read(`dns/v1/projects/${project}/managedZones`).then(({ managedZones = [] }) =>
          (managedZones as readonly Listed[]).map(({ name }) => `managedZones/${name}`),
        ),
        ...zones.map(recordsOf),
      ];
      return [...managed.flat().map(({ name }) => name), ...(await Promise.all(others)).flat()].sort();
    },
  };
}
