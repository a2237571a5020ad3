import type { Resolution } from "../../dns";
import { canonicalAddress, compareHostnames, readHostname, registrableDomain } from "../../hostnames";
import { countOf } from "../../text/words";
import { type InventoryFinding, inventoryFinding } from "../findings";
import type { InventoryCertificate, NameAddresses, NameRecords } from "../model";

/** Seconds. With a longer time to live, a traffic move takes long enough that it has to be planned. */
const longTtlSeconds = 300;

export function namesToCompare(
  certificates: readonly InventoryCertificate[],
  listed: readonly string[],
): readonly string[] {
  const isOwn = createIsOwn(certificates, listed);
  const dnsNames = certificates.flatMap((certificate) =>
    certificate.domains.filter((name) => isOwn(name) && "hostname" in readHostname(name)),
  );
  return [...new Set([...listed, ...dnsNames])].sort(compareHostnames);
}

export function judgeOthers(
  certificates: readonly InventoryCertificate[],
  listed: readonly string[],
): readonly InventoryFinding[] {
  const isOwn = createIsOwn(certificates, listed);
  const sources = new Map<string, string[]>();
  for (const certificate of certificates) {
    for (const name of certificate.domains.filter((each) => !isOwn(each))) {
      sources.set(name, [...(sources.get(name) ?? []), certificate.source]);
    }
  }
  return [...sources].map(([name, sourceNames]) =>
    inventoryFinding("name-of-others", name, `it is in the certificate of ${shorten(sourceNames, mostSourcesShown)}`),
  );
}

/** Returns the findings about a name in DNS. @param answer undefined if the run ended before the query */
export function judgeName(
  name: string,
  answer: RecordsAnswer | undefined,
  listed: ReadonlySet<string>,
): readonly InventoryFinding[] {
  if (answer === undefined || !answer.ok) {
    const why = answer?.detail ?? "the run was stopped";
    return [inventoryFinding("dns-failed", name, `the look-up failed: ${why}`)];
  }
  const findings: InventoryFinding[] = [];
  const add = (code: InventoryFinding["code"], message: string) => findings.push(inventoryFinding(code, name, message));
  const { cname, a, aaaa } = answer.records;
  const addresses = [...a.addresses, ...aaaa.addresses];
  if (name.startsWith("*.")) {
    // A certificate for every host of a domain is common; records for every host are not.
    if (addresses.length === 0) return [];
    add("dns-wildcard", `DNS has ${addresses.join(", ")} for every name below it that has nothing of its own`);
  } else if (addresses.length === 0) {
    const alias = cname === null ? "" : `, its alias ${cname.target} leads nowhere`;
    add(listed.has(name) ? "name-not-resolving" : "name-gone", `DNS has no address of it${alias}`);
  } else if (listed.size > 0 && !listed.has(name)) {
    add("name-not-listed", `DNS has ${addresses.join(", ")} for it`);
  }
  if (cname !== null) add("name-is-alias", `it is an alias of ${cname.target}`);
  const ttlSeconds = timeToLive(answer.records);
  if (ttlSeconds > longTtlSeconds) add("ttl-long", `its records may be kept for ${ttlSeconds} seconds`);
  return findings;
}

/** Returns how long resolvers may cache the records of a name, in seconds; 0 if it has no records. */
export function timeToLive({ cname, a, aaaa }: NameRecords): number {
  return cname?.ttlSeconds ?? Math.max(a.ttlSeconds ?? 0, aaaa.ttlSeconds ?? 0);
}

/**
 * Creates a check whether a name belongs to the user. Shared certificates of a provider contain names of other
 * customers, so names of a served certificate count only in the domain of a listed host or of a name in a file.
 */
export function createIsOwn(
  certificates: readonly InventoryCertificate[],
  listed: readonly string[],
): (name: string) => boolean {
  const ownNames = certificates.flatMap(({ places, domains }) =>
    places.some(({ kind }) => kind === "file") ? domains : [],
  );
  const domains = new Set([...listed, ...ownNames].map(domainOf));
  return (name) => domains.has(domainOf(name));
}

/** Returns the registered domain of a name; for names that cannot be registered, the name itself. */
function domainOf(name: string): string {
  const read = readHostname(name);
  return "hostname" in read ? (registrableDomain(read.hostname) ?? name) : name.replace(/^\*\./, "");
}

const mostNamesShown = 5;
const mostSourcesShown = 3;

export function shortenNames(names: readonly string[]): string {
  return names.length === 0 ? "no host" : shorten(names, mostNamesShown);
}

function shorten(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return rest > 0 ? `${items.slice(0, most).join(", ")} and ${countOf(rest, "other")}` : items.join(", ");
}

export type RecordsAnswer =
  | { readonly ok: true; readonly records: NameRecords }
  | { readonly ok: false; readonly detail: string };

/** Queries the addresses and the alias of a name, with their times to live. Never rejects. */
export type AskRecords = (name: string) => Promise<RecordsAnswer>;

/**
 * Creates a query function that uses the machine's own resolvers in turn, or one server.
 *
 * @param server `HOST:PORT`, `[HOST]:PORT` or an address; port 53 unless given
 * @throws InputError `dns-server-malformed`
 */
export function createAskRecords(server: string | undefined, signal: AbortSignal): AskRecords {
  // An inventory of files looks up no names, and loads no DNS client.
  const { createDnsView, machineResolvers, readNameServer }: typeof import("../../dns") = require("../../dns");
  const resolvers = server === undefined ? machineResolvers() : [readNameServer(server, "--dns-server")];
  const dns = createDnsView({ resolvers, nameServerPort: "none", signal });
  return async (name) => {
    try {
      const [a, aaaa] = await Promise.all([dns.resolve(name, "A"), dns.resolve(name, "AAAA")]);
      if (!a.ok) return { ok: false, detail: a.detail };
      if (!aaaa.ok) return { ok: false, detail: aaaa.detail };
      const [alias] = a.chain;
      const cname = alias === undefined ? null : { target: `${alias.data}.`, ttlSeconds: alias.ttlSeconds };
      return { ok: true, records: { cname, a: addressesOf(a), aaaa: addressesOf(aaaa) } };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { ok: false, detail: "the run was stopped" };
    }
  };
}

function addressesOf({ records }: Extract<Resolution, { ok: true }>): NameAddresses {
  const addresses = records.map(({ data }) => canonicalAddress(data));
  const ttlSeconds = records.length === 0 ? null : Math.min(...records.map((record) => record.ttlSeconds));
  return { addresses: [...new Set(addresses)].sort(), ttlSeconds };
}
