/** What load balancers do, as the resources say: read from them whenever it is asked for. */
import type { Json } from "../front";
import { certificateManagerName } from "./certificate-names";
import { portOf } from "./forwarding-rules";
import { pathOfLink, readLink } from "./links";
import { type Resource, type Resources, textOf, textsOf } from "./resources";
import { keyMaterialOf } from "./ssl-certificates";

/** A certificate that a frontend presents: of Certificate Manager by its name, or of Compute Engine with what it takes to present it. */
export type FrontendCertificate =
  | string
  | {
      /** Full link. */
      readonly sslCertificate: string;
      /** The certificate and those above it. */
      readonly pem: string;
      readonly key: string;
    };

/** A place where a load balancer listens. */
export interface Frontend {
  /** Full link. */
  readonly forwardingRule: string;
  readonly ipAddress: string;
  readonly port: number;
  /** Full link. */
  readonly proxy: string;
  readonly proxyKind: "https" | "ssl" | "http";
  /** As in `projects/p1/locations/global/certificateMaps/m1`. It wins: what is attached directly as well is not listed. */
  readonly certificateMap?: string;
  /** What is presented without a map; empty for `http`. */
  readonly certificates: readonly FrontendCertificate[];
}

/** A target proxy that a certificate map is attached to, as Certificate Manager tells of it. */
export interface GclbTarget extends Json {
  /** As in `//compute.googleapis.com/projects/p1/global/targetHttpsProxies/x1`; this or the other one. */
  readonly targetHttpsProxy?: string;
  readonly targetSslProxy?: string;
  /** Each address once, with the ports at which rules lead to the proxy. */
  readonly ipConfigs: readonly { readonly ipAddress: string; readonly ports: readonly number[] }[];
}

const kinds: Readonly<Record<string, Frontend["proxyKind"]>> = {
  targetHttpsProxies: "https",
  targetSslProxies: "ssl",
  targetHttpProxies: "http",
};

/** One for each forwarding rule, in the order in which they were made. */
export function frontendsOf(resources: Resources): readonly Frontend[] {
  const frontends: Frontend[] = [];
  for (const rule of resources.all("forwardingRules")) {
    const link = textOf(rule, "target");
    const proxy = resources.get(pathOfLink(link));
    const proxyKind = kinds[readLink(link, "")?.collection ?? ""];
    if (proxy === undefined || proxyKind === undefined) continue;
    const certificateMap = certificateManagerName(textOf(proxy, "certificateMap"));
    frontends.push({
      forwardingRule: rule.selfLink,
      ipAddress: textOf(rule, "IPAddress"),
      port: portOf(rule),
      proxy: proxy.selfLink,
      proxyKind,
      ...(certificateMap === undefined ? {} : { certificateMap }),
      certificates: certificateMap === undefined ? certificatesOf(proxy, resources) : [],
    });
  }
  return frontends;
}

function certificatesOf(proxy: Resource, resources: Resources): readonly FrontendCertificate[] {
  return textsOf(proxy, "sslCertificates").flatMap((link): readonly FrontendCertificate[] => {
    const name = certificateManagerName(link);
    if (name !== undefined) return [name];
    const certificate = resources.get(pathOfLink(link));
    // One that Compute Engine is still obtaining has nothing to present.
    return certificate?.privateKey === undefined ? [] : [{ sslCertificate: link, ...keyMaterialOf(certificate) }];
  });
}

/** @param map as in `projects/p1/locations/global/certificateMaps/m1` */
export function targetsOf(map: string, resources: Resources): readonly GclbTarget[] {
  return resources.usersOf(map).map((proxy) => {
    const name = `//compute.googleapis.com/${pathOfLink(proxy.selfLink)}`;
    const ports = new Map<string, number[]>();
    for (const rule of resources.usersOf(pathOfLink(proxy.selfLink))) {
      const ipAddress = textOf(rule, "IPAddress");
      ports.set(ipAddress, [...(ports.get(ipAddress) ?? []), portOf(rule)]);
    }
    const ipConfigs = [...ports].map(([ipAddress, numbers]) => ({ ipAddress, ports: numbers.sort((a, b) => a - b) }));
    return proxy.kind === "compute#targetSslProxy"
      ? { targetSslProxy: name, ipConfigs }
      : { targetHttpsProxy: name, ipConfigs };
  });
}
