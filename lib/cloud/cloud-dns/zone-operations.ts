import { CloudError } from "../cloud-error";
import { type Call, type Json, listPage, listRequestOf, textParameter } from "../front";
import { type Collection, groupBy, type Store } from "../state";
import type { ManagedZone } from "./zones";

interface ZoneOperation extends Json {
  readonly kind: "dns#operation";
  /** Decimal digits: counts up from 1 in its zone. */
  readonly id: string;
}

/** How many operations of a zone are known; beyond that the oldest is forgotten for each new one. */
const mostKept = 1_000;

/** Operations on zones themselves. They are over when they are answered; changes of records have no part in them. */
export class ZoneOperations {
  readonly #operations: Collection<ZoneOperation>;
  readonly #of: (zoneId: string) => readonly ZoneOperation[];

  constructor(store: Store) {
    this.#operations = store.collection("dns.operations");
    this.#of = groupBy(this.#operations, (_operation, key) => [key.slice(0, key.indexOf("/"))]);
  }

  /** Notes down what has been done to a zone; `before` is missing for a new one. */
  add(call: Call, startTime: string, before: ManagedZone | undefined, after: ManagedZone): ZoneOperation {
    const kept = this.#of(after.id);
    const id = String(Math.max(0, ...kept.map((operation) => Number(operation.id))) + 1);
    const zoneContext = { ...(before === undefined ? {} : { oldValue: before }), newValue: after };
    const operation: ZoneOperation = {
      kind: "dns#operation",
      id,
      startTime,
      status: "done",
      type: call.method.name === "create" ? "create" : "update",
      user: call.caller,
      zoneContext,
    };
    this.#operations.set(`${after.id}/${id}`, operation);
    if (kept.length >= mostKept) this.#operations.delete(`${after.id}/${Number(id) - mostKept}`);
    return operation;
  }

  get(call: Call, zone: ManagedZone): Json {
    const id = textParameter(call, "operation");
    const operation = this.#operations.get(`${zone.id}/${id}`);
    if (operation !== undefined) return operation;
    throw new CloudError("NOT_FOUND", `The 'parameters.operation' resource named '${id}' does not exist.`);
  }

  list(call: Call, zone: ManagedZone): Json {
    const { items: operations, nextPageToken } = listPage(this.#of(zone.id), listRequestOf(call, "maxResults"), {
      defaultSize: 100,
      mostSize: 1_000,
      // Both orders that there are, by start and by id, are this one.
      keyOf: ({ id }) => id.padStart(12, "0"),
    });
    const kind = "dns#managedZoneOperationsListResponse";
    return { kind, operations, ...(nextPageToken === undefined ? {} : { nextPageToken }) };
  }

  /** Forgets what was done to a zone that is deleted. */
  forget(zone: ManagedZone): void {
    for (const { id } of [...this.#of(zone.id)]) this.#operations.delete(`${zone.id}/${id}`);
  }
}
