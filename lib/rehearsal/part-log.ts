import type { EndedPart } from "../report";
import type { RehearsalObserver, RehearsalPart } from "./observer";
import type { Pause, Pauses } from "./pauses";

/** Counts the handshakes of each part and of each pause. */
export interface PartLog {
  readonly observer: Required<Pick<RehearsalObserver, "probe" | "part">>;
  /** Returns a `hold` that also counts the pause. */
  readonly holding: (hold: Pauses["hold"]) => Pauses["hold"];
  /** Parts and pauses in the order in which they ended. */
  readonly parts: readonly EndedPart[];
}

export function createPartLog(now: () => Date): PartLog {
  const parts: EndedPart[] = [];
  const count = { handshakes: 0, failed: 0 };
  let before = { ...count };
  const since = (start: typeof count) => {
    return { handshakes: count.handshakes - start.handshakes, failed: count.failed - start.failed };
  };
  return {
    parts,
    observer: {
      probe: ({ ok }) => {
        count.handshakes += 1;
        if (!ok) count.failed += 1;
      },
      part: (part) => {
        const { numbers, name, ok, seconds = 0 } = part;
        if (ok === undefined) before = { ...count };
        else {
          parts.push({
            numbers,
            name,
            state: endedState(part),
            seconds: hundredths(seconds),
            ...since(before),
          });
        }
      },
    },
    holding: (hold) => async (pause) => {
      const start = { ...count };
      const startedAt = now().getTime();
      await hold(pause);
      const seconds = hundredths((now().getTime() - startedAt) / 1_000);
      const made = since(start);
      parts.push({ numbers: [], name: nameOf(pause), state: made.failed > 0 ? "failed" : "done", seconds, ...made });
    },
  };
}

/** Returns the state of a part that has ended. */
export function endedState({ ok, stopped }: Pick<RehearsalPart, "ok" | "stopped">): EndedPart["state"] {
  return ok ? "done" : stopped ? "stopped" : "failed";
}

function nameOf({ steps }: Pick<Pause, "steps">): string {
  if (steps.length === 0) return "pause before the destroy";
  return `pause after step${steps.length > 1 ? "s" : ""} ${steps.join(", ")}`;
}

function hundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
