import { ownDescription } from "../../discovery";
import { CloudError } from "../cloud-error";
import {
  type Call,
  type CloudService,
  type Handler,
  type Json,
  listPage,
  listRequestOf,
  textParameter,
} from "../front";
import { canonicalName, type ZoneSource } from "../name-server";
import { type Clock, type Collection, groupBy, type Store } from "../state";
import { checkChange } from "./changes";
import type { LiveZone } from "./live-zone";
import { LiveZones } from "./live-zones";
import { policyHandlers } from "./policies";
import { nameKey, type RecordSetResource, readRecordSet, recordSetKey } from "./record-sets";
import { ZoneOperations } from "./zone-operations";
import { apexRecordSets, type ManagedZone, newZone, patchedZone, updatedZone, zoneNotFound } from "./zones";

export interface CloudDnsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** How long a change is pending before it is done and served, in the cloud's time. */
  readonly changeMs: number;
  /** Makes a mutation fail, in which case nothing changes. */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
}

interface KeptZone {
  readonly project: string;
  readonly zone: ManagedZone;
}

interface KeptRecordSet {
  readonly zoneId: string;
  readonly recordSet: RecordSetResource;
}

interface KeptChange extends Json {
  readonly id: string;
  readonly startTime: string;
  readonly additions: readonly RecordSetResource[];
  readonly deletions: readonly RecordSetResource[];
}

/**
 * Cloud DNS v1: zones and operations on them, record sets, changes that are made whole or not at all, server policies, and the zones as the name
 * server answers from them.
 */
export class CloudDns {
  readonly service: CloudService;
  /** Public zones of all projects; each counts as delegated. */
  readonly zones: ZoneSource;
  readonly #options: CloudDnsOptions;
  readonly #zones: Collection<KeptZone>;
  readonly #recordSets: Collection<KeptRecordSet>;
  readonly #changes: Collection<KeptChange>;
  readonly #recordSetsOf: (zoneId: string) => readonly KeptRecordSet[];
  readonly #namesakes: (zoneAndName: string) => readonly KeptRecordSet[];
  readonly #changesOf: (zoneId: string) => readonly KeptChange[];
  readonly #operations: ZoneOperations;
  readonly #live = new LiveZones();

