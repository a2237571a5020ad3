import { type Cloud, makeThirdPartyCertificates, startOldProvider } from "../cloud";
import { ServiceError } from "../errors";
import type { Route } from "./prober";
import { isAddress, type TodaysRecord } from "./world";

/** A certificate of the old provider for every hostname, in PEM. */
export interface OldCertificate {
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

/** The provider that serves every hostname today. */
export interface OldSide {
  readonly endpoint: { readonly address: string; readonly port: number };
  readonly trustBundlePem: string;
  /** Leaves and intermediates of all that it presents. */
  readonly certificatesPem: string;
  /** One more, for the first hundred of the hostnames: for load balancers that present the old provider's certificates. */
  readonly certificate: OldCertificate;
  readonly close: () => Promise<void>;
}

/** Starts the old provider, with a certificate of an authority of its own for every hostname. */
export async function startOldSide(hostnames: readonly string[]): Promise<OldSide> {
  const publicKeyAlgorithm = "ecdsa-p256" as const;
  const { certificates: made, authority } = await makeThirdPartyCertificates(
    [hostnames.slice(0, 100), ...hostnames.map((name) => [name])].map((names) => ({ names, publicKeyAlgorithm })),
    { now: () => new Date() },
  );
  const [certificate, ...certificates] = made;
  const certificatesPem = made.map(({ chainPem }) => chainPem).join("");
  const provider = await startOldProvider({ certificates });
  const [endpoint] = provider.endpoints;
  if (endpoint === undefined || certificate === undefined) {
    await provider.close();
    throw new ServiceError("the old provider could not listen", { code: "old-provider", retryable: false });
  }
  return {
    endpoint,
    trustBundlePem: authority.trustBundlePem,
    certificatesPem,
    certificate,
    close: () => provider.close(),
  };
}

/** Addresses of the internet lead to listeners of this machine: to those of forwarding rules, and those of today to the old provider. */
export function routeBy(
  listeners: Cloud["listeners"],
  endpoint: OldSide["endpoint"],
  records: readonly TodaysRecord[],
): Route {
  const today = new Set(records.filter(isAddress).flatMap(({ rrdatas }) => rrdatas.map(spelled)));
  return (address) => {
    const wanted = spelled(address);
    const listening = listeners().find(({ ipAddress, port }) => spelled(ipAddress) === wanted && port === 443);
    const match = /^\[?(.*?)\]?:(\d+)$/.exec(listening?.listen ?? "");
    if (match !== null) return { host: match[1] ?? "", port: Number(match[2]), side: "new" };
    return today.has(wanted) ? { host: endpoint.address, port: endpoint.port, side: "old" } : undefined;
  };
}

/** One spelling of an address of IPv6. */
function spelled(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]/`).hostname : address;
}
