import { type Check, laneOf } from "./check";

/** Checks that wait for their next attempt. */
export interface Waiting {
  /** Returns the next check, from the lane with the fewest attempts in progress. */
  readonly take: (now: number) => Check | undefined;
  /** Puts a check before all others of its lane. */
  readonly goOn: (check: Check) => void;
  /** Schedules a check for that time, after the new checks of its lane. Callers must pass increasing times. */
  readonly tryAgain: (check: Check, dueAt: number) => void;
  /** Returns the earliest time at which a pausing check is due. */
  readonly nextDueAt: () => number | undefined;
  readonly isEmpty: () => boolean;
  readonly all: () => readonly Check[];
}

/** Checks of one target. The order is: checks that continue at once, then new checks, then repeated checks. */
interface Lane {
  readonly name: string;
  readonly once: Check[];
  readonly checks: Check[];
  next: number;
  readonly again: Check[];
}

/** Creates the queue of waiting checks. @param busy returns the number of attempts of a lane that are in progress */
export function createWaiting(checks: readonly Check[], busy: (lane: string) => number): Waiting {
  const lanes = lanesOf(checks);
  const pausing = new Queue<{ readonly check: Check; readonly dueAt: number }>();
  const laneFor = (check: Check) => lanes.get(laneOf(check)) as Lane;
  const wakeUp = (now: number) => {
    for (let due = pausing.first(); due !== undefined && due.dueAt <= now; due = pausing.first()) {
      pausing.take();
      laneFor(due.check).again.push(due.check);
    }
  };
  return {
    take: (now) => {
      wakeUp(now);
      let emptiest: Lane | undefined;
      let least = Infinity;
      for (const lane of lanes.values()) {
        const own = hasWork(lane) ? busy(lane.name) : Infinity;
        if (own < least) [emptiest, least] = [lane, own];
      }
      return emptiest === undefined ? undefined : takeFrom(emptiest);
    },
    goOn: (check) => {
      laneFor(check).once.push(check);
    },
    tryAgain: (check, dueAt) => pausing.add({ check, dueAt }),
    nextDueAt: () => pausing.first()?.dueAt,
    isEmpty: () => pausing.first() === undefined && ![...lanes.values()].some(hasWork),
    all: () => [...[...lanes.values()].flatMap(allOf), ...pausing.rest().map(({ check }) => check)],
  };
}

function lanesOf(checks: readonly Check[]): ReadonlyMap<string, Lane> {
  const lanes = new Map<string, Lane>();
  for (const check of checks) {
    const name = laneOf(check);
    const lane = lanes.get(name) ?? { name, once: [], checks: [], next: 0, again: [] };
    lane.checks.push(check);
    lanes.set(name, lane);
  }
  return lanes;
}

function takeFrom(lane: Lane): Check | undefined {
  const goesOn = lane.once.pop();
  if (goesOn !== undefined) return goesOn;
  if (lane.next === lane.checks.length) return lane.again.shift();
  lane.next += 1;
  return lane.checks[lane.next - 1];
}

function hasWork({ once, checks, next, again }: Lane): boolean {
  return once.length > 0 || next < checks.length || again.length > 0;
}

function allOf({ once, checks, next, again }: Lane): readonly Check[] {
  return [...once, ...checks.slice(next), ...again];
}

/** A first-in, first-out queue that does not move all items at each step. */
class Queue<Item> {
  #items: Item[] = [];
  #from = 0;

  add(item: Item): void {
    this.#items.push(item);
  }

  first(): Item | undefined {
    return this.#items[this.#from];
  }

  take(): Item | undefined {
    const item = this.#items[this.#from];
    if (item !== undefined) this.#from += 1;
    if (this.#from > 1_000 && this.#from * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#from);
      this.#from = 0;
    }
    return item;
  }

  rest(): readonly Item[] {
    return this.#items.slice(this.#from);
  }
}