  constructor(options: CloudDnsOptions) {
    this.#options = options;
    this.#zones = options.store.collection("dns.managedZones");
    this.#recordSets = options.store.collection("dns.resourceRecordSets");
    this.#changes = options.store.collection("dns.changes");
    this.#operations = new ZoneOperations(options.store);
    this.#recordSetsOf = groupBy(this.#recordSets, ({ zoneId }) => [zoneId]);
    this.#namesakes = groupBy(this.#recordSets, ({ zoneId, recordSet }) => [
      `${zoneId} ${canonicalName(recordSet.name)}`,
    ]);
    this.#changesOf = groupBy(this.#changes, (_change, key) => [key.slice(0, key.indexOf("/"))]);
    this.#zones.watch((_key, before, after) => {
      if (before !== undefined && after === undefined) this.#close(before.zone);
    });
    for (const { zone } of this.#zones.values()) {
      this.#live.open(zone);
      this.#live.delegate(zone);
      for (const { recordSet } of this.#recordSetsOf(zone.id)) this.#live.get(zone)?.put(recordSet);
    }
    this.zones = this.#live;
    this.service = { description: ownDescription("dns:v1"), errors: "errors", handlers: new Map(this.#handlers()) };
  }

  #handlers(): readonly (readonly [string, Handler])[] {
    return [
      ...this.#zoneHandlers(),
      ...this.#recordSetHandlers(),
      ...this.#changeHandlers(),
      ...this.#projectHandlers(),
      ...policyHandlers({
        store: this.#options.store,
        now: () => this.#now(),
        mayFail: (methodId, call) => this.#mayFail(methodId, call),
      }),
    ];
  }

  #zoneHandlers(): readonly (readonly [string, Handler])[] {
    const change = (id: string, after: (zone: ManagedZone, body: Json) => ManagedZone): readonly [string, Handler] => [
      id,
      (call) => {
        const { project, zone } = this.#zone(call);
        const changed = after(zone, call.body);
        this.#mayFail(id, call);
        this.#zones.set(`${project}/${zone.name}`, { project, zone: changed });
        return this.#operations.add(call, this.#now(), zone, changed);
      },
    ];
    return [
      ["dns.managedZones.create", (call) => this.#createZone(call)],
      ["dns.managedZones.get", (call) => this.#zone(call).zone],
      [
        "dns.managedZones.list",
        (call) => {
          const dnsName = nameKey(textParameter(call, "dnsName"));
          const project = textParameter(call, "project");
          const zones = [...this.#zones.values()]
            .filter((kept) => kept.project === project && (dnsName === "" || kept.zone.dnsName === dnsName))
            .map(({ zone }) => zone);
          return page("dns#managedZonesListResponse", "managedZones", zones, call, ({ name }) => name);
        },
      ],
      change("dns.managedZones.patch", patchedZone),
      change("dns.managedZones.update", updatedZone),
      ["dns.managedZones.delete", (call) => this.#deleteZone(call)],
      ["dns.managedZoneOperations.get", (call) => this.#operations.get(call, this.#zone(call).zone)],
      ["dns.managedZoneOperations.list", (call) => this.#operations.list(call, this.#zone(call).zone)],
    ];
  }

  #createZone(call: Call): Json {
    const project = textParameter(call, "project");
    const zone = newZone(call.body, project, this.#now());
    const key = `${project}/${zone.name}`;
    if (this.#zones.has(key))
      throw new CloudError("ALREADY_EXISTS", `The resource 'entity.managedZone' named '${zone.name}' already exists`);
    this.#mayFail("dns.managedZones.create", call);
    this.#zones.set(key, { project, zone });
    this.#live.open(zone);
    for (const recordSet of apexRecordSets(zone)) this.#put(zone, recordSet);
    this.#later(zone, () => this.#live.delegate(zone));
    this.#operations.add(call, this.#now(), undefined, zone);
    return zone;
  }

  #deleteZone(call: Call): undefined {
    const { project, zone } = this.#zone(call);
    const apex = new Set(apexRecordSets(zone).map(recordSetKey));
    const left = this.#recordSetsOf(zone.id);
    if (left.some(({ recordSet }) => !apex.has(recordSetKey(recordSet)))) {
      const message = `The resource named '${zone.name}' cannot be deleted because it contains one or more 'resource records'.`;
      throw new CloudError("INVALID_ARGUMENT", message, { reason: "containerNotEmpty" });
    }
    this.#mayFail("dns.managedZones.delete", call);
    for (const { recordSet } of left) this.#recordSets.delete(`${zone.id} ${recordSetKey(recordSet)}`);
    for (const { id } of this.#changesOf(zone.id)) this.#changes.delete(`${zone.id}/${id}`);
    this.#operations.forget(zone);
    this.#zones.delete(`${project}/${zone.name}`);
    return undefined;
  }

  #recordSetHandlers(): readonly (readonly [string, Handler])[] {
    const one = (call: Call, zone: ManagedZone): RecordSetResource => {
      const name = textParameter(call, "name");
      const type = textParameter(call, "type");
      const there = this.#find(zone, recordSetKey({ name, type }));
      if (there === undefined)
        throw new CloudError("NOT_FOUND", `The 'parameters.name' resource named '${name} (${type})' does not exist.`);
      return there;
    };
    return [
      [
        "dns.resourceRecordSets.list",
        (call) => {
          const { zone } = this.#zone(call);
          const name = nameKey(textParameter(call, "name"));
          const type = textParameter(call, "type");
          if (type !== "" && name === "")
            throw new CloudError(
              "INVALID_ARGUMENT",
              "The 'parameters.name' parameter is required with 'parameters.type'",
              { reason: "required" },
            );
          const recordSets = this.#recordSetsOf(zone.id)
            .map(({ recordSet }) => recordSet)
            .filter(
              (recordSet) =>
                (name === "" || canonicalName(recordSet.name) === name) && (type === "" || recordSet.type === type),
            );
          return page("dns#resourceRecordSetsListResponse", "rrsets", recordSets, call, recordSetKey);
        },
      ],
      ["dns.resourceRecordSets.get", (call) => one(call, this.#zone(call).zone)],
      [
        "dns.resourceRecordSets.create",
        (call) => {
          const { zone } = this.#zone(call);
          const { additions } = this.#change("dns.resourceRecordSets.create", call, zone, { additions: [call.body] });
          return additions[0];
        },
      ],
      [
        "dns.resourceRecordSets.patch",
        (call) => {
          const { zone } = this.#zone(call);
          const before = one(call, zone);
          const after = readRecordSet({ ...before, ...call.body }, "resourceRecordSet", zone.dnsName);
          const { additions } = this.#change("dns.resourceRecordSets.patch", call, zone, {
            additions: [after],
            deletions: [before],
          });
          return additions[0];
        },
      ],
      [
        "dns.resourceRecordSets.delete",
        (call) => {
          const { zone } = this.#zone(call);
          this.#change("dns.resourceRecordSets.delete", call, zone, { deletions: [one(call, zone)] });
          return {};
        },
      ],
    ];
  }

  #changeHandlers(): readonly (readonly [string, Handler])[] {
    return [
      [
        "dns.changes.create",
        (call) => {
          const { zone } = this.#zone(call);
          return this.#describe(this.#change("dns.changes.create", call, zone, call.body));
        },
      ],
      [
        "dns.changes.get",
        (call) => {
          const { zone } = this.#zone(call);
          const id = textParameter(call, "changeId");
          const change = this.#changes.get(`${zone.id}/${id}`);
          if (change === undefined)
            throw new CloudError("NOT_FOUND", `The 'parameters.changeId' resource named '${id}' does not exist.`);
          return this.#describe(change);
        },
      ],
      [
        "dns.changes.list",
        (call) => {
          const { zone } = this.#zone(call);
          const changes = this.#changesOf(zone.id).map((change) => this.#describe(change));
          const descending = textParameter(call, "sortOrder").startsWith("desc");
          const place = ({ id }: Json) => Number(id);
          const keyOf = (change: Json) => String(descending ? 1e9 - place(change) : place(change)).padStart(12, "0");
          return page("dns#changesListResponse", "changes", changes, call, keyOf);
        },
      ],
    ];
  }

  #projectHandlers(): readonly (readonly [string, Handler])[] {
    return [
      [
        "dns.projects.get",
        (call) => {
          const id = textParameter(call, "project");
          const quota = {
            kind: "dns#quota",
            managedZones: 10_000,
            rrsetsPerManagedZone: 10_000,
            rrsetAdditionsPerChange: 1_000,
            rrsetDeletionsPerChange: 1_000,
            resourceRecordsPerRrset: 100,
            totalRrdataSizePerChange: 100_000,
          };
          return { kind: "dns#project", id, number: "100000000001", quota };
        },
      ],
    ];
  }

  /** Makes a change and keeps it. */
  #change(
    methodId: string,
    call: Call,
    zone: ManagedZone,
    given: { readonly additions?: unknown; readonly deletions?: unknown },
  ): KeptChange {
    const find = (key: string) => this.#find(zone, key);
    const namesakes = (name: string) =>
      this.#namesakes(`${zone.id} ${canonicalName(name)}`).map(({ recordSet }) => recordSet);
    const { additions, deletions } = checkChange(given, zone, find, namesakes);
    this.#mayFail(methodId, call);
    for (const deletion of deletions) this.#remove(zone, deletion);
    for (const addition of additions) this.#put(zone, addition);
    const id = String(this.#count(zone));
    const change = { kind: "dns#change", id, startTime: this.#now(), additions, deletions };
    this.#changes.set(`${zone.id}/${id}`, change);
    return change;
  }

  readonly #counts = new Map<string, number>();

  /** How many changes a zone has seen, with the one that is about to be made. */
  #count({ id }: ManagedZone): number {
    const count = (this.#counts.get(id) ?? this.#changesOf(id).length) + 1;
    this.#counts.set(id, count);
    return count;
  }

  #describe(change: KeptChange): Json {
    const isDone = Date.parse(change.startTime) + this.#options.changeMs <= this.#options.clock.now().getTime();
    return { ...change, status: isDone ? "done" : "pending" };
  }

  #put(zone: ManagedZone, recordSet: RecordSetResource): void {
    this.#recordSets.set(`${zone.id} ${recordSetKey(recordSet)}`, { zoneId: zone.id, recordSet });
    this.#later(zone, (live) => live.put(recordSet));
  }

  #remove(zone: ManagedZone, recordSet: RecordSetResource): void {
    this.#recordSets.delete(`${zone.id} ${recordSetKey(recordSet)}`);
    this.#later(zone, (live) => live.remove(recordSet.name, recordSet.type));
  }

  /** Name servers learn of a change when it is done; changes keep their order. */
  #later(zone: ManagedZone, change: (live: LiveZone) => void): void {
    const live = this.#live.get(zone);
    if (live === undefined) return;
    if (this.#options.changeMs === 0) change(live);
    else this.#options.clock.after(this.#options.changeMs, () => change(live));
  }

  #find(zone: ManagedZone, key: string): RecordSetResource | undefined {
    return this.#recordSets.get(`${zone.id} ${key}`)?.recordSet;
  }

  #zone(call: Call): KeptZone {
    const project = textParameter(call, "project");
    const name = textParameter(call, "managedZone");
    const kept = this.#zones.get(`${project}/${name}`) ?? this.#zoneByNumber(project, name);
    if (kept === undefined) throw zoneNotFound(name);
    return kept;
  }

  #zoneByNumber(project: string, id: string): KeptZone | undefined {
    if (!/^\d+$/.test(id)) return undefined;
    return [...this.#zones.values()].find((kept) => kept.project === project && kept.zone.id === id);
  }

  #close(zone: ManagedZone): void {
    this.#live.close(zone);
    this.#counts.delete(zone.id);
  }

  #mayFail(methodId: string, call: Call): void {
    const failure = this.#options.failOperation?.(methodId, call);
    if (failure !== undefined) throw failure;
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}

function page<Item extends Json>(
  kind: string,
  field: string,
  items: readonly Item[],
  call: Call,
  keyOf: (item: Item) => string,
): Json {
  const sizes = { defaultSize: 100, mostSize: 1_000, keyOf };
  const { items: listed, nextPageToken } = listPage(items, listRequestOf(call, "maxResults"), sizes);
  return { kind, [field]: listed, ...(nextPageToken === undefined ? {} : { nextPageToken }) };
}
