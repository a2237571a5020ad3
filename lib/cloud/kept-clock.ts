import { type CloudClock, createCloudClock, type Store } from "./state";

/** A clock whose time is kept in a store, so that it goes on from there after a restart. */
interface KeptClock {
  readonly clock: CloudClock;
  /** Writes down a time that the clock has not passed yet: beside each change, after each step, and whenever somebody reads. */
  readonly keepTime: () => void;
  /** How long the cloud was off, in its own time. */
  readonly offMs: number;
}

interface KeptClockOptions {
  /** How many of the cloud's seconds go by in one of the machine's; 0 stands still until stepped. @default 1 */
  readonly speed?: number;
  /** The cloud's time at the start. @default - the machine's, or that of the kept state where it is later */
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
    // A second of the machine ahead, so that a second's reads are one line.
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
 * Time that goes by on the machine while the cloud is off goes by in the cloud as well, as clients judge certificates by the machine's; where the cloud
 * was ahead, it goes on where it stood.
 *
 * @param before the kept time, RFC 3339
 */
function startTime(before: string | undefined): Date {
  const now = new Date();
  return before !== undefined && Date.parse(before) > now.getTime() ? new Date(before) : now;
}
