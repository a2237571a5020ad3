interface RunOptions {
  readonly concurrency: number;
  /** Time, on the clock of `now`, from which no attempt starts. */
  readonly deadline: number;
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Repeats every check until it is settled or the deadline passes. Each check runs once before any check is repeated. A
 * pausing check has no place, and an attempt that hangs loses its place, so that an unreachable host does not delay the
 * others.
 */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<void> {
  const { concurrency, deadline, pauseMs, signal, now } = options;
  const wakeUp = createWakeUp(options.sleep);
  const places = createPlaces(concurrency, wakeUp.now);
  const queue = createQueue(checks, places.quickOf);
  const running = new Set<Check>();
  let broken: { readonly error: unknown } | undefined;

  const isOver = () => signal.aborted || now() >= deadline;
  const follow = (check: Check, outcome: Awaited<ReturnType<Check["attempt"]>>) => {
    const dueAt = now() + pauseMs;
    if (outcome === "once") queue.continueNow(check);
    else if (outcome === "later" && dueAt < deadline) queue.retryAt(check, dueAt);
    else if (outcome === "later") check.giveUp();
  };
  const launch = (check: Check) => {
    running.add(check);
    const leave = places.enter(laneOf(check));
    const end = (outcome: Awaited<ReturnType<Check["attempt"]>>) => {
      leave();
      // The run has ended and has already called `giveUp`.
      if (!running.delete(check)) return;
      follow(check, outcome);
      wakeUp.now();
    };
    check.attempt().then(end, (error: unknown) => {
      broken = { error };
      end("settled");
    });
  };

  signal.addEventListener("abort", wakeUp.now);
  try {
    for (;;) {
      while (places.isFree() && !isOver()) {
        const check = queue.take(now());
        if (check === undefined) break;
        launch(check);
      }
      if (signal.aborted || (running.size === 0 && (isOver() || queue.isEmpty()))) break;
      const dueAt = places.isFree() && !isOver() ? queue.nextDueAt() : undefined;
      await wakeUp.wait(dueAt === undefined ? undefined : Math.max(0, dueAt - now()));
      if (broken !== undefined) throw broken.error;
    }
  } finally {
    signal.removeEventListener("abort", wakeUp.now);
  }
  const open = [...running, ...queue.all()];
  running.clear();
  for (const check of open) check.giveUp();
}

export interface Check {
  /**
   * The target address of the check. Attempts are shared evenly among the lanes with work, so that an unreachable
   * address does not slow down the others.
   */
  readonly lane?: string;
  /**
   * Runs one attempt.
   *
   * @returns `settled`, or when to run the next attempt: `once` without a pause, `later` after the pause
   */
  readonly attempt: () => Promise<"settled" | "once" | "later">;
  /**
   * Called at most once, if the deadline passed or the run was stopped before the check was settled. An attempt may
   * still be in progress.
   */
  readonly giveUp: () => void;
}

/** Returns the lane of a check. Checks without a lane share the same lane. */
function laneOf({ lane = "" }: Check): string {
  return lane;
}

/** Checks of one target. The order is: checks that continue at once, then new checks, then repeated checks. */
interface Lane {
  readonly name: string;
  readonly once: Check[];
  readonly checks: Check[];
  next: number;
  readonly again: Check[];
}

/** Holds the checks that wait for an attempt. @param busy returns the number of attempts of a lane in progress */
function createQueue(checks: readonly Check[], busy: (lane: string) => number) {
  const lanes = lanesOf(checks);
  const pausing = new Queue<{ readonly check: Check; readonly dueAt: number }>();
  const laneFor = (check: Check) => lanes.get(laneOf(check)) as Lane;
  const resume = (now: number) => {
    for (let due = pausing.first(); due !== undefined && due.dueAt <= now; due = pausing.first()) {
      pausing.take();
      laneFor(due.check).again.push(due.check);
    }
  };
  return {
    /** Returns the next check, from the lane with the fewest attempts in progress. */
    take: (now: number): Check | undefined => {
      resume(now);
      let emptiest: Lane | undefined;
      let least = Infinity;
      for (const lane of lanes.values()) {
        const busyTime = hasWork(lane) ? busy(lane.name) : Infinity;
        if (busyTime < least) [emptiest, least] = [lane, busyTime];
      }
      return emptiest === undefined ? undefined : takeFrom(emptiest);
    },
    /** Puts a check before all others of its lane. */
    continueNow: (check: Check) => {
      laneFor(check).once.push(check);
    },
    /** Schedules a check after the new checks of its lane. Callers must pass increasing times. */
    retryAt: (check: Check, dueAt: number) => pausing.add({ check, dueAt }),
    nextDueAt: () => pausing.first()?.dueAt,
    isEmpty: () => pausing.first() === undefined && ![...lanes.values()].some(hasWork),
    all: (): readonly Check[] => [...[...lanes.values()].flatMap(allOf), ...pausing.rest().map(({ check }) => check)],
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

/** Duration in milliseconds after which an attempt is slow and its place is free. */
const slowMs = 1_000;
/** Maximum number of slow attempts per place, which limits sockets and memory. */
const slowPerPlace = 8;

/**
 * Limits the number of quick attempts, and in addition the number of slow attempts.
 *
 * @param onFree called when an attempt in progress becomes slow and its place is free
 */
export function createPlaces(count: number, onFree: () => void) {
  let quick = 0;
  let slow = 0;
  const byLane = new Map<string, number>();
  const quickOf = (lane: string) => byLane.get(lane) ?? 0;
  const countQuick = (lane: string, change: 1 | -1) => {
    quick += change;
    byLane.set(lane, quickOf(lane) + change);
  };
  /** Slow attempts that exceed the limit of slow attempts, in their order. */
  const overdue = new Set<() => void>();
  return {
    isFree: () => quick < count,
    quickOf,
    /** Takes a place. @returns a function that releases the place */
    enter: (lane: string): (() => void) => {
      countQuick(lane, 1);
      let isSlow = false;
      const giveWay = () => {
        if (slow >= count * slowPerPlace) {
          overdue.add(giveWay);
          return;
        }
        overdue.delete(giveWay);
        isSlow = true;
        slow += 1;
        countQuick(lane, -1);
        onFree();
      };
      const timer = setTimeout(giveWay, slowMs);
      return () => {
        clearTimeout(timer);
        overdue.delete(giveWay);
        if (!isSlow) {
          countQuick(lane, -1);
          return;
        }
        slow -= 1;
        const [first] = overdue;
        first?.();
      };
    },
  };
}

/** Wakes up a caller that waits for work. @param sleep resolves after that many milliseconds, or rejects on abort */
function createWakeUp(sleep: RunOptions["sleep"]) {
  let resolveWait = () => {};
  return {
    now: () => resolveWait(),
    /** Resolves at the next wake-up, or after that many milliseconds. */
    wait: async (atMostMs: number | undefined): Promise<void> => {
      const woken = new Promise<void>((resolve) => {
        resolveWait = resolve;
      });
      if (atMostMs === undefined) return woken;
      const stopping = new AbortController();
      // The caller checks for work again, no matter how the time ended.
      const time = sleep(atMostMs, stopping.signal).catch(() => undefined);
      await Promise.race([woken, time]);
      stopping.abort();
      await time;
    },
  };
}
