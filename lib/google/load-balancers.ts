import { canonicalAddress } from "../hostnames";
import { defined } from "../json/defined";
import { fieldsOf, isFields, textsOf } from "../json/fields";
import { lastPart, locationIn, regionIn, resourceNameIn } from "../resource-names";
import { type JsonObject, objectsOf, type RestApi, restText } from "./rest";

/** A target proxy that terminates TLS. */
export interface LiveProxy {
  /** For example `projects/P/global/targetHttpsProxies/N`. */
  readonly id: string;
  /**
   * Id of its certificate map, for example `projects/P/locations/global/certificateMaps/M`; absent if it has no map.
   */
  readonly map?: string;
  /** Ids of the certificates that are attached directly, of Compute Engine or of Certificate Manager. */
  readonly certificates: readonly string[];
  /** Its other settings, by the API's names. Links are ids; settings without a value are absent. */
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface LiveForwardingRule {
  /** For example `projects/P/global/forwardingRules/N`. */
  readonly id: string;
  readonly target: string;
  /** For example `EXTERNAL_MANAGED`. */
  readonly scheme: string;
  readonly address: string;
  /** For example `443-443`; empty if the rule accepts all ports. */
  readonly portRange: string;
  /** `PREMIUM` or `STANDARD`; empty if the rule is internal. */
  readonly networkTier: string;
  readonly description?: string;
  /** Keys of the labels; absent without labels. */
  readonly labels?: readonly string[];
}

export interface LiveAddress {
  /** For example `projects/P/regions/R/addresses/N`. */
  readonly id: string;
  readonly address: string;
  readonly region?: string;
  /** `PREMIUM` or `STANDARD`; empty if the address is internal. */
  readonly networkTier: string;
}

/** An SSL certificate of Compute Engine. */
export interface LiveSslCertificate {
  readonly id: string;
  /** DNS names of the certificate, as far as the service reports them. */
  readonly domains: readonly string[];
  readonly isManaged: boolean;
  /** As the service writes it, with a time zone; absent if the certificate is not issued. */
  readonly notAfter?: string;
}

/** Lists the resources of load balancers in a project. Every method throws ServiceError. */
export interface LoadBalancerReader {
  /** Lists target proxies. @param region absent for the global proxies */
  proxies(project: string, region: string | undefined, signal: AbortSignal): Promise<readonly LiveProxy[]>;
  /**
   * Lists the rules of the region, or of all regions and the global rules: rules of a region may lead to a global
   * proxy.
   */
  forwardingRules(
    project: string,
    region: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly LiveForwardingRule[]>;
  /** Lists the addresses of all regions and the global addresses. */
  addresses(project: string, signal: AbortSignal): Promise<readonly LiveAddress[]>;
  sslCertificates(
    project: string,
    region: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly LiveSslCertificate[]>;
  /**
   * Returns the ids of the resources in a collection; empty if the collection does not exist.
   *
   * @param place for example `projects/P/global/urlMaps`; a place in a location belongs to Network Security or
   * Certificate Manager, for example `projects/P/locations/global/serverTlsPolicies`
   */
  ids(place: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Creates a reader for load balancers of Compute Engine. */
export function loadBalancerReader(api: RestApi): LoadBalancerReader {
  const list = (
    what: string,
    methods: typeof httpsProxies,
    project: string,
    region: string | undefined,
    signal: AbortSignal,
  ) => {
    const method = region === undefined ? methods.global : methods.regional;
    const purpose = `listing the ${what} of project ${project}${region === undefined ? "" : ` in ${region}`}`;
    const parameters = { project, maxResults: 500, ...defined({ region }) };
    return api.list({ method, parameters, purpose, signal }, "items");
  };
  const listEverywhere = (what: string, collection: string, project: string, signal: AbortSignal) => {
    const method = `compute.${collection}.aggregatedList`;
    const purpose = `listing the ${what} of project ${project} in all regions`;
    return api.list({ method, parameters: { project, maxResults: 500 }, purpose, signal }, ({ items }) =>
      Object.values(fieldsOf(items)).flatMap((scope) => objectsOf(fieldsOf(scope)[collection])),
    );
  };
  return {
    proxies: async (project, region, signal) => {
      const https = await list("target HTTPS proxies", httpsProxies, project, region, signal);
      // No regional SSL proxy accepts certificates.
      const ssl = region === undefined ? await list("target SSL proxies", sslProxies, project, region, signal) : [];
      return [...https, ...ssl].map(describeProxy);
    },
    forwardingRules: async (project, region, signal) =>
      (region === undefined
        ? await listEverywhere(rules, "forwardingRules", project, signal)
        : await list(rules, forwardingRules, project, region, signal)
      ).map(({ selfLink, target, loadBalancingScheme, IPAddress, portRange, networkTier, description, labels }) => ({
        id: resourceNameIn(restText(selfLink)),
        target: resourceNameIn(restText(target)),
        scheme: restText(loadBalancingScheme),
        address: canonicalAddress(restText(IPAddress)),
        portRange: restText(portRange),
        networkTier: restText(networkTier),
        ...(restText(description) === "" ? {} : { description: restText(description) }),
        ...(isFields(labels) ? { labels: Object.keys(labels) } : {}),
      })),
    addresses: async (project, signal) =>
      (await listEverywhere("addresses", "addresses", project, signal)).map(({ selfLink, address, networkTier }) => {
        const id = resourceNameIn(restText(selfLink));
        const region = regionIn(id);
        return {
          id,
          address: canonicalAddress(restText(address)),
          ...defined({ region }),
          networkTier: restText(networkTier),
        };
      }),
    sslCertificates: async (project, region, signal) =>
      (await list("SSL certificates", sslCertificates, project, region, signal)).map(
        ({ selfLink, subjectAlternativeNames, managed, expireTime }) => ({
          id: resourceNameIn(restText(selfLink)),
          domains: [...textsOf(subjectAlternativeNames), ...textsOf(fieldsOf(managed).domains)],
          isManaged: isFields(managed),
          ...(restText(expireTime) === "" ? {} : { notAfter: restText(expireTime) }),
        }),
      ),
    ids: async (place, signal) => {
      const collection = lastPart(place);
      const isOfCompute = locationIn(place) === undefined;
      const service = isOfCompute ? "compute" : (services[collection] ?? "networksecurity");
      const items = await api.listAt({
        service,
        path: place,
        field: isOfCompute ? "items" : collection,
        purpose: `listing ${place}`,
        signal,
      });
      // Some services use the project's number in links, so that only the name can be compared.
      return items.map(({ name }) => `${place}/${lastPart(restText(name))}`);
    },
  };
}

/** Services of the collections in locations that do not belong to Network Security. */
const services: Readonly<Record<string, "certificatemanager">> = {
  certificateIssuanceConfigs: "certificatemanager",
  trustConfigs: "certificatemanager",
};

const rules = "forwarding rules";
const httpsProxies = { global: "compute.targetHttpsProxies.list", regional: "compute.regionTargetHttpsProxies.list" };
const sslProxies = { global: "compute.targetSslProxies.list", regional: "compute.targetSslProxies.list" };
const forwardingRules = { global: "compute.forwardingRules.aggregatedList", regional: "compute.forwardingRules.list" };
const sslCertificates = { global: "compute.sslCertificates.list", regional: "compute.regionSslCertificates.list" };

const settings = [
  "description",
  "httpKeepAliveTimeoutSec",
  "proxyHeader",
  "quicOverride",
  "serverTlsPolicy",
  "service",
  "sslPolicy",
  "tlsEarlyData",
  "urlMap",
];

function describeProxy(proxy: JsonObject): LiveProxy {
  const map = resourceNameIn(restText(proxy.certificateMap));
  return {
    id: resourceNameIn(restText(proxy.selfLink)),
    ...(map === "" ? {} : { map }),
    certificates: textsOf(proxy.sslCertificates).map(resourceNameIn),
    settings: Object.fromEntries(
      settings.flatMap((name): [string, string | number][] => {
        const value = proxy[name];
        if (typeof value === "number") return [[name, value]];
        const text = restText(value);
        if (text === "") return [];
        return [[name, name === "description" ? text : resourceNameIn(text)]];
      }),
    ),
  };
}
