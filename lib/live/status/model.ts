import type { Answer } from "../../dns";
import type { LiveAuthorization, LiveCertificate, LiveEntry, LiveMap } from "../../google";
import type { RecordCheck } from "../records";

/** The eight steps of a migration, in their order. */
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
 * - `done`; `todo`: nothing has been done yet; `waiting`: it is under way and needs time alone; `failed`: it needs mending.
 * - `unknown`: nobody could be asked; `none`: the hostname needs no such step.
 */
export type StepState = "done" | "todo" | "waiting" | "failed" | "unknown" | "none";

export interface StepStatus {
  /** From 1 to 8. */
  readonly step: number;
  readonly name: (typeof stepNames)[number];
  readonly state: StepState;
  /** Why it is not done: a code of `status`, `records`, `wait` or `verify`. Absent where it is done or needless. */
  readonly code?: string;
  /** Why it is not done, or why it is needless, in sentences; untrusted. */
  readonly reason?: string;
  /** What to do next; untrusted. */
  readonly next?: string;
}

/** Where one hostname stands. */
export interface HostnameStatus {
  readonly migration: string;
  readonly hostname: string;
  /** All eight. */
  readonly steps: readonly StepStatus[];
  /** The first step that is neither done nor needless; absent where all are. */
  readonly current?: StepStatus;
}

/** What was seen of a migration. */
export interface Observed {
  readonly certificates: readonly LiveCertificate[];
  readonly authorizations: readonly LiveAuthorization[];
  /** By domain. */
  readonly records: ReadonlyMap<string, RecordCheck>;
  readonly map?: LiveMap;
  readonly entries: readonly LiveEntry[];
  /** A and AAAA together, by hostname. */
  readonly addresses: ReadonlyMap<string, Answer>;
}
