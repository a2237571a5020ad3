import { randomInt } from "node:crypto";
import { exchange, type NameServerAddress } from "./exchange";
import { follow, type Resolution } from "./follow";
import type { AskedType } from "./message";

/** Client of one DNS server. Answers are not cached. */
export interface Resolver {
  /** Looks up a name, following CNAME records unless `type` is `CNAME`. */
  resolve(name: string, type: AskedType): Promise<Resolution>;
}

export interface ResolverOptions {
  /** The only server that receives queries. */
  readonly server: NameServerAddress;
  /** Timeout of one attempt, in milliseconds. @default 2_000 */
  readonly timeoutMs?: number;
  /** Attempts while the server sends no readable answer. @default 3 */
  readonly attempts?: number;
  /** From 0 up to 65535. @default - from the system's secure source */
  readonly randomId?: () => number;
}

/** Creates a resolver that queries one server over UDP, and over TCP if an answer does not fit. */
export function createResolver(options: ResolverOptions): Resolver {
  const { server, timeoutMs = 2_000, attempts = 3, randomId = () => randomInt(0x10000) } = options;
  const limits = { timeoutMs, attempts, randomId };
  return {
    resolve: (name, type) =>
      follow(
        // A server that does not validate DNSSEC gives the same answer without checks, so it is not queried again.
        async (owner, asked, dnssec = "checked") =>
          dnssec === "unchecked"
            ? { ok: false, detail: "not queried" }
            : exchange({ name: owner, type: asked, recursive: true, checkingDisabled: false }, server, {
                ...limits,
                signal: new AbortController().signal,
              }),
        name,
        type,
      ),
  };
}
