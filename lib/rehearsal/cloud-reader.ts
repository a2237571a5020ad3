import { ServiceError } from "../errors";
import type { Fields } from "../json/fields";
import { writeComputeScope, writeLocation, writeProject, writeZoneName } from "../resource-names";
import type { RequestPlace } from "./post-resource";
import { resourcesOf, type StackJson } from "./stack";
import type { RehearsalWorld } from "./world";

/** Fields of a certificate, an entry or a map that a rehearsal reads. */
export interface Listed {
  readonly name: string;
  readonly state?: string;
  readonly managed?: { readonly state?: string; readonly provisioningIssue?: object };
  readonly pemCertificate?: string;
}

/** An authorization, and the CNAME that it requires. */
export interface Authorization {
  readonly name: string;
  readonly domain: string;
  readonly dnsResourceRecord?: { readonly name: string; readonly type: string; readonly data: string };
}

/** An incident of an alert policy. */
interface Incident {
  /** RFC 3339. */
  readonly openTime: string;
  /** Absent while it is open. */
  readonly closeTime?: string;
  /** Name of the policy for people. */
  readonly policy: string;
}

interface Zone {
  readonly project: string;
  readonly name: string;
}

interface RecordSet {
  readonly name: string;
  readonly type: string;
}

/** Items of an aggregated list, by scope and by collection. */
type Scopes = Readonly<Record<string, Readonly<Record<string, readonly Listed[]>>>>;

/**
 * Returns the parameter for the largest page. The services name it differently, and Certificate Manager allows the
 * largest pages.
 */
