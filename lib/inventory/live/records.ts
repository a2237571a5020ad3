import { createDnsView, machineResolvers, type Resolution, readNameServer } from "../../dns";
import { canonicalAddress } from "../../hostnames";
import type { NameAddresses, NameRecords } from "../model";

/** The DNS records of a name, or why they could not be queried. */
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
