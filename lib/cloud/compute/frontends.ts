import { defined } from "../../json/defined";
import { groupBy } from "../../json/group-by";
import type { Json } from "../front";
import { serverTlsPolicyName } from "../network-security";
import { portOf } from "./forwarding-rules";
import { pathOfLink, readLink } from "./links";
import { certificateManagerName } from "./references";
import { type ComputeResource, type Resources, textMember, textMembers } from "./resources";
import { keyMaterialOf } from "./ssl-certificates";

/** A certificate of a frontend: its name in Certificate Manager, or a certificate of Compute Engine with its key. */
export type FrontendCertificate =
  | string
  | {
      /** Full link. */
      readonly sslCertificate: string;
      readonly pem: string;
      readonly key: string;
    };

/** An address and port on which a load balancer listens. */
export interface Frontend {
  /** Full link. */
  readonly forwardingRule: string;
  readonly ipAddress: string;
  readonly port: number;
  /** `link` is full. */
  readonly proxy: { readonly link: string; readonly kind: "https" | "ssl" | "http" };
  /** For example `projects/p1/locations/global/certificateMaps/m1`. Takes precedence over attached certificates. */
  readonly certificateMap?: string;
  /** Certificates without a map; empty for `http`. */
  readonly certificates: readonly FrontendCertificate[];
  /** Name of the server TLS policy; absent without mutual TLS. */
  readonly serverTlsPolicy?: string;
  /** Minimum version of the SSL policy, for example `TLS_1_2`; absent without a policy. */
  readonly minTlsVersion?: string;
}

/** A target proxy to which a certificate map is attached, in the format of Certificate Manager. */
export interface GclbTarget extends Json {
  /** For example `//compute.googleapis.com/projects/p1/global/targetHttpsProxies/x1`; absent for an SSL proxy. */
  readonly targetHttpsProxy?: string;
  readonly targetSslProxy?: string;
  /** Each address once, with the ports of the rules that lead to the proxy. */
  readonly ipConfigs: readonly { readonly ipAddress: string; readonly ports: readonly number[] }[];
}

const kinds: Readonly<Record<string, Frontend["proxy"]["kind"]>> = {
  targetHttpsProxies: "https",
  targetSslProxies: "ssl",
  targetHttpProxies: "http",
};

/** Returns one frontend per forwarding rule, in order of creation. */
export function frontendsOf(resources: Resources): readonly Frontend[] {
  const frontends: Frontend[] = [];
  for (const rule of resources.all("forwardingRules")) {
    const link = textMember(rule, "target");
    const proxy = resources.get(pathOfLink(link));
    const kind = kinds[readLink(link, "")?.collection ?? ""];
    if (proxy === undefined || kind === undefined) continue;
    const certificateMap = certificateManagerName(textMember(proxy, "certificateMap"));
    frontends.push({
      forwardingRule: rule.selfLink,
      ipAddress: textMember(rule, "IPAddress"),
      port: portOf(rule),
      proxy: { link: proxy.selfLink, kind },
      ...defined({
        certificateMap,
        serverTlsPolicy: serverTlsPolicyName(textMember(proxy, "serverTlsPolicy")),
        minTlsVersion: minTlsVersionOf(proxy, resources),
      }),
      certificates: certificateMap === undefined ? certificatesOf(proxy, resources) : [],
    });
  }
  return frontends;
}

function minTlsVersionOf(proxy: ComputeResource, resources: Resources): string | undefined {
  const policy = resources.get(pathOfLink(textMember(proxy, "sslPolicy")));
  return policy && textMember(policy, "minTlsVersion");
}

function certificatesOf(proxy: ComputeResource, resources: Resources): readonly FrontendCertificate[] {
  return textMembers(proxy, "sslCertificates").flatMap((link): readonly FrontendCertificate[] => {
    const name = certificateManagerName(link);
    if (name !== undefined) return [name];
    const certificate = resources.get(pathOfLink(link));
    // A certificate that Compute Engine has not obtained yet has no chain and key.
    return certificate?.privateKey === undefined ? [] : [presentedOnce(link, certificate)];
  });
}

const presented = new WeakMap<ComputeResource, FrontendCertificate>();

/** Returns the same object for a certificate at each call, so that load balancers read its chain and key once. */
function presentedOnce(link: string, certificate: ComputeResource): FrontendCertificate {
  const known = presented.get(certificate) ?? { sslCertificate: link, ...keyMaterialOf(certificate) };
  presented.set(certificate, known);
  return known;
}

/** Returns the target proxies of a map. @param map for example `projects/p1/locations/global/certificateMaps/m1` */
export function mapTargets(map: string, resources: Resources): readonly GclbTarget[] {
  return resources.usersOf(map).map((proxy) => {
    const name = `//compute.googleapis.com/${pathOfLink(proxy.selfLink)}`;
    const rules = groupBy(resources.usersOf(pathOfLink(proxy.selfLink)), (rule) => textMember(rule, "IPAddress"));
    const ipConfigs = [...rules].map(([ipAddress, rulesAt]) => ({
      ipAddress,
      ports: rulesAt.map(portOf).sort((a, b) => a - b),
    }));
    return proxy.kind === "compute#targetSslProxy"
      ? { targetSslProxy: name, ipConfigs }
      : { targetHttpsProxy: name, ipConfigs };
  });
}
