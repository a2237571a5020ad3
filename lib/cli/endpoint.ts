import type { CommandOption, Invocation, Io } from "./command";

/** Where the APIs of Google Cloud are asked, as every command takes it that asks one. */
export const endpointOption: CommandOption = {
  flags: "--endpoint <url>",
  description: "another service with the same API; else CERT_MIGRATION_ENDPOINT",
};

/** Another service than Google's; an empty variable is as good as none. */
export function endpointOf({ endpoint }: Invocation["options"], { env }: Pick<Io, "env">): string | undefined {
  return (endpoint as string | undefined) ?? (env.CERT_MIGRATION_ENDPOINT || undefined);
}
