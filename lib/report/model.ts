import type { Finding } from "../findings/finding";
import type { HostnameStatus } from "../live/status";
import type { WatchGap, WatchShare, WatchVerdict } from "../live/watch";

/**
 * The input of a report. Every part is optional, and the report lists the missing parts. All text in it is untrusted:
 * hostnames, issuers, details of errors, names of files.
 */
export interface ReportData {
  /** Heading of the page and title of the window. */
  readonly title: string;
  readonly generatedAt: Date;
  /** States of the hostnames at one or several times, in any order. */
  readonly statuses?: readonly StatusSnapshot[];
  /** Results of `verify`. If several results cover a hostname at an address, the latest counts. */
  readonly verifications?: readonly Verification[];
  readonly watches?: readonly WatchRecord[];
  readonly doctor?: DoctorRecord;
  readonly rehearsal?: RehearsalRecord;
}

/** The fields that every part of a report has. */
interface FromSource {
  /** Where the part was read from, for example the name of a file. */
  readonly source: string;
  /** Notes on how the part was read, for example that the file was cut off. Each is a sentence without its period. */
  readonly notes?: readonly string[];
}

/** The output of `cert-migration status --json` at one time. */
export interface StatusSnapshot extends FromSource {
  readonly time: Date;
  readonly hostnames: readonly HostnameStatus[];
}

/** The output of `cert-migration verify --json`. */
export interface Verification extends FromSource {
  readonly time: Date;
  /** Whether the verification passed. @default - unknown */
  readonly ok?: boolean;
  /** Migrations whose hostnames were verified. @default - unknown */
  readonly migrations?: readonly NamedMigration[];
  readonly results: readonly VerifiedPair[];
  /** The part of the hostnames that was verified, as in `2/10`. @default - all */
  readonly shard?: string;
  /** Findings about whole addresses, or about the comparison with the previous provider. @default - nothing */
  readonly findings?: readonly Finding[];
}

/** A migration, with its project as far as known. */
export interface NamedMigration {
  readonly name: string;
  readonly project?: string;
}

/** One hostname at one address of the load balancer. */
export interface VerifiedPair {
  readonly hostname: string;
  readonly address: string;
  /** Key type that the client accepted; absent if it accepted all. */
  readonly client?: string;
  readonly ok: boolean;
  /** Why the check failed, with a code in kebab-case; absent if it passed. */
  readonly failure?: { readonly code?: string; readonly message?: string; readonly remedy?: string };
  readonly protocol?: string;
  readonly certificate?: {
    readonly issuer: string;
    readonly notAfter: Date;
  };
}

/** The output of `cert-migration doctor --json`. */
export interface DoctorRecord extends FromSource {
  /** Whether the command was stopped before the end, so that findings may be missing. @default false */
  readonly stopped?: boolean;
  readonly findings: readonly Finding[];
}

/** The summary of a whole log of `cert-migration watch --log`. Its size does not depend on the length of the log. */
export interface WatchRecord extends FromSource {
  /** Migrations whose hostnames were watched. @default - unknown */
  readonly migrations?: readonly NamedMigration[];
  /** The part of the hostnames that was watched, as in `2/10`. @default - all */
  readonly shard?: string;
  /** Addresses of the load balancer. @default - unknown */
  readonly loadBalancerAddresses?: readonly string[];
  /** First and last time in the log. */
  readonly from: Date;
  readonly until: Date;
  readonly resolvers: readonly string[];
  /** Counts of equal time spans, oldest first, at most {@link mostBuckets}. Spans without a sample are absent. */
  readonly buckets: readonly WatchBucket[];
  /** Length of one of `buckets`, in milliseconds. */
  readonly bucketMs: number;
  /**
   * Times in which the watch had no data, or in which one resolver did not answer: the longest hundred, in the order of
   * time.
   */
  readonly gaps: readonly (Pick<WatchGap, "reason" | "resolver" | "discarded"> & {
    readonly from: Date;
    readonly until: Date;
  })[];
  readonly gapCount: number;
  /** The gaps in which the watch had no data at all. */
  readonly blind: { readonly count: number; readonly milliseconds: number };
  readonly hostnames: readonly WatchedHostname[];
  /** Who served each hostname over time, for the first thousand hostnames. @default - nothing */
  readonly courses?: readonly WatchedCourse[];
  readonly attempts: number;
  readonly failures: number;
  /** The verdict of the watch itself; absent if it was killed. */
  readonly verdict?: { readonly verdict: WatchVerdict; readonly reason: string };
}

/** The most buckets of a {@link WatchRecord}, and therefore the most points of a plot. */
export const mostBuckets = 120;

export interface WatchBucket {
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Successful connections, as a client would make them. */
  readonly good: number;
  readonly failed: number;
  /** Answers of resolvers by where they lead; `unknown` counts answers without an address. */
  readonly answers: WatchShare;
}

