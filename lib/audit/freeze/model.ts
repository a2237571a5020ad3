import type { EventName, WatchClassName } from "../catalogue";

/** A stretch of time in which nothing that matters should change. */
export interface Freeze {
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  /** What must not change: classes of events, single events, or both. @default - every class */
  readonly watch?: readonly (WatchClassName | EventName)[];
  /** Changes that were agreed. @default none */
  readonly allow?: readonly AllowRule[];
  /**
   * A change that is made on purpose during the freeze. Until it was seen, the log is not known to arrive at all. The
   * first event that matches is no violation.
   *
   * @default - none; then any event at all has to be seen
   */
  readonly control?: ExpectedChange;
  /** Names that migrate; an interop endpoint on one of them weighs more. @default none */
  readonly hostnames?: readonly string[];
}

/** A change as it is described beforehand. */
export interface ExpectedChange {
  readonly event: EventName;
  /** E-mail address or profile id, as a hint of who does it. @default - anyone */
  readonly actor?: string;
  /** Parameters that have to have exactly these values. @default - any */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A change that may happen during the freeze. */
export interface AllowRule extends ExpectedChange {
  readonly actor: string;
  /** Where it was agreed. */
  readonly ticket: string;
  /** The rule covers what happens before this moment. */
  readonly expires: Date;
}

/** Something that was changed and was not agreed. */
export interface Violation {
  /** {@link eventKey} of the event. */
  readonly key: string;
  /** RFC 3339. */
  readonly time: string;
  /** Who, as far as the log says: a hint, not proof. Safe for a terminal, as everything here. */
  readonly actor: string;
  readonly event: EventName;
  /** The class that watches the event, or the event itself where it was named. */
  readonly watchedAs: WatchClassName | EventName;
  readonly why: string;
  readonly severity: "high" | "normal";
  /** What the console says of it. */
  readonly message: string;
}

/** A change that was agreed and happened. */
export interface AllowedChange {
  readonly key: string;
  /** RFC 3339. */
  readonly time: string;
  readonly actor: string;
  readonly event: EventName;
  readonly message: string;
  /** Of the rule; `control` for the change that was made on purpose. */
  readonly ticket: string;
}

/** Why nothing can be said, or why what is said is not all. */
export interface Doubt {
  /** Stable, kebab-case. */
  readonly code: string;
  /** One line, lower case, no final period. */
  readonly message: string;
}

/** What the guard says. */
export interface FreezeReport {
  /** Which freeze this is said of: its start and its end, RFC 3339, with a slash between. A freeze whose rules change is still the same. */
  readonly freeze: string;
  /**
   * `violations`: something was changed. `clear-as-of`: nothing that is watched was, up to `asOf`, as far as the log
   * tells. `unknown`: nothing can be said, see `doubts`.
   */
  readonly verdict: "violations" | "clear-as-of" | "unknown";
  /**
   * RFC 3339: up to here the log can be expected to be whole; never past the end of the freeze. Null where that is
   * before its start.
   */
  readonly asOf: string | null;
  /** Whether `asOf` is the end of the freeze. */
  readonly final: boolean;
  /** RFC 3339: when the listing began that this is said from. */
  readonly checkedAt: string;
  /** RFC 3339: when to look again; events may still arrive after that, so look once more before signing off. */
  readonly nextCheckAt: string;
  /** Oldest first. */
  readonly violations: readonly Violation[];
  readonly allowed: readonly AllowedChange[];
  readonly doubts: readonly Doubt[];
  /**
   * Allow rules that no event matched, by their place in the list from 0: a rule that never fires is often a mistake.
   */
  readonly unusedRules: readonly number[];
  /** Allow rules that were over before an event that they describe. */
  readonly expiredRules: readonly number[];
  /** Whether the change that was made on purpose was seen; null where none was announced. */
  readonly controlSeen: boolean | null;
  readonly counts: {
    /** Events during the freeze. */
    readonly events: number;
    readonly watched: number;
    readonly uncatalogued: number;
  };
  /** What could have changed without leaving a trace here. */
  readonly notWatched: readonly string[];
}

/** Where changes leave no trace in the administrators' log. */
export const notWatched = [
  "DNS records and delegations",
  "load balancers: proxies, forwarding rules, backends",
  "Certificate Manager: certificates, maps, authorizations",
  "Cloud IAM and whoever acts through it",
  "changes that the service never reports: it says itself that this happens, though rarely",
] as const;
