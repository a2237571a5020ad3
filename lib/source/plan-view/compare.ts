import type { PlanRow } from "./rows";

/** What becomes of one thing between two plans. */
export interface PlanDifference {
  readonly change: "added" | "removed" | "replaced" | "changed";
  readonly before?: PlanRow;
  readonly after?: PlanRow;
}

/**
 * Differences between two plans, in the order of the newer one, then what is gone. A thing is the same where it is for the same (certificate by name,
 * entry by hostname), and of the same migration where either plan has several; it is `replaced` where the resource gets another name, else `changed`.
 */
export function comparePlans(before: readonly PlanRow[], after: readonly PlanRow[]): readonly PlanDifference[] {
  // Migrations of two files need not be called the same to be compared: their things are.
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
