import type { Finding } from "../../findings/finding";
import { defined } from "../../json/defined";
import { countOf } from "../../text/words";
import { type FailureCode, failureFinding } from "./codes";
import type { WatchAnswer, WatchGap, WatchHostname, WatchSample, WatchShare, WatchSide, WatchSummary } from "./model";

interface HostnameTally {
  readonly hostname: string;
  readonly counts: { attempts: number; failures: number; unconfirmed: number };
  /** Failures by code, with the detail of the latest failure. */
  readonly codes: Map<string, { readonly count: number; readonly detail: string }>;
  /** Owners of the addresses in the latest answer of each resolver; empty for an answer without an address. */
  readonly answers: Map<string, ReadonlySet<WatchSide>>;
  /** Resolvers that have no address for the new hostname yet. */
  readonly absentAt: Set<string>;
  /** Resolvers whose latest answer led to a failure. */
  readonly failing: Set<string>;
  /** Times of events, and in `lastAt` the time of the latest query. */
  readonly times: Partial<Record<"lastAt" | "firstMovedAt" | "movedAt" | "lastFailureAt", string | undefined>>;
  readonly ahead: FailuresAhead;
}

/** Failures that a rollback may fix: failures anywhere except at the previous provider. */
interface FailuresAhead {
  /** Resolvers whose latest answer led to such a failure. */
  readonly resolvers: Set<string>;
  /** Time of the first failure, if every check since then had a failure without a gap. */
  since?: string | undefined;
  /** Time of the latest failure. */
  until?: string | undefined;
}

/** Results of a watch so far. */
export interface WatchProgress {
  readonly attempts: number;
  readonly failures: number;
  readonly share: WatchShare;
  /** Time since which all traffic has moved; absent if this is not the case. */
  readonly movedAt?: string;
  /** Hostnames without results. */
  readonly unseen: readonly string[];
  /** New hostnames for which a resolver has no address yet. */
  readonly absent: readonly string[];
  readonly lastFailureAt?: string;
  /**
   * The hostname that has failed in every check for the longest time, not counting failures at the previous provider;
   * absent if no hostname fails.
   */
  readonly failing?: WatchFailing;
}

/** A hostname with failures in every check that a rollback may fix; failures at the previous provider do not count. */
export interface WatchFailing {
  readonly hostname: string;
  /** Time of the first of these failures. */
  readonly since: string;
  /** Milliseconds from the first failure to the latest. */
  readonly forMs: number;
}

/** Change of a hostname's state caused by one check, for progress messages. */
export type WatchChange = "moved" | "moved-back" | "fails" | "recovered";

/** Counts answers and gaps. Its memory depends on the number of hostnames and resolvers, not on time. */
export class WatchTally {
  readonly #hostnames: ReadonlyMap<string, HostnameTally>;
  readonly #resolvers: readonly string[];
  readonly #wildcards: ReadonlyMap<string, string>;
  #gaps = 0;
  #gapMs = 0;

