/** Result of one round over all hostnames. */
export interface RoundOutcome {
  /** Whether all traffic has moved. */
  readonly hasMoved: boolean;
  /** Failures since the start of the watch. */
  readonly failures: number;
  /** Whether the network is lost, so that nothing answers. */
  readonly isLost: boolean;
}

/**
 * Measures for how long, in milliseconds, all hostnames have been good since the cut-over. Starts with the first round
 * in which all are good. A gap in monitoring neither adds to the time nor resets it.
 */
export class GoodTime {
  #milliseconds = 0;
  #checkedAt: number;
  #failures = 0;
  #wasGood = false;
  #hasGap = false;

  constructor(now: number) {
    this.#checkedAt = now;
  }

  get milliseconds(): number {
    return this.#milliseconds;
  }

  addGap(): void {
    this.#hasGap = true;
  }

  /** Must be called after each round. */
  check({ hasMoved, failures, isLost }: RoundOutcome, now: number): void {
    const isGood = hasMoved && failures === this.#failures;
    if (!isGood) this.#milliseconds = 0;
    else if (this.#wasGood && !this.#hasGap && !isLost) this.#milliseconds += now - this.#checkedAt;
    this.#wasGood = isGood;
    this.#checkedAt = now;
    this.#failures = failures;
    this.#hasGap = false;
  }
}
