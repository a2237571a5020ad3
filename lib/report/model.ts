import type { HostnameStatus } from "../live/status";
import type { WatchGap, WatchShare, WatchVerdict } from "../live/watch";

/**
 * What a report is made of. Every part is optional, and the report says which are missing. All text in it is untrusted: hostnames, issuers,
 * details of errors, names of files.
 */
export interface ReportData {
  /** Stands at the top and in the window's title. */
  readonly title: string;
  readonly generatedAt: Date;
  /** Where the hostnames stood, at one time or at several; in any order. */
  readonly statuses?: readonly StatusSnapshot[];
  /** What `verify` found; of several the latest word on a hostname at an address counts. */
  readonly verifications?: readonly Verification[];
  readonly watches?: readonly WatchRecord[];
  readonly doctor?: DoctorRecord;
  readonly rehearsal?: RehearsalRecord;
}

/** What every part of a report tells of itself. */
interface FromSource {
  /** Where it was read, as in the name of a file. */
  readonly source: string;
  /** What a reader should know of how it was read, as in that it was cut off; a sentence without its period. */
  readonly notes?: readonly string[];
}

/** What `cert-migration status --json` said at one time. */
export interface StatusSnapshot extends FromSource {
  readonly time: Date;
  readonly hostnames: readonly HostnameStatus[];
}

/** What `cert-migration verify --json` said. */
export interface Verification extends FromSource {
  readonly time: Date;
  readonly results: readonly VerifiedPair[];
  /** What it says of addresses as a whole, or in comparison with the old side. @default - nothing */
  readonly findings?: readonly ReportedFinding[];
}

/** One hostname at one address of the load balancer. */
export interface VerifiedPair {
  readonly hostname: string;
  readonly address: string;
  /** What type of key the client took; absent where it took all. */
  readonly client?: string;
  readonly ok: boolean;
  /** Kebab-case; absent where it is ok. */
  readonly code?: string;
  readonly detail?: string;
  readonly remedy?: string;
  readonly protocol?: string;
  readonly certificate?: {
    readonly issuer: string;
    readonly notAfter: Date;
  };
}

/** What `cert-migration doctor --json` found. */
export interface DoctorRecord extends FromSource {
  /** Whether it was stopped before the end, so that findings may be missing. @default false */
  readonly stopped?: boolean;
  readonly findings: readonly ReportedFinding[];
}

export interface ReportedFinding {
  readonly code: string;
  readonly severity: Severity;
  /** What it was found on, as a hostname; absent where `what` says it. */
  readonly subject?: string;
  readonly what: string;
  readonly why?: string;
  readonly remedy?: string;
  /** A command line to run. */
  readonly command?: string;
}

/** An `error` stops the migration or breaks a handshake; a `warning` wants a look; an `info` is good to know. */
export type Severity = "error" | "warning" | "info";

/** What a whole log of `cert-migration watch --log` comes down to; its size does not depend on how long the log is. */
export interface WatchRecord extends FromSource {
  /** First and last moment that the log speaks of. */
  readonly from: Date;
  readonly until: Date;
  readonly resolvers: readonly string[];
  /** Counts of equal spans, oldest first, no more than {@link mostBuckets}; spans without a sample are absent. */
  readonly buckets: readonly WatchBucket[];
  /** Milliseconds that one of `buckets` stands for. */
  readonly bucketMs: number;
  /** Times in which nothing could be seen, or one resolver was silent: the longest hundred, in their order. */
  readonly gaps: readonly (Pick<WatchGap, "reason" | "resolver" | "discarded"> & {
    readonly from: Date;
    readonly until: Date;
  })[];
  readonly gapCount: number;
  /** Those gaps in which nothing at all could be seen. */
  readonly blind: { readonly count: number; readonly milliseconds: number };
  readonly hostnames: readonly WatchedHostname[];
  readonly attempts: number;
  readonly failures: number;
  /** What the watch itself made of it; absent where it was killed. */
  readonly verdict?: { readonly verdict: WatchVerdict; readonly reason: string };
}

/** The most buckets that a {@link WatchRecord} has, and so the most points of a plot. */
export const mostBuckets = 120;

export interface WatchBucket {
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Connections that a client would have made and found good. */
  readonly good: number;
  readonly failed: number;
  /** Answers of resolvers by where they led; `unknown` gave no address. */
  readonly answers: WatchShare;
}

interface WatchedFailure {
  readonly code: string;
  readonly count: number;
  /** What came back the last time. */
  readonly detail?: string;
}

export interface WatchedHostname {
  readonly hostname: string;
  readonly attempts: number;
  readonly failures: number;
  /** Failures by code, in the order in which they came first. */
  readonly codes: readonly WatchedFailure[];
  readonly lastFailureAt?: Date;
  /** The latest answer of each resolver. */
  readonly share: WatchShare;
}

/** The result of a rehearsal, as `cert-migration rehearse --report` writes it. */
export interface RehearsalRecord extends FromSource {
  readonly result: {
    readonly ok: boolean;
    /** Whether it was stopped before everything was played. @default false */
    readonly stopped?: boolean;
    readonly steps: readonly {
      readonly number: number;
      readonly name: string;
      readonly ok: boolean;
      /** Whether the run was stopped before it had ended. @default false */
      readonly stopped?: boolean;
      readonly seconds: number;
      readonly probes: number;
      readonly failedHandshakes: number;
    }[];
    readonly probes: number;
    readonly failedHandshakes: number;
    /** Tries that timed out while the rehearsal's own process stood still: none of them is a handshake, and each was made again. @default 0 */
    readonly discarded?: number;
    readonly rotation?: boolean;
    readonly rollback?: boolean;
    readonly destroyed: boolean;
    /** Failed handshakes, not necessarily all. */
    readonly failures: readonly {
      /** RFC 3339. */
      readonly time: string;
      readonly hostname: string;
      readonly address?: string;
      readonly error?: string;
    }[];
    /** What was done after the eight steps. @default - nothing */
    readonly acts?: readonly { readonly name: string; readonly ok: boolean }[];
    /** Whether a last plan was empty; absent where none was made. */
    readonly converged?: boolean;
    readonly seed?: number;
  };
}
