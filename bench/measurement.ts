/** A ratio that is held against a goal; both sides are measured in one run. */
export interface Measurement {
  readonly what: string;
  /** The ratio may not be higher. */
  readonly goal: number;
  readonly ratio: number;
  /** Both sides in their own unit. */
  readonly detail: string;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
