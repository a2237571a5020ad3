import { defined } from "../../json/defined";
import type { WatchRecord } from "../model";
import type { LineOf } from "./watch-lines";

type Gap = WatchRecord["gaps"][number];

/** The most gaps that are kept one by one. */
const mostGaps = 100;

/** Counts gaps, and keeps the longest. */
export interface GapCount {
  readonly begin: (line: LineOf<"gap-begin">) => void;
  readonly add: (line: LineOf<"gap">) => void;
  /** Ends the gaps that have begun and not ended, in a log that was cut off. Returns their resolvers. */
  readonly cutOff: (until: Date) => readonly (string | undefined)[];
  readonly result: () => Pick<WatchRecord, "gaps" | "gapCount" | "blind">;
}

export function createGapCount(): GapCount {
  let gaps: Gap[] = [];
  let gapCount = 0;
  const blind = { count: 0, milliseconds: 0 };
  /** Gaps that have begun and not ended, by resolver. */
  const open = new Map<string | undefined, LineOf<"gap-begin">>();
  const count: GapCount = {
    begin: (line) => void open.set(line.resolver, line),
    add: ({ time: from, until, reason, resolver, discarded }) => {
      if (reason !== "stood-still") open.delete(resolver);
      gapCount += 1;
      gaps.push({ from, until, reason, discarded, ...defined({ resolver }) });
      if (gaps.length > 2 * mostGaps) gaps = longest(gaps);
      if (reason === "resolver-silent") return;
      blind.count += 1;
      blind.milliseconds += until.getTime() - from.getTime();
    },
    cutOff: (until) => {
      const lines = [...open.values()];
      for (const line of lines) count.add({ ...line, kind: "gap", until, discarded: 0 });
      return lines.map(({ resolver }) => resolver);
    },
    result: () => ({ gaps: longest(gaps), gapCount, blind: { ...blind } }),
  };
  return count;
}

/** Returns the longest gaps, in the order of time. */
function longest(gaps: readonly Gap[]): Gap[] {
  const length = ({ from, until }: Gap) => until.getTime() - from.getTime();
  return [...gaps]
    .sort((one, other) => length(other) - length(one))
    .slice(0, mostGaps)
    .sort((one, other) => one.from.getTime() - other.from.getTime());
}
