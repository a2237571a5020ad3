/** A ratio that is held against a goal. Both sides are measured in one run, one right after the other. */
export interface Measurement {
  readonly what: string;
  /** The ratio may not be higher. */
  readonly goal: number;
  /** One for each round; what counts is their median. */
  readonly ratios: readonly number[];
  /** Both sides in their own unit. */
  readonly detail: string;
}

export function ratioOf({ ratios }: Measurement): number {
  return median(ratios);
}

export function isMissed(measurement: Measurement): boolean {
  return ratioOf(measurement) > measurement.goal;
}

/** The ratios between which the middle half of the rounds lies. */
export function quartilesOf({ ratios }: Pick<Measurement, "ratios">): readonly [lower: number, upper: number] {
  const sorted = [...ratios].sort((a, b) => a - b);
  const last = sorted.length - 1;
  return [sorted[Math.floor(last / 4)] ?? Number.NaN, sorted[Math.ceil((last * 3) / 4)] ?? Number.NaN];
}

/** Whether not even the better quarter of the rounds reached the goal: no noise of the machine explains that. */
export function isMissedBeyondDoubt(measurement: Measurement): boolean {
  return quartilesOf(measurement)[0] > measurement.goal;
}

/** Whether the goal lies within the middle half of the rounds: a few rounds more might turn the verdict, be it met or missed. */
export function isInDoubt(measurement: Measurement): boolean {
  const [lower, upper] = quartilesOf(measurement);
  return lower <= measurement.goal && measurement.goal < upper;
}

/** The same measurement out of the rounds of two, told in the numbers of the one that is closer to both. */
export function pooled(one: Measurement, other: Measurement): Measurement {
  const all = { ...one, ratios: [...one.ratios, ...other.ratios] };
  const distance = (measurement: Measurement) => Math.abs(ratioOf(measurement) - ratioOf(all));
  return { ...all, detail: distance(one) <= distance(other) ? one.detail : other.detail };
}

/** The one in the middle, or what is halfway between the two that are. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((lower ?? Number.NaN) + (upper ?? Number.NaN)) / 2;
}

export type Side = "own" | "peer";

/** What both sides took in one round. */
export type Round<Cost> = Readonly<Record<Side, Cost>>;

/**
 * Measures both sides, one right after the other, in so many rounds. A machine that is busy for a while is so for both sides of a round, whose ratio
 * stays what it is; a machine that was busy with one of them spoils one round, and the median passes over that. Which side begins alternates, as what
 * runs second may find caches warm or a processor that has grown hot.
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

/** The ratio of each round. */
export function ratiosOf<Cost>(rounds: readonly Round<Cost>[], numberOf: (cost: Cost) => number): readonly number[] {
  return rounds.map(({ own, peer }) => numberOf(own) / numberOf(peer));
}

/** The median of one side. */
export function medianOf<Cost>(rounds: readonly Round<Cost>[], side: Side, numberOf: (cost: Cost) => number): number {
  return median(rounds.map((round) => numberOf(round[side])));
}
