import { fieldsOf, textsOf } from "../json/fields";
import { type RestApi, restText } from "./rest";

/** A zone of Cloud DNS. */
export interface LiveZone {
  readonly name: string;
  /** The DNS name for which the zone is authoritative, in lower case without trailing dot. */
  readonly domain: string;
  readonly isPrivate: boolean;
  /** Name servers to which the parent zone has to delegate, in lower case without trailing dots. */
  readonly nameServers: readonly string[];
  /** Whether the zone is signed. */
  readonly isSigned: boolean;
}

/** The DNSSEC states in which a zone is signed. `transfer` lasts while keys of another provider are added. */
const signedStates: ReadonlySet<string> = new Set(["on", "transfer"]);

/** Lists the zones of a project. @throws ServiceError */
export async function listZones(api: RestApi, project: string, signal: AbortSignal): Promise<readonly LiveZone[]> {
  const zones = await api.list(
    {
      method: "dns.managedZones.list",
      parameters: { project, maxResults: 1000 },
      purpose: `listing the DNS zones of project ${project}`,
      signal,
    },
    "managedZones",
  );
  return zones.map(({ name, dnsName, visibility, nameServers, dnssecConfig }) => ({
    name: restText(name),
    domain: bare(restText(dnsName)),
    isPrivate: visibility === "private",
    nameServers: textsOf(nameServers).map(bare),
    isSigned: signedStates.has(restText(fieldsOf(dnssecConfig).state)),
  }));
}

/** A record set of a zone. */
export interface LiveRecordSet {
  /** In lower case without trailing dot. */
  readonly name: string;
  readonly type: string;
  readonly data: readonly string[];
}

/**
 * Lists the record sets of a zone that have a name and a type.
 * @param name without trailing dot
 * @throws ServiceError
 */
export async function listRecordSets(
  api: RestApi,
  project: string,
  { zone, name, type }: { readonly zone: string; readonly name: string; readonly type: string },
  signal: AbortSignal,
): Promise<readonly LiveRecordSet[]> {
  const sets = await api.list(
    {
      method: "dns.resourceRecordSets.list",
      parameters: { project, managedZone: zone, name: `${name}.`, type },
      purpose: `reading ${name} ${type} of the DNS zone ${zone} of project ${project}`,
      signal,
    },
    "rrsets",
  );
  return sets.map((set) => ({ name: bare(restText(set.name)), type: restText(set.type), data: textsOf(set.rrdatas) }));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
