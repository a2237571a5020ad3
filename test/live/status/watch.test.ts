import { ServiceError } from "../../../lib/errors";
import {
  countSteps,
  type HostnameStatus,
  type HostnamesSnapshot,
  type StepState,
  statusChanges,
  stepNames,
  watchStatus,
} from "../../../lib/live/status";

/**
 * A hostname whose steps are in the states of these letters: d(one), w(aiting), t(odo), f(ailed), u(nknown), n(one).
 */
function status(hostname: string, letters: string): HostnameStatus {
  const states: Record<string, StepState> = {
    d: "done",
    w: "waiting",
    t: "todo",
    f: "failed",
    u: "unknown",
    n: "none",
  };
  const steps = [...letters].map((letter, index) => ({
    step: index + 1,
    name: stepNames[index] ?? stepNames[0],
    state: states[letter] ?? "none",
  }));
  const current = steps.find(({ state }) => state !== "done" && state !== "none");
  return { migration: "m", hostname, steps, ...(current === undefined ? {} : { current }) };
}

/** Returns these polls in order, with pauses that take no time. */
function watching(...snapshots: readonly (Partial<HostnamesSnapshot> | Error)[]) {
  const pauses: number[] = [];
  const reported: string[][] = [];
  const retried: string[] = [];
  const stopping = new AbortController();
  let at = 0;
  return {
    pauses,
    reported,
    retried,
    end: watchStatus({
      everyMs: 30_000,
      signal: stopping.signal,
      random: () => 0,
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
      },
      takeSnapshot: async () => {
        const snapshot = snapshots[at];
        at += 1;
        if (snapshot instanceof Error) throw snapshot;
        if (snapshot === undefined) {
          stopping.abort();
          throw new Error("aborted");
        }
        return { hostnames: [], requests: 4, questions: 10, ...snapshot };
      },
      onSnapshot: (_, changes) =>
        reported.push(
          changes.map(({ hostname, before, after }) => `${hostname} ${after.step} ${before} ${after.state}`),
        ),
      onRetry: ({ message }) => retried.push(message),
    }),
  };
}

test("reports changed states only, not added or removed hostnames", () => {
  const before = [status("a", "dwtttttt"), status("b", "dddddddd"), status("gone", "tttttttt")];
  const after = [status("a", "ddwttttt"), status("b", "dddddddd"), status("new", "tttttttt")];
  expect(
    statusChanges(before, after).map(({ hostname, before: was, after: is }) => [hostname, is.step, was, is.state]),
  ).toEqual([
    ["a", 2, "waiting", "done"],
    ["a", 3, "todo", "waiting"],
  ]);
});

test("counts steps by state", () => {
  const counts = countSteps([status("a", "dwtfundd"), status("b", "ddtttttt")]);
  expect(counts[0]).toEqual({ done: 2, todo: 0, waiting: 0, failed: 0, unknown: 0, none: 0 });
  expect(counts[3]).toEqual({ done: 0, todo: 1, waiting: 0, failed: 1, unknown: 0, none: 0 });
});

test("reports changes, and ends when all steps are done", async () => {
  const { end, reported, pauses } = watching(
    { hostnames: [status("a", "ddddddut")] },
    { hostnames: [status("a", "ddddddut")] },
    { hostnames: [status("a", "ddddddud")] },
    { hostnames: [status("a", "dddndddd")] },
  );
  expect(await end).toEqual([status("a", "dddndddd")]);
  expect(reported).toEqual([[], [], ["a 8 todo done"], ["a 4 done none", "a 7 unknown done"]]);
  expect(pauses).toEqual([30_000, 30_000, 30_000]);
});

test("runs expensive checks less often: 50 requests a minute, 100 queries a second", async () => {
  const hostnames = [status("a", "dddddddt")];
  const { end, pauses } = watching({ hostnames, requests: 100 }, { hostnames, questions: 6_000 }, { hostnames });
  expect(await end).toEqual(hostnames);
  expect(pauses).toEqual([120_000, 60_000, 30_000]);
});

test("retries temporary failures with growing delays, and ends after a refusal", async () => {
  const passing = new ServiceError("quota", { code: "service-refused", retryable: true });
  const refusal = new ServiceError("permission", { code: "service-refused", retryable: false });
  const { end, pauses, retried } = watching(passing, passing, passing, passing, {}, refusal);
  expect(await end).toEqual([]);
  expect(retried).toEqual(["quota", "quota", "quota", "quota"]);
  expect(pauses).toEqual([30_000, 60_000, 120_000, 120_000]);
  const hostnames = [status("a", "dddddddt")];
  await expect(watching({ hostnames }, refusal).end).rejects.toBe(refusal);
});

test("returns the last complete snapshot if it is stopped during the next", async () => {
  const hostnames = [status("a", "dddddddt")];
  expect(await watching({ hostnames }).end).toEqual(hostnames);
});
