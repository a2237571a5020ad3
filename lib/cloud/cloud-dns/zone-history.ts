import { defined } from "../../json/defined";
import { foundOrThrow } from "../cloud-error";
import { type Call, type Json, textParameter } from "../front";
import { type Collection, indexBy, type Store } from "../state";
import { dnsErrors, dnsListAnswer } from "./answers";
import type { CheckedChange } from "./changes";
import type { ManagedZone } from "./zones";

interface Entry extends Json {
  /** Decimal digits; counts up from 1 in each zone. */
  readonly id: string;
}

/** Numbered entries of zones. Beyond the maximum number per zone, each new entry removes the oldest. */
class ZoneHistory<Kept extends Entry> {
  readonly of: (zoneId: string) => readonly Kept[];
  readonly #entries: Collection<Kept>;
  readonly #mostKept: number;
  readonly #latest = new Map<string, number>();

  constructor(store: Store, collection: string, mostKept: number) {
    this.#entries = store.collection(collection);
    this.#mostKept = mostKept;
    this.of = indexBy(this.#entries, (_entry, key) => [key.slice(0, key.indexOf("/"))]);
  }

  add(zoneId: string, make: (id: string) => Kept): Kept {
    const number = (this.#latest.get(zoneId) ?? Number(this.of(zoneId).at(-1)?.id ?? 0)) + 1;
    this.#latest.set(zoneId, number);
    const entry = make(String(number));
    this.#entries.set(`${zoneId}/${number}`, entry);
    this.#entries.delete(`${zoneId}/${number - this.#mostKept}`);
    return entry;
  }

  /** @param parameter parameter of the request that contains the id @throws CloudError for an unknown id */
  get(zoneId: string, parameter: string, id: string): Kept {
    return foundOrThrow(this.#entries.get(`${zoneId}/${id}`), () => dnsErrors.notFound(parameter, id));
  }

  forget(zoneId: string): void {
    for (const { id } of this.of(zoneId)) this.#entries.delete(`${zoneId}/${id}`);
    this.#latest.delete(zoneId);
  }
}

/** Changes of zones. A change is done when the name server serves it. All changes from before a restart are done. */
export class ZoneChanges {
  readonly #history: ZoneHistory<Entry & CheckedChange>;
  readonly #pending = new Set<string>();

  constructor(store: Store) {
    this.#history = new ZoneHistory(store, "dns.changes", 10_000);
  }

  /** Stores a change, which is pending until `done` is called. */
  add(zone: ManagedZone, startTime: string, change: CheckedChange): { readonly id: string; readonly done: () => void } {
    const { id } = this.#history.add(zone.id, (id) => ({ kind: "dns#change", id, startTime, ...change }));
    const key = `${zone.id}/${id}`;
    this.#pending.add(key);
    return { id, done: () => void this.#pending.delete(key) };
  }

  get(zone: ManagedZone, id: string): Json {
    return this.#describe(zone, this.#history.get(zone.id, "changeId", id));
  }

  list(call: Call, zone: ManagedZone): Json {
    const isDescending = textParameter(call, "sortOrder").startsWith("desc");
    const all = this.#history.of(zone.id).map((change) => this.#describe(zone, change));
    const keyOf = ({ id }: Json) => String(isDescending ? 1e9 - Number(id) : Number(id)).padStart(12, "0");
    return dnsListAnswer(call, "dns#changesListResponse", "changes", all, keyOf);
  }

  forget({ id }: ManagedZone): void {
    this.#history.forget(id);
  }

  #describe(zone: ManagedZone, change: Entry): Json {
    return { ...change, status: this.#pending.has(`${zone.id}/${change.id}`) ? "pending" : "done" };
  }
}

/** Operations on zones, not on their records. An operation is done when its request is answered. */
export class ZoneOperations {
  readonly #history: ZoneHistory<Entry>;

  constructor(store: Store) {
    this.#history = new ZoneHistory(store, "dns.operations", 1_000);
  }

  /** Stores the operation on a zone; `before` is undefined for a new zone. */
  add(call: Call, startTime: string, before: ManagedZone | undefined, after: ManagedZone): Json {
    return this.#history.add(after.id, (id) => ({
      kind: "dns#operation",
      id,
      startTime,
      status: "done",
      type: call.method.name === "create" ? "create" : "update",
      user: call.caller,
      zoneContext: { ...defined({ oldValue: before }), newValue: after },
    }));
  }

  get(call: Call, zone: ManagedZone): Json {
    return this.#history.get(zone.id, "operation", textParameter(call, "operation"));
  }

  list(call: Call, zone: ManagedZone): Json {
    // The two possible orders, by start and by id, are the same.
    const keyOf = ({ id }: Entry) => id.padStart(12, "0");
    return dnsListAnswer(call, "dns#managedZoneOperationsListResponse", "operations", this.#history.of(zone.id), keyOf);
  }

  forget({ id }: ManagedZone): void {
    this.#history.forget(id);
  }
}