/** Connections of a hostname over time; samples that share a connection are left out. */
export interface WatchedCourse {
  readonly hostname: string;
  /** Length of one of `buckets`, in milliseconds. */
  readonly bucketMs: number;
  /** In these, `answers` counts successful connections by server; `unknown` counts failed ones. */
  readonly buckets: readonly WatchBucket[];
  /** Periods of failures with the same error, at most fifty; times in milliseconds since 1970. */
  readonly failures: readonly {
    readonly from: number;
    readonly to: number;
    readonly count: number;
    readonly error: string;
  }[];
}

interface WatchedFailure {
  readonly code: string;
  readonly count: number;
  /** The detail of the latest failure. */
  readonly detail?: string;
}

export interface WatchedHostname {
  readonly hostname: string;
  readonly attempts: number;
  readonly failures: number;
  /** Failures by code, in the order in which each code first occurred. */
  readonly codes: readonly WatchedFailure[];
  readonly lastFailureAt?: Date;
  /** The latest answer of each resolver. */
  readonly share: WatchShare;
}

/** The result of a rehearsal, as `cert-migration rehearse --report` writes it. */
export interface RehearsalRecord extends FromSource {
  readonly result: {
    readonly ok: boolean;
    /** Whether the command was stopped before all scenarios had run. @default false */
    readonly stopped?: boolean;
    readonly steps: readonly {
      readonly number: number;
      readonly name: string;
      readonly ok: boolean;
      /** Whether the run was stopped before its end. @default false */
      readonly stopped?: boolean;
      readonly seconds: number;
      readonly probes: number;
      readonly failedHandshakes: number;
      /** Beginning and end in the time of the rehearsal's cloud, RFC 3339; absent in files of earlier versions. */
      readonly from?: string;
      readonly until?: string;
    }[];
    /** Parts and pauses, in the order in which they ended; absent in files of earlier versions. */
    readonly parts?: readonly EndedPart[];
    readonly probes: number;
    readonly failedHandshakes: number;
    /**
     * Attempts that timed out while the rehearsal's own process was suspended. None of them counts as a handshake, and
     * each was retried.
     *
     * @default 0
     */
    readonly discarded?: number;
    /** Handshakes of clients with and without a certificate; absent without mutual TLS. */
    readonly clients?: {
      /** Whether clients without a certificate had to be refused. */
      readonly refusesOthers: boolean;
      readonly withCertificate: { readonly probes: number; readonly failed: number };
      /** `refused`: handshakes that were refused as they had to be; they did not fail. */
      readonly withoutCertificate: { readonly probes: number; readonly failed: number; readonly refused: number };
    };
    /** Result of the watch after step 8; `--json` has it only in `acts`. */
    readonly watch?: boolean;
    readonly rotation?: boolean;
    readonly rollback?: boolean;
    /** The days after the cut-over; absent if none were rehearsed. */
    readonly days?: RehearsedDays;
    readonly destroyed: boolean;
    /** Names of the resources that the destroy left; absent in files of earlier versions. */
    readonly left?: readonly string[];
    /** Failed handshakes; the list may be incomplete. */
    readonly failures: readonly {
      /** RFC 3339. */
      readonly time: string;
      readonly hostname: string;
      readonly address?: string;
      readonly error?: string;
    }[];
    /** Actions after the eight steps. @default - nothing */
    readonly acts?: readonly { readonly name: string; readonly ok: boolean }[];
    /** Whether a final plan was empty; absent if no final plan was run. */
    readonly converged?: boolean;
    readonly seed?: number;
    /** How often each list of faults took effect. @default - nothing is known about faults */
    readonly faultCounts?: readonly { readonly list: string; readonly count: number }[];
    /** How often Terraform was killed. @default 0 */
    readonly kills?: number;
    /** Number of resources that were imported after a kill. @default 0 */
    readonly imports?: number;
    /** What was rehearsed; absent in files of earlier versions. */
    readonly rehearsed?: Rehearsed;
    /** What happened, in the order of time; absent in files of earlier versions. */
    readonly timeline?: RehearsalTimeline;
  };
}

/** A part of a rehearsal, or a pause, that has ended. */
export interface EndedPart {
  /** Numbers of the steps that ran together; empty for other parts and pauses. */
  readonly numbers: readonly number[];
  readonly name: string;
  readonly state: "done" | "stopped" | "failed";
  readonly seconds: number;
  readonly handshakes: number;
  readonly failed: number;
}

