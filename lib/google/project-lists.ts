import { fieldsOf, isFields, textsOf } from "../json/fields";
import { writeLocation } from "../resource-names";
import { createPace, type Pace } from "./authorized-fetch";
import { type JsonObject, objectsOf, type RestApi, restText } from "./rest";

/** A list of resources in all locations of a project. */
interface ProjectList {
  readonly what: string;
  readonly method: string;
  readonly permission: string;
}

export const projectLists = {
  forwardingRules: list("forwarding rules", "compute.forwardingRules.aggregatedList", "compute.forwardingRules.list"),
  targetHttpsProxies: list(
    "target HTTPS proxies",
    "compute.targetHttpsProxies.aggregatedList",
    "compute.targetHttpsProxies.list",
  ),
  targetSslProxies: list("target SSL proxies", "compute.targetSslProxies.list", "compute.targetSslProxies.list"),
  urlMaps: list("URL maps", "compute.urlMaps.aggregatedList", "compute.urlMaps.list"),
  addresses: list("addresses", "compute.addresses.aggregatedList", "compute.addresses.list"),
  sslCertificates: list(
    "certificates of Compute Engine",
    "compute.sslCertificates.aggregatedList",
    "compute.sslCertificates.list",
  ),
  certificates: list(
    "certificates of Certificate Manager",
    "certificatemanager.projects.locations.certificates.list",
    "certificatemanager.certs.list",
  ),
  certificateMaps: list(
    "certificate maps",
    "certificatemanager.projects.locations.certificateMaps.list",
    "certificatemanager.certmaps.list",
  ),
  // Read only for a project whose certificates use one.
  certificateIssuanceConfigs: list(
    "issuance configs",
    "certificatemanager.projects.locations.certificateIssuanceConfigs.list",
    "certificatemanager.certissuanceconfigs.list",
  ),
  managedZones: list("DNS zones", "dns.managedZones.list", "dns.managedZones.list"),
} as const;

export type ProjectListName = keyof typeof projectLists;

export const entryList = list(
  "certificate map entries",
  "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
  "certificatemanager.certmapentries.list",
);

/** The resources of a project in all locations that answered. */
interface ProjectListing {
  readonly items: readonly JsonObject[];
  /**
   * Why the list is incomplete, for example `listing addresses of project p: regions/x did not answer`.
   * @default - complete
   */
  readonly incomplete?: string;
}

/** Lists the resources of a project as the services describe them. Only reads. Every method throws ServiceError. */
export interface ProjectLister {
  /**
   * Lists a collection in all locations. Locations that did not answer are reported in the result.
   *
   * @param onPage called with the number of resources so far, after each page
   */
  list(
    name: ProjectListName,
    project: string,
    signal: AbortSignal,
    onPage?: (count: number) => void,
  ): Promise<ProjectListing>;
  /** Lists the entries of a certificate map. @param map its id */
  entries(map: string, signal: AbortSignal): Promise<readonly JsonObject[]>;
}

const pageSizes = { compute: 500, certificatemanager: 1_000, dns: 1_000 } as const;

/**
 * Creates a reader for all resources of a project that an inventory contains.
 *
 * @param pace keeps the requests to Certificate Manager within its quota. @default - a new pace
 */
export function projectLister(api: RestApi, pace: Pace = createPace()): ProjectLister {
  return {
    list: async (name, project, signal, onPage = () => undefined) => {
      const { what, method } = projectLists[name];
      const purpose = `listing the ${what} of project ${project}`;
      const service = method.slice(0, method.indexOf(".")) as keyof typeof pageSizes;
      const isOfManager = service === "certificatemanager";
      const parameters = isOfManager
        ? { parent: writeLocation({ project, location: "-" }), pageSize: pageSizes[service] }
        : { project, maxResults: pageSizes[service] };
      if (isOfManager) await pace();
      let count = 0;
      const gaps = new Set<string>();
      const listed = await api.list({ method, parameters, purpose, signal }, (page) => {
        for (const gap of gapsOf(page)) gaps.add(gap);
        const items = itemsOf(page, name, service);
        count += items.length;
        onPage(count);
        return items;
      });
      return {
        items: listed,
        ...(gaps.size === 0 ? {} : { incomplete: `${purpose}: ${[...gaps].sort().join(", ")}` }),
      };
    },
    entries: async (map, signal) => {
      await pace();
      return api.list(
        {
          method: entryList.method,
          parameters: { parent: map, pageSize: pageSizes.certificatemanager },
          purpose: `listing the entries of ${map}`,
          signal,
        },
        "certificateMapEntries",
      );
    },
  };
}

function itemsOf(page: JsonObject, name: ProjectListName, service: keyof typeof pageSizes): readonly JsonObject[] {
  if (service !== "compute") return objectsOf(page[name]);
  if (!isFields(page.items)) return objectsOf(page.items);
  return Object.values(page.items).flatMap((scope) => objectsOf(fieldsOf(scope)[name]));
}

/** Returns why a page lacks resources: the locations that did not answer, and warnings of the page and its scopes. */
function gapsOf(page: JsonObject): readonly string[] {
  const silent = [...textsOf(page.unreachable), ...textsOf(page.unreachables)];
  const scopes = Object.entries(fieldsOf(page.items));
  const warned = [["the service", page] as const, ...scopes].flatMap(([location, scope]) => {
    const code = restText(fieldsOf(fieldsOf(scope).warning).code);
    // Compute Engine warns with this code about every location without resources.
    if (code === "" || code === "NO_RESULTS_ON_PAGE") return [];
    return code === "UNREACHABLE" ? `${location} did not answer` : `${location} warned with ${code}`;
  });
  return [...silent.map((location) => `${location} did not answer`), ...warned];
}

function list(what: string, method: string, permission: string): ProjectList {
  return { what, method, permission };
}
