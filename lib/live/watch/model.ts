import type { Finding } from "../../findings/finding";

/**
 * A line of the file that `cert-migration watch` writes with `--log`: one JSON object per line, in UTF-8, in the order
 * in which the results became known. `kind` distinguishes the lines:
 *
 * - `start`, first and once: the watched hostnames, the resolvers and the known addresses.
 * - `sample`: one answer of one resolver for one hostname, and the result of the connection to its address.
 * - `absent`: one resolver has no address for a new hostname, which does not count as a failure.
 * - `gap-begin`: the watch can't monitor from now on. A `gap` with the same `time` follows when that has ended; without
 * it, the log ends within the gap. Not written for `stood-still`, which the watch notices when it is over.
 * - `gap`, written when it has ended: a time in which the watch could not monitor. No sample has the failures of that
 * time.
 * - `summary`, last and once; a log without it comes from a watch that was killed.
 *
 * Times are RFC 3339 in UTC with milliseconds. Readers must ignore unknown kinds and fields; the existing ones keep
 * their meaning within a `version`. Text from DNS and servers is unescaped; programs that display it must escape it.
 */
export type WatchLine = WatchStart | WatchAnswer | WatchGapBegin | WatchGap | WatchSummary;

/** Result of querying one resolver for one hostname. */
export type WatchAnswer = WatchSample | WatchAbsence;

/**
 * Owner of an address. `other`: neither an address of the load balancer nor a previous address of the hostname. If the
 * previous addresses are unknown, every address outside the load balancer counts as `previous`.
 */
export type WatchSide = "previous" | "loadBalancer" | "other";

/** The first line of a log. */
export interface WatchStart {
  readonly kind: "start";
  readonly version: 1;
  readonly time: string;
  /** Hostnames without wildcards, because a wildcard cannot be queried; names under a wildcard represent it. */
  readonly hostnames: readonly string[];
  /** Hostnames that represent a wildcard, with the wildcard of each; absent if no hostname does. */
  readonly wildcards?: Readonly<Record<string, string>>;
  /** Names of the resolvers in samples; `authoritative` means the name servers of each hostname's own zone. */
  readonly resolvers: readonly string[];
  /** Addresses before the cut-over, as far as known. */
  readonly previousAddresses: readonly string[];
  /** Addresses of the load balancer. */
  readonly loadBalancerAddresses: readonly string[];
  /** Minimum time from the start of one round over all hostnames to the start of the next, in milliseconds. */
  readonly everyMs: number;
  /** Migrations of the plan with their projects, as far as known; absent without a plan. */
  readonly migrations?: readonly { readonly name: string; readonly project?: string }[];
  /** The part of the hostnames that is watched, as in `2/10`; absent for all of them. */
  readonly shard?: string;
}

/** The result of one connection. */
export interface WatchSample {
  readonly kind: "sample";
  /** Time of the query. */
  readonly time: string;
  readonly hostname: string;
  /** One of `resolvers` of the start line. */
  readonly resolver: string;
  /** Absent if DNS returned no address; `ok` is then false. */
  readonly address?: string;
  /** Absent without an address. */
  readonly side?: WatchSide;
  /** Whether a client that uses this resolver is served: address, connection and certificate are good. */
  readonly ok: boolean;
  /**
   * False if the server sent nothing after the handshake, so that it is unknown whether the server accepted the
   * handshake; otherwise absent.
   */
  readonly confirmed?: false;
  /** Reason of a failure; a code of {@link watchCodes}. Absent if `ok` is true. */
  readonly code?: string;
  /** The error or answer received, if `ok` is false; untrusted. */
  readonly detail?: string;
  /** Duration of the connection in milliseconds, or of the query if DNS returned no address. */
  readonly ms: number;
  /**
   * The sample shares the connection of an earlier sample of the same round, because another resolver returned the same
   * address. Ignore shared samples to count connections or failures; include them to count answers of resolvers.
   */
  readonly shared?: true;
}

/**
 * A resolver has no address for a new hostname. New means: when the watch began, DNS had no address or no zone for the
 * hostname, and no previous address is known. Clients do not use the name yet, so no client fails. If an address was
 * found later and then no resolver has an address, the log has failed samples instead.
 */
