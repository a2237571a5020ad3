import type { CommandOption, Invocation, Io } from "./command";

/** Options with the same meaning in several commands. */
export const jsonOption: CommandOption = { flags: "--json", description: "print JSON" };

export const dnsServerOption: CommandOption = {
  flags: "--dns-server <host:port>",
  description: "DNS server to query; default: the system's resolver",
};

export const forceOption: CommandOption = { flags: "--force", description: "overwrite the file of --out if it exists" };

export const caOption: CommandOption = {
  flags: "--ca <file>",
  description: "file with additional trusted roots, in PEM",
};

export const concurrencyOption: CommandOption = {
  flags: "--concurrency <count>",
  description: "maximum number of concurrent connections",
  default: "64",
};

export const endpointOption: CommandOption = {
  flags: "--endpoint <url>",
  description: "base URL of another service with the same API; default: CERT_MIGRATION_ENDPOINT, then Google Cloud",
};

/** Returns the endpoint that replaces Google's; an empty variable counts as unset. */
export function endpointOf({ endpoint }: Invocation["options"], { env }: Pick<Io, "env">): string | undefined {
  return (endpoint as string | undefined) ?? (env.CERT_MIGRATION_ENDPOINT || undefined);
}
