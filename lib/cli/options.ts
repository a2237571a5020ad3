import type { Io } from "./command";
import { value } from "./declare";
import { count, duration } from "./value-types";

/** Options with the same meaning in several commands. */
export const jsonOption = { "--json": "print JSON" } as const;

export const dnsServerOption = {
  "--dns-server <host:port>": "DNS server to query; default: the system's resolver",
} as const;

export const forceOption = { "--force": "overwrite the file of --out if it exists" } as const;

export const endpointOption = {
  "--endpoint <url>":
    "base URL of another service with the same API; default: CERT_MIGRATION_ENDPOINT, then Google Cloud",
} as const;

/** Returns the endpoint that replaces Google's; an empty variable counts as unset. */
export function endpointOf(
  { endpoint }: { readonly endpoint?: string | undefined },
  { env }: Pick<Io, "env">,
): string | undefined {
  return endpoint ?? (env.CERT_MIGRATION_ENDPOINT || undefined);
}

export const caOption = { "--ca <file>": "file with additional trusted roots, in PEM" } as const;

export const concurrencyOption = {
  "--concurrency <count>": value(count(1_000), "maximum number of concurrent connections", "64"),
} as const;

export const handshakeTimeoutOption = {
  "--timeout <time>": value(duration(), "timeout of one connection, handshake included", "10s"),
} as const;
