/** One thing that is tried until it is settled. */
export interface Check {
  /** What it goes to, as an address: places are shared evenly among those that have something to do, so that a dead one leaves the others theirs. */
  readonly lane?: string;
  /** Tries once. @returns whether it is settled; else whether to go on at `once`, or `later`, after the pause */
  readonly attempt: () => Promise<"settled" | "once" | "later">;
  /** Told, and once alone, that the time is over or the run was stopped before it was settled; an attempt may still be under way. */
  readonly giveUp: () => void;
}

export interface RunOptions {
  /** Attempts at once. */
  readonly concurrency: number;
  /** Time, as `now` tells it, from which on nothing is begun. */
  readonly deadline: number;
  /** Before something is tried again. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** An attempt that takes longer no longer counts against the limit, so that others get its place. */
const slowMs = 1_000;
/** How many such attempts there may be for each place: sockets and memory stay limited. */
const slowPerPlace = 8;

/**
 * Tries every check until it is settled or the time is over: each one once, before any is tried again. A check that pauses keeps no place, and
 * an attempt that hangs loses its own, so that a dead host holds up no other.
 */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<void> {
  const { concurrency, deadline, pauseMs, signal, now } = options;
  const running = new Set<Check>();
  const lanes = lanesOf(checks);
  const later = new Queue<{ readonly check: Check; readonly dueAt: number }>();
  let quick = 0;
  let slow = 0;
  /** Attempts that are slow and found no room beside the others yet. */
  const overdue: (() => void)[] = [];
  let wake = () => {};
  let pausing = new AbortController();
  let broken: { readonly error: unknown } | undefined;

  const isOver = () => signal.aborted || now() >= deadline;
  const take = (): Check | undefined => {
    for (let due = later.first(); due !== undefined && due.dueAt <= now(); due = later.first()) {
      later.take();
      laneOf(due.check, lanes).again.push(due.check);
    }
    let emptiest: Lane | undefined;
    for (const lane of lanes.values()) {
      if (hasWork(lane) && (emptiest === undefined || lane.quick < emptiest.quick)) emptiest = lane;
    }
    return emptiest === undefined ? undefined : takeFrom(emptiest);
  };
  const launch = (check: Check) => {
    const lane = laneOf(check, lanes);
    running.add(check);
    quick += 1;
    lane.quick += 1;
    let isSlow = false;
    const giveWay = () => {
      if (!running.has(check)) return;
      if (slow >= concurrency * slowPerPlace) {
        overdue.push(giveWay);
        return;
      }
      isSlow = true;
      quick -= 1;
      lane.quick -= 1;
      slow += 1;
      wake();
    };
    const timer = setTimeout(giveWay, slowMs);
    const settle = (outcome: Awaited<ReturnType<Check["attempt"]>>) => {
      clearTimeout(timer);
      const counts = running.delete(check);
      if (isSlow) {
        slow -= 1;
        for (const next of overdue.splice(0)) next();
      } else {
        quick -= 1;
        lane.quick -= 1;
      }
      if (!counts) return;
      if (outcome === "once") lane.once.push(check);
      else if (outcome === "later" && now() + pauseMs >= deadline) check.giveUp();
      else if (outcome === "later") later.add({ check, dueAt: now() + pauseMs });
      wake();
    };
    check.attempt().then(settle, (error: unknown) => {
      broken = { error };
      settle("settled");
    });
  };
  const somethingHappens = async (): Promise<void> => {
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const due = quick < concurrency && !isOver() ? later.first() : undefined;
    if (due === undefined) return woken;
    pausing = new AbortController();
    const time = options.sleep(Math.max(0, due.dueAt - now()), pausing.signal);
    // However the pause ends, what is to be done is looked at anew.
    await Promise.race([woken, time]).catch(() => undefined);
    pausing.abort();
    await time.catch(() => undefined);
  };

  const stop = () => {
    pausing.abort();
    wake();
  };
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      while (quick < concurrency && !isOver()) {
        const check = take();
        if (check === undefined) break;
        launch(check);
      }
      const isDone = running.size === 0 && ![...lanes.values()].some(hasWork) && later.first() === undefined;
      if (isDone || signal.aborted || (isOver() && running.size === 0)) break;
      await somethingHappens();
      if (broken !== undefined) throw broken.error;
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const waiting = [...lanes.values()].flatMap(({ once, checks, next, again }) => [
    ...once,
    ...checks.slice(next),
    ...again,
  ]);
  const open = [...running, ...waiting, ...later.rest().map(({ check }) => check)];
  running.clear();
  for (const check of open) check.giveUp();
}

/** What goes to one place: first what is in the middle of a row, then what is new, then what was bad before. */
interface Lane {
  readonly once: Check[];
  readonly checks: Check[];
  next: number;
  readonly again: Check[];
  /** Attempts under way that are not slow. */
  quick: number;
}

function lanesOf(checks: readonly Check[]): ReadonlyMap<string, Lane> {
  const lanes = new Map<string, Lane>();
  for (const check of checks) {
    const { lane: name = "" } = check;
    const lane = lanes.get(name) ?? { once: [], checks: [], next: 0, again: [], quick: 0 };
    lane.checks.push(check);
    lanes.set(name, lane);
  }
  return lanes;
}

function laneOf({ lane = "" }: Check, lanes: ReadonlyMap<string, Lane>): Lane {
  return lanes.get(lane) as Lane;
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

/** First in, first out, without moving everything at each step. */
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
