import { isObject, type RestApi, textOf, textsOf } from "./rest";

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
    name: textOf(name),
    domain: bare(textOf(dnsName)),
    isPrivate: visibility === "private",
    nameServers: textsOf(nameServers).map(bare),
    isSigned: isObject(dnssecConfig) && signedStates.has(textOf(dnssecConfig.state)),
  }));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
