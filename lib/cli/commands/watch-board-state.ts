import type { WatchLine, WatchSample, WatchSide } from "../../live/watch";
import { countOf } from "../../text/words";
import type { Line } from "../moving-lines";
import { joinFitting, pad, widthOf, wrapWords } from "../style";
import { chooseRows, hostnameHead, leastName, mostRows } from "./board-rows";

/** The latest answer of a resolver for a hostname. */
interface Answer {
  readonly time: string;
  readonly sides: ReadonlySet<WatchSide>;
  readonly isGood: boolean;
}

interface Row {
  readonly hostname: string;
  readonly answers: Map<string, Answer>;
  failures: number;
}

export interface WatchBoardState {
  readonly take: (line: WatchLine) => void;
  /**
   * Returns a row for each hostname with a bar for each resolver.
   *
   * @param status what stands above the legend, for example the remaining time
   */
  readonly lines: (rows: number, columns: number, status: string) => readonly Line[];
}

/** Columns of a bar between its brackets. */
const barWidth = 8;
const failedHead = "FAILED";
/** Head of the only bar if there is no room for a bar of each resolver. */
const movedHead = "MOVED";
/** Maximum width of the name of a resolver, in columns: an IPv4 address fits. */
const mostOfResolver = 15;
const legend = [
  `[${filled(1)}] previous provider`,
  `[${filled(barWidth)}] load balancer`,
  `[${filled(barWidth / 2)}] both`,
  `[${pad("?", barWidth)}] no address`,
];

/** Creates the state of the board of a watch from its lines; it has no knowledge of terminals. */
export function createWatchBoardState(): WatchBoardState {
  let resolvers: readonly string[] = [];
  const rows = new Map<string, Row>();
  const addSample = ({ hostname, resolver, time, side, ok, shared }: WatchSample) => {
    const row = rows.get(hostname);
    if (row === undefined) return;
    const before = row.answers.get(resolver);
    // An answer with several addresses is several samples with the time of its query.
    const same = before?.time === time ? before : undefined;
    const sides = new Set([...(same?.sides ?? []), ...(side === undefined ? [] : [side])]);
    row.answers.set(resolver, { time, sides, isGood: ok && same?.isGood !== false });
    if (!ok && shared !== true) row.failures += 1;
  };
  return {
    take: (line) => {
      if (line.kind === "start") {
        resolvers = line.resolvers;
        for (const hostname of line.hostnames) rows.set(hostname, { hostname, answers: new Map(), failures: 0 });
      } else if (line.kind === "sample") addSample(line);
      else if (line.kind === "absent") {
        rows.get(line.hostname)?.answers.set(line.resolver, { time: line.time, sides: new Set(), isGood: true });
      } else if (line.kind === "gap-begin" && line.resolver !== undefined) {
        for (const { answers } of rows.values()) answers.delete(line.resolver);
      }
    },
    lines: (height, width, status) => {
      const explained = joinFitting(legend, width);
      const standing = wrapWords(status, width);
      // Beside the rows: the head.
      const most = Math.max(1, Math.min(mostRows, height - 1 - standing.length - explained.length));
      const { shown, rest } = chooseRows([...rows.values()], most, byUrgency(resolvers));
      const layout = layoutFor(shown, resolvers, width);
      return [
        { text: headOf(layout), tone: "faint" as const },
        ...shown.map((row) => lineOf(row, layout)),
        ...(rest.length === 0 ? [] : [{ text: describeRest(rest, resolvers) }]),
        ...standing.map((text) => ({ text, tone: "pending" as const })),
        ...explained.map((text) => ({ text, tone: "faint" as const })),
      ];
    },
  };
}

interface Layout {
  readonly nameWidth: number;
  readonly resolvers: readonly string[];
  /** Whether there is room for a bar of each resolver; otherwise one bar counts the resolvers. */
  readonly isWide: boolean;
}

function layoutFor(rows: readonly Row[], resolvers: readonly string[], width: number): Layout {
  const wanted = Math.max(hostnameHead.length, ...rows.map(({ hostname }) => widthOf(hostname)));
  const room = (names: readonly string[]) =>
    names.reduce((rest, name) => rest - columnOf(name) - 2, width - failedHead.length - 2);
  const isWide = room(resolvers) >= Math.min(wanted, leastName);
  return { nameWidth: Math.max(1, Math.min(wanted, room(isWide ? resolvers : [movedHead]))), resolvers, isWide };
}

/** Returns the width of the column of a resolver. */
function columnOf(name: string): number {
  return Math.max(barWidth + 2, Math.min(mostOfResolver, widthOf(name)));
}

function headOf({ nameWidth, resolvers, isWide }: Layout): string {
  const names = isWide ? resolvers : [movedHead];
  return [pad(hostnameHead, nameWidth), ...names.map((name) => pad(name, columnOf(name))), failedHead].join("  ");
}

function lineOf(row: Row, { nameWidth, resolvers, isWide }: Layout): Line {
  const bars = isWide
    ? resolvers.map((resolver) => pad(barOf(row.answers.get(resolver)), columnOf(resolver)))
    : [`[${filled((movedAt(row, resolvers) / Math.max(1, resolvers.length)) * barWidth)}]`];
  const text = [pad(row.hostname, nameWidth), ...bars, String(row.failures).padStart(failedHead.length)].join("  ");
  if ([...row.answers.values()].some(({ isGood }) => !isGood)) return { text, tone: "bad" };
  return resolvers.length > 0 && movedAt(row, resolvers) === resolvers.length ? { text, tone: "good" } : { text };
}

/** Returns the bar of an answer: short at the previous provider, full at the load balancer, half with both. */
function barOf(answer: Answer | undefined): string {
  const { sides = new Set<WatchSide>() } = answer ?? {};
  if (sides.size === 0) return `[${pad("?", barWidth)}]`;
  if (!sides.has("loadBalancer")) return `[${sides.has("previous") ? filled(1) : pad("other", barWidth)}]`;
  return `[${filled(sides.size === 1 ? barWidth : barWidth / 2)}]`;
}

function filled(length: number): string {
  return pad("=".repeat(Math.round(length)), barWidth);
}

/** Returns the number of resolvers whose answer leads to the load balancer only. */
function movedAt({ answers }: Row, resolvers: readonly string[]): number {
  return resolvers.filter((resolver) => {
    const sides = answers.get(resolver)?.sides;
    return sides?.size === 1 && sides.has("loadBalancer");
  }).length;
}

function byUrgency(resolvers: readonly string[]): (first: Row, second: Row) => number {
  return (first, second) => second.failures - first.failures || movedAt(first, resolvers) - movedAt(second, resolvers);
}

function describeRest(rest: readonly Row[], resolvers: readonly string[]): string {
  const moved = rest.filter((row) => movedAt(row, resolvers) === resolvers.length).length;
  const failures = rest.reduce((sum, row) => sum + row.failures, 0);
  return `${rest.length} more: ${moved} at the load balancer everywhere, ${countOf(failures, "failure")}`;
}
