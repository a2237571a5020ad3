import type { CloudOptions, FaultPlan } from "../../cloud";
import type { RehearsalOptions } from "../rehearsal";

/** What goes wrong in a rehearsal: `rehearse --faults NAME` applies it to any migration. */
export interface Disturbance {
  /** Stable, kebab-case. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** @default - no faults */
  readonly faults?: FaultPlan;
  /** Method ids: Terraform is killed at the first answer of each. @default - no kills */
  readonly kills?: readonly string[];
  /** Whether the state loses what a killed run did. @default false */
  readonly losesState?: boolean;
  /** Behavior of the services. @default - the defaults of the cloud */
  readonly cloud?: Pick<
    CloudOptions,
    "pace" | "operationMs" | "propagationMs" | "renewingState" | "deletedCertificates"
  >;
  /** How often a failed apply is run. @default - the default of a rehearsal */
  readonly attempts?: number;
  /** @default "phases" */
  readonly order?: RehearsalOptions["order"];
  /** Whether certificates that are FAILED are issued again as another generation. @default false */
  readonly mend?: boolean;
}
