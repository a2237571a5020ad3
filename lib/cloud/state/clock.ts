/**
 * The cloud's own time. It advances with the machine's time, faster if configured, or only when stepped. All delays in
 * the cloud use this clock. The time never decreases.
 */
export interface Clock {
  now(): Date;
  /** Runs a task after a delay in milliseconds of the cloud's time. @returns a function that cancels the task */
  after(ms: number, task: Task): () => void;
}

type Task = () => void | Promise<void>;

/** The clock of a rehearsal cloud, which a program can advance. */
export interface CloudClock extends Clock {
  /**
   * Advances the time by a number of milliseconds and runs the tasks that are due. Tasks that are due at the same time
   * start in order, and end before the time advances further. Resolves when all tasks have ended.
   */
  advance(ms: number): Promise<void>;
  /** Stops the clock permanently; no further task runs. */
  stop(): void;
}

interface ClockOptions {
  /** Time at the start. @default now */
  readonly startAt?: Date;
  /**
   * Seconds of the cloud's time per second of the machine's time; with 0, only {@link CloudClock.advance} changes the
   * time.
   *
   * @default 1
   */
  readonly speed?: number;
  /** Returns the machine's time in milliseconds. @default Date.now */
  readonly machineNow?: () => number;
  /** Called with the error of a failed task. @default - thrown as an uncaught error */
  readonly onError?: (error: unknown) => void;
}

interface Due {
  readonly at: number;
  readonly order: number;
  readonly task: Task;
}

/** Slightly less than the maximum delay of Node's timers, in milliseconds. */
const longestTimerMs = 2_000_000_000;

export function createCloudClock(options: ClockOptions = {}): CloudClock {
  const machineNow = options.machineNow ?? Date.now;
  const speed = options.speed ?? 1;
  const onError = options.onError ?? raise;
  const startedAt = machineNow();
  const origin = options.startAt?.getTime() ?? startedAt;
  const waiting: Due[] = [];
  /** Tasks that the running clock has started and that have not ended. */
  const atWork = new Set<Promise<void>>();
  let stepped = 0;
  /** While stepping, the time of the present task; fixed until the task ends. */
  let heldAt: number | undefined;
  let order = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let stepping: Promise<void> = Promise.resolve();

  // Whole milliseconds, as in Date: with fractions, a task could run later than the date for which it is scheduled.
  const flowing = () => Math.floor(origin + stepped + (machineNow() - startedAt) * speed);
  const now = () => heldAt ?? flowing();
  return {
    now: () => new Date(now()),
    after(ms, task) {
      const due = { at: now() + Math.ceil(Math.max(0, ms)), order: order++, task };
      insert(due);
      arm();
      return () => {
        const index = waiting.indexOf(due);
        if (index >= 0) waiting.splice(index, 1);
      };
    },
    advance(ms) {
      stepping = stepping.then(() => step(ms));
      return stepping;
    },
    stop() {
      stopped = true;
      waiting.length = 0;
      clearTimeout(timer);
    },
  };

  function insert(due: Due): void {
    let at = waiting.length;
    while (at > 0 && isLater(waiting[at - 1] as Due, due)) at--;
    waiting.splice(at, 0, due);
  }

  function arm(): void {
    clearTimeout(timer);
    const next = waiting[0];
    if (next === undefined || stopped || speed === 0 || heldAt !== undefined) return;
    const waitMs = Math.min(longestTimerMs, Math.max(0, (next.at - flowing()) / speed));
    timer = setTimeout(() => {
      // Does not wait for a task, so that a slow task does not delay other tasks.
      for (const due of takeDue(flowing())) {
        const work = run(due).finally(() => atWork.delete(work));
        atWork.add(work);
      }
      arm();
    }, Math.ceil(waitMs));
    timer.unref();
  }

  function takeDue(until: number): readonly Due[] {
    const first = waiting.findIndex(({ at }) => at > until);
    return waiting.splice(0, first === -1 ? waiting.length : first);
  }

  async function step(ms: number): Promise<void> {
    clearTimeout(timer);
    heldAt = now();
    const target = heldAt + Math.max(0, ms);
    while (atWork.size > 0) await Promise.all(atWork);
    for (let next = waiting[0]; next !== undefined && next.at <= target && !stopped; next = waiting[0]) {
      // The time never decreases; an overdue task runs now.
      heldAt = Math.max(heldAt, next.at);
      const due = takeDue(next.at);
      await Promise.all(due.map((task) => run(task)));
    }
    stepped += Math.max(0, target - flowing());
    heldAt = undefined;
    arm();
  }

  async function run({ task }: Due): Promise<void> {
    if (stopped) return;
    try {
      await task();
    } catch (error) {
      onError(error);
    }
  }
}

function isLater(a: Due, b: Due): boolean {
  return a.at > b.at || (a.at === b.at && a.order > b.order);
}

function raise(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
