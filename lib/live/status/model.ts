import type { Answer } from "../../dns";
import type { LiveCertificate, LiveEntry, LiveMap } from "../../google";
import type { RenewalObstacle } from "../../renewal";
import type { RecordCheck } from "../records";

/** The eight steps of a migration, in order. */
export const stepNames = [
  "certificate made",
  "CNAME published",
  "certificate active",
  "entry made",
  "entry active",
  "map attached",
  "served and verified",
  "traffic moved",
] as const;

/**
 * - `done`: the step is complete.
 * - `todo`: nothing has been done yet.
 * - `waiting`: the step is in progress and only needs time.
 * - `failed`: the step needs a fix.
 * - `unknown`: the state could not be read.
 * - `none`: the hostname does not need the step.
 */
export type StepState = "done" | "todo" | "waiting" | "failed" | "unknown" | "none";

/** The state of one step for one hostname. */
export interface StepStatus {
  /** From 1 to 8. */
  readonly step: number;
  readonly name: (typeof stepNames)[number];
  readonly state: StepState;
  /**
   * Why the step is not done: a code of `status`, `records`, `wait` or `verify`. Absent if the step is done or not
   * needed.
   */
  readonly code?: string;
  /** Why the step is not done or not needed, in sentences; untrusted. */
  readonly reason?: string;
  /** What to do next; untrusted. */
  readonly next?: string;
}

/** Status of one hostname. */
export interface HostnameStatus {
  readonly migration: string;
  readonly hostname: string;
  /** All eight steps. */
  readonly steps: readonly StepStatus[];
  /** The first step that is neither done nor unnecessary; absent if all steps are. */
  readonly current?: StepStatus;
}

/** Observed state of a migration. */
export interface Observed {
  readonly certificates: readonly LiveCertificate[];
  /** By domain. Of a published record, nothing else is needed, and there may be 20,000. */
  readonly records: ReadonlyMap<string, RecordCheck | "published">;
  /** What would stop the next renewal of issued certificates beside `records`, by their name. @default - nothing */
  readonly obstacles?: ReadonlyMap<string, readonly RenewalObstacle[]>;
  readonly map?: LiveMap;
  readonly entries: readonly LiveEntry[];
  /** A and AAAA answers together, by hostname. */
  readonly addresses: ReadonlyMap<string, Answer>;
}
