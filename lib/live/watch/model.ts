/**
 * What `cert-migration watch` writes with `--log`: one JSON object a line, in UTF-8, in the order in which things became known. `kind` tells them apart:
 *
 * - `start`, first and once: what is watched, and from where.
 * - `sample`: one answer of one resolver for one hostname, and what became of a connection to where it leads.
 * - `absent`: one resolver has no address for a hostname that is new, which is no failure.
 * - `gap`, when it has ended: a time in which the watch itself could not see. What failed in it is in no sample.
 * - `summary`, last and once; a log without it comes from a watch that was killed.
 *
 * Times are RFC 3339 in UTC with milliseconds. A reader passes over kinds and fields that it does not know; what is here keeps its meaning within a
 * `version`. Text from DNS and servers is as it came: whoever shows it escapes it.
 */
export type WatchLine = WatchStart | WatchAnswer | WatchGap | WatchSummary;

/** What comes of asking one resolver for one hostname. */
export type WatchAnswer = WatchSample | WatchAbsence;

/**
 * Where an address belongs. `other`: neither the load balancer's nor one that the hostname had before; without known old addresses
 * whatever is not the load balancer's counts as `old`.
 */
export type WatchSide = "old" | "new" | "other";

export interface WatchStart {
  readonly kind: "start";
  readonly version: 1;
  readonly time: string;
  /** No wildcards, since nobody can look one up: names under them stand for them. */
  readonly hostnames: readonly string[];
  /** Those of the hostnames that stand for a wildcard, with the wildcard of each; absent where there are none. */
  readonly wildcards?: Readonly<Record<string, string>>;
  /** Names under which samples speak of resolvers; `authoritative` are the name servers of each hostname's own zone. */
  readonly resolvers: readonly string[];
  /** Addresses before the move, as far as they are known. */
  readonly oldAddresses: readonly string[];
  /** Addresses of the load balancer. */
  readonly newAddresses: readonly string[];
  /** Milliseconds from the beginning of one round over all hostnames to that of the next, at least. */
  readonly everyMs: number;
}

export interface WatchSample {
  readonly kind: "sample";
  /** When the question was asked. */
  readonly time: string;
  readonly hostname: string;
  /** One of `resolvers` of the start. */
  readonly resolver: string;
  /** Absent where DNS gave none: `ok` is false then. */
  readonly address?: string;
  /** Absent where there is no address. */
  readonly side?: WatchSide;
  /** Whether a client that follows this resolver is served: address, connection, certificate. */
  readonly ok: boolean;
  /** False where the server said nothing after the handshake, so that nobody knows whether it has accepted it; absent otherwise. */
  readonly confirmed?: false;
  /** Why it is not; a code of {@link watchCodes}. Absent where it is. */
  readonly code?: string;
  /** What came back, where it is not ok; untrusted. */
  readonly detail?: string;
  /** Milliseconds that the connection took, or the question where DNS gave no address. */
  readonly ms: number;
  /**
   * The connection is the one of an earlier sample of the same round: another resolver led to the same address. Who counts connections or
   * failures leaves such samples out; who counts answers of resolvers doesn't.
   */
  readonly shared?: true;
}

/**
 * A resolver has no address for a hostname that is new: DNS had none, or no zone for it, when the watch began, and nobody knows one from before. No client is served by such a
 * name, so that none fails; where nobody has its address any more after somebody had, there are samples that fail.
 */
export interface WatchAbsence {
  readonly kind: "absent";
  /** When the question was asked. */
  readonly time: string;
  readonly hostname: string;
  /** One of `resolvers` of the start. */
  readonly resolver: string;
  /** What DNS said; untrusted. */
  readonly detail: string;
  /** Milliseconds that the question took. */
  readonly ms: number;
}

/** Why the watch could not see. */
export type WatchGapReason =
  /** The machine slept, the process was stopped, or the clock was set. */
  | "stood-still"
  /** Nothing at all answered any more, resolvers included. */
  | "network-lost"
  /** One resolver answered nobody any more; the others did. */
  | "resolver-silent";

export interface WatchGap {
  readonly kind: "gap";
  /** The last moment at which the watch is known to have seen. */
  readonly time: string;
  /** The first moment after it. */
  readonly until: string;
  readonly reason: WatchGapReason;
  /** Which, where one alone was silent. */
  readonly resolver?: string;
  /** Samples that were thrown away because they fell into it. */
  readonly discarded: number;
}

/**
 * - `good`: everything has moved, and has been good for as long as was asked for.
 * - `moved`: everything has moved and is good, and no more was asked for, or the watch ended before the time was over.
 * - `failures`: a connection failed, or a hostname that is not new had no address, at any time of the watch.
 * - `not-moved`: nothing failed, but some resolver still leads somewhere else, or has no address yet for a hostname that is new.
 * - `unseen`: nothing was seen of at least one hostname.
 */
export type WatchVerdict = "good" | "moved" | "failures" | "not-moved" | "unseen";

/** Answers by where they lead, for the latest answer of each resolver for each hostname. */
export interface WatchShare {
  readonly old: number;
  readonly new: number;
  readonly other: number;
  /** No answer yet, or none with an address. */
  readonly unknown: number;
}

export interface WatchHostname {
  readonly hostname: string;
  /** The wildcard that it stands for. */
  readonly wildcard?: string;
  /** Connections, and questions to which DNS gave no address. */
  readonly attempts: number;
  readonly failures: number;
  /** Good connections after which the server said nothing; absent where there were none. */
  readonly unconfirmed?: number;
  /** Failures by code. */
  readonly codes: Readonly<Record<string, number>>;
  readonly share: WatchShare;
  /** When its first answer with an address of the load balancer came. */
  readonly firstNewAt?: string;
  /** Since when every resolver has led to the load balancer alone; absent where that is not so at the end. */
  readonly movedAt?: string;
  readonly lastFailureAt?: string;
}

export interface WatchSummary {
  readonly kind: "summary";
  readonly time: string;
  readonly verdict: WatchVerdict;
  /** One line for people. */
  readonly reason: string;
  /** Whether it was ended by a signal or by the time limit, rather than by having seen enough, be it good or a hostname that fails all the while. */
  readonly stopped: boolean;
  readonly seconds: number;
  readonly attempts: number;
  readonly failures: number;
  /** Good connections after which the server said nothing; absent where there were none. */
  readonly unconfirmed?: number;
  readonly gaps: number;
  /** Seconds in gaps of the whole watch; those of single resolvers don't count. */
  readonly gapSeconds: number;
  /** Resolvers that answered nobody at the end: what is said here is not said of those who ask them. */
  readonly silentResolvers: readonly string[];
  readonly share: WatchShare;
  /** Since when everything has moved; absent where that is not so at the end. */
  readonly movedAt?: string;
  readonly hostnames: readonly WatchHostname[];
}
