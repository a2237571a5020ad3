import type { CodedFinding } from "../../findings/finding";
import type { EventName, WatchClassName } from "../catalogue";
import type { evidenceGaps, violationCodes } from "../codes";

/** A period in which no watched setting should change. */
export interface Freeze {
  /** Start of the freeze, inclusive. */
  readonly start: Date;
  /** End of the freeze, exclusive. */
  readonly end: Date;
  /** Changes that are not allowed: classes of events, single events, or both. @default - every class */
  readonly watch?: readonly (WatchClassName | EventName)[];
  /** Allowed changes. @default none */
  readonly allow?: readonly AllowRule[];
  /**
   * A change that is made on purpose during the freeze. Until it appears in the log, the guard does not know whether
   * events arrive. The first event that matches is not a violation.
   *
   * @default - none; then any event must appear
   */
  readonly control?: ExpectedChange;
  /** Hostnames that migrate. A change of an interop endpoint on one of them has a higher severity. @default none */
  readonly hostnames?: readonly string[];
}

/** Description of a change before it happens. */
export interface ExpectedChange {
  readonly event: EventName;
  /** E-mail address or profile id of the person who makes the change. A hint only. @default - anyone */
  readonly actor?: string;
  /** Parameters that must have exactly these values. @default - any */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A change that is allowed during the freeze. */
export interface AllowRule extends ExpectedChange {
  readonly actor: string;
  /** Ticket that approves the change. */
  readonly ticket: string;
  /** The rule covers changes before this time. */
  readonly expires: Date;
}

/** An allowed change that happened. All texts are safe for a terminal. */
export interface AllowedChange {
  /** {@link eventKey} of the event. */
  readonly key: string;
  /** Time of the change, RFC 3339. */
  readonly time: string;
  /** Actor according to the log. A hint, not evidence. */
  readonly actor: string;
  readonly event: EventName;
  /** The console's message for the event. */
  readonly message: string;
  /** Ticket of the rule; `control` for the change that was made on purpose. */
  readonly ticket: string;
}

/**
 * A change that was not allowed. Its `subject` is the event, its `message` the console's message, and its `meaning` the
 * reason why the event is watched.
 */
export interface Violation extends CodedFinding<keyof typeof violationCodes>, Omit<AllowedChange, "ticket"> {
  /** Class that watches the event; the event itself if the freeze lists it by name. */
  readonly watchedAs: WatchClassName | EventName;
}

/** A reason why the log does not show, or not completely, whether the freeze was kept. */
export type EvidenceGap = CodedFinding<keyof typeof evidenceGaps>;

/** Returns whether a finding of the guard is a change that was not allowed. */
export function isViolation(finding: Violation | EvidenceGap): finding is Violation {
  return "watchedAs" in finding;
}

/** Report of the guard. */
export interface FreezeReport {
  /**
   * Identifier of the freeze: its start and its end in RFC 3339, separated by a slash. Changed rules do not change it.
   */
  readonly freeze: string;
  /**
   * `violations`: something changed. `clear-as-of`: the log shows no watched change up to `asOf`. `unknown`: the log
   * does not show whether the freeze was kept; the findings are the reasons.
   */
  readonly verdict: "violations" | "clear-as-of" | "unknown";
  /**
   * RFC 3339. The log is expected to be complete up to this time, which is never after the end of the freeze. Null if
   * this time is before the start of the freeze.
   */
  readonly asOf: string | null;
  /** Whether `asOf` is the end of the freeze. */
  readonly final: boolean;
  /** Start time of the listing that this report is based on, RFC 3339. */
  readonly checkedAt: string;
  /** Time of the next check, RFC 3339. Events may still arrive after that, so check again before the sign-off. */
  readonly nextCheckAt: string;
  /** Violations, oldest first, then the gaps in the evidence. */
  readonly findings: readonly (Violation | EvidenceGap)[];
  readonly allowed: readonly AllowedChange[];
  /** Positions in the list, from 0, of allow rules that no event matched. An unused rule is often a mistake. */
  readonly unusedRules: readonly number[];
  /** Positions of allow rules that had expired before an event that they describe. */
  readonly expiredRules: readonly number[];
  /** Whether the change that was made on purpose was seen. Null if no such change was announced. */
  readonly controlSeen: boolean | null;
  readonly counts: {
    /** Number of events during the freeze. */
    readonly events: number;
    readonly watched: number;
    readonly uncatalogued: number;
  };
  /** Changes that leave no trace in this log. */
  readonly notWatched: readonly string[];
}

/** Places whose changes leave no trace in the administrators' log. */
export const notWatched = [
  "DNS records and delegations",
  "load balancers: proxies, forwarding rules, backends",
  "Certificate Manager: certificates, maps, authorizations",
  "Cloud IAM and all principals that use it",
  "changes that the service never reports: its documentation states that this happens, though rarely",
] as const;
