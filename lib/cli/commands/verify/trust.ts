import type { PoolTrust } from "../../../live/verify";
import type { SourceMigration } from "../../../source";
import type { Invocation, Io } from "../../command";
import { endpointOf } from "../../endpoint";
import { safe } from "../../text";

/**
 * Reads the roots of the CA pools of `--trust-pool`, and prints their fingerprints to standard error.
 *
 * @throws InputError and ServiceError as `readPoolTrust`
 */
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
