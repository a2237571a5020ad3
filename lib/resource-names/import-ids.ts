/** Import blocks for all resources of migrations, with which Terraform takes over what exists after a lost state. */
import { type Fields, fieldsOf } from "../json/fields";
import { countOf, listFirst } from "../text/words";

/** An import block. */
interface ImportBlock {
  readonly to: string;
  readonly id: string;
}

/** A resource of Google that no block can import. */
export interface LeftOutResource {
  readonly address: string;
  readonly type: string;
  /**
   * - `keyUnknown`: no service returns the key of an uploaded certificate
   * - `idOfService`: Cloud Monitoring chooses the id
   * - `idOfTerraform`: the id contains a value that only Terraform knows
   */
  readonly reason: "keyUnknown" | "idOfService" | "idOfTerraform";
}

/** What can be imported of a stack. */
interface Imports {
  readonly blocks: readonly ImportBlock[];
  readonly leftOut: readonly LeftOutResource[];
}

/**
 * Ids by resource type, as the google provider documents them for imports. Without `project`, the provider takes the
 * other placeholders, joined by slashes.
 */
const idTemplates: Readonly<Record<string, string>> = {
  google_certificate_manager_certificate: "projects/{project}/locations/{location}/certificates/{name}",
  google_certificate_manager_certificate_issuance_config:
    "projects/{project}/locations/{location}/certificateIssuanceConfigs/{name}",
  google_certificate_manager_certificate_map: "projects/{project}/locations/global/certificateMaps/{name}",
  google_certificate_manager_certificate_map_entry:
    "projects/{project}/locations/global/certificateMaps/{map}/certificateMapEntries/{name}",
  google_certificate_manager_dns_authorization: "projects/{project}/locations/{location}/dnsAuthorizations/{name}",
  google_certificate_manager_trust_config: "projects/{project}/locations/{location}/trustConfigs/{name}",
  google_compute_forwarding_rule: "projects/{project}/regions/{region}/forwardingRules/{name}",
  google_compute_global_forwarding_rule: "projects/{project}/global/forwardingRules/{name}",
  google_compute_region_target_https_proxy: "projects/{project}/regions/{region}/targetHttpsProxies/{name}",
  google_compute_target_https_proxy: "projects/{project}/global/targetHttpsProxies/{name}",
  google_compute_target_ssl_proxy: "projects/{project}/global/targetSslProxies/{name}",
  google_dns_record_set: "projects/{project}/managedZones/{managed_zone}/rrsets/{name}/{type}",
  google_network_security_server_tls_policy: "projects/{project}/locations/{location}/serverTlsPolicies/{name}",
  google_project_service: "{project}/{service}",
};

/** Types whose creation changes nothing if the resource exists: the provider enables the API, or writes the record. */
const idempotentTypes = new Set(["google_project_service", "google_dns_record_set"]);

/** Types whose ids Cloud Monitoring chooses. A second creation succeeds. Each has the command that lists the ids. */
const idsOfService = {
  google_monitoring_alert_policy: { one: "alert policy", several: "alert policies", lists: "policies list" },
  google_monitoring_dashboard: { one: "dashboard", several: "dashboards", lists: "dashboards list" },
  google_monitoring_uptime_check_config: {
    one: "uptime check",
    several: "uptime checks",
    lists: "uptime list-configs",
  },
} as const;

type IdOfServiceType = keyof typeof idsOfService;

/** Number of addresses that a message names. */
const shownAddresses = 3;

function hasIdOfService(type: string): type is IdOfServiceType {
  return type in idsOfService;
}

/** Returns a message for each type of resource whose ids Cloud Monitoring chooses. Other resources have no message. */
export function describeIdsOfService(
  resources: readonly Pick<LeftOutResource, "type" | "address">[],
): readonly string[] {
  return (Object.keys(idsOfService) as IdOfServiceType[]).flatMap((each) => {
    const addresses = resources.filter(({ type }) => type === each).map(({ address }) => address);
    if (addresses.length === 0) return [];
    const { one, several, lists } = idsOfService[each];
    const isSingle = addresses.length === 1;
    return [
      `${addresses.length} ${isSingle ? one : several} can't be imported automatically: ${listFirst(addresses, shownAddresses)}; Cloud Monitoring chooses the ${isSingle ? "id" : "ids"}. Find ${isSingle ? "it" : "them"} with 'gcloud monitoring ${lists}', and write an import block for each resource; otherwise the apply creates each resource a second time, and the former ${several} have to be deleted after the apply`,
    ];
  });
}

