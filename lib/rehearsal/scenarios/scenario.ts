import type { CloudOptions, FaultPlan } from "../../cloud";
import type { MigrationSpec } from "../../plan";
import type { RehearsalOptions } from "../rehearsal";

/** Something that may go wrong, or a shape that a migration may have, and what has to hold in spite of it. */
export interface Scenario {
  /** Stable, kebab-case. */
  readonly name: string;
  /** What happens, in a few words. */
  readonly summary: string;
  /** @default {@link smallSpec} */
  readonly spec?: MigrationSpec;
  /** Each item has to strike at least once, or the scenario has shown nothing. */
  readonly faults?: FaultPlan;
  /** Method ids at whose first answers Terraform is killed. */
  readonly kills?: readonly string[];
  readonly cloud?: Pick<CloudOptions, "pace" | "operationMs" | "propagationMs">;
  readonly attempts?: number;
  readonly order?: RehearsalOptions["order"];
  readonly mend?: boolean;
  /** Whether rotation and rollback follow. @default false */
  readonly extras?: boolean;
  /** Domains of certificates of another authority that are uploaded, one list each; they come on top of the spec's. */
  readonly uploads?: readonly (readonly string[])[];
  /** Whether the same resources are written plainly, without the constructs. @default false */
  readonly plain?: boolean;
  readonly expect: Expectation;
}

export interface Expectation {
  /** Whether all steps end as they should, every second plan is empty, and a destroy leaves nothing. */
  readonly completes: boolean;
  /** `none` wherever the old or the new side could have served. */
  readonly failedHandshakes: "none" | "some";
  /** What the operator has to be told, a part of it. @default - nothing in particular */
  readonly told?: string;
}

/** What nearly every scenario has to show. */
export const unharmed: Expectation = { completes: true, failedHandshakes: "none" };

/** Two certificates, one with a wildcard, over two zones. */
export const smallSpec: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }, { domains: ["pay.example.net", "shop.example.net"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com", "example.net": "example-net" } },
};
