import { ownDescription } from "../../discovery";
import { CloudError, foundOrThrow } from "../cloud-error";
import { type Call, type CloudService, type Handlers, type Json, textParameter } from "../front";
import { canonicalName, type ZoneSource } from "../name-server";
import type { ServiceOptions } from "../operations";
import { operationTimeOf } from "../operations";
import { type Collection, indexBy } from "../state";
import { describeProject, dnsErrors, dnsListAnswer } from "./answers";
import { type CheckedChange, checkChange } from "./changes";
import { LiveZones } from "./live-zones";
import { policyHandlers } from "./policies";
import {
  nameKey,
  type RecordSetResource,
  readRecordSet,
  recordSetKey,
  recordSetTitle,
  servedRecordSet,
} from "./record-sets";
import { ZoneChanges, ZoneOperations } from "./zone-history";
import { apexRecordSets, type ManagedZone, newZone, patchedZone, updatedZone } from "./zones";

interface CloudDnsOptions extends ServiceOptions {
  readonly onServed?: (change: ServedRecords) => void;
}

/** Record sets that the name server serves from now on. */
export interface ServedRecords {
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  /** Each with its new data; empty for a removed record set. Names end with a dot. */
  readonly records: readonly { readonly name: string; readonly type: string; readonly data: readonly string[] }[];
}

interface KeptZone {
  readonly project: string;
  readonly zone: ManagedZone;
}

interface KeptRecordSet {
  readonly zoneId: string;
  readonly recordSet: RecordSetResource;
}

/** Emulates Cloud DNS v1, and provides the zones for the name server. */
export class CloudDns {
  readonly service: CloudService;
  readonly zones: ZoneSource;
  readonly #options: CloudDnsOptions;
  readonly #zones: Collection<KeptZone>;
  readonly #recordSets: Collection<KeptRecordSet>;
  readonly #recordSetsOf: (zoneId: string) => readonly KeptRecordSet[];
  readonly #namesakes: (zoneAndName: string) => readonly KeptRecordSet[];
  readonly #changes: ZoneChanges;
  readonly #operations: ZoneOperations;
  readonly #live = new LiveZones();
  /** Time at which the latest pending change of a zone is served, in milliseconds of the cloud's time. */
  readonly #servedAtMs = new Map<string, number>();

