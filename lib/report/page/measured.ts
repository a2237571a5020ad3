import type { PlotSpan } from "./axis";

/** Pauses between samples up to this many times their usual distance are part of sampling. */
const usualDistances = 3;
/** Pauses up to this share of the axis are too short to be drawn. */
const leastShare = 0.005;

interface Measured<Span> {
  /** The same spans; each lasts until the next one if the pause between them is usual. */
  readonly spans: readonly Span[];
  /** Times on the axis in which nothing was measured. */
  readonly gaps: readonly PlotSpan[];
}

/**
 * Closes the pauses between samples, so that they do not look like outages, and returns longer pauses as gaps.
 *
 * @param spans times with samples, in the order of time
 * @param sampleCount number of samples in all spans
 */
export function closePauses<Span extends PlotSpan>(
  spans: readonly Span[],
  axis: PlotSpan,
  sampleCount: number,
): Measured<Span> {
  const leastMs = leastShare * (axis.to - axis.from);
  const longestPauseMs = Math.max(leastMs, usualDistances * usualDistance(spans, sampleCount));
  const isGap = ({ from, to }: PlotSpan) => to - from > longestPauseMs;
  const gaps: PlotSpan[] = [];
  const before = { from: axis.from, to: spans[0]?.from ?? axis.to };
  if (isGap(before)) gaps.push(before);
  const closed = spans.map((span, index) => {
    const pause = { from: span.to, to: spans[index + 1]?.from ?? axis.to };
    if (!isGap(pause)) return { ...span, to: Math.max(span.to, pause.to) };
    gaps.push(pause);
    return span;
  });
  return { spans: closed, gaps };
}

/** Returns the usual distance between samples. Neither one long pause nor many short ones decide it alone. */
function usualDistance(spans: readonly PlotSpan[], sampleCount: number): number {
  const samples = Math.max(1, sampleCount);
  const lengths = spans.map(({ from, to }) => to - from);
  const pauses = spans.slice(1).map(({ from }, index) => from - (spans[index]?.to ?? from));
  const median = pauses.sort((left, right) => left - right)[Math.floor((pauses.length - 1) / 2)] ?? 0;
  const whole = (spans.at(-1)?.to ?? 0) - (spans[0]?.from ?? 0);
  return Math.min(whole / samples, median + lengths.reduce((sum, length) => sum + length, 0) / samples);
}

/** Returns the times in any of the spans, each once. */
export function mergeSpans(spans: readonly PlotSpan[]): readonly PlotSpan[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((left, right) => left.from - right.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}
