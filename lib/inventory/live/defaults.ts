import { isIP } from "node:net";
import { coverageOf } from "../../hostnames";
import { countOf } from "../../text/words";
import { finding, type InventoryFinding } from "../findings";
import type { InventoryDefault, InventoryHost } from "../model";
import type { createReadChain } from "./chain";
import type { Greeting, Offer } from "./greet";
import { type HostTarget, hostLabel } from "./hosts";
import { shortenNames } from "./names";

type Greet = (target: { readonly address: string; readonly port: number; readonly offer: Offer }) => Promise<Greeting>;

/**
 * Creates a function that requests the certificate for clients without SNI. An address and port is queried once,
 * however many hosts it serves.
 */
export function createAskDefault(greet: Greet): (address: string, port: number) => Promise<Greeting> {
  const asked = new Map<string, Promise<Greeting>>();
  return (address, port) => {
    const place = hostLabel({ host: address, port });
    // The `legacy` offer accepts every type of key.
    const answer = asked.get(place) ?? greet({ address, port, offer: "legacy" });
    asked.set(place, answer);
    return answer;
  };
}

/** Describes the certificate for clients without SNI, and how it covers a host. */
export function describeDefault(
  greeting: Greeting | undefined,
  { host }: HostTarget,
  readChain: ReturnType<typeof createReadChain>,
): InventoryDefault | null {
  if (greeting?.ok !== true) return null;
  const facts = readChain(greeting.chain)[0]?.facts;
  if (facts === undefined) return null;
  const { fingerprintSha256, dnsNames } = facts;
  return { fingerprintSha256, domains: [...dnsNames].sort(), coverage: coverageOf(new Set(dnsNames), host) };
}

/**
 * Reports the certificates for clients without SNI, once for each certificate. A certificate map serves such clients
 * nothing without a PRIMARY entry.
 */
export function judgeDefaults(hosts: readonly InventoryHost[]): readonly InventoryFinding[] {
  const groups = new Map<string, { readonly own: InventoryDefault; places: Set<string>; covered: Set<string> }>();
  for (const { host, port, endpoints } of hosts) {
    if (isIP(host) !== 0) continue;
    for (const { address, withoutSni } of endpoints) {
      if (withoutSni === null) continue;
      const { fingerprintSha256 } = withoutSni;
      const group = groups.get(fingerprintSha256) ?? { own: withoutSni, places: new Set(), covered: new Set() };
      groups.set(fingerprintSha256, group);
      group.places.add(hostLabel({ host: address, port }));
      if (withoutSni.coverage !== "none") group.covered.add(host);
    }
  }
  return [...groups.values()].map(({ own: { domains }, places, covered }) => {
    const [first = "", ...further] = places;
    const also = further.length === 0 ? "" : ` (and at ${countOf(further.length, "other address", "other addresses")})`;
    const what = `clients that name no host get the certificate for ${shortenNames(domains)}${also}`;
    return covered.size > 0
      ? finding("no-sni-served", first, `${what}, which is for ${shortenNames([...covered])}`)
      : finding("default-of-others", first, `${what}, which is for none of the hosts there`);
  });
}
