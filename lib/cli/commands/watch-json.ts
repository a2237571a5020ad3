import { defined } from "../../json/defined";
import type { WatchGap, WatchLine, WatchStart, WatchSummary } from "../../live/watch";

/** Maximum number of periods in the JSON; further periods are only counted. */
const mostPeriods = 1_000;

/** A time in which the watch had no data, or in which one resolver did not answer. */
type Period = Pick<WatchGap, "reason" | "resolver"> & { readonly from: string; readonly until: string };

/** Contract of `watch --json`: the summary, what was watched, and the periods without data. docs/json-output.md describes it. */
export interface WatchJson
  extends WatchSummary,
    Pick<WatchStart, "wildcards" | "resolvers" | "oldAddresses" | "newAddresses" | "everyMs"> {
  readonly startedAt: string;
  readonly migrations: NonNullable<WatchStart["migrations"]>;
  /** Wildcards that could not be watched. */
  readonly notWatched: readonly string[];
  /** The first {@link mostPeriods} periods, in the order in which they ended. */
  readonly gapPeriods: readonly Period[];
}

/** Collects what `--json` prints beside the summary. */
export interface WatchJsonParts {
  readonly take: (line: WatchLine) => void;
  readonly result: (summary: WatchSummary, notWatched: readonly string[]) => WatchJson;
}

export function createWatchJson(migrations: WatchJson["migrations"]): WatchJsonParts {
  let start: WatchStart | undefined;
  const gapPeriods: Period[] = [];
  return {
    take: (line) => {
      if (line.kind === "start") start = line;
      if (line.kind !== "gap" || gapPeriods.length >= mostPeriods) return;
      const { time: from, until, reason, resolver } = line;
      gapPeriods.push({ from, until, reason, ...defined({ resolver }) });
    },
    result: (summary, notWatched) => {
      const { time: startedAt = summary.time, resolvers = [], oldAddresses = [], newAddresses = [] } = start ?? {};
      const { wildcards = {}, everyMs = 0 } = start ?? {};
      const watched = { startedAt, migrations, wildcards, resolvers, oldAddresses, newAddresses, everyMs };
      return { ...summary, ...watched, notWatched, gapPeriods };
    },
  };
}
