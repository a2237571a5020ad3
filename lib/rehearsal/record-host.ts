import { InputError } from "../errors";
import { fieldsOf, listOf, parseJson, textsOf } from "../json/fields";
import { writeZoneName } from "../resource-names";
import type { HostedRecord, RecordHost } from "../terraform-provider";
import { quote } from "../text/quote";
import type { RequestPlace } from "./post-resource";
import { nearestZone, type RehearsalWorld } from "./world";

/** Addresses with which Cloudflare's proxy answers; documentation addresses stand for them. */
const proxyAddresses = ["192.0.2.200", "192.0.2.201"];

/** Returns the DNS of the rehearsal as the host of records of other providers. */
export function recordHostOf({ cloudUrl, http }: RequestPlace, zones: RehearsalWorld["zones"]): RecordHost {
  const send = async (method: "GET" | "POST", path: string, body?: object) => {
    const { text } = await http.send({
      method,
      url: `${cloudUrl}${path}`,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      purpose: "publishing a record of another DNS provider in the rehearsal's DNS",
    });
    return fieldsOf(parseJson(text));
  };
  /** Changes a record set. @param dataOf returns the data from the present data; an empty list deletes the set */
  const change = async (served: HostedRecord, dataOf: (present: readonly string[]) => readonly string[]) => {
    const name = `${served.name}.`;
    const zone = nearestZone(zones, name);
    if (zone === undefined) {
      const message = `${quote(served.name)} is in no zone of the rehearsal's DNS; use a name in a domain of the migration`;
      throw new InputError("rehearsal-zone-unknown", message);
    }
    const path = `dns/v1/${writeZoneName({ project: zone.project, zone: zone.name })}`;
    const query = new URLSearchParams({ name, type: served.type });
    const [present] = listOf((await send("GET", `${path}/rrsets?${query}`)).rrsets).map(fieldsOf);
    const before = textsOf(present?.rrdatas);
    const data = [...new Set(dataOf(before))];
    if (data.join() === before.join() && present?.ttl === served.ttlSeconds) return;
    await send("POST", `${path}/changes`, {
      ...(present === undefined ? {} : { deletions: [present] }),
      ...(data.length === 0 ? {} : { additions: [{ name, type: served.type, ttl: served.ttlSeconds, rrdatas: data }] }),
    });
  };
  return {
    create: async (record, isOneValue) => {
      const served = servedBy(record);
      await change(served, (present) => {
        const isThere = isOneValue ? served.data.some((datum) => present.includes(datum)) : present.length > 0;
        if (isThere) throw alreadyThere(served);
        return [...present, ...served.data];
      });
    },
    update: async (record, former, isOneValue) => {
      const served = servedBy(record);
      const past = former === undefined ? undefined : servedBy(former);
      const isElsewhere = past !== undefined && (past.name !== served.name || past.type !== served.type);
      if (isElsewhere) await change(past, (present) => (isOneValue ? without(present, past.data) : []));
      await change(served, (present) => {
        // An imported value is not known: it is the only one.
        if (!isOneValue || (past === undefined && present.length === 1)) return served.data;
        return [...without(present, past?.data ?? []), ...served.data];
      });
    },
    withdraw: async (record, isOneValue) => {
      const served = servedBy(record);
      await change(served, (present) => (isOneValue ? without(present, served.data) : []));
    },
  };
}

/** DNS hosts refuse to create a record that exists. */
function alreadyThere({ name, type }: HostedRecord): InputError {
  const message = `the ${type} record of ${quote(name)} exists already, and a DNS host refuses to create it again; import it, or remove what published it`;
  return new InputError("record-exists", message);
}

function without(data: readonly string[], removed: readonly string[]): readonly string[] {
  return data.filter((datum) => !removed.includes(datum));
}

/** Cloudflare's proxy answers for a name with its own addresses, whatever the record contains. */
function servedBy(record: HostedRecord): HostedRecord {
  return record.isProxied ? { ...record, type: "A", data: proxyAddresses } : record;
}
