import { type CloudClock, createCloudClock, type Store } from "./state";

/** A clock whose time is kept in a store, so that a restart continues from it. */
interface KeptClock {
  readonly clock: CloudClock;
  /** Writes a time that the clock has not passed yet: with each change, after each step, and at each read. */
  readonly keepTime: () => void;
  /** How long the cloud was off, in milliseconds of its own time. */
  readonly offMs: number;
}

interface KeptClockOptions {
  /** Seconds of the cloud's time per second of the machine's time; with 0, time moves only when stepped. @default 1 */
  readonly speed?: number;
  /** The cloud's time at the start. @default - the machine's time, or the kept time if that is later */
  readonly startAt?: Date;
}

export function openKeptClock(store: Store, options: KeptClockOptions): KeptClock {
  const speed = options.speed ?? 1;
  const kept = store.collection<string>("cloud");
  const before = kept.get("time");
  const startAt = options.startAt ?? startTime(before);
  const offMs = before === undefined ? 0 : Math.max(0, startAt.getTime() - Date.parse(before));
  const inner = createCloudClock({ startAt, speed });
  let keptMs = Number.NEGATIVE_INFINITY;
  const keepTime = () => {
    const nowMs = inner.now().getTime();
    if (nowMs <= keptMs) return;
    // One second of the machine ahead, so that all reads within a second need one line.
    keptMs = Math.ceil(nowMs + speed * 1_000);
    kept.set("time", new Date(keptMs).toISOString());
  };
  store.beforeCommit(keepTime);
  const advance = async (ms: number) => {
    await inner.advance(ms);
    keepTime();
    store.commit();
  };
  return { clock: { ...inner, advance }, keepTime, offMs };
}

/**
 * Returns the time at which the clock starts. Time also passes while the cloud is off, because clients check
 * certificates against the machine's time. If the kept time is ahead of the machine's, the clock continues from the
 * kept time.
 *
 * @param before the kept time, RFC 3339
 */
function startTime(before: string | undefined): Date {
  const now = new Date();
  return before !== undefined && Date.parse(before) > now.getTime() ? new Date(before) : now;
}
