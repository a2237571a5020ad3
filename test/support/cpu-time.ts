/** Returns the CPU time of `work` in this process, in milliseconds. Other processes do not count. */
function measuredMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Sorts, writes and reads objects: work that no change of `lib` makes slower. */
function peer(): unknown {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ name: `name${(index * 7_919) % 20_000}`, index }));
  rows.sort((one, two) => (one.name < two.name ? -1 : 1));
  return JSON.parse(JSON.stringify(rows));
}

/** CPU time of the peer, not its first run, on the machine for which the limits of the tests were chosen. */
const peerMs = 33;

/** No test has a lower limit, so that shorter times need no comparison. */
const leastLimitMs = 50;

/**
 * Returns the CPU time of `work`, in milliseconds of the machine for which the limits were chosen. Where that moment is
 * slower, because of the processor or of what else runs there, a peer shows by how much, and the time is divided by it.
 */
export function cpuTimeOf(work: () => unknown): number {
  const took = measuredMs(work);
  if (took < leastLimitMs) return took;
  peer();
  return took / Math.max(1, Math.min(measuredMs(peer), measuredMs(peer)) / peerMs);
}

/**
 * Returns the least CPU time of up to four runs, as {@link cpuTimeOf}; the first one that is below the limit is enough.
 * A collection of everything that a test worker holds can fall into one run.
 */
export function leastCpuTimeOf(work: () => unknown, limitMs: number): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4 && leastMs >= limitMs; run++) leastMs = Math.min(leastMs, cpuTimeOf(work));
  return leastMs;
}
