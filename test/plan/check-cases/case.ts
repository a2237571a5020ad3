import type { CheckCode, MigrationSpec } from "../../../lib/plan";

/** A mistake, and the closest spec that is right. */
export interface CheckCase {
  readonly code: CheckCode;
  readonly refused: MigrationSpec;
  readonly accepted: MigrationSpec;
}

/** A migration without problems. */
const base: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
};

export const with_ = (change: Partial<MigrationSpec>): MigrationSpec => ({ ...base, ...change });
export const certificate = (change: MigrationSpec["certificates"][number]): MigrationSpec =>
  with_({ certificates: [change] });
export const id = (collection: string, location = "global") => `projects/p/locations/${location}/${collection}/x`;
export const regional = { kind: "regionalExternal", region: "europe-west1" } as const;
export const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}.example.com`);