const sizeOf = (path: string) => (/^v[13]\//.test(path) ? "pageSize=1000" : "maxResults=500");

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

/** Reads everything that a migration creates, from the services of the cloud. */
export class CloudReader {
  readonly #place: RequestPlace;
  readonly #projects: () => readonly string[];
  readonly #zones: RehearsalWorld["zones"];

  /** @param projects returns the projects in which a resource may exist; called for each list */
  constructor(place: RequestPlace, projects: () => readonly string[], zones: RehearsalWorld["zones"]) {
    this.#place = place;
    this.#projects = projects;
    this.#zones = zones;
  }

  certificates(): Promise<readonly Listed[]> {
    return this.#managed("certificates");
  }

  maps(): Promise<readonly Listed[]> {
    return this.#managed("certificateMaps");
  }

  async entries(): Promise<readonly Listed[]> {
    const maps = await this.maps();
    const lists = maps.map(({ name }) => this.#list(`v1/${name}/certificateMapEntries`, "certificateMapEntries"));
    return (await Promise.all(lists)).flat();
  }

  /** Returns the incidents of all alert policies, open and closed. */
  async incidents(): Promise<readonly Incident[]> {
    const found = await this.#inEach((project) =>
      this.#list<Omit<Incident, "policy"> & { readonly policy: { readonly displayName: string } }>(
        `v3/${writeProject(project)}/alerts`,
        "alerts",
      ),
    );
    return found.map(({ policy, ...incident }) => ({ ...incident, policy: policy.displayName }));
  }

  authorizations(): Promise<readonly Authorization[]> {
    return this.#managed<Authorization>("dnsAuthorizations");
  }

  /** Returns the record sets of all zones, for example `www.example.com. CNAME`, without the SOA and NS records. */
  async records(): Promise<readonly string[]> {
    return this.#recordsIn(await this.#managedZones());
  }

  /**
   * Returns names, for example `projects/p/global/targetHttpsProxies/web` and
   * `projects/p/regions/europe-west1/targetHttpsProxies/web`.
   */
  targetHttpsProxies(): Promise<readonly string[]> {
    return this.#aggregated("targetHttpsProxies");
  }

  /**
   * Returns the names of everything that a stack of a migration can create: certificates, authorizations, maps, load
   * balancers, zones and record sets.
   */
  async everything(): Promise<readonly string[]> {
    const zones = await this.#managedZones();
    const listed = [this.certificates(), this.maps(), this.entries(), this.authorizations()];
    const names = await Promise.all([
      ...listed.map(async (items) => (await items).map(({ name }) => name)),
      ...aggregated.map((collection) => this.#aggregated(collection)),
      // These collections have no list over all scopes.
      ...["targetSslProxies", "healthChecks"].map((collection) => this.#globals(collection)),
      this.#recordsIn(zones),
    ]);
    const zoneNames = zones.map(({ project, name }) => writeZoneName({ project, zone: name }));
    return [...names.flat(), ...zoneNames].sort();
  }

  async #read(path: string): Promise<Fields> {
    const { cloudUrl, http } = this.#place;
    const url = `${cloudUrl}${path}`;
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
  }

  /** Returns all pages of a list. */
  async #pages(path: string): Promise<readonly Fields[]> {
    const pages: Fields[] = [];
    let token: unknown;
    do {
      const more = token === undefined ? "" : `&pageToken=${encodeURIComponent(String(token))}`;
      const page = await this.#read(`${path}?${sizeOf(path)}${more}`);
      pages.push(page);
      token = page.nextPageToken;
    } while (token !== undefined && token !== "");
    return pages;
  }

  async #list<Item = Listed>(path: string, field: string): Promise<readonly Item[]> {
    return (await this.#pages(path)).flatMap((page) => (page[field] ?? []) as readonly Item[]);
  }

  async #inEach<Item>(list: (project: string) => Promise<readonly Item[]>): Promise<readonly Item[]> {
    return (await Promise.all([...new Set(this.#projects())].sort().map(list))).flat();
  }

  #managed<Item = Listed>(collection: string): Promise<readonly Item[]> {
    const place = (project: string) => `v1/${writeLocation({ project, location: "-" })}/${collection}`;
    return this.#inEach((project) => this.#list<Item>(place(project), collection));
  }

  /** Returns resource names, for example `projects/p/global/targetHttpsProxies/web`. */
  #aggregated(collection: string): Promise<readonly string[]> {
    return this.#inEach(async (project) => {
      const pages = await this.#pages(`compute/v1/${writeProject(project)}/aggregated/${collection}`);
      const scopes = pages.flatMap(({ items = {} }) => Object.entries(items as Scopes));
      return scopes.flatMap(([scope, { [collection]: found = [] }]) =>
        found.map(({ name }) => `${writeProject(project)}/${scope}/${collection}/${name}`),
      );
    });
  }

  #globals(collection: string): Promise<readonly string[]> {
    return this.#inEach(async (project) => {
      const place = `${writeComputeScope({ project })}/${collection}`;
      return (await this.#list(`compute/v1/${place}`, "items")).map(({ name }) => `${place}/${name}`);
    });
  }

  #managedZones(): Promise<readonly Zone[]> {
    return this.#inEach(async (project): Promise<readonly Zone[]> => {
      const found = await this.#list(`dns/v1/${writeProject(project)}/managedZones`, "managedZones");
      return found.map(({ name }) => ({ project, name }));
    });
  }

  /** Returns the record sets of the zones, and of those that exist before the migration. */
  async #recordsIn(zones: readonly Zone[]): Promise<readonly string[]> {
    const paths = new Set(
      [...this.#zones, ...zones].map(({ project, name }) => writeZoneName({ project, zone: name })),
    );
    const lists = [...paths].map((path) => this.#list<RecordSet>(`dns/v1/${path}/rrsets`, "rrsets"));
    return (await Promise.all(lists))
      .flat()
      .filter(({ type }) => type !== "SOA" && type !== "NS")
      .map(({ name, type }) => `${name} ${type}`);
  }
}

/** What exists in a cloud after steps 1 and 2. */
interface Published {
  readonly authorizations: readonly Authorization[];
  /** Record sets of the cloud's zones, for example `_acme-challenge.example.com. CNAME`. */
  readonly records: readonly string[];
  /** Whether CNAMEs that the stack does not write must also exist; if false, they are ignored. */
  readonly publishesAll: boolean;
}

const authorizationType = "google_certificate_manager_dns_authorization";

/**
 * Returns the resources of steps 1 and 2 that a stack contains and a cloud does not have: authorizations, and their
 * CNAMEs.
 *
 * @returns short descriptions, for example `the authorization of 'example.com'`, without domains that only Terraform
 * knows
 */
export function missingRecordsOf(
  stack: StackJson,
  { authorizations, records, publishesAll }: Published,
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
    return (publishesAll || isWritten) && !records.includes(`${name} ${type}`) ? [`the ${type} '${name}'`] : [];
  });
}
