/** One thing that is tried until it is settled. */
export interface Check {
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
  const once: Check[] = [];
  const later = new Queue<{ readonly check: Check; readonly dueAt: number }>();
  let next = 0;
  let quick = 0;
  let slow = 0;
  let wake = () => {};
  let broken: { readonly error: unknown } | undefined;

  const isOver = () => signal.aborted || now() >= deadline;
  const take = (): Check | undefined => {
    const goesOn = once.pop();
    if (goesOn !== undefined) return goesOn;
    if (next < checks.length) return checks[next++];
    const due = later.first();
    return due !== undefined && due.dueAt <= now() ? later.take()?.check : undefined;
  };
  const launch = (check: Check) => {
    running.add(check);
    quick += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      if (slow >= concurrency * slowPerPlace) return;
      isSlow = true;
      quick -= 1;
      slow += 1;
      wake();
    }, slowMs);
    const settle = (outcome: Awaited<ReturnType<Check["attempt"]>>) => {
      clearTimeout(timer);
      if (isSlow) slow -= 1;
      else quick -= 1;
      if (!running.delete(check)) return;
      if (outcome === "once") once.push(check);
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
    const ended = new AbortController();
    const time = options.sleep(Math.max(0, due.dueAt - now()), AbortSignal.any([signal, ended.signal]));
    // However the pause ends, what is to be done is looked at anew.
    await Promise.race([woken, time]).catch(() => undefined);
    ended.abort();
    await time.catch(() => undefined);
  };

  const stop = () => wake();
  signal.addEventListener("abort", stop);
  for (;;) {
    while (quick < concurrency && !isOver()) {
      const check = take();
      if (check === undefined) break;
      launch(check);
    }
    const isDone = running.size === 0 && once.length === 0 && next === checks.length && later.first() === undefined;
    if (isDone || signal.aborted || (isOver() && running.size === 0)) break;
    await somethingHappens();
    if (broken !== undefined) throw broken.error;
  }
  signal.removeEventListener("abort", stop);
  const open = [...running, ...once, ...checks.slice(next), ...later.rest().map(({ check }) => check)];
  running.clear();
  for (const check of open) check.giveUp();
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
