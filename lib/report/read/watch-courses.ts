import type { WatchedCourse } from "../model";
import { type Buckets, createBuckets } from "./buckets";
import type { LineOf } from "./watch-lines";

/** Maximum number of hostnames with a course; the counts of all hostnames are kept anyway. */
const mostHostnames = 1_000;
/** Maximum number of periods of failures of a hostname; the last one takes the rest. */
const mostFailures = 50;

type Growing = { -readonly [Name in keyof WatchedCourse["failures"][number]]: WatchedCourse["failures"][number][Name] };

/** Keeps who served each hostname over time, and its failures. Memory use does not grow with the length of the log. */
export interface WatchCourses {
  /** Starts a watch: sets which names represent wildcards. */
  readonly begin: (line: LineOf<"start">) => void;
  readonly add: (line: LineOf<"sample">) => void;
  readonly result: () => readonly WatchedCourse[];
}

export function createWatchCourses(): WatchCourses {
  const wildcards = new Map<string, string>();
  const courses = new Map<string, { readonly buckets: Buckets; readonly failures: Growing[] }>();
  return {
    begin: (line) => {
      for (const [name, wildcard] of line.wildcards) wildcards.set(name, wildcard);
    },
    add: ({ time, ok, side, code, detail, shared, ...sample }) => {
      const hostname = wildcards.get(sample.hostname) ?? sample.hostname;
      // Shared samples are the connection of another sample, seen by another resolver.
      if (shared || (courses.size >= mostHostnames && !courses.has(hostname))) return;
      const course = courses.get(hostname) ?? { buckets: createBuckets(), failures: [] };
      courses.set(hostname, course);
      course.buckets.add(time.getTime(), { good: ok ? 1 : 0, failed: ok ? 0 : 1, side: ok ? side : "unknown" });
      if (!ok) addFailure(course.failures, time.getTime(), detail === undefined ? code : `${code} (${detail})`);
    },
    result: () =>
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
