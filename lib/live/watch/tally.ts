import type { WatchAnswer, WatchGap, WatchHostname, WatchSample, WatchShare, WatchSide, WatchSummary } from "./model";

interface Kept {
  readonly hostname: string;
  attempts: number;
  failures: number;
  unconfirmed: number;
  readonly codes: Map<string, number>;
  /** Where the latest answer of each resolver leads; nowhere where it has no address. */
  readonly answers: Map<string, ReadonlySet<WatchSide>>;
  /** Resolvers that have no address for it yet, as it is new. */
  readonly absentAt: Set<string>;
  /** Resolvers of which the latest answer led to a failure. */
  readonly failing: Set<string>;
  /** When the latest question was asked. */
  lastAt: string | undefined;
  firstNewAt: string | undefined;
  movedAt: string | undefined;
  lastFailureAt: string | undefined;
  /** Resolvers of which the latest answer led to a failure that going back might mend: to any but one at the old side. */
  readonly failingAhead: Set<string>;
  /** The first of the failures ahead that have come at every look since, without a gap between them. */
  failingSince: string | undefined;
  /** The latest of them. */
  failingUntil: string | undefined;
}

/** What a watch has come to so far. */
export interface WatchStanding {
  readonly attempts: number;
  readonly failures: number;
  readonly share: WatchShare;
  /** Since when everything has moved; absent where that is not so. */
  readonly movedAt?: string;
  /** Hostnames of which nothing was seen. */
  readonly unseen: readonly string[];
  /** Hostnames that are new, and that some resolver has no address for yet. */
  readonly absent: readonly string[];
  readonly lastFailureAt?: string;
  /** The hostname that has failed at every look for longest, elsewhere than at the old side; absent where none does. */
  readonly failing?: WatchFailing;
}

/** A hostname of which some client fails at every look, and would not if it went back: failures at the old side are none of these. */
export interface WatchFailing {
  readonly hostname: string;
  /** The first of these failures. */
  readonly since: string;
  /** From the first failure to the latest, in milliseconds. */
  readonly forMs: number;
}

/** What changed for a hostname by one sample, for people to follow. */
export type WatchChange = "moved" | "moved-back" | "fails" | "recovered";

/** Counts answers and gaps; its size depends on hostnames and resolvers, not on time. */
export class Tally {
  readonly #hostnames: ReadonlyMap<string, Kept>;
  readonly #resolvers: readonly string[];
  readonly #wildcards: ReadonlyMap<string, string>;
  #gaps = 0;
  #gapMs = 0;

