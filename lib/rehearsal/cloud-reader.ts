import type { Cloud } from "../cloud";
import { ServiceError } from "../errors";
import type { HttpClient } from "../http";
import { writeComputeScope, writeLocation, writeProject, writeZoneName } from "../resource-names";
import { resourcesOf, type StackJson } from "./stack";
import type { World } from "./world";

/** Fields of a certificate, an entry or a map that a rehearsal reads. */
export interface Listed {
  readonly name: string;
  readonly state?: string;
  readonly managed?: { readonly state?: string };
  readonly pemCertificate?: string;
}

/** An authorization, and the CNAME that it requires. */
export interface Authorization {
  readonly name: string;
  readonly domain: string;
  readonly dnsResourceRecord?: { readonly name: string; readonly type: string; readonly data: string };
}

/** Reader of everything that a migration creates, from the services. */
export type CloudReader = ReturnType<typeof createCloudReader>;

interface Zone {
  readonly project: string;
  readonly name: string;
}

interface RecordSet {
  readonly name: string;
  readonly type: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Items of an aggregated list, by scope and by collection. */
type Scopes = Readonly<Record<string, Readonly<Record<string, readonly Listed[]>>>>;

/**
 * Returns the parameter for the largest page. The services name it differently, and Certificate Manager allows the
 * largest pages.
 */
const sizeOf = (path: string) => (path.startsWith("v1/") ? "pageSize=1000" : "maxResults=500");

/** Maximum number of attempts of a request, because a plan of faults can also affect these requests. */
const mostAttempts = 5;

/** Collections that Compute Engine lists over all scopes at once. */
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
 * Returns a reader for the resources in the cloud, through its services.
 *
 * @param projects returns the projects in which a resource may exist; called for each list
 */
export function createCloudReader(
  cloud: Cloud,
  http: HttpClient,
  projects: () => readonly string[],
  zones: World["zones"],
) {
  const read = async (path: string): Promise<Fields> => {
    const url = `${cloud.endpoints.http}${path}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const { text } = await http.send({ method: "GET", url, purpose: "reading the resources of the rehearsal" });
        return JSON.parse(text) as Fields;
      } catch (error) {
        // A project in which the service is disabled has no resources of the service.
        const isEmpty = error instanceof ServiceError && (error.status === 404 || error.reason === "SERVICE_DISABLED");
        if (isEmpty) return {};
        if (attempt >= mostAttempts) throw error;
      }
    }
  };
  /** Returns all pages of a list. */
  const pagesOf = async (path: string): Promise<readonly Fields[]> => {
    const pages: Fields[] = [];
    let token: unknown;
    do {
      const more = token === undefined ? "" : `&pageToken=${encodeURIComponent(String(token))}`;
      const page = await read(`${path}?${sizeOf(path)}${more}`);
      pages.push(page);
      token = page.nextPageToken;
    } while (token !== undefined && token !== "");
    return pages;
  };
  const list = async <Item = Listed>(path: string, field: string): Promise<readonly Item[]> =>
    (await pagesOf(path)).flatMap((page) => (page[field] ?? []) as readonly Item[]);
  const inEach = async <Item>(listItems: (project: string) => Promise<readonly Item[]>): Promise<readonly Item[]> =>
    (await Promise.all([...new Set(projects())].sort().map(listItems))).flat();
  const managed = <Item = Listed>(collection: string) =>
    inEach((project) => list<Item>(`v1/${writeLocation({ project, location: "-" })}/${collection}`, collection));
  const certificates = () => managed("certificates");
  const maps = () => managed("certificateMaps");
  const entries = async () => {
    const ofMaps = (await maps()).map(({ name }) => list(`v1/${name}/certificateMapEntries`, "certificateMapEntries"));
    return (await Promise.all(ofMaps)).flat();
  };
  /** Returns resource names, for example `projects/p/global/targetHttpsProxies/web`. */
  const computed = (collection: string) =>
    inEach(async (project) => {
      const pages = await pagesOf(`compute/v1/${writeProject(project)}/aggregated/${collection}`);
      const scopes = pages.flatMap(({ items = {} }) => Object.entries(items as Scopes));
      return scopes.flatMap(([scope, { [collection]: found = [] }]) =>
        found.map(({ name }) => `${writeProject(project)}/${scope}/${collection}/${name}`),
      );
    });
  const globals = (collection: string) =>
    inEach(async (project) => {
      const place = `${writeComputeScope({ project })}/${collection}`;
      return (await list(`compute/v1/${place}`, "items")).map(({ name }) => `${place}/${name}`);
    });
  const managedZones = () =>
    inEach(async (project): Promise<readonly Zone[]> => {
      const found = await list(`dns/v1/${writeProject(project)}/managedZones`, "managedZones");
      return found.map(({ name }) => ({ project, name }));
    });
  const recordsOf = async ({ project, name }: Zone): Promise<readonly string[]> => {
    const found = await list<RecordSet>(`dns/v1/${writeZoneName({ project, zone: name })}/rrsets`, "rrsets");
    return found.filter(({ type }) => type !== "SOA" && type !== "NS").map((record) => `${record.name} ${record.type}`);
  };
  const authorizations = () => managed<Authorization>("dnsAuthorizations");
  return {
    certificates,
    maps,
    entries,
    /** Returns the record sets of all zones, for example `www.example.com. CNAME`, without the SOA and NS records. */
    records: async (): Promise<readonly string[]> =>
      (await Promise.all(distinct([...zones, ...(await managedZones())]).map(recordsOf))).flat(),
    authorizations,
    /**
     * Returns names, for example `projects/p/global/targetHttpsProxies/web` and
     * `projects/p/regions/europe-west1/targetHttpsProxies/web`.
     */
    targetHttpsProxies: () => computed("targetHttpsProxies"),
    /**
     * Returns the names of everything that a stack of a migration can create: certificates, authorizations, maps, load
     * balancers, zones and record sets.
     */
    everything: async (): Promise<readonly string[]> => {
      const zonesThere = await managedZones();
      const all = await Promise.all([
        ...[certificates, maps, entries, authorizations].map(async (listItems) =>
          (await listItems()).map(({ name }) => name),
        ),
        ...aggregated.map(computed),
        // These collections have no list over all scopes.
        ...["targetSslProxies", "healthChecks"].map(globals),
        ...distinct([...zones, ...zonesThere]).map(recordsOf),
      ]);
      const ofZones = zonesThere.map(({ project, name }) => writeZoneName({ project, zone: name }));
      return [...all.flat(), ...ofZones].sort();
    },
  };
}

function distinct(zones: readonly Zone[]): readonly Zone[] {
  return [...new Map(zones.map((zone) => [`${zone.project}/${zone.name}`, zone])).values()];
}

const authorizationType = "google_certificate_manager_dns_authorization";

/**
 * Returns the resources of steps 1 and 2 that a stack contains and a cloud does not have: authorizations, and their
 * CNAMEs.
 *
 * @param authorizations authorizations in the cloud
 * @param records record sets of the cloud's zones, for example `_acme-challenge.example.com. CNAME`
 * @param published whether CNAMEs that the stack does not write must also exist; if false, they are ignored
 * @returns short descriptions, for example `the authorization of 'example.com'`, without domains that only Terraform
 * knows
 */
export function missingRecordsOf(
  stack: StackJson,
  authorizations: readonly Authorization[],
  records: readonly string[],
  published: boolean,
): readonly string[] {
  const planned = Object.entries(resourcesOf(stack, authorizationType)).flatMap(([id, { domain }]) =>
    typeof domain === "string" && !domain.includes("${") ? [{ id, domain }] : [],
  );
  const made = new Map(authorizations.map((authorization) => [authorization.domain, authorization]));
  const written = Object.values(resourcesOf(stack, "google_dns_record_set")).map(({ name }) => String(name));
  return planned.flatMap(({ id, domain }) => {
    const authorization = made.get(domain);
    if (authorization === undefined) return [`the authorization of '${domain}'`];
    const { name, type } = authorization.dnsResourceRecord ?? {};
    const isWritten = written.some((each) => each.includes(`${authorizationType}.${id}.`));
    return (published || isWritten) && !records.includes(`${name} ${type}`) ? [`the ${type} '${name}'`] : [];
  });
}
