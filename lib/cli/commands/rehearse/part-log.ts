import type { Pause, Pauses, RehearsalObserver } from "../../../rehearsal";

/** A part of the rehearsal, or a pause, that has ended. */
export interface EndedPart {
  /** Numbers of the steps that ran together; empty for other parts and pauses. */
  readonly numbers: readonly number[];
  readonly name: string;
  readonly state: "done" | "stopped" | "failed";
  readonly seconds: number;
  readonly handshakes: number;
  readonly failed: number;
}

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
      part: ({ numbers, name, ok, stopped, seconds = 0 }) => {
        if (ok === undefined) before = { ...count };
        else {
          const state = ok ? "done" : stopped ? "stopped" : "failed";
          parts.push({ numbers, name, state, seconds, ...since(before) });
        }
      },
    },
    holding: (hold) => async (pause) => {
      const start = { ...count };
      const startedAt = now().getTime();
      await hold(pause);
      const seconds = (now().getTime() - startedAt) / 1_000;
      const made = since(start);
      parts.push({ numbers: [], name: nameOf(pause), state: made.failed > 0 ? "failed" : "done", seconds, ...made });
    },
  };
}

function nameOf({ steps }: Pick<Pause, "steps">): string {
  if (steps.length === 0) return "pause before the destroy";
  return `pause after step${steps.length > 1 ? "s" : ""} ${steps.join(", ")}`;
}
