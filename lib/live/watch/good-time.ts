/** What one round over all hostnames has come to. */
export interface RoundOutcome {
  /** Whether everything has moved. */
  readonly hasMoved: boolean;
  /** Failures since the watch began. */
  readonly failures: number;
  /** Whether nothing at all answers. */
  readonly isLost: boolean;
}

/**
 * For how long everything has been seen to be good since the move: from the first round that found it so. A time in which something could not be seen neither adds
 * to it nor ends it.
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

  /** To be called after each round. */
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