/** Returns a message about resources whose ids only Terraform knows; undefined for an empty list. */
export function describeIdsOfTerraform(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return undefined;
  const subject = countOf(addresses.length, "resource");
  return `${subject} can't be imported automatically: ${listFirst(addresses, shownAddresses)}; an id contains a value that only Terraform knows. Write an import block with the id for each resource; otherwise the apply fails, because the resource exists`;
}

/**
 * Returns the import blocks for resources of a stack. Resources without a known id are left out, and uploaded
 * certificates too: no service returns their keys, so Terraform would replace them after an import.
 *
 * @param resource resources of the stack by type and id
 * @param isOwn whether the resource of an address belongs to a migration
 */
export function importsOf(resource: Fields, isOwn: (address: string) => boolean): Imports {
  const blocks: ImportBlock[] = [];
  const leftOut: LeftOutResource[] = [];
  for (const [type, named] of Object.entries(resource)) {
    const template = idTemplates[type];
    for (const [name, block] of Object.entries(fieldsOf(named))) {
      const to = `${type}.${name}`;
      if (!type.startsWith("google_") || !isOwn(to)) continue;
      const fields = fieldsOf(block);
      const id = template === undefined || isUploaded(fields) ? undefined : idOf(template, fields, resource);
      if (id !== undefined) blocks.push({ to, id });
      else if (!idempotentTypes.has(type)) leftOut.push({ address: to, type, reason: reasonOf(type, fields) });
    }
  }
  return { blocks, leftOut };
}

function reasonOf(type: string, fields: Fields): LeftOutResource["reason"] {
  if (isUploaded(fields)) return "keyUnknown";
  return hasIdOfService(type) ? "idOfService" : "idOfTerraform";
}

function isUploaded({ self_managed: uploaded }: Fields): boolean {
  return uploaded !== undefined;
}

function idOf(template: string, block: Fields, resource: Fields): string | undefined {
  const hasProject = typeof block.project === "string";
  const places = [...template.matchAll(/\{(\w+)\}/g)].map(([, place = ""]) => place);
  const isWithoutProject = !hasProject && template !== "{project}/{service}";
  const values = new Map<string, string | undefined>(
    places.map((place) => [place, placeValue(place, block, resource)] as const),
  );
  const needed = isWithoutProject ? places.filter((place) => place !== "project") : places;
  if (needed.some((place) => values.get(place) === undefined)) return undefined;
  if (isWithoutProject) return needed.map((place) => values.get(place)).join("/");
  return template.replace(/\{(\w+)\}/g, (_, place: string) => values.get(place) ?? "");
}

/** A reference to an attribute of a resource of the stack, as the whole text. */
const attribute = /^\$\{(google_\w+)\.([\w-]+)\.(?:name|id)\}$/;
/** A reference to the record of an authorization. */
const recordName = /^\$\{google_certificate_manager_dns_authorization\.([\w-]+)\.dns_resource_record\[0\]\.name\}$/;

/** Returns the value of a placeholder as far as it is known before Terraform plans; it may contain variables. */
function placeValue(place: string, block: Fields, resource: Fields): string | undefined {
  const value = block[place] ?? (place === "location" ? "global" : undefined);
  if (typeof value !== "string") return undefined;
  const [, authorization] = recordName.exec(value) ?? [];
  if (authorization !== undefined)
    return recordOf(blockAt("google_certificate_manager_dns_authorization", authorization, resource));
  const [, type, id] = attribute.exec(value) ?? [];
  const text = type === undefined || id === undefined ? value : blockAt(type, id, resource).name;
  if (typeof text !== "string" || /(?<!\$)\$\{(?!var\.)|%\{/.test(text)) return undefined;
  // Only record names may contain slashes of their own, and they have none.
  return place === "project" ? text : text.slice(text.lastIndexOf("/") + 1);
}

function blockAt(type: string, id: string, resource: Fields): Fields {
  return fieldsOf(fieldsOf(resource[type])[id]);
}

/** Returns the name of the CNAME of an authorization; undefined for one whose name contains a digest of the service. */
function recordOf({ domain, location = "global", type }: Fields): string | undefined {
  // Without a type, the service chooses it by the location.
  const isFixed = type === "FIXED_RECORD" || (type === undefined && location === "global");
  if (typeof domain !== "string" || !isFixed) return undefined;
  return fixedRecordName(domain);
}

/** Returns the name of the CNAME of an authorization of the type `FIXED_RECORD`. */
export function fixedRecordName(domain: string): string {
  return `_acme-challenge.${domain}.`;
}
