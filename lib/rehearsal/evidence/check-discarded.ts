/** Checks that the discarded tries were caused by the prober itself, and hide no failure. */
import { existsSync } from "node:fs";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";
import type { Probe } from "../probe";
import type { DiscardedTry } from "../prober";
import { isOwn, type Span } from "../pulse";
import { checkWithout, type EvidenceCheck, linesOf } from "./evidence-lines";

/**
 * Checks that each discarded try timed out while the prober's process was suspended, that no probe began in that time,
 * and that the try was repeated.
 *
 * @param reportedCount number of discarded tries in the verdict
 */
export function recountDiscarded(discarded: readonly DiscardedTry[], reportedCount: number) {
  const isStill = withinAny(discarded.flatMap(({ still }) => still));
  const latest = new Map<string, string>();
  let busy = 0;
  return {
    add: ({ time, hostname }: Pick<Probe, "time" | "hostname">): void => {
      if (isStill(time)) busy += 1;
      const before = latest.get(hostname);
      if (before === undefined || before < time) latest.set(hostname, time);
    },
    check: (): EvidenceCheck => {
      const running = discarded.filter((discardedTry) => !isOwn(discardedTry) || !hasStoodStill(discardedTry)).length;
      const lost = discarded.filter(({ hostname, until }) => (latest.get(hostname) ?? "") < until).length;
      const wrong = [
        ...(discarded.length === reportedCount
          ? []
          : [`${discarded.length} in the file, ${reportedCount} in the result`]),
        ...(running === 0 ? [] : [`${running} timed out while the prober ran`]),
        ...(busy === 0 ? [] : [`${busy} probes began while the prober was suspended, according to the file`]),
        ...(lost === 0 ? [] : [`${lost} were not repeated`]),
      ];
      const right =
        reportedCount === 0 ? "none" : `${reportedCount}, each while the prober was suspended, and repeated`;
      return checkWithout(wrong, "discarded probes", right);
    },
  };
}

/**
 * Returns a test whether a time lies strictly inside any of the spans. Concurrent tries report the same spans
 * repeatedly.
 */
function withinAny(spans: readonly Span[]): (time: string) => boolean {
  const apart: { from: string; until: string }[] = [];
  const sorted = spans
    .filter(({ from, until }) => from < until)
    .sort((left, right) => (left.from < right.from ? -1 : 1));
  for (const { from, until } of sorted) {
    const last = apart.at(-1);
    if (last === undefined || last.until <= from) apart.push({ from, until });
    else if (last.until < until) last.until = until;
  }
  return (time) => {
    let [least, most] = [0, apart.length];
    while (least < most) {
      const middle = (least + most) >> 1;
      if ((apart[middle] as Span).until > time) most = middle;
      else least = middle + 1;
    }
    const span = apart[least];
    return span !== undefined && span.from < time;
  };
}

/** Returns whether a try reports a span without execution that overlaps the try. */
function hasStoodStill({ time, until, still }: DiscardedTry): boolean {
  return still.some((span) => span.from < span.until && span.from < until && span.until > time);
}

function isSpan(value: unknown): value is Span {
  const { from, until } = (value ?? {}) as Partial<Span>;
  return typeof from === "string" && typeof until === "string";
}

const shape = {
  time: "string",
  until: "string",
  hostname: "string",
  waitedMs: "number",
  ranMs: "number",
  still: "list",
} as const;

/** Reads the discarded tries. Evidence of earlier versions has no such file, which counts as an empty list. */
export async function readDiscarded(file: string): Promise<readonly DiscardedTry[]> {
  const found: DiscardedTry[] = [];
  if (!existsSync(file)) return found;
  for await (const discardedTry of linesOf<DiscardedTry>(file, shape)) {
    if (!discardedTry.still.every(isSpan)) {
      throw new InputError(
        "evidence-unreadable",
        `${quote(file)}: 'still' is not a list of spans with 'from' and 'until'`,
      );
    }
    found.push(discardedTry);
  }
  return found;
}
