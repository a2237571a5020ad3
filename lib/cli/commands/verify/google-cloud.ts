import { InputError, ServiceError } from "../../../errors";
import type { PlannedCertificates, PoolTrust, PrimaryTarget, VerifyTarget } from "../../../live/verify";
import type { SourceMigration } from "../../../source";
import type { Invocation, Io } from "../../command";
import { endpointOf, hasCredentials } from "../../google-cloud";
import { safe } from "../../text";
import type { VerifyReport } from "./render";

interface Exactness {
  /** Certificates of the plan. @default - nothing is compared */
  readonly planned?: PlannedCertificates;
  readonly exact: VerifyReport["exact"];
}

/**
 * Returns the certificates of the plan as they are in Certificate Manager, or the reason why nothing is compared with
 * them.
 *
 * @param hasPlan whether there is a plan
 */
export async function readExact(
  options: Invocation["options"],
  targets: readonly VerifyTarget[],
  primaries: readonly PrimaryTarget[],
  hasPlan: boolean,
  io: Io,
): Promise<Exactness> {
  const insists = options.exact === true;
  const endpoint = endpointOf(options, io);
  const unknown = targets.filter(({ planned }) => planned === undefined).length;
  const reason = whyNot({
    refused: options.exact === false,
    hasPlan,
    isKnown: insists ? unknown === 0 : unknown < targets.length,
    mayAsk: insists || endpoint !== undefined || hasCredentials(io),
  });
  if (reason !== undefined) {
    if (insists) throw new InputError("exact-impossible", `--exact: ${reason}`);
    return { exact: { checked: false, reason } };
  }
  const { plannedNames, readPlanned } = require("../../../live/verify") as typeof import("../../../live/verify");
  const { resourceLister } = require("../../../google") as typeof import("../../../google");
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

function whyNot(given: {
  readonly refused: boolean;
  readonly hasPlan: boolean;
  readonly isKnown: boolean;
  readonly mayAsk: boolean;
}): string | undefined {
  if (given.refused) return "--no-exact was given";
  if (!given.hasPlan) return "no plan was given; give --spec, --stack or --outputs";
  if (!given.isKnown) return "not every certificate's id is known; give --project, or --outputs";
  if (!given.mayAsk)
    return "application default credentials are missing; to use the credentials of the machine, add --exact";
  return undefined;
}

/** Reads the roots of the CA pools of `--trust-pool`, and prints their fingerprints to standard error. */
export async function readTrust(
  migrations: readonly SourceMigration[],
  { options }: Invocation,
  io: Io,
): Promise<PoolTrust> {
  const { createRestApi, privateCaReader } = require("../../../google") as typeof import("../../../google");
  const { readPoolTrust } = require("../../../live/verify") as typeof import("../../../live/verify");
  const api = createRestApi({ endpoint: endpointOf(options, io) });
  const trust = await readPoolTrust(migrations, privateCaReader(api), io.signal);
  for (const { caPool, roots, names } of trust.pools) {
    for (const { fingerprintSha256, subject, notAfter } of roots) {
      const root = `${subject} (SHA-256 ${fingerprintSha256}, until ${notAfter.slice(0, 10)})`;
      io.stderr.write(`${safe(`trusting ${root} of ${caPool} for ${names.join(", ")}`)}\n`);
    }
  }
  return trust;
}
