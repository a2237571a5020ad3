import type { CloudBehavior, FaultPlan } from "../../cloud";
import type { StepOptions } from "../steps";

/** A set of faults for a rehearsal; `rehearse --faults NAME` injects it into any migration. */
export interface Disturbance {
  /** Stable name in kebab-case. */
  readonly name: string;
  /** Description on one line. */
  readonly summary: string;
  /** Faults that are injected. @default - no faults */
  readonly faults?: FaultPlan;
  /** Method ids; Terraform is killed at the first answer of each. @default - no kills */
  readonly kills?: readonly string[];
  /** Whether the state loses the changes of a killed run. @default false */
  readonly losesState?: boolean;
  /** Behavior of the services. @default - the defaults of the cloud */
  readonly behavior?: Omit<CloudBehavior, "faults">;
  /** Maximum number of runs of an apply that fails. @default - the default of a rehearsal */
  readonly attempts?: number;
  readonly course?: Pick<StepOptions, "order" | "reissuesFailed">;
}

/** Method ids that create each part of a migration, by part. */
export const beginnings = {
  authorization: "certificatemanager.projects.locations.dnsAuthorizations.create",
  record: "dns.changes.create",
  certificate: "certificatemanager.projects.locations.certificates.create",
  map: "certificatemanager.projects.locations.certificateMaps.create",
  entry: "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create",
  proxy: "compute.targetHttpsProxies.insert",
  "forwarding-rule": "compute.globalForwardingRules.insert",
} as const;

/** Returns the name of a part with its article, as in "an entry". */
export function withArticle(part: string): string {
  return `${/^[aeiou]/.test(part) ? "an" : "a"} ${part.replace("-", " ")}`;
}
