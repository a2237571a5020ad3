import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError, ServiceError } from "../../../errors";
import type { PlannedCertificates, PoolTrust, PrimaryTarget, VerifyTarget } from "../../../live/verify";
import type { SourceMigration } from "../../../source";
import type { Io } from "../../command";
import * as load from "../../load";
import { endpointOf } from "../../options";
import { writeLine } from "../../text";
import type { VerifyReport } from "./render";

interface Exactness {
  /** Certificates of the plan. @default - nothing is compared */
  readonly planned?: PlannedCertificates;
  readonly exact: VerifyReport["exact"];
}

interface ExactSubjects {
  readonly targets: readonly VerifyTarget[];
  readonly primaries: readonly PrimaryTarget[];
  readonly hasPlan: boolean;
}

/**
 * Returns the certificates of the plan as they are in Certificate Manager, or the reason why nothing is compared with
 * them.
 */
export async function readExact(
  options: { readonly exact: boolean | undefined; readonly endpoint: string | undefined },
  { targets, primaries, hasPlan }: ExactSubjects,
  io: Io,
): Promise<Exactness> {
  const insists = options.exact === true;
  const endpoint = endpointOf(options, io);
  const unknown = targets.filter(({ planned }) => planned === undefined).length;
  const isKnown = unknown === 0 || (!insists && unknown < targets.length);
  const isAllowed = insists || endpoint !== undefined || hasCredentials(io);
  const [reason] = [
    options.exact === false ? "--no-exact was given" : [],
    hasPlan ? [] : "no plan was given; give --spec, --stack or --outputs",
    isKnown ? [] : "not every certificate's id is known; give --project, or --outputs",
    isAllowed ? [] : "application default credentials are missing; to use the credentials of the machine, add --exact",
  ].flat();
  if (reason !== undefined) {
    if (insists) throw new InputError("exact-impossible", `--exact: ${reason}`);
    return { exact: { checked: false, reason } };
  }
  const { plannedNames, readPlanned } = load.verify();
  const { resourceLister } = load.google();
  try {
    const planned = await readPlanned(plannedNames([...targets, ...primaries]), resourceLister(endpoint), {
      signal: io.signal,
      now: () => io.now().getTime(),
    });
    return { planned, exact: { checked: true, unknown } };
  } catch (error) {
    if (!(error instanceof ServiceError) || insists) throw error;
    return { exact: { checked: false, reason: error.message } };
  }
}

/**
 * Returns whether application default credentials are set up for this user. It checks only for files: the file that the
 * environment names, or the file that `gcloud auth application-default login` writes. It sends no network request, and
 * therefore does not detect the credentials of a Google Cloud machine's metadata server.
 */
function hasCredentials({ env }: Pick<Io, "env">): boolean {
  if ((env.GOOGLE_APPLICATION_CREDENTIALS ?? "") !== "") return true;
  const home = env.CLOUDSDK_CONFIG ?? (env.APPDATA === undefined ? undefined : join(env.APPDATA, "gcloud"));
  const folder = home ?? (env.HOME === undefined ? undefined : join(env.HOME, ".config", "gcloud"));
  return folder !== undefined && existsSync(join(folder, "application_default_credentials.json"));
}

/**
 * Reads the roots of the CA pools of `--trust-pool`, and prints their fingerprints to standard error.
 *
 * @param printed lines that were printed before, and are not repeated
 */
export async function readTrust(
  migrations: readonly SourceMigration[],
  options: { readonly endpoint: string | undefined },
  io: Io,
  printed = new Set<string>(),
): Promise<PoolTrust> {
  const { createRestApi, privateCaReader } = load.google();
  const { readPoolTrust } = load.verify();
  const api = createRestApi({ endpoint: endpointOf(options, io) });
  const trust = await readPoolTrust(migrations, privateCaReader(api), io.signal);
  for (const { caPool, roots, names } of trust.pools) {
    for (const { fingerprintSha256, subject, notAfter } of roots) {
      const root = `${subject} (SHA-256 ${fingerprintSha256}, until ${notAfter.slice(0, 10)})`;
      const line = `trusting ${root} of ${caPool} for ${names.join(", ")}`;
      if (!printed.has(line)) writeLine(line, io, "stderr");
      printed.add(line);
    }
  }
  return trust;
}
