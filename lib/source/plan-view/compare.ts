import type { PlanRow } from "./rows";

/** The difference of one item between two plans. */
export interface PlanDifference {
  readonly change: "added" | "removed" | "replaced" | "changed";
  readonly before?: PlanRow;
  readonly after?: PlanRow;
}

/**
 * Compares two plans. Returns the differences in the order of the newer plan, followed by the deleted items. Items
 * match if they have the same identity (certificate by name, entry by hostname); if either plan has several migrations,
 * the migration has to match as well. An item is `replaced` if the name of its resource differs, otherwise `changed`.
 */
export function comparePlans(before: readonly PlanRow[], after: readonly PlanRow[]): readonly PlanDifference[] {
  // Two files with one migration each can be compared even if the migrations have different names.
  const several = [before, after].some((rows) => new Set(rows.map(({ migration }) => migration)).size > 1);
  const key = ({ migration, what, identity }: PlanRow) => JSON.stringify([several ? migration : "", what, identity]);
  const old = new Map(before.map((row) => [key(row), row]));
  const kept = new Set(after.map(key));
  const differences = after.flatMap((row): readonly PlanDifference[] => {
    const earlier = old.get(key(row));
    if (earlier === undefined) return [{ change: "added", after: row }];
    if (earlier.name !== row.name) return [{ change: "replaced", before: earlier, after: row }];
    return earlier.detail === row.detail ? [] : [{ change: "changed", before: earlier, after: row }];
  });
  const gone = before.filter((row) => !kept.has(key(row)));
  return [...differences, ...gone.map((row): PlanDifference => ({ change: "removed", before: row }))];
}
