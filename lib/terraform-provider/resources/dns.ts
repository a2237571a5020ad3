import { InputError } from "../../errors";
import type { ApiObject, Attempt } from "../cloud-api";
import { isEmpty, isList, textValue, type Value, type ValueObject } from "../value";
import { type ProviderCall, type ResourceKind, UnreadError } from "./kind";
import { fill, identifyBy } from "./resource-id";
import { restKind } from "./rest";
import type { RestRow } from "./rest-row";

/** Zones of Cloud DNS. Source: the provider's source code at 6.50.0. */
export const zoneRow: RestRow = {
  type: "google_dns_managed_zone",
  service: "dns",
  collection: "projects/{project}/managedZones",
  apiNames: { managed_zone_id: "id" },
  // The provider also sends this member for public zones.
  encode: (body) => ({ privateVisibilityConfig: { networks: [] }, ...body }),
  forceNew: ["name", "dns_name", "visibility", "project"],
  defaults: {
    description: "Managed by Terraform",
    "dnssec_config.default_key_specs.kind": "dns#dnsKeySpec",
    "dnssec_config.kind": "dns#managedZoneDnsSecConfig",
    force_destroy: false,
    visibility: "public",
  },
  equivalences: { visibility: "caseless" },
  foreign: ["force_destroy"],
  answers: { onlyIfConfigured: ["dnssec_config", "cloud_logging_config"] },
  update: "put",
};

/**
 * Zones. A zone with `force_destroy` is emptied before it is deleted; otherwise, the service refuses to delete a zone
 * with records.
 */
export const zoneKind: ResourceKind = {
  ...restKind(zoneRow),
  delete: async (state, call) => {
    if (state.force_destroy === true) await emptyZone(state, call);
    await restKind(zoneRow).delete(state, call);
  },
};

const zonePath = "projects/{project}/managedZones/{managed_zone}";
const idTemplate = `${zonePath}/rrsets/{name}/{type}`;

/** Time limit of the provider for a change, in milliseconds. */
const changeTimeoutMs = 10 * 60_000;

/** Time limit for retries of one request in the provider's Cloud DNS client, in milliseconds. */
const requestTimeoutMs = 90_000;

/**
 * Record sets, which the provider writes by changes of a zone. An update deletes and adds the record set in one change,
 * so that no resolver gets an empty answer.
 *
 * Source: the provider's source code at 6.50.0. Type and time to live are updated in place, name and zone are not.
 */
export const recordSetKind: ResourceKind = {
  type: "google_dns_record_set",
  overlay: {
    forceNew: ["name", "managed_zone", "project"],
    exactlyOne: [["rrdatas", "routing_policy"]],
    equivalences: { rrdatas: "recordData", managed_zone: "link" },
    // A deletion must contain exactly the data of the zone.
    answers: { asServed: ["rrdatas"] },
  },
  create: async (planned, call) => {
    refuseRoutingPolicy(planned);
    const deletions = await recordSetsInTheWay(planned, call);
    const body = { additions: [toRecordSet(planned)], ...(deletions.length === 0 ? {} : { deletions }) };
    await changeZone(planned, body, attemptOf("creating", planned, call), call);
    return readBack(planned, call).catch((error: unknown) => {
      throw new UnreadError({ id: fill(idTemplate, planned) }, error);
    });
  },
  read: findRecordSet,
  update: async (prior, planned, call) => {
    refuseRoutingPolicy(planned);
    const body = { deletions: [toRecordSet(prior)], additions: [toRecordSet(planned)] };
    await changeZone(planned, body, attemptOf("updating", planned, call), call);
    return readBack(planned, call);
  },
  delete: async (state, call) => {
    // A zone must have these record sets, so the provider does not delete them.
    if (await isOfApex(state, call)) return;
    const attempt = attemptOf("deleting", state, call);
    const target = `/dns/v1/${fill(zonePath, state)}/changes`;
    const body = { deletions: [toRecordSet(state)] };
    // 404: the record set no longer exists, so the deletion is complete.
    const answer = await call.api.find({ ...attempt, httpMethod: "POST", target, body });
    if (answer !== undefined) await call.api.settle(answer, `${target}/${String(answer.id)}`, attempt, changeTimeoutMs);
  },
  identify: identifyBy("google_dns_record_set", idTemplate),
};

/**
 * Returns the record sets with the same name and type that already exist in the zone, which the provider replaces.
 *
 * The provider reads one page of the zone, 100 record sets, so it misses record sets of a larger zone.
 */
async function recordSetsInTheWay(planned: ValueObject, call: ProviderCall): Promise<readonly ApiObject[]> {
  const target = `/dns/v1/${fill(zonePath, planned)}/rrsets`;
  const page = await call.api.send({ ...attemptOf("creating", planned, call), httpMethod: "GET", target });
  const found = (page.rrsets as readonly ApiObject[] | undefined) ?? [];
  return found.filter(({ name, type }) => name === planned.name && type === planned.type).map(withoutEmpty);
}

