import { mostBuckets, type WatchBucket } from "../model";

/** Widths in milliseconds. Each is a multiple of the previous width, so that buckets can be merged as a whole. */
const widths = [1, 2, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** The counts that a sample adds to its bucket. */
interface Added {
  readonly good: number;
  readonly failed: number;
  readonly side: keyof WatchBucket["answers"];
}

/** Counts by time, in few enough buckets for a plot, however long the time is. */
export interface Buckets {
  add(time: number, added: Added): void;
  readonly bucketMs: () => number;
  readonly list: () => readonly WatchBucket[];
}

/** Creates buckets of one second each. Adjacent buckets are merged when there are too many. */
export function createBuckets(): Buckets {
  let width = widths[0] ?? 1_000;
  let buckets = new Map<number, WatchBucket>();
  let [first, last] = [Infinity, -Infinity];
  const indexOf = (time: number) => Math.floor(time / width);
  const put = (bucket: WatchBucket) => {
    const index = indexOf(bucket.from);
    buckets.set(index, together(buckets.get(index), { ...bucket, from: index * width }));
  };
  const widen = () => {
    while (indexOf(last) - indexOf(first) >= mostBuckets) {
      width = widths.find((wider) => wider > width) ?? width * 2;
      const narrow = buckets;
      buckets = new Map();
      for (const bucket of narrow.values()) put(bucket);
    }
  };
  return {
    add: (time, { good, failed, side }) => {
      [first, last] = [Math.min(first, time), Math.max(last, time)];
      widen();
      put({ from: time, good, failed, answers: { old: 0, new: 0, other: 0, unknown: 0, [side]: 1 } });
    },
    bucketMs: () => width,
    list: () => [...buckets.values()].sort((one, other) => one.from - other.from),
  };
}

function together(one: WatchBucket | undefined, other: WatchBucket): WatchBucket {
  if (one === undefined) return other;
  return {
    from: one.from,
    good: one.good + other.good,
    failed: one.failed + other.failed,
    answers: {
      old: one.answers.old + other.answers.old,
      new: one.answers.new + other.answers.new,
      other: one.answers.other + other.answers.other,
      unknown: one.answers.unknown + other.answers.unknown,
    },
  };
}
