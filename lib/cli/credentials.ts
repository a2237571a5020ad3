import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Io } from "./command";

/**
 * Whether application default credentials are set up for this user, without asking the network: a file that the environment names, or the one that
 * `gcloud auth application-default login` writes. Those of a machine of Google's are found by asking it alone.
 */
export function hasCredentials({ env }: Pick<Io, "env">): boolean {
  if ((env.GOOGLE_APPLICATION_CREDENTIALS ?? "") !== "") return true;
  const home = env.CLOUDSDK_CONFIG ?? (env.APPDATA === undefined ? undefined : join(env.APPDATA, "gcloud"));
  const folder = home ?? (env.HOME === undefined ? undefined : join(env.HOME, ".config", "gcloud"));
  return folder !== undefined && existsSync(join(folder, "application_default_credentials.json"));
}