  constructor(options: CloudDnsOptions) {
    this.#options = options;
    this.#zones = options.store.collection("dns.managedZones");
    this.#recordSets = options.store.collection("dns.resourceRecordSets");
    this.#changes = new ZoneChanges(options.store);
    this.#operations = new ZoneOperations(options.store);
    this.#recordSetsOf = indexBy(this.#recordSets, ({ zoneId }) => [zoneId]);
    this.#namesakes = indexBy(this.#recordSets, ({ zoneId, recordSet }) => [
      `${zoneId} ${canonicalName(recordSet.name)}`,
    ]);
    this.#zones.watch((_key, before, after) => {
      if (before === undefined || after !== undefined) return;
      this.#live.close(before.zone);
      this.#changes.forget(before.zone);
      this.#operations.forget(before.zone);
      this.#servedAtMs.delete(before.zone.id);
    });
    for (const { zone } of this.#zones.values()) {
      this.#live.open(zone);
      this.#live.delegate(zone);
      for (const { recordSet } of this.#recordSetsOf(zone.id)) this.#live.get(zone)?.put(servedRecordSet(recordSet));
    }
    this.zones = this.#live;
    this.service = { description: ownDescription("dns:v1"), errors: "errors", handlers: this.#handlers() };
  }

  #handlers(): Handlers {
    return {
      ...this.#zoneHandlers(),
      ...this.#recordSetHandlers(),
      ...this.#changeHandlers(),
      "dns.projects.get": describeProject,
      ...policyHandlers({
        store: this.#options.store,
        now: () => this.#now(),
        mayFail: (call) => this.#mayFail(call),
      }),
    };
  }

  #zoneHandlers(): Handlers {
    const change = (call: Call, changed: (zone: ManagedZone, body: Json) => ManagedZone): Json => {
      const { project, zone } = this.#zone(call);
      const after = changed(zone, call.body);
      this.#mayFail(call);
      this.#zones.set(`${project}/${zone.name}`, { project, zone: after });
      return this.#operations.add(call, this.#now(), zone, after);
    };
    return {
      "dns.managedZones.create": (call) => this.#createZone(call),
      "dns.managedZones.get": (call) => this.#zone(call).zone,
      "dns.managedZones.list": (call) => {
        const dnsName = nameKey(textParameter(call, "dnsName"));
        const project = textParameter(call, "project");
        const zones = [...this.#zones.values()]
          .filter((kept) => kept.project === project && (dnsName === "" || kept.zone.dnsName === dnsName))
          .map(({ zone }) => zone);
        return dnsListAnswer(call, "dns#managedZonesListResponse", "managedZones", zones, ({ name }) => name);
      },
      "dns.managedZones.patch": (call) => change(call, patchedZone),
      "dns.managedZones.update": (call) => change(call, updatedZone),
      "dns.managedZones.delete": (call) => this.#deleteZone(call),
      "dns.managedZoneOperations.get": (call) => this.#operations.get(call, this.#zone(call).zone),
      "dns.managedZoneOperations.list": (call) => this.#operations.list(call, this.#zone(call).zone),
    };
  }

  #createZone(call: Call): Json {
    const project = textParameter(call, "project");
    const zone = newZone(call.body, project, this.#now());
    const key = `${project}/${zone.name}`;
    if (this.#zones.has(key)) throw dnsErrors.alreadyExists("managedZone", zone.name);
    this.#mayFail(call);
    this.#zones.set(key, { project, zone });
    this.#live.open(zone);
    const additions = apexRecordSets(zone);
    this.#keep(zone, { additions, deletions: [] });
    this.#later(call, zone, { additions, deletions: [] }, () => this.#live.delegate(zone));
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
    this.#mayFail(call);
    for (const { recordSet } of left) this.#recordSets.delete(`${zone.id} ${recordSetKey(recordSet)}`);
    this.#zones.delete(`${project}/${zone.name}`);
    return undefined;
  }

  #recordSetHandlers(): Handlers {
    const oneRecordSet = (call: Call, zone: ManagedZone): RecordSetResource => {
      const name = textParameter(call, "name");
      const type = textParameter(call, "type");
      const missing = () => dnsErrors.notFound("name", recordSetTitle({ name, type }));
      return foundOrThrow(this.#find(zone, recordSetKey({ name, type })), missing);
    };
    return {
      "dns.resourceRecordSets.list": (call) => {
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
        return dnsListAnswer(call, "dns#resourceRecordSetsListResponse", "rrsets", recordSets, recordSetKey);
      },
      "dns.resourceRecordSets.get": (call) => oneRecordSet(call, this.#zone(call).zone),
      "dns.resourceRecordSets.create": (call) => {
        const { zone } = this.#zone(call);
        const { additions } = this.#change(call, zone, { additions: [call.body] });
        return additions[0];
      },
      "dns.resourceRecordSets.patch": (call) => {
        const { zone } = this.#zone(call);
        const before = oneRecordSet(call, zone);
        const after = readRecordSet({ ...before, ...call.body }, "resourceRecordSet", zone.dnsName);
        const { additions } = this.#change(call, zone, {
          additions: [after],
          deletions: [before],
        });
        return additions[0];
      },
      "dns.resourceRecordSets.delete": (call) => {
        const { zone } = this.#zone(call);
        this.#change(call, zone, { deletions: [oneRecordSet(call, zone)] });
        return {};
      },
    };
  }

  #changeHandlers(): Handlers {
    return {
      "dns.changes.create": (call) => {
        const { zone } = this.#zone(call);
        const { id } = this.#change(call, zone, call.body);
        return this.#changes.get(zone, id);
      },
      "dns.changes.get": (call) => this.#changes.get(this.#zone(call).zone, textParameter(call, "changeId")),
      "dns.changes.list": (call) => this.#changes.list(call, this.#zone(call).zone),
    };
  }

  #change(
    call: Call,
    zone: ManagedZone,
    given: { readonly additions?: unknown; readonly deletions?: unknown },
  ): CheckedChange & { readonly id: string } {
    const find = (key: string) => this.#find(zone, key);
    const namesakes = (name: string) =>
      this.#namesakes(`${zone.id} ${canonicalName(name)}`).map(({ recordSet }) => recordSet);
    const change = checkChange(given, zone, find, namesakes);
    this.#mayFail(call);
    this.#keep(zone, change);
    const { id, done } = this.#changes.add(zone, this.#now(), change);
    this.#later(call, zone, change, done);
    return { ...change, id };
  }

  #keep(zone: ManagedZone, { additions, deletions }: CheckedChange): void {
    for (const deletion of deletions) this.#recordSets.delete(`${zone.id} ${recordSetKey(deletion)}`);
    for (const recordSet of additions)
      this.#recordSets.set(`${zone.id} ${recordSetKey(recordSet)}`, { zoneId: zone.id, recordSet });
  }

  /** Serves a change after its delay, as a whole. Changes of a zone keep their order. */
  #later(call: Call, zone: ManagedZone, { additions, deletions }: CheckedChange, done: () => void): void {
    const live = this.#live.get(zone);
    const serve = () => {
      for (const { name, type } of deletions) live?.remove(name, type);
      for (const recordSet of additions) live?.put(servedRecordSet(recordSet));
      done();
      onServed?.({ time: this.#now(), records: servedRecords(additions, deletions) });
    };
    const { clock, operationMs, onServed } = this.#options;
    const now = clock.now().getTime();
    const ownMs = operationTimeOf(operationMs, call.method.id);
    const pendingMs = this.#servedAtMs.get(zone.id);
    if (ownMs === 0 && pendingMs === undefined) {
      serve();
      return;
    }
    const atMs = Math.max(now + ownMs, pendingMs ?? 0);
    this.#servedAtMs.set(zone.id, atMs);
    clock.after(atMs - now, () => {
      if (this.#servedAtMs.get(zone.id) === atMs) this.#servedAtMs.delete(zone.id);
      serve();
    });
  }

  #find(zone: ManagedZone, key: string): RecordSetResource | undefined {
    return this.#recordSets.get(`${zone.id} ${key}`)?.recordSet;
  }

  #zone(call: Call): KeptZone {
    const project = textParameter(call, "project");
    const name = textParameter(call, "managedZone");
    const kept = this.#zones.get(`${project}/${name}`) ?? this.#zoneByNumber(project, name);
    return foundOrThrow(kept, () => dnsErrors.notFound("managedZone", name));
  }

  #zoneByNumber(project: string, id: string): KeptZone | undefined {
    if (!/^\d+$/.test(id)) return undefined;
    return [...this.#zones.values()].find((kept) => kept.project === project && kept.zone.id === id);
  }

  #mayFail(call: Call): void {
    const failure = this.#options.failOperation?.(call.method.id, call);
    if (failure !== undefined) throw failure;
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}

/** Returns a replaced record set once, with its new data. */
function servedRecords(
  additions: readonly RecordSetResource[],
  deletions: readonly RecordSetResource[],
): ServedRecords["records"] {
  const removed = deletions.map(({ name, type }) => ({ name, type, data: [] }));
  const added = additions.map(({ name, type, rrdatas }) => ({ name, type, data: rrdatas }));
  return [...new Map([...removed, ...added].map((record) => [recordSetKey(record), record])).values()];
}
