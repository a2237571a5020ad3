/**
 * The cloud's own time. It runs with the machine's, faster if asked, or only when stepped; everything that takes time in the cloud asks it.
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
  /** Moves time forward and runs what falls due on the way, in order, each at its own time; resolves when all of it is done. */
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
  let stepped = 0;
  /** While tasks run, time stands at theirs. */
  let frozenAt: number | undefined;
  let order = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  // In whole milliseconds, as dates are: a part of one would come too late for whoever waits until a date.
  const flowing = () => Math.floor(origin + stepped + (machineNow() - startedAt) * speed);
  const now = () => frozenAt ?? flowing();
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
      running = running.then(async () => {
        const target = flowing() + ms;
        await runUntil(target);
        stepped += Math.max(0, target - flowing());
        arm();
      });
      return running;
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
    if (next === undefined || stopped || speed === 0) return;
    const waitMs = Math.min(longestTimerMs, Math.max(0, (next.at - flowing()) / speed));
    timer = setTimeout(() => {
      running = running.then(() => runUntil(flowing())).then(arm);
    }, Math.ceil(waitMs));
    timer.unref();
  }

  async function runUntil(target: number): Promise<void> {
    for (let next = waiting[0]; next !== undefined && next.at <= target && !stopped; next = waiting[0]) {
      waiting.shift();
      // What has happened is never in the future again, not even for a moment after the last task.
      stepped += Math.max(0, next.at - flowing());
      frozenAt = next.at;
      try {
        await next.task();
      } catch (error) {
        onError(error);
      } finally {
        frozenAt = undefined;
      }
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