export interface WatchAbsence {
  readonly kind: "absent";
  /** Time of the query. */
  readonly time: string;
  readonly hostname: string;
  /** One of `resolvers` of the start line. */
  readonly resolver: string;
  /** Answer of DNS; untrusted. */
  readonly detail: string;
  /** Duration of the query in milliseconds. */
  readonly ms: number;
}

/** Why the watch could not monitor. */
export type WatchGapReason =
  /** The machine slept, the process was stopped, or the clock was set. */
  | "stood-still"
  /** No server answered, including all resolvers. */
  | "network-lost"
  /** One resolver stopped answering; the others answered. */
  | "resolver-silent";

/** The start of a time without data. */
export interface WatchGapBegin {
  readonly kind: "gap-begin";
  /** Last moment at which the watch is known to have monitored. */
  readonly time: string;
  /** Moment at which the watch noticed the gap. */
  readonly noticedAt: string;
  readonly reason: Exclude<WatchGapReason, "stood-still">;
  /** The silent resolver, if only one is silent. */
  readonly resolver?: string;
}

/** A time without data that has ended. */
export interface WatchGap {
  readonly kind: "gap";
  /** Last moment at which the watch is known to have monitored. */
  readonly time: string;
  /** First moment after the gap. */
  readonly until: string;
  readonly reason: WatchGapReason;
  /** The silent resolver, if only one was silent. */
  readonly resolver?: string;
  /** Number of samples discarded because of the gap. */
  readonly discarded: number;
}

/**
 * - `good`: all traffic has moved, and was good for the requested time.
 * - `moved`: all traffic has moved and is good. No longer time was requested, or the watch ended before the time was
 * over.
 * - `failures`: at any time of the watch, a connection failed, or a hostname that is not new had no address.
 * - `not-moved`: nothing failed, but a resolver still returns another address, or has no address yet for a new
 * hostname.
 * - `blind`: nothing had failed when no server answered any more, and that ended the watch.
 * - `unseen`: at least one hostname has no results.
 */
export type WatchVerdict = "good" | "moved" | "failures" | "not-moved" | "blind" | "unseen";

/** Number of answers by owner of the address; counts the latest answer of each resolver for each hostname. */
export interface WatchShare {
  readonly previous: number;
  readonly loadBalancer: number;
  readonly other: number;
  /** No answer yet, or an answer without an address. */
  readonly unknown: number;
}

/** The counts of one hostname. */
export interface WatchHostname {
  readonly hostname: string;
  /** The wildcard that the hostname represents. */
  readonly wildcard?: string;
  /** Connections, and queries for which DNS returned no address. */
  readonly attempts: number;
  readonly failures: number;
  /** Number of good connections after which the server sent nothing; absent if zero. */
  readonly unconfirmed?: number;
  /** Failures by code. */
  readonly codes: Readonly<Record<string, number>>;
  readonly share: WatchShare;
  /** Time of the first answer with an address of the load balancer. */
  readonly firstMovedAt?: string;
  /**
   * Time since which every resolver has returned only addresses of the load balancer; absent if this is not the case at
   * the end.
   */
  readonly movedAt?: string;
  readonly lastFailureAt?: string;
}

/** The last line of a log, and the result of {@link watchTraffic}. */
export interface WatchSummary {
  readonly kind: "summary";
  readonly time: string;
  readonly verdict: WatchVerdict;
  /** The reason in one line of text. */
  readonly reason: string;
  /**
   * Whether a signal or the time limit ended the watch. False if the watch ended because all hostnames were good,
   * because a hostname failed permanently, or because no server answered for too long.
   */
  readonly stopped: boolean;
  readonly seconds: number;
  readonly attempts: number;
  readonly failures: number;
  /** Number of good connections after which the server sent nothing; absent if zero. */
  readonly unconfirmed?: number;
  readonly gaps: number;
  /** Total seconds of the gaps of the whole watch; gaps of single resolvers do not count. */
  readonly gapSeconds: number;
  /** Time since which no server has answered, if that ended the watch. */
  readonly blindSince?: string;
  /** Resolvers that did not answer at the end. The summary does not apply to their clients. */
  readonly silentResolvers: readonly string[];
  readonly share: WatchShare;
  /** Time since which all traffic has moved; absent if this is not the case at the end. */
  readonly movedAt?: string;
  readonly hostnames: readonly WatchHostname[];
  /** A finding for each hostname and code of its failures, with the latest failure in its message. */
  readonly findings: readonly Finding[];
}