/** The days after the cut-over of a rehearsal. */
export interface RehearsedDays {
  readonly days: number;
  readonly probes: number;
  readonly failedHandshakes: number;
  readonly firstFailureDay?: number;
  readonly plans: number;
  readonly plansWithChanges: number;
  readonly renewals: readonly RehearsedDay[];
  readonly replacements: readonly RehearsedDay[];
  readonly expiries: readonly RehearsedDay[];
  readonly incidents: readonly { readonly day: number; readonly closedDay?: number; readonly policy: string }[];
  readonly failure?: {
    readonly name: string;
    readonly beganDay: number;
    readonly repairedDay?: number;
    /** @default - not known: a former version made the result */
    readonly hadEffect?: boolean;
  };
}

/** What happened to a certificate on a day. */
interface RehearsedDay {
  readonly day: number;
  readonly certificate: string;
}

/** The input of a rehearsal. */
export interface RehearsedInput {
  readonly kind: "spec" | "certificates" | "stack" | "app" | "terraform-dir";
  /** File, folder or command as the user wrote it. */
  readonly name: string;
  /**
   * SHA-256 in hexadecimal: of the file of a spec or stack; of the spec as JSON that was generated from certificates;
   * of the first stack that an app synthesized; of the generated modules of a Terraform folder as JSON.
   */
  readonly sha256: string;
  readonly migrations: readonly RehearsedMigration[];
}

export interface RehearsedMigration {
  readonly name: string;
  /** Google Cloud project, if the input contains it. */
  readonly project?: string;
  readonly certificates: readonly {
    readonly name: string;
    readonly kind: string;
    readonly domains: readonly string[];
  }[];
}

/** What was rehearsed, with which versions and faults. */
export interface Rehearsed {
  readonly input: RehearsedInput;
  readonly hostnames: readonly string[];
  /** Hostname that the rehearsal adds after the eight steps. */
  readonly addedHostname?: string;
  readonly versions: {
    readonly package: string;
    readonly terraform: { readonly program: string; readonly version: string };
    /** Version of the google provider: that of the bindings for the stand-in, the installed version otherwise. */
    readonly provider?: string;
    /** Installed packages for synthesis by name, for example `cdktf`. */
    readonly kit: Readonly<Record<string, string>>;
    readonly node: string;
  };
  readonly provider: "stand-in" | "real";
  readonly speed: number;
  /** Injected faults: name of a scenario, or file with its SHA-256; absent without faults. */
  readonly faults?: { readonly name: string; readonly sha256?: string };
  /** Machine's time, RFC 3339. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Kept evidence; absent without `--evidence`. */
  readonly evidence?: {
    readonly folder: string;
    /** SHA-256 of the file of digests, in hexadecimal. */
    readonly manifestSha256: string;
  };
}

/** Events and handshakes of a rehearsal. All times are the cloud's, RFC 3339. */
export interface RehearsalTimeline {
  readonly from: string;
  readonly until: string;
  readonly events: readonly RehearsalEvent[];
  /** What ran after the eight steps, such as rotation and rollback; absent in files of earlier versions. */
  readonly parts?: readonly RehearsedPart[];
  readonly hostnames: readonly { readonly hostname: string; readonly runs: readonly ServedRun[] }[];
  readonly certificates: readonly RehearsedCertificate[];
  readonly addresses: { readonly previous: readonly string[]; readonly loadBalancer: readonly string[] };
}

interface RehearsedPart {
  /** For example `rollback: traffic to the previous provider and back`. */
  readonly name: string;
  readonly from: string;
  readonly until: string;
}

export interface RehearsalEvent {
  readonly kind: (typeof eventKinds)[number];
  readonly from: string;
  /** End of an event that takes time. */
  readonly until?: string;
  readonly what: string;
  /** Result of a run or gate. */
  readonly ok?: boolean;
  /** Affected hostnames; absent if the event affects all. */
  readonly hostnames?: readonly string[];
}

/** Kinds of events, in the order of their rows in the chart. */
export const eventKinds = ["apply", "kill", "import", "gate", "certificate-active", "front-ends", "records"] as const;

/** Consecutive handshakes of a hostname with the same result. */
export interface ServedRun {
  /** Beginning of the first and of the last handshake. */
  readonly from: string;
  readonly until: string;
  /** Who served the handshakes; `mixed` joins results that changed very often. */
  readonly by: (typeof servers)[number];
  readonly handshakes: number;
  /** Failed handshakes of `mixed`. */
  readonly failed?: number;
  /** SHA-256 of the presented certificate, in hexadecimal. */
  readonly certificate?: string;
  readonly error?: string;
}

/**
 * Values of `by`: previous provider, load balancer with a previous or a new certificate, no server, several servers.
 */
export const servers = ["previous", "load-balancer-previous", "load-balancer", "failed", "mixed"] as const;

export interface RehearsedCertificate {
  readonly sha256: string;
  /** Who presents it: the previous provider or the load balancer. */
  readonly side: "previous" | "loadBalancer";
  readonly names: readonly string[];
  readonly issuer: string;
  readonly keyType: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
}
