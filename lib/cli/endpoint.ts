import type { CommandOption, Invocation, Io } from "./command";

/** The option for the endpoint of the Google Cloud APIs, shared by every command that calls them. */
export const endpointOption: CommandOption = {
  flags: "--endpoint <url>",
  description: "base URL of another service with the same API; default: CERT_MIGRATION_ENDPOINT, then Google Cloud",
};

/** Returns the endpoint that replaces Google's; an empty variable counts as unset. */
export function endpointOf({ endpoint }: Invocation["options"], { env }: Pick<Io, "env">): string | undefined {
  return (endpoint as string | undefined) ?? (env.CERT_MIGRATION_ENDPOINT || undefined);
}
