import { mostBuckets, type WatchBucket, type WatchedCourse } from "../model";
import type { LineOf } from "./watch-lines";

/** Maximum number of hostnames with a course; the counts of all hostnames are kept anyway. */
const mostHostnames = 1_000;
/** Maximum number of periods of failures of a hostname; the last one takes the rest. */
const mostFailures = 50;

type Growing = { -readonly [Name in keyof WatchedCourse["failures"][number]]: WatchedCourse["failures"][number][Name] };

/** Keeps who served each hostname over time, and its failures. Memory use does not grow with the length of the log. */
export function createWatchCourses() {
  const wildcards = new Map<string, string>();
  const courses = new Map<
    string,
    { readonly buckets: ReturnType<typeof createBuckets>; readonly failures: Growing[] }
  >();
  return {
    /** Starts a watch: sets which names represent wildcards. */
    begin: (line: LineOf<"start">): void => {
      for (const [name, wildcard] of line.wildcards) wildcards.set(name, wildcard);
    },
    add: ({ time, ok, side, code, detail, shared, ...sample }: LineOf<"sample">): void => {
      const hostname = wildcards.get(sample.hostname) ?? sample.hostname;
      // Shared samples are the connection of another sample, seen by another resolver.
      if (shared || (courses.size >= mostHostnames && !courses.has(hostname))) return;
      const course = courses.get(hostname) ?? { buckets: createBuckets(), failures: [] };
      courses.set(hostname, course);
      course.buckets.add(time.getTime(), { good: ok ? 1 : 0, failed: ok ? 0 : 1, side: ok ? side : "unknown" });
      if (!ok) addFailure(course.failures, time.getTime(), detail === undefined ? code : `${code} (${detail})`);
    },
    result: (): readonly WatchedCourse[] =>
      [...courses].map(([hostname, { buckets, failures }]) => ({
        hostname,
        bucketMs: buckets.bucketMs(),
        buckets: buckets.list(),
        failures,
      })),
  };
}

/** Failures with the same error within this time are one period. Milliseconds. */
const togetherMs = 60_000;

function addFailure(failures: Growing[], time: number, error: string): void {
  const last = failures.at(-1);
  const isSame = last !== undefined && last.error === error && time - last.to <= togetherMs;
  if (last !== undefined && (isSame || failures.length >= mostFailures)) {
    last.to = Math.max(last.to, time);
    last.count += 1;
    return;
  }
  failures.push({ from: time, to: time, count: 1, error });
}

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

/**
 * Counts by time, in few enough buckets for a plot, however long the time is. Buckets begin with one second each;
 * adjacent buckets are merged when there are too many.
 */
export function createBuckets() {
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
    add: (time: number, { good, failed, side }: Added): void => {
      [first, last] = [Math.min(first, time), Math.max(last, time)];
      widen();
      put({ from: time, good, failed, answers: { previous: 0, loadBalancer: 0, other: 0, unknown: 0, [side]: 1 } });
    },
    bucketMs: (): number => width,
    list: (): readonly WatchBucket[] => [...buckets.values()].sort((left, right) => left.from - right.from),
  };
}

function together(left: WatchBucket | undefined, right: WatchBucket): WatchBucket {
  if (left === undefined) return right;
  return {
    from: left.from,
    good: left.good + right.good,
    failed: left.failed + right.failed,
    answers: {
      previous: left.answers.previous + right.answers.previous,
      loadBalancer: left.answers.loadBalancer + right.answers.loadBalancer,
      other: left.answers.other + right.answers.other,
      unknown: left.answers.unknown + right.answers.unknown,
    },
  };
}
