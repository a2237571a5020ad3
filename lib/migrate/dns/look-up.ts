import { promises as dns } from "node:dns";
import { isIP } from "node:net";
import { InputError } from "../../errors";
import { quote } from "../../quote";

export type RecordType = "A" | "AAAA" | "CNAME" | "TXT";

/** What DNS says of a name and a type. */
export type Answer =
  | { readonly ok: true; readonly data: readonly string[] }
  /** Nobody could say: time-out, refusal, a server that fails. */
  | { readonly ok: false; readonly detail: string };

/** Asks DNS. Never rejects. Data is as the type has it; names are lower-case with a trailing dot. */
export type LookUp = (name: string, type: RecordType) => Promise<Answer>;

/** Codes for names that do not exist or have no record of the type. */
const nothingThere = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Asks the machine's own resolvers, or one server.
 *
 * @param server `HOST:PORT`, `[HOST]:PORT` or an address; port 53 unless given
 * @param signal ends what is being asked: the answers are that nobody could say
 * @throws InputError `dns-server-malformed`
 */
export function createLookUp(server?: string, signal?: AbortSignal): LookUp {
  const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 });
  if (server !== undefined) resolver.setServers([readServer(server)]);
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
      return nothingThere.has(code) ? { ok: true, data: [] } : { ok: false, detail: code };
    }
  };
}

function readServer(text: string): string {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  const address = match?.[1] ?? match?.[2] ?? text;
  const port = Number(match?.[3] ?? 53);
  if (isIP(address) === 0 || port < 1 || port > 65_535) {
    const message = `DNS server ${quote(text)} is not an address; use HOST:PORT, as in 127.0.0.1:5353 or [::1]:53`;
    throw new InputError("dns-server-malformed", message);
  }
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A domain name as names are compared: lower case, with its trailing dot. */
export function withDot(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith(".") ? lower : `${lower}.`;
}
