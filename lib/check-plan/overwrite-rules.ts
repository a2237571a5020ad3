import { danger, type PlanDanger } from "./dangers";
import { isMade, types } from "./kinds";
import { bareName } from "./names";
import type { World } from "./world";

/**
 * Finds record sets that are created although the plan already has a set of that name and type: the google provider deletes the existing set
 * and adds its own in one change, without a warning. Only `doctor` sees sets outside of the plan.
 */
export function overwriteDangers(world: World): readonly PlanDanger[] {
  const held = new Map(world.heldBefore(types.record).map(({ address, values }) => [keyOf(values), address]));
  return world.changes(types.record).flatMap((change) => {
    const { address, after, deposed } = change;
    // Other DNS providers refuse a record set that exists.
    if (deposed || !isMade(change) || !/(?:^|\.)google_dns_record_set\./.test(address)) return [];
    const other = held.get(keyOf(after));
    if (other === undefined || other === address || isIncomplete(after.name, after.type)) return [];
    const hostname = bareName(after.name);
    const message = `${hostname} ${String(after.type)} exists as ${other}, and is overwritten`;
    return [danger("record-overwritten", address, message, { hostnames: [hostname] })];
  });
}

interface RecordSet {
  readonly [field: string]: unknown;
}

function keyOf({ name, type, managed_zone: zone, project }: RecordSet): string {
  const zoneName = String(zone ?? "").replace(/^.*\//, "");
  return JSON.stringify([bareName(name), type, zoneName, project ?? null]);
}

function isIncomplete(...fields: readonly unknown[]): boolean {
  return fields.some((field) => typeof field !== "string" || field === "");
}