/** Removes empty members, because the provider sends a listed record set back without them. */
function withoutEmpty(recordSet: ApiObject): ApiObject {
  return Object.fromEntries(Object.entries(recordSet).filter(([, value]) => !isEmpty(value as Value)));
}

/** Returns a record set with the API's names. */
function toRecordSet({ name, type, ttl, rrdatas }: ValueObject): ApiObject {
  return { name, type, ttl: ttl ?? 0, rrdatas: isList(rrdatas) ? rrdatas : [] };
}

function refuseRoutingPolicy({ routing_policy: policy, name }: ValueObject): void {
  if (!isList(policy) || policy.length === 0) return;
  const message = `google_dns_record_set '${String(name)}': routing_policy is not emulated; state rrdatas instead`;
  throw new InputError("routing-policy-not-emulated", message);
}

function attemptOf(verb: string, values: ValueObject, { signal }: ProviderCall): Attempt {
  const purpose = `${verb} google_dns_record_set '${textValue(values, "name")} ${textValue(values, "type")}'`;
  return { purpose, signal, timeoutMs: requestTimeoutMs };
}

/** @param zone values with `project` and `managed_zone` */
async function changeZone(zone: ValueObject, body: ApiObject, attempt: Attempt, { api }: ProviderCall): Promise<void> {
  const target = `/dns/v1/${fill(zonePath, zone)}/changes`;
  const answer = await api.send({ ...attempt, httpMethod: "POST", target, body });
  await api.settle(answer, `${target}/${String(answer.id)}`, attempt, changeTimeoutMs);
}

async function findRecordSet(values: ValueObject, call: ProviderCall): Promise<ValueObject | undefined> {
  const query = new URLSearchParams({ name: textValue(values, "name"), type: textValue(values, "type") });
  const target = `/dns/v1/${fill(zonePath, values)}/rrsets?${query}`;
  const answer = await call.api.find({ ...attemptOf("reading", values, call), httpMethod: "GET", target });
  const [found] = (answer?.rrsets as readonly ApiObject[] | undefined) ?? [];
  return found === undefined ? undefined : toState(values, found);
}

async function readBack(values: ValueObject, call: ProviderCall): Promise<ValueObject> {
  const found = await findRecordSet(values, call);
  if (found !== undefined) return found;
  const message = `google_dns_record_set '${fill(idTemplate, values)}' was not found after it was created`;
  throw new InputError("not-found", message);
}

function toState(values: ValueObject, { ttl, rrdatas }: ApiObject): ValueObject {
  return {
    id: fill(idTemplate, values),
    project: values.project ?? null,
    managed_zone: values.managed_zone ?? null,
    name: values.name ?? null,
    type: values.type ?? null,
    ttl: (ttl as number | undefined) ?? null,
    rrdatas: (rrdatas as readonly Value[] | undefined) ?? null,
    routing_policy: [],
  };
}

/** Returns whether a record set is the zone's own NS or SOA record at its apex. */
async function isOfApex(state: ValueObject, call: ProviderCall): Promise<boolean> {
  if (!isOwnType(textValue(state, "type"))) return false;
  const target = `/dns/v1/${fill(zonePath, state)}`;
  const zone = await call.api.find({ ...attemptOf("deleting", state, call), httpMethod: "GET", target });
  return zone?.dnsName === state.name;
}

function isOwnType(type: string): boolean {
  return type === "NS" || type === "SOA";
}

/** Maximum number of record sets that one change deletes. */
const mostDeletions = 100;

async function emptyZone(zone: ValueObject, call: ProviderCall): Promise<void> {
  const values: ValueObject = { project: zone.project ?? null, managed_zone: zone.name ?? null };
  const attempt = { purpose: `emptying google_dns_managed_zone '${textValue(zone, "name")}'`, signal: call.signal };
  const deletions: ApiObject[] = [];
  for (let pageToken = ""; ; ) {
    const query = new URLSearchParams(pageToken === "" ? {} : { pageToken });
    const target = `/dns/v1/${fill(zonePath, values)}/rrsets?${query}`;
    const page = await call.api.find({ ...attempt, httpMethod: "GET", target });
    const found = (page?.rrsets as readonly ApiObject[] | undefined) ?? [];
    deletions.push(...found.filter(({ name, type }) => !(name === zone.dns_name && isOwnType(String(type)))));
    pageToken = String(page?.nextPageToken ?? "");
    if (pageToken === "") break;
  }
  for (let start = 0; start < deletions.length; start += mostDeletions) {
    const part = deletions.slice(start, start + mostDeletions);
    const body = { deletions: part.map(({ name, type, ttl, rrdatas }) => ({ name, type, ttl, rrdatas })) };
    await changeZone(values, body, attempt, call);
  }
}
