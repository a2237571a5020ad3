import { type ClientRequirement, type Cloud, makeThirdPartyCertificates, startThirdPartyServer } from "../cloud";
import { ServiceError } from "../errors";
import { defined } from "../json/defined";
import type { Route } from "./prober";
import { isAddress, type TodaysRecord } from "./world";

/** A certificate of the previous provider, with its key, in PEM. */
export interface ProviderCertificate {
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

/** The previous provider, which serves every hostname before the migration. */
export interface PreviousProviderServer {
  readonly endpoint: { readonly address: string; readonly port: number };
  readonly trustBundlePem: string;
  /** Leaves and intermediates of all certificates that it presents, in PEM. */
  readonly certificatesPem: string;
  /**
   * Another certificate, for the first 100 hostnames, for load balancers that present certificates of the previous
   * provider.
   */
  readonly certificate: ProviderCertificate;
  /** Issues a further certificate for DNS names, which may be wildcards. @param validDays 397 by default */
  readonly issue: (domains: readonly string[], validDays?: number) => Promise<ProviderCertificate>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the previous provider, with its own CA and a certificate for every hostname.
 *
 * @param clients what is required of clients; undefined requests no client certificates
 */
export async function startPreviousProvider(
  hostnames: readonly string[],
  clients?: ClientRequirement,
): Promise<PreviousProviderServer> {
  const publicKeyAlgorithm = "ecdsa-p256" as const;
  const { certificates: made, authority } = await makeThirdPartyCertificates(
    [hostnames.slice(0, 100), ...hostnames.map((name) => [name])].map((names) => ({ names, publicKeyAlgorithm })),
    { now: () => new Date() },
  );
  const [certificate, ...certificates] = made;
  const certificatesPem = made.map(({ chainPem }) => chainPem).join("");
  const server = await startThirdPartyServer({ certificates, ...defined({ clients }) });
  const [endpoint] = server.endpoints;
  if (endpoint === undefined || certificate === undefined) {
    await server.close();
    throw new ServiceError("the previous provider could not listen", { code: "previous-provider", retryable: false });
  }
  return {
    endpoint,
    trustBundlePem: authority.trustBundlePem,
    certificatesPem,
    certificate,
    issue: (names, validDays = 397) => authority.issue({ names, publicKeyAlgorithm, validDays }),
    close: () => server.close(),
  };
}

/**
 * Returns a map from public IP addresses to listeners on this machine. Addresses of forwarding rules map to the cloud,
 * addresses in the records of today map to the previous provider.
 */
export function routeBy(
  listeners: Cloud["loadBalancers"]["listeners"],
  endpoint: PreviousProviderServer["endpoint"],
  records: readonly TodaysRecord[],
): Route {
  const today = new Set(records.filter(isAddress).flatMap(({ rrdatas }) => rrdatas.map(normalized)));
  return (address) => {
    const wanted = normalized(address);
    const listening = listeners().find(({ ipAddress, port }) => normalized(ipAddress) === wanted && port === 443);
    const match = /^\[?(.*?)\]?:(\d+)$/.exec(listening?.listen ?? "");
    if (match !== null) return { host: match[1] ?? "", port: Number(match[2]), side: "loadBalancer" };
    return today.has(wanted) ? { host: endpoint.address, port: endpoint.port, side: "previous" } : undefined;
  };
}

/** Returns the normalized form of an IPv6 address. */
function normalized(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]/`).hostname : address;
}
