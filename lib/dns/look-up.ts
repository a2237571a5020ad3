import { promises as dns } from "node:dns";
import { isIPv6 } from "node:net";
import { readNameServer } from "./resolvers";

export type RecordType = "A" | "AAAA" | "CNAME" | "TXT";

/** The DNS answer for a name and a type. */
export type Answer =
  | { readonly ok: true; readonly data: readonly string[] }
  /** The query failed: timeout, refusal, or a server error. */
  | { readonly ok: false; readonly detail: string };

/** Queries DNS. Never rejects. Data is in the format of its type; names are lower-case with a trailing dot. */
export type LookUp = (name: string, type: RecordType) => Promise<Answer>;

/** Codes for names that do not exist or have no record of the type. */
const noRecordErrorCodes = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Creates a look-up that uses the machine's own resolvers, or one server.
 *
 * @param server `HOST:PORT`, `[HOST]:PORT` or an address; port 53 unless given
 * @param signal ends queries in progress: their answers are failures
 * @throws InputError `dns-server-malformed`
 */
export function createLookUp(server?: string, signal?: AbortSignal): LookUp {
  const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 });
  if (server !== undefined) {
    const { address, port } = readNameServer(server, "DNS server");
    resolver.setServers([isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`]);
  }
  signal?.addEventListener("abort", () => resolver.cancel(), { once: true });
  const ask: Readonly<Record<RecordType, (name: string) => Promise<readonly string[]>>> = {
    A: (name) => resolver.resolve4(name),
    AAAA: (name) => resolver.resolve6(name),
    CNAME: async (name) => (await resolver.resolveCname(name)).map(withDot),
    TXT: async (name) => (await resolver.resolveTxt(name)).map((parts) => parts.join("")),
  };
  return async (name, type) => {
    try {
      return { ok: true, data: await ask[type](name.replace(/\.$/, "")) };
    } catch (error) {
      const { code = "failed" } = error as NodeJS.ErrnoException;
      return noRecordErrorCodes.has(code) ? { ok: true, data: [] } : { ok: false, detail: code };
    }
  };
}

/** Normalizes a domain name for comparison: lower case, with its trailing dot. */
export function withDot(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith(".") ? lower : `${lower}.`;
}
