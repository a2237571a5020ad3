import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandOption, Invocation, Io } from "./command";

export const endpointOption: CommandOption = {
  flags: "--endpoint <url>",
  description: "base URL of another service with the same API; default: CERT_MIGRATION_ENDPOINT, then Google Cloud",
};

/** Returns the endpoint that replaces Google's; an empty variable counts as unset. */
export function endpointOf({ endpoint }: Invocation["options"], { env }: Pick<Io, "env">): string | undefined {
  return (endpoint as string | undefined) ?? (env.CERT_MIGRATION_ENDPOINT || undefined);
}

/**
 * Returns whether application default credentials are set up for this user. It checks only for files: the file that the
 * environment names, or the file that `gcloud auth application-default login` writes. It sends no network request, and
 * therefore does not detect the credentials of a Google Cloud machine's metadata server.
 */
export function hasCredentials({ env }: Pick<Io, "env">): boolean {
  if ((env.GOOGLE_APPLICATION_CREDENTIALS ?? "") !== "") return true;
  const home = env.CLOUDSDK_CONFIG ?? (env.APPDATA === undefined ? undefined : join(env.APPDATA, "gcloud"));
  const folder = home ?? (env.HOME === undefined ? undefined : join(env.HOME, ".config", "gcloud"));
  return folder !== undefined && existsSync(join(folder, "application_default_credentials.json"));
}
