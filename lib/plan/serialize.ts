import type { MigrationPlan } from "./model";

/**
 * Serializes the plan as text. The same spec gives the same bytes in any order: keys are sorted and empty lists are
 * left out. The places of findings and certificates in the spec are also left out.
 */
export function serializePlan(plan: MigrationPlan): string {
  return `${JSON.stringify(canonical(plan), undefined, 2)}\n`;
}

/** The place of a certificate, and of a finding. */
const places: ReadonlySet<string> = new Set(["at", "subject"]);

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => !places.has(key) && !isEmpty(item));
  return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, canonical(item)]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
