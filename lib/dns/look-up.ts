import { randomInt } from "node:crypto";
import { type CaaRecord, promises as dns } from "node:dns";
import { setMaxListeners } from "node:events";
import { isIPv6 } from "node:net";
import { type Exchange, exchange } from "./exchange";
import { type Ask, follow } from "./follow";
import { readNameServer } from "./resolvers";

export type RecordType = "A" | "AAAA" | "CAA" | "CNAME" | "TXT";

/** The DNS answer for a name and a type. */
export type Answer =
  | { readonly ok: true; readonly data: readonly string[] }
  /** The query failed: timeout, refusal, or a server error. */
  | { readonly ok: false; readonly detail: string };

/** Queries DNS. Never rejects. Data is in the format of its type; names are lower-case with a trailing dot. */
export type LookUp = (name: string, type: RecordType) => Promise<Answer>;

const timeoutMs = 3_000;
const tries = 2;

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
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries });
  if (server !== undefined) {
    const { address, port } = readNameServer(server, "DNS server");
    resolver.setServers([isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`]);
  }
  signal?.addEventListener("abort", () => resolver.cancel(), { once: true });
  // Each question in progress adds a listener.
  const stopping = signal === undefined ? new AbortController().signal : AbortSignal.any([signal]);
  setMaxListeners(0, stopping);
  const limits = { timeoutMs, attempts: tries, randomId: () => randomInt(0x10000), signal: stopping };
  const ask: Readonly<Record<RecordType, (name: string) => Promise<readonly string[]>>> = {
    A: (name) => resolver.resolve4(name),
    AAAA: (name) => resolver.resolve6(name),
    CNAME: async (name) => (await aliasesOf(name, resolver.getServers(), limits)).map(withDot),
    CAA: async (name) => (await resolver.resolveCaa(name)).map(caaText),
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

/** Returns a CAA record as zone files have it. Node names the member after the tag. */
function caaText({ critical, ...properties }: CaaRecord): string {
  const [[tag, value] = ["", ""]] = Object.entries(properties);
  return `${critical} ${tag} "${value}"`;
}

/**
 * Returns every CNAME of a name. Node's resolver returns one of them, though a broken zone can have several.
 *
 * @throws an error whose code is the reason, as Node's resolver does
 */
async function aliasesOf(
  name: string,
  servers: readonly string[],
  options: Parameters<typeof exchange>[2],
): Promise<readonly string[]> {
  const ask: Ask = async (asked, type, dnssec) => {
    let last: Exchange = { ok: false, detail: "no resolver is known" };
    for (const server of servers) {
      const question = { name: asked, type, recursive: true, checkingDisabled: dnssec === "unchecked" };
      last = await exchange(question, readNameServer(server, "this machine's resolver"), options);
      if (last.ok && last.message.rcode !== "REFUSED") return last;
    }
    return last;
  };
  const found = await follow(ask, name, "CNAME").catch((error: unknown) => {
    if (!options.signal.aborted) throw error;
    return { ok: false, detail: "ECANCELLED" } as const;
  });
  if (!found.ok) throw Object.assign(new Error(found.detail), { code: codes[found.detail] ?? found.detail });
  return found.records.map(({ data }) => data);
}

/** Codes of Node's resolver for the same failures. */
const codes: Readonly<Record<string, string>> = {
  timeout: "ETIMEOUT",
  unreadable: "EBADRESP",
  SERVFAIL: "ESERVFAIL",
  REFUSED: "EREFUSED",
  FORMERR: "EFORMERR",
  NOTIMP: "ENOTIMP",
};

/** Normalizes a domain name for comparison: lower case, with its trailing dot. */
export function withDot(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith(".") ? lower : `${lower}.`;
}
