import { defined } from "../../json/defined";
import { type Call, type Json, textParameter } from "../front";
import { type Collection, groupBy, type Store } from "../state";
import { listAnswer } from "./list-answer";
import { notFound } from "./refusals";
import type { ManagedZone } from "./zones";

interface ZoneOperation extends Json {
  readonly kind: "dns#operation";
  /** Decimal digits; counts up from 1 in each zone. */
  readonly id: string;
}

/** Maximum number of stored operations per zone; beyond it, each new operation removes the oldest. */
const mostKept = 1_000;

/** Operations on zones, not on their records. An operation is done when its request is answered. */
export class ZoneOperations {
  readonly #operations: Collection<ZoneOperation>;
  readonly #of: (zoneId: string) => readonly ZoneOperation[];

  constructor(store: Store) {
    this.#operations = store.collection("dns.operations");
    this.#of = groupBy(this.#operations, (_operation, key) => [key.slice(0, key.indexOf("/"))]);
  }

  /** Stores the operation on a zone; `before` is undefined for a new zone. */
  add(call: Call, startTime: string, before: ManagedZone | undefined, after: ManagedZone): ZoneOperation {
    const kept = this.#of(after.id);
    const id = String(Math.max(0, ...kept.map((operation) => Number(operation.id))) + 1);
    const zoneContext = { ...defined({ oldValue: before }), newValue: after };
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
    throw notFound("operation", id);
  }

  list(call: Call, zone: ManagedZone): Json {
    // The two possible orders, by start and by id, are the same.
    const keyOf = ({ id }: ZoneOperation) => id.padStart(12, "0");
    return listAnswer(call, "dns#managedZoneOperationsListResponse", "operations", this.#of(zone.id), keyOf);
  }

  /** Deletes the operations of a deleted zone. */
  forget(zone: ManagedZone): void {
    for (const { id } of this.#of(zone.id)) this.#operations.delete(`${zone.id}/${id}`);
  }
}
