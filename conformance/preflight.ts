import { InputError } from "../lib/errors";
import { quote } from "../lib/text/quote";
import { BlockedError } from "./blocked";
import type { Json, Side } from "./side";

/**
 * Checks credentials, project and zone with one request, before anything is created.
 *
 * @throws InputError if the zone can't be read, is private, or does not contain the domain
 * @throws BlockedError if the project refuses the request
 */
export async function checkZone(side: Side): Promise<void> {
  const { project, zone: name, identity } = side;
  const zone = await read(side);
  const dnsName = String(zone.dnsName);
  const refuse = (why: string) =>
    new InputError("value-not-allowed", `--zone ${quote(name)} ${why}; use a public zone in ${project} for --domain`);
  if (zone.visibility === "private") throw refuse("is private");
  if (!`.${identity.domain}.`.endsWith(`.${dnsName}`)) {
    throw refuse(`is the zone of ${dnsName}, which does not contain ${identity.domain}`);
  }
}

async function read(side: Side): Promise<Json> {
  const { project, zone } = side;
  try {
    return await side.make("dns.managedZones.get", { project, managedZone: zone });
  } catch (error) {
    if (error instanceof BlockedError) throw error;
    const why = `zone ${quote(zone)} of project ${quote(project)} can't be read: ${(error as Error).message}`;
    throw new InputError(
      "value-not-allowed",
      `${why}; check both names, and run 'gcloud auth application-default login'`,
    );
  }
}
