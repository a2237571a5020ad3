import { isObject, type JsonObject, type RestApi, textOf, textsOf } from "./rest";

/** A target proxy that ends TLS. */
export interface LiveProxy {
  /** As in `projects/P/global/targetHttpsProxies/N`. */
  readonly id: string;
  /** Id of its certificate map, as in `projects/P/locations/global/certificateMaps/M`; absent where it has none. */
  readonly map?: string;
  /** Ids of the certificates that are attached directly: of Compute Engine or of Certificate Manager. */
  readonly certificates: readonly string[];
  /** What else it is set to, by the API's names; links as ids, absent where nothing is set. */
  readonly settings: Readonly<Record<string, string | number>>;
}

/** A forwarding rule. */
export interface LiveForwardingRule {
  /** As in `projects/P/global/forwardingRules/N`. */
  readonly id: string;
  /** Id of what it leads to. */
  readonly target: string;
  /** As in `EXTERNAL_MANAGED`. */
  readonly scheme: string;
  readonly address: string;
  /** As in `443-443`; empty where it takes all ports. */
  readonly portRange: string;
}

/** An SSL certificate of Compute Engine. */
export interface LiveSslCertificate {
  readonly id: string;
  /** DNS names that it is for, as far as the service tells. */
  readonly domains: readonly string[];
}

/** Lists what load balancers of a project are made of, in one scope. Every method throws ServiceError. */
export interface LoadBalancerReader {
  /** @param region absent for the global ones */
  proxies(project: string, region: string | undefined, signal: AbortSignal): Promise<readonly LiveProxy[]>;
  forwardingRules(
    project: string,
    region: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly LiveForwardingRule[]>;
  sslCertificates(
    project: string,
    region: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly LiveSslCertificate[]>;
}

export function loadBalancerReader(api: RestApi): LoadBalancerReader {
  const list = (what: string, methods: Methods, project: string, region: string | undefined, signal: AbortSignal) =>
    api.list(
      {
        method: region === undefined ? methods.global : methods.regional,
        parameters: { project, maxResults: 500, ...(region === undefined ? {} : { region }) },
        purpose: `listing the ${what} of project ${project}${region === undefined ? "" : ` in ${region}`}`,
        signal,
      },
      "items",
    );
  return {
    proxies: async (project, region, signal) => {
      const https = await list("target HTTPS proxies", httpsProxies, project, region, signal);
      // There are no regional ones that take certificates.
      const ssl = region === undefined ? await list("target SSL proxies", sslProxies, project, region, signal) : [];
      return [...https, ...ssl].map(describeProxy);
    },
    forwardingRules: async (project, region, signal) =>
      (await list("forwarding rules", forwardingRules, project, region, signal)).map(
        ({ selfLink, target, loadBalancingScheme, IPAddress, portRange }) => ({
          id: idOf(textOf(selfLink)),
          target: idOf(textOf(target)),
          scheme: textOf(loadBalancingScheme),
          address: textOf(IPAddress),
          portRange: textOf(portRange),
        }),
      ),
    sslCertificates: async (project, region, signal) =>
      (await list("SSL certificates", sslCertificates, project, region, signal)).map(
        ({ selfLink, subjectAlternativeNames, managed }) => ({
          id: idOf(textOf(selfLink)),
          domains: [...textsOf(subjectAlternativeNames), ...(isObject(managed) ? textsOf(managed.domains) : [])],
        }),
      ),
  };
}

interface Methods {
  readonly global: string;
  readonly regional: string;
}

const httpsProxies = { global: "compute.targetHttpsProxies.list", regional: "compute.regionTargetHttpsProxies.list" };
const sslProxies = { global: "compute.targetSslProxies.list", regional: "compute.targetSslProxies.list" };
const forwardingRules = {
  global: "compute.globalForwardingRules.list",
  regional: "compute.forwardingRules.list",
};
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
  const map = idOf(textOf(proxy.certificateMap));
  return {
    id: idOf(textOf(proxy.selfLink)),
    ...(map === "" ? {} : { map }),
    certificates: textsOf(proxy.sslCertificates).map(idOf),
    settings: Object.fromEntries(
      settings.flatMap((name): [string, string | number][] => {
        const value = proxy[name];
        if (typeof value === "number") return [[name, value]];
        return textOf(value) === "" ? [] : [[name, name === "description" ? textOf(value) : idOf(textOf(value))]];
      }),
    ),
  };
}

/** What stands behind the host and version of a link, however it is written. */
function idOf(link: string): string {
  return link.replace(/^.*?(?=projects\/)/, "");
}