  /** @param wildcards which of the hostnames stand for a wildcard, and for which */
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
          attempts: 0,
          failures: 0,
          unconfirmed: 0,
          codes: new Map(),
          answers: new Map(),
          absentAt: new Set(),
          failing: new Set(),
          failingAhead: new Set(),
          lastAt: undefined,
          firstNewAt: undefined,
          movedAt: undefined,
          lastFailureAt: undefined,
          failingSince: undefined,
          failingUntil: undefined,
        },
      ]),
    );
  }

  /**
   * Adds what one look at a hostname brought.
   *
   * @param answers for the hostname in one round, those of each resolver together
   * @param isLast whether no more come of this round: before, a hostname has not moved everywhere, since who has yet to answer may lead elsewhere
   * @returns what is different from now on
   */
  add(hostname: string, answers: readonly WatchAnswer[], isLast = true): readonly WatchChange[] {
    const kept = this.#hostnames.get(hostname);
    if (kept === undefined || (answers.length === 0 && kept.answers.size === 0)) return [];
    const wasFailing = kept.failing.size > 0;
    const had = kept.movedAt;
    const samples = answers.filter((answer) => answer.kind === "sample");
    const ahead = samples.filter(({ ok, side }) => !ok && side !== "old");
    countAttempts(kept, samples);
    for (const resolver of new Set(answers.map((answer) => answer.resolver))) {
      const own = samples.filter((sample) => sample.resolver === resolver);
      kept.answers.set(resolver, new Set(own.flatMap(({ side }) => side ?? [])));
      mark(kept.absentAt, resolver, own.length === 0);
      mark(
        kept.failing,
        resolver,
        own.some(({ ok }) => !ok),
      );
      mark(
        kept.failingAhead,
        resolver,
        ahead.some((sample) => sample.resolver === resolver),
      );
    }
    // Who asked first may answer last.
    const times = ahead.map(({ time }) => time).sort();
    kept.failingSince = kept.failingAhead.size > 0 ? (kept.failingSince ?? times[0]) : undefined;
    kept.failingUntil = times.at(-1) ?? kept.failingUntil;
    kept.lastAt = answers.at(-1)?.time ?? kept.lastAt;
    if (samples.some(({ side }) => side === "new")) kept.firstNewAt ??= kept.lastAt;
    const leadsThere = [...kept.answers.values()].every((sides) => sides.size === 1 && sides.has("new"));
    const hasMoved = leadsThere && (isLast || had !== undefined);
    const isFailing = kept.failing.size > 0;
    kept.movedAt = hasMoved ? (had ?? kept.lastAt) : undefined;
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
    // Nobody knows how it was in between: what still fails has to fail for as long again.
    for (const kept of this.#hostnames.values()) kept.failingSince = undefined;
  }

  /** Forgets what a resolver said: nobody can follow one that answers nobody. */
  forget(resolver: string): void {
    for (const kept of this.#hostnames.values()) {
      kept.answers.delete(resolver);
      kept.absentAt.delete(resolver);
      kept.failing.delete(resolver);
      kept.failingAhead.delete(resolver);
      if (kept.failingAhead.size === 0) kept.failingSince = undefined;
    }
  }

  standing(): WatchStanding {
    const all = [...this.#hostnames.values()];
    const moved = all.map(({ movedAt }) => movedAt).sort();
    const failures = all.flatMap(({ lastFailureAt }) => lastFailureAt ?? []).sort();
    const movedAt = moved.includes(undefined) ? undefined : moved.at(-1);
    const lastFailureAt = failures.at(-1);
    const failing = all.flatMap(failingOf).sort((a, b) => b.forMs - a.forMs)[0];
    return {
      attempts: sum(all.map(({ attempts }) => attempts)),
      failures: sum(all.map((kept) => kept.failures)),
      share: addShares(all.map((kept) => this.#shareOf(kept))),
      ...(movedAt === undefined ? {} : { movedAt }),
      unseen: all.filter(({ answers }) => answers.size === 0).map(({ hostname }) => hostname),
      absent: all.filter(({ absentAt }) => absentAt.size > 0).map(({ hostname }) => hostname),
      ...(lastFailureAt === undefined ? {} : { lastFailureAt }),
      ...(failing === undefined ? {} : { failing }),
    };
  }

  summarize(
    verdict: Pick<WatchSummary, "time" | "verdict" | "reason" | "stopped" | "seconds" | "silentResolvers">,
  ): WatchSummary {
    const { attempts, failures, share, movedAt } = this.standing();
    const unconfirmed = sum([...this.#hostnames.values()].map((kept) => kept.unconfirmed));
    return {
      kind: "summary",
      ...verdict,
      attempts,
      failures,
      ...(unconfirmed === 0 ? {} : { unconfirmed }),
      gaps: this.#gaps,
      gapSeconds: Math.round(this.#gapMs / 1_000),
      share,
      ...(movedAt === undefined ? {} : { movedAt }),
      hostnames: [...this.#hostnames.values()].map((kept) =>
        describe(kept, this.#shareOf(kept), this.#wildcards.get(kept.hostname)),
      ),
    };
  }

  /** An answer that leads to several sides counts for what is not new: some clients still go there. */
  #shareOf({ answers }: Kept): WatchShare {
    const share = { old: 0, new: 0, other: 0, unknown: this.#resolvers.length - answers.size };
    for (const sides of answers.values()) {
      share[sides.has("old") ? "old" : sides.has("other") ? "other" : sides.has("new") ? "new" : "unknown"] += 1;
    }
    return share;
  }
}

/** Answers that share the connection of another count no attempt of their own. */
function countAttempts(kept: Kept, samples: readonly WatchSample[]): void {
  const own = samples.filter(({ shared }) => shared !== true);
  const failed = own.filter(({ ok }) => !ok);
  kept.attempts += own.length;
  kept.failures += failed.length;
  kept.unconfirmed += own.filter(({ confirmed }) => confirmed === false).length;
  for (const { code = "", time } of failed) {
    kept.codes.set(code, (kept.codes.get(code) ?? 0) + 1);
    kept.lastFailureAt = time;
  }
}

function mark(set: Set<string>, name: string, isIn: boolean): void {
  if (isIn) set.add(name);
  else set.delete(name);
}

function failingOf({ hostname, failingSince, failingUntil }: Kept): readonly WatchFailing[] {
  if (failingSince === undefined || failingUntil === undefined) return [];
  return [{ hostname, since: failingSince, forMs: Date.parse(failingUntil) - Date.parse(failingSince) }];
}

function describe(kept: Kept, share: WatchShare, wildcard: string | undefined): WatchHostname {
  const { hostname, attempts, failures, unconfirmed, codes, firstNewAt, movedAt, lastFailureAt } = kept;
  return {
    hostname,
    ...(wildcard === undefined ? {} : { wildcard }),
    attempts,
    failures,
    ...(unconfirmed === 0 ? {} : { unconfirmed }),
    codes: Object.fromEntries([...codes].sort()),
    share,
    ...(firstNewAt === undefined ? {} : { firstNewAt }),
    ...(movedAt === undefined ? {} : { movedAt }),
    ...(lastFailureAt === undefined ? {} : { lastFailureAt }),
  };
}

function addShares(shares: readonly WatchShare[]): WatchShare {
  return {
    old: sum(shares.map((share) => share.old)),
    new: sum(shares.map((share) => share.new)),
    other: sum(shares.map((share) => share.other)),
    unknown: sum(shares.map((share) => share.unknown)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
