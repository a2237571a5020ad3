import { createBell } from "./bell";
import { type Check, laneOf } from "./check";
import { createPlaces } from "./places";
import { createWaiting } from "./waiting";

interface RunOptions {
  /** Maximum number of attempts at the same time. */
  readonly concurrency: number;
  /** Time, on the clock of `now`, from which no attempt starts. */
  readonly deadline: number;
  /** Pause before the next attempt of a check, in milliseconds. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Repeats every check until it is settled or the deadline passes. Each check runs once before any check is repeated. A
 * pausing check has no place, and an attempt that hangs loses its place, so that an unreachable host does not delay the
 * others.
 */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<void> {
  const { concurrency, deadline, pauseMs, signal, now } = options;
  const bell = createBell(options.sleep);
  const places = createPlaces(concurrency, bell.ring);
  const waiting = createWaiting(checks, places.quickOf);
  const running = new Set<Check>();
  let broken: { readonly error: unknown } | undefined;

  const isOver = () => signal.aborted || now() >= deadline;
  const follow = (check: Check, outcome: Awaited<ReturnType<Check["attempt"]>>) => {
    const dueAt = now() + pauseMs;
    if (outcome === "once") waiting.goOn(check);
    else if (outcome === "later" && dueAt < deadline) waiting.tryAgain(check, dueAt);
    else if (outcome === "later") check.giveUp();
  };
  const launch = (check: Check) => {
    running.add(check);
    const leave = places.enter(laneOf(check));
    const end = (outcome: Awaited<ReturnType<Check["attempt"]>>) => {
      leave();
      // The run has ended and has already called `giveUp`.
      if (!running.delete(check)) return;
      follow(check, outcome);
      bell.ring();
    };
    check.attempt().then(end, (error: unknown) => {
      broken = { error };
      end("settled");
    });
  };

  signal.addEventListener("abort", bell.ring);
  try {
    for (;;) {
      while (places.isFree() && !isOver()) {
        const check = waiting.take(now());
        if (check === undefined) break;
        launch(check);
      }
      if (signal.aborted || (running.size === 0 && (isOver() || waiting.isEmpty()))) break;
      const dueAt = places.isFree() && !isOver() ? waiting.nextDueAt() : undefined;
      await bell.heard(dueAt === undefined ? undefined : Math.max(0, dueAt - now()));
      if (broken !== undefined) throw broken.error;
    }
  } finally {
    signal.removeEventListener("abort", bell.ring);
  }
  const open = [...running, ...waiting.all()];
  running.clear();
  for (const check of open) check.giveUp();
}
