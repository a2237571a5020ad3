import { countOf, listFirst } from "../../text/words";
import type { NetworkOutage } from "./gap-tracker";
import type { WatchSummary } from "./model";
import type { WatchFailing, WatchProgress } from "./tally";

/** Data on which the verdict of a watch depends. */
export interface Seen {
  readonly progress: WatchProgress;
  /** Number of watched hostnames. */
  readonly hostnames: number;
  /** Whether all hostnames were good for the requested time. */
  readonly hasBeenGood: boolean;
  /** The hostname whose failures ended the watch. */
  readonly failing: WatchFailing | undefined;
  /** The time without any answer that ended the watch. */
  readonly outage: NetworkOutage | undefined;
  /** Resolvers that did not answer at the end. */
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
  if (failures > 0) return { verdict: "failures", reason: `${countOf(failures, "failure was", "failures were")} seen` };
  if (outage !== undefined) return { verdict: "blind", reason: describeOutage(outage) };
  if (unseen.length > 0) {
    return { verdict: "unseen", reason: `no results for ${unseen.length} of ${countOf(hostnames, "hostname")}` };
  }
  if (movedAt === undefined) return { verdict: "not-moved", reason: describeRest(progress) };
  if (hasBeenGood) return { verdict: "good", reason: "everything has moved and stayed good" };
  return { verdict: "moved", reason: "everything has moved, without a failure" };
}

/** Maximum number of hostnames in a message, because there may be thousands. */
const mostNamed = 3;

/** Describes the traffic that has not moved yet. */
function describeRest({ share, absent }: WatchProgress): string {
  const elsewhere = share.old + share.other;
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
