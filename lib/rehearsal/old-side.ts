import { type Cloud, makeThirdPartyCertificates, startOldProvider } from "../cloud";
import { ServiceError } from "../errors";
import type { Route } from "./prober";
import type { TodaysRecord } from "./world";

/** The provider that serves every hostname today. */
export interface OldSide {
  readonly endpoint: { readonly address: string; readonly port: number };
  readonly trustBundlePem: string;
  readonly close: () => Promise<void>;
}

/** Starts the old provider, with a certificate of an authority of its own for every hostname. */
export async function startOldSide(hostnames: readonly string[]): Promise<OldSide> {
  const { certificates, authority } = await makeThirdPartyCertificates(
    hostnames.map((name) => ({ names: [name], publicKeyAlgorithm: "ecdsa-p256" as const })),
    { now: () => new Date() },
  );
  const provider = await startOldProvider({ certificates });
  const [endpoint] = provider.endpoints;
  if (endpoint === undefined) {
    await provider.close();
    throw new ServiceError("the old provider could not listen", { code: "old-provider", retryable: false });
  }
  return { endpoint, trustBundlePem: authority.trustBundlePem, close: () => provider.close() };
}

/** Addresses of the internet lead to listeners of this machine: to those of forwarding rules, and those of today to the old provider. */
export function routeBy(
  listeners: Cloud["listeners"],
  endpoint: OldSide["endpoint"],
  records: readonly TodaysRecord[],
): Route {
  const today = new Set(records.filter(({ type }) => type !== "CNAME").flatMap(({ rrdatas }) => rrdatas.map(spelled)));
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
