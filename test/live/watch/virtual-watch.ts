import { setMaxListeners } from "node:events";
import type { Handshake } from "../../../lib/live/verify";
import {
  type ResolverAnswer,
  type WatchGap,
  type WatchLine,
  type WatchOptions,
  type WatchResolver,
  watchTraffic,
} from "../../../lib/live/watch";

const certificate = {
  issuer: "CN=Root",
  serialNumber: "1",
  notBefore: "2020-01-01T00:00:00.000Z",
  notAfter: "2060-01-01T00:00:00.000Z",
  keyType: "ecdsa-p256",
  fingerprintSha256: "aa",
  dnsNames: ["example.com"],
};
export const good: Handshake = { ok: true, protocol: "TLSv1.3", certificate };
export const timeout: Handshake = { ok: false, code: "timeout", detail: "not done in 10000 ms" };
export const answer: ResolverAnswer = { ok: true, addresses: ["203.0.113.7"] };
export const silence: ResolverAnswer = { ok: false, code: "dns-unanswered", detail: "timeout" };

/** Creates a virtual clock that jumps to the next timer as soon as no other work is pending. */
export function virtualTime() {
  /** The monotonic clock, which stops while the machine sleeps, like timers. */
  let time = Date.parse("2026-11-21T00:00:00Z");
  /** The offset of the wall clock from the monotonic clock. */
  let beyond = 0;
  const timers: { readonly at: number; readonly ring: () => void }[] = [];
  const sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const stop = () => {
        timers.splice(timers.indexOf(timer), 1);
        reject(signal.reason);
      };
      const ring = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const timer = { at: time + milliseconds, ring };
      timers.push(timer);
      signal.addEventListener("abort", stop);
    });
  const run = async <Result>(work: Promise<Result>): Promise<Result> => {
    let done = false;
    const finished = work.finally(() => {
      done = true;
    });
    while (!done) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      await new Promise(setImmediate);
      const next = timers.sort((a, b) => a.at - b.at).shift();
      if (next === undefined) continue;
      time = Math.max(time, next.at);
      next.ring();
    }
    return finished;
  };
  return {
    now: () => time + beyond,
    sleep,
    run,
    /** Simulates a sleep of the machine: only the wall clock advances. */
    suspend: (milliseconds: number) => {
      beyond += milliseconds;
    },
  };
}

/** The faults of one round. */
interface Faults {
  readonly handshake?: Handshake;
  /** Resolvers that do not answer. */
  readonly silent?: readonly string[];
}

/** A sleep of the machine during the first handshake at or after `second`. */
interface Suspension {
  readonly second: number;
  readonly milliseconds: number;
}

/** Changes of the options of a test; the members of a group that it leaves out keep their values. */
export interface WatchChange extends Partial<Omit<WatchOptions, "subjects" | "observers">> {
  readonly subjects?: Partial<WatchOptions["subjects"]>;
  readonly observers?: Partial<WatchOptions["observers"]>;
}

/** Returns options with the changes of a test. */
export function changed(options: WatchOptions, change: WatchChange): WatchOptions {
  return {
    ...options,
    ...change,
    subjects: { ...options.subjects, ...change.subjects },
    schedule: { ...options.schedule, ...change.schedule },
    observers: { ...options.observers, ...change.observers },
  };
}

/** Watches one hostname without previous addresses, in rounds of ten seconds. */
export async function watch(
  faultsAt: (second: number) => Faults,
  {
    suspension,
    names = ["a", "b"],
    ...change
  }: WatchChange & { readonly suspension?: Suspension; readonly names?: readonly string[] } = {},
) {
  const time = virtualTime();
  const startedAt = time.now();
  const lines: WatchLine[] = [];
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const suspensions = suspension === undefined ? [] : [suspension];
  const faults = () => faultsAt((time.now() - startedAt) / 1_000);
  const resolver = (name: string): WatchResolver => ({
    name,
    isFar: true,
    ...(name === "authoritative" ? {} : { isAlive: async () => faults().silent?.includes(name) !== true }),
    resolve: async () => {
      if (faults().silent?.includes(name) !== true) return answer;
      await time.sleep(6_000, never);
      return silence;
    },
  });
  const summary = await time.run(
    watchTraffic(
      changed(
        {
          subjects: {
            hostnames: ["example.com"],
            loadBalancerAddresses: ["203.0.113.7"],
            previousAddresses: new Map(),
          },
          resolvers: names.map(resolver),
          shakeHands: async () => {
            const { handshake = good } = faults();
            if (time.now() - startedAt >= (suspensions[0]?.second ?? Number.POSITIVE_INFINITY) * 1_000) {
              time.suspend(suspensions.pop()?.milliseconds ?? 0);
            }
            await time.sleep(handshake.ok ? 20 : 4_000, never);
            return handshake;
          },
          schedule: { everyMs: 10_000, goodMs: 60_000 },
          signal: never,
          now: time.now,
          sleep: time.sleep,
          observers: { onLine: (line) => lines.push(line) },
        },
        change,
      ),
    ),
  );
  return { summary, lines, startedAt, gaps: lines.filter((line): line is WatchGap => line.kind === "gap") };
}

/** Returns whether a second is in a span; the end is exclusive. */
export const within = (second: number, from: number, until: number) => second >= from && second < until;
