import { type Call, type Json, textParameter } from "../front";
import { type Collection, groupBy, type Store } from "../state";
import type { CheckedChange } from "./changes";
import { listAnswer } from "./list-answer";
import { notFound } from "./refusals";
import type { ManagedZone } from "./zones";

interface KeptChange extends Json, CheckedChange {
  readonly kind: "dns#change";
  /** Decimal digits; counts up from 1 in each zone. */
  readonly id: string;
  readonly startTime: string;
}

/** Maximum number of stored changes per zone; beyond it, each new change removes the oldest. */
const mostKept = 10_000;

/** Changes of zones. A change is done when the name server serves it. All changes from before a restart are done. */
export class ZoneChanges {
  readonly #changes: Collection<KeptChange>;
  readonly #of: (zoneId: string) => readonly KeptChange[];
  readonly #pending = new Set<string>();
  /** Id of each zone's latest change. */
  readonly #latest = new Map<string, number>();

  constructor(store: Store) {
    this.#changes = store.collection("dns.changes");
    this.#of = groupBy(this.#changes, (_change, key) => [key.slice(0, key.indexOf("/"))]);
  }

  /** Stores a change, which is pending until `done` is called. */
  add(zone: ManagedZone, startTime: string, change: CheckedChange): { readonly id: string; readonly done: () => void } {
    const number = this.#latestOf(zone) + 1;
    this.#latest.set(zone.id, number);
    const key = `${zone.id}/${number}`;
    this.#pending.add(key);
    this.#changes.set(key, { kind: "dns#change", id: String(number), startTime, ...change });
    this.#changes.delete(`${zone.id}/${number - mostKept}`);
    return { id: String(number), done: () => void this.#pending.delete(key) };
  }

  #latestOf({ id }: ManagedZone): number {
    return this.#latest.get(id) ?? Number(this.#of(id).at(-1)?.id ?? 0);
  }

  /** Returns a change. @throws CloudError for a change that does not exist */
  get(zone: ManagedZone, id: string): Json {
    const change = this.#changes.get(`${zone.id}/${id}`);
    if (change !== undefined) return this.#describe(zone, change);
    throw notFound("changeId", id);
  }

  list(call: Call, zone: ManagedZone): Json {
    const isDescending = textParameter(call, "sortOrder").startsWith("desc");
    const all = this.#of(zone.id).map((change) => this.#describe(zone, change));
    const keyOf = ({ id }: Json) => String(isDescending ? 1e9 - Number(id) : Number(id)).padStart(12, "0");
    return listAnswer(call, "dns#changesListResponse", "changes", all, keyOf);
  }

  /** Deletes the changes of a deleted zone. */
  forget(zone: ManagedZone): void {
    for (const { id } of this.#of(zone.id)) this.#changes.delete(`${zone.id}/${id}`);
    this.#latest.delete(zone.id);
  }

  #describe(zone: ManagedZone, change: KeptChange): Json {
    return { ...change, status: this.#pending.has(`${zone.id}/${change.id}`) ? "pending" : "done" };
  }
}
