/**
 * The cloud's own time. It runs with the machine's, faster if asked, or only when stepped; everything that takes time in the cloud asks it. It never
 * goes back.
 */
export interface Clock {
  now(): Date;
  /**
   * Runs a task when this much of the cloud's time has passed.
   *
   * @returns takes the task back
   */
  after(ms: number, task: Task): () => void;
}

type Task = () => void | Promise<void>;

export interface CloudClock extends Clock {
  /**
   * Moves time forward and runs what falls due on the way: what falls due at one moment is begun in order and done before time goes on. Resolves when
   * all of it is done.
   */
  advance(ms: number): Promise<void>;
  /** Stops for good; nothing runs any more. */
  stop(): void;
}

export interface ClockOptions {
  /** @default now */
  readonly startAt?: Date;
  /**
   * How many of the cloud's seconds go by in one of the machine's; 0 stands still until {@link CloudClock.advance}.
   *
   * @default 1
   */
  readonly speed?: number;
  /** The machine's time in milliseconds. @default Date.now */
  readonly machineNow?: () => number;
  /** Told of a task that failed. @default - thrown as an uncaught error */
  readonly onError?: (error: unknown) => void;
}

interface Due {
  readonly at: number;
  readonly order: number;
  readonly task: Task;
}

/** The longest that a timer of the machine can wait, and a little less. */
const longestTimerMs = 2_000_000_000;

export function createCloudClock(options: ClockOptions = {}): CloudClock {
  const machineNow = options.machineNow ?? Date.now;
  const speed = options.speed ?? 1;
  const onError = options.onError ?? raise;
  const startedAt = machineNow();
  const origin = options.startAt?.getTime() ?? startedAt;
  const waiting: Due[] = [];
  /** What the clock has begun on its own and what still works. */
  const atWork = new Set<Promise<void>>();
  let stepped = 0;
  /** While time is stepped it stands at each task that falls due, until the task is done. */
  let heldAt: number | undefined;
  let order = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let stepping: Promise<void> = Promise.resolve();

  // In whole milliseconds, as dates are: a part of one would come too late for whoever waits until a date.
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
      // One task that waits for a slow answer holds nobody else up.
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
      // What has happened is never in the future again, and what came too late comes now.
      heldAt = Math.max(heldAt, next.at);
      const due = takeDue(next.at);
      await Promise.all(due.map((one) => run(one)));
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