  /** Creates an empty tally. @param wildcards hostnames that represent a wildcard, with the wildcard */
  constructor(
    hostnames: readonly string[],
    resolvers: readonly string[],
    wildcards: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#resolvers = resolvers;
    this.#wildcards = wildcards;
    this.#hostnames = new Map(
      hostnames.map((hostname) => [
        hostname,
        {
          hostname,
          counts: { attempts: 0, failures: 0, unconfirmed: 0 },
          codes: new Map(),
          answers: new Map(),
          absentAt: new Set(),
          failing: new Set(),
          times: {},
          ahead: { resolvers: new Set() },
        },
      ]),
    );
  }

  /**
   * Adds the results of one check of a hostname.
   *
   * @param answers answers for the hostname in one round, with all answers of a resolver together
   * @param isLast whether the round has no further answers. Before the last answer, a hostname does not count as moved,
   * because another resolver may still return other addresses
   * @returns the changes
   */
  add(hostname: string, answers: readonly WatchAnswer[], isLast = true): readonly WatchChange[] {
    const kept = this.#hostnames.get(hostname);
    if (kept === undefined || (answers.length === 0 && kept.answers.size === 0)) return [];
    const wasFailing = kept.failing.size > 0;
    const { ahead, times } = kept;
    const had = times.movedAt;
    const samples = answers.filter((answer) => answer.kind === "sample");
    countAttempts(kept, samples);
    for (const resolver of new Set(answers.map((answer) => answer.resolver))) {
      const resolverSamples = samples.filter((sample) => sample.resolver === resolver);
      kept.answers.set(resolver, new Set(resolverSamples.flatMap(({ side }) => side ?? [])));
      mark(kept.absentAt, resolver, resolverSamples.length === 0);
      const hasFailed = resolverSamples.some(({ ok }) => !ok);
      mark(kept.failing, resolver, hasFailed);
      mark(ahead.resolvers, resolver, resolverSamples.some(isAhead));
    }
    // The resolver that was queried first may answer last.
    const failedAt = samples.flatMap((sample) => (isAhead(sample) ? sample.time : [])).sort();
    ahead.since = ahead.resolvers.size > 0 ? (ahead.since ?? failedAt[0]) : undefined;
    ahead.until = failedAt.at(-1) ?? ahead.until;
    times.lastAt = answers.at(-1)?.time ?? times.lastAt;
    if (samples.some(({ side }) => side === "loadBalancer")) times.firstMovedAt ??= times.lastAt;
    const leadsThere = [...kept.answers.values()].every((sides) => sides.size === 1 && sides.has("loadBalancer"));
    const hasMoved = leadsThere && (isLast || had !== undefined);
    const isFailing = kept.failing.size > 0;
    times.movedAt = hasMoved ? (had ?? times.lastAt) : undefined;
    return [
      ...(hasMoved && had === undefined ? (["moved"] as const) : []),
      ...(!hasMoved && had !== undefined ? (["moved-back"] as const) : []),
      ...(isFailing && !wasFailing ? (["fails"] as const) : []),
      ...(!isFailing && wasFailing ? (["recovered"] as const) : []),
    ];
  }

  addGap(gap: WatchGap): void {
    if (gap.reason === "resolver-silent") return;
    this.#gaps += 1;
    this.#gapMs += Date.parse(gap.until) - Date.parse(gap.time);
    // The state during the gap is unknown, so the time of continuous failure starts again.
    for (const { ahead } of this.#hostnames.values()) ahead.since = undefined;
  }

  /** Removes the latest answers of a silent resolver, because clients cannot use the resolver. */
  forget(resolver: string): void {
    for (const kept of this.#hostnames.values()) {
      kept.answers.delete(resolver);
      kept.absentAt.delete(resolver);
      kept.failing.delete(resolver);
      kept.ahead.resolvers.delete(resolver);
      if (kept.ahead.resolvers.size === 0) kept.ahead.since = undefined;
    }
  }

  progress(): WatchProgress {
    const all = [...this.#hostnames.values()];
    const moved = all.map(({ times }) => times.movedAt).sort();
    const failures = all.flatMap(({ times }) => times.lastFailureAt ?? []).sort();
    const movedAt = moved.includes(undefined) ? undefined : moved.at(-1);
    const lastFailureAt = failures.at(-1);
    const failing = all.flatMap(failingOf).sort((a, b) => b.forMs - a.forMs)[0];
    return {
      attempts: sum(all.map(({ counts }) => counts.attempts)),
      failures: sum(all.map(({ counts }) => counts.failures)),
      share: addShares(all.map((kept) => this.#shareOf(kept))),
      ...defined({ movedAt }),
      unseen: all.filter(({ answers }) => answers.size === 0).map(({ hostname }) => hostname),
      absent: all.filter(({ absentAt }) => absentAt.size > 0).map(({ hostname }) => hostname),
      ...defined({ lastFailureAt, failing }),
    };
  }

  summarize(
    verdict: Pick<
      WatchSummary,
      "time" | "verdict" | "reason" | "stopped" | "blindSince" | "seconds" | "silentResolvers"
    >,
  ): WatchSummary {
    const { attempts, failures, share, movedAt } = this.progress();
    const unconfirmed = sum([...this.#hostnames.values()].map(({ counts }) => counts.unconfirmed));
    return {
      kind: "summary",
      ...verdict,
      attempts,
      failures,
      ...(unconfirmed === 0 ? {} : { unconfirmed }),
      gaps: this.#gaps,
      gapSeconds: Math.round(this.#gapMs / 1_000),
      share,
      ...defined({ movedAt }),
      hostnames: [...this.#hostnames.values()].map((kept) =>
        describe(kept, this.#shareOf(kept), this.#wildcards.get(kept.hostname)),
      ),
      findings: [...this.#hostnames.values()].flatMap(findingsFor),
    };
  }

  /**
   * Counts answers by owner. An answer with addresses of several owners does not count for the load balancer, because
   * some clients still use the other addresses.
   */
  #shareOf({ answers }: HostnameTally): WatchShare {
    const share = { previous: 0, loadBalancer: 0, other: 0, unknown: this.#resolvers.length - answers.size };
    for (const sides of answers.values()) {
      share[sidesByUrgency.find((side) => sides.has(side)) ?? "unknown"] += 1;
    }
    return share;
  }
}

/** Sides in the order in which an answer with addresses of several of them counts. */
const sidesByUrgency = ["previous", "other", "loadBalancer"] as const;

/** Reports whether a rollback may fix a failure: any failure except at the previous provider. */
function isAhead({ ok, side }: WatchSample): boolean {
  return !ok && side !== "previous";
}

/** Counts connections. Samples that share the connection of another sample do not count. */
function countAttempts({ counts, codes, times }: HostnameTally, samples: readonly WatchSample[]): void {
  const unshared = samples.filter(({ shared }) => shared !== true);
  const failed = unshared.filter(({ ok }) => !ok);
  counts.attempts += unshared.length;
  counts.failures += failed.length;
  counts.unconfirmed += unshared.filter(({ confirmed }) => confirmed === false).length;
  for (const { code = "", detail = "", time } of failed) {
    codes.set(code, { count: (codes.get(code)?.count ?? 0) + 1, detail });
    times.lastFailureAt = time;
  }
}

function mark(set: Set<string>, name: string, isIn: boolean): void {
  if (isIn) set.add(name);
  else set.delete(name);
}

function failingOf({ hostname, ahead: { since, until } }: HostnameTally): readonly WatchFailing[] {
  if (since === undefined || until === undefined) return [];
  return [{ hostname, since, forMs: Date.parse(until) - Date.parse(since) }];
}

function describe(kept: HostnameTally, share: WatchShare, wildcard: string | undefined): WatchHostname {
  const { hostname, codes } = kept;
  const { attempts, failures, unconfirmed } = kept.counts;
  const { firstMovedAt, movedAt, lastFailureAt } = kept.times;
  return {
    hostname,
    ...defined({ wildcard }),
    attempts,
    failures,
    ...(unconfirmed === 0 ? {} : { unconfirmed }),
    codes: Object.fromEntries([...codes].map(([code, { count }]) => [code, count] as const).sort()),
    share,
    ...defined({ firstMovedAt, movedAt, lastFailureAt }),
  };
}

function findingsFor({ hostname, codes }: HostnameTally): readonly Finding[] {
  return [...codes].sort().map(([code, { count, detail }]) => {
    const message = `${countOf(count, "attempt")} failed${detail === "" ? "" : `, the latest with: ${detail}`}`;
    return failureFinding(code as FailureCode, hostname, message);
  });
}

function addShares(shares: readonly WatchShare[]): WatchShare {
  return {
    previous: sum(shares.map((share) => share.previous)),
    loadBalancer: sum(shares.map((share) => share.loadBalancer)),
    other: sum(shares.map((share) => share.other)),
    unknown: sum(shares.map((share) => share.unknown)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
