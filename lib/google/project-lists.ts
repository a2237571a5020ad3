import { ServiceError } from "../errors";
import { writeLocation } from "../resource-names";
import { createPace, type Pace } from "./pace";
import { isObject, type JsonObject, objectsOf, type RestApi, textsOf } from "./rest";

/** A list of resources in all locations of a project. */
interface ProjectList {
  /** Noun for messages. */
  readonly what: string;
  readonly method: string;
  /** The permission that the method needs. */
  readonly permission: string;
}

/** The lists by the name of their collection. */
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
  managedZones: list("DNS zones", "dns.managedZones.list", "dns.managedZones.list"),
} as const;

export type ProjectListName = keyof typeof projectLists;

/** The list of the entries of one map. */
export const entryList = list(
  "certificate map entries",
  "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list",
  "certificatemanager.certmapentries.list",
);

/** Lists the resources of a project as the services describe them. Only reads. Every method throws ServiceError. */
export interface ProjectLister {
  /**
   * Lists a collection in all locations.
   *
   * @param onPage called with the number of resources so far, after each page
   * @throws ServiceError also for a location that did not answer, because the list is then incomplete
   */
  list(
    name: ProjectListName,
    project: string,
    signal: AbortSignal,
    onPage?: (count: number) => void,
  ): Promise<readonly JsonObject[]>;
  /** Lists the entries of a certificate map. @param map its id */
  entries(map: string, signal: AbortSignal): Promise<readonly JsonObject[]>;
}

/** The largest pages that the services allow. */
const pageSizes = { compute: 500, certificatemanager: 1_000, dns: 1_000 } as const;

/** @param pace keeps the requests to Certificate Manager within its quota. @default - a new pace */
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
      return api.list({ method, parameters, purpose, signal }, (page) => {
        const [missing] = [...textsOf(page.unreachable), ...textsOf(page.unreachables)];
        if (missing !== undefined) {
          const message = `${purpose}: ${missing} did not answer`;
          throw new ServiceError(message, { code: "service-unreachable", retryable: true });
        }
        const items = itemsOf(page, name, service);
        count += items.length;
        onPage(count);
        return items;
      });
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
  if (!isObject(page.items)) return objectsOf(page.items);
  return Object.values(page.items).flatMap((scope) => objectsOf(isObject(scope) ? scope[name] : undefined));
}

function list(what: string, method: string, permission: string): ProjectList {
  return { what, method, permission };
}
