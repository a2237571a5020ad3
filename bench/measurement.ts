/** A ratio with a goal. Both sides are measured in one run, one directly after the other. */
export interface Measurement {
  readonly what: string;
  /** The highest ratio that meets the goal. */
  readonly goal: number;
  /** One ratio per round; their median decides. */
  readonly ratios: readonly number[];
  /** Values of both sides in their unit. */
  readonly detail: string;
}

export function ratioOf({ ratios }: Measurement): number {
  return median(ratios);
}

export function isMissed(measurement: Measurement): boolean {
  return ratioOf(measurement) > measurement.goal;
}

/** Returns the first and the third quartile of the ratios. */
export function quartilesOf({ ratios }: Pick<Measurement, "ratios">): readonly [lower: number, upper: number] {
  const sorted = [...ratios].sort((a, b) => a - b);
  const last = sorted.length - 1;
  return [sorted[Math.floor(last / 4)] ?? Number.NaN, sorted[Math.ceil((last * 3) / 4)] ?? Number.NaN];
}

/** Whether the first quartile misses the goal; other load of the machine does not explain this. */
export function isMissedBeyondDoubt(measurement: Measurement): boolean {
  return quartilesOf(measurement)[0] > measurement.goal;
}

/** Whether the goal is between the first and the third quartile: more rounds could change the verdict. */
export function isInDoubt(measurement: Measurement): boolean {
  const [lower, upper] = quartilesOf(measurement);
  return lower <= measurement.goal && measurement.goal < upper;
}

/**
 * Combines the rounds of two runs of one measurement; the values are those of the run whose ratio is closer to both.
 */
export function pooled(one: Measurement, other: Measurement): Measurement {
  const all = { ...one, ratios: [...one.ratios, ...other.ratios] };
  const distance = (measurement: Measurement) => Math.abs(ratioOf(measurement) - ratioOf(all));
  return { ...all, detail: distance(one) <= distance(other) ? one.detail : other.detail };
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
}

export type Side = "own" | "peer";

/** Values of both sides in one round. */
export type Round<Cost> = Readonly<Record<Side, Cost>>;

/**
 * Measures both sides in several rounds, one side directly after the other. Load of the machine that lasts a whole
 * round slows both sides and does not change the ratio; load during one side spoils one round, which the median
 * ignores. The sides alternate in who starts, because the second side may run with warm caches or a hot CPU.
 */
export async function inTurns<Cost>(
  rounds: number,
  measure: (side: Side) => Cost | Promise<Cost>,
): Promise<readonly Round<Cost>[]> {
  const measured: Round<Cost>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const peer = await measure("peer");
      measured.push({ peer, own: await measure("own") });
    } else {
      const own = await measure("own");
      measured.push({ own, peer: await measure("peer") });
    }
  }
  return measured;
}

/** Returns the ratio of each round. */
export function ratiosOf<Cost>(rounds: readonly Round<Cost>[], numberOf: (cost: Cost) => number): readonly number[] {
  return rounds.map(({ own, peer }) => numberOf(own) / numberOf(peer));
}

/** Returns the median of one side. */
export function medianOf<Cost>(rounds: readonly Round<Cost>[], side: Side, numberOf: (cost: Cost) => number): number {
  return median(rounds.map((round) => numberOf(round[side])));
}
