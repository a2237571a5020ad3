import { countOf, listFirst } from "../../text/words";
import type { NetworkOutage } from "./gap-tracker";
import type { WatchSummary } from "./model";
import type { WatchFailing, WatchProgress } from "./tally";

export interface Seen {
  readonly progress: WatchProgress;
  readonly hostnames: number;
  readonly hasBeenGood: boolean;
  readonly failing: WatchFailing | undefined;
  readonly outage: NetworkOutage | undefined;
  readonly silentResolvers: readonly string[];
}

type Verdict = Pick<WatchSummary, "verdict" | "reason">;

export function judge(seen: Seen): Verdict {
  const { verdict, reason } = judgeProgress(seen);
  const { failing, outage, silentResolvers } = seen;
  const ended = outage === undefined || verdict === "blind" ? "" : `; ${describeOutage(outage)}`;
  return { verdict, reason: `${reason}${describeFailing(failing)}${ended}${describeSilence(silentResolvers)}` };
}

function judgeProgress({ progress, hostnames, hasBeenGood, outage }: Seen): Verdict {
  const { failures, unseen, movedAt } = progress;
  if (hostnames === 0) return { verdict: "good", reason: "there is no hostname to watch in this part" };
  if (failures > 0) return { verdict: "failures", reason: `${countOf(failures, "failure was", "failures were")} seen` };
  if (outage !== undefined) return { verdict: "blind", reason: describeOutage(outage) };
  if (unseen.length > 0) {
    return { verdict: "unseen", reason: `no results for ${unseen.length} of ${countOf(hostnames, "hostname")}` };
  }
  if (movedAt === undefined) return { verdict: "not-moved", reason: describeRest(progress) };
  if (hasBeenGood)
    return { verdict: "good", reason: "all traffic has moved to the load balancer, and no check failed afterwards" };
  return { verdict: "moved", reason: "all traffic has moved to the load balancer, without a failure" };
}

/** Maximum number of hostnames in a message, because there may be thousands. */
const mostNamed = 3;

function describeRest({ share, absent }: WatchProgress): string {
  const elsewhere = share.previous + share.other;
  const leads = `${countOf(elsewhere, "answer still leads", "answers still lead")} elsewhere`;
  if (absent.length === 0) return leads;
  const lacks = `not every resolver has an address yet for ${listFirst(absent, mostNamed)}`;
  return elsewhere === 0 ? lacks : `${leads}; ${lacks}`;
}

function describeFailing(failing: WatchFailing | undefined): string {
  if (failing === undefined) return "";
  const { hostname, since, forMs } = failing;
  return `; ${hostname} has failed in every check since ${since}, for ${Math.round(forMs / 1_000)} s`;
}

function describeOutage({ since }: NetworkOutage): string {
  return `no server has answered since ${new Date(since).toISOString()}; check the network of this machine and start the watch again`;
}

function describeSilence(resolvers: readonly string[]): string {
  if (resolvers.length === 0) return "";
  const whose = resolvers.length === 1 ? "its" : "their";
  return `; ${resolvers.join(", ")} did not answer at the end: the state for ${whose} clients is unknown`;
}

export interface RoundOutcome {
  readonly hasMoved: boolean;
  /** Failures since the start of the watch. */
  readonly failures: number;
  readonly isLost: boolean;
}

/**
 * Measures for how long, in milliseconds, all hostnames have been good since the cut-over. Starts with the first round
 * in which all are good. A gap in monitoring neither adds to the time nor resets it.
 */
export class GoodTime {
  #milliseconds = 0;
  #checkedAt: number;
  #failures = 0;
  #wasGood = false;
  #hasGap = false;

  constructor(now: number) {
    this.#checkedAt = now;
  }

  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Returns the milliseconds at a moment between two rounds, if the next round is good too. */
  at(now: number): number {
    return this.#wasGood && !this.#hasGap ? this.#milliseconds + now - this.#checkedAt : this.#milliseconds;
  }

  addGap(): void {
    this.#hasGap = true;
  }

  /** Must be called after each round. */
  check({ hasMoved, failures, isLost }: RoundOutcome, now: number): void {
    const isGood = hasMoved && failures === this.#failures;
    if (!isGood) this.#milliseconds = 0;
    else if (this.#wasGood && !this.#hasGap && !isLost) this.#milliseconds += now - this.#checkedAt;
    this.#wasGood = isGood;
    this.#checkedAt = now;
    this.#failures = failures;
    this.#hasGap = false;
  }
}
