import type { Answer, Json, Side } from "../../side";

/** A record set as requests contain it. */
export interface RecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas: readonly string[];
}

/** Returns the parameters of methods on the zone of the user. */
export function zoneOf({ project, zone }: Side): { readonly project: string; readonly managedZone: string } {
  return { project, managedZone: zone };
}

/** Returns a record set below the domain of the run. @param label one or more labels */
export function recordSet(side: Side, label: string, type: string, ...rrdatas: readonly string[]): RecordSet {
  return { name: `${side.host(label)}.`, type, ttl: 300, rrdatas };
}

interface ZoneChange {
  readonly additions?: readonly RecordSet[];
  readonly deletions?: readonly RecordSet[];
}

/** Changes the zone, waits until the change is done, and returns it. */
export function changeZone(side: Side, change: ZoneChange): Promise<Json> {
  return side.run("dns.changes.create", zoneOf(side), change);
}

/** Sends a change that may be refused. */
export function tryChange(side: Side, change: ZoneChange): Promise<Answer> {
  return side.call("dns.changes.create", zoneOf(side), change);
}

/** Lists one page of record sets. */
export function listRecordSets(side: Side, query: Readonly<Record<string, string | number>>): Promise<Json> {
  return side.make("dns.resourceRecordSets.list", { ...zoneOf(side), ...query });
}

/** Returns the data of a record set in the zone; undefined if it does not exist. */
export async function dataOf(side: Side, { name, type }: Pick<RecordSet, "name" | "type">): Promise<unknown> {
  const { rrsets } = await listRecordSets(side, { name, type });
  return (rrsets as readonly Json[] | undefined)?.[0]?.rrdatas;
}

/** Returns record sets without the members that the service adds. */
export function withoutAdded(recordSets: unknown): readonly Json[] {
  const sets = (recordSets ?? []) as readonly Json[];
  return sets.map(({ name, type, ttl, rrdatas }) => ({ name, type, ttl, rrdatas }));
}

/** Longest time from a change to its answer by the name servers. */
const servedWithinMs = 120_000;

/** Returns the first answer of the zone's name servers that is as wanted, or the last one within two minutes. */
export async function servedData(
  side: Side,
  { name, type }: { readonly name: string; readonly type: "A" | "AAAA" | "CNAME" | "TXT" },
  isWanted: (data: readonly string[]) => boolean = (data) => data.length > 0,
): Promise<readonly string[]> {
  const ask = () => side.resolve(name, type);
  return (await side.eventually(ask, isWanted, { withinMs: servedWithinMs })).value;
}
