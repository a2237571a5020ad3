import { type StepState, stepNames } from "../live/status";
import { type HostnameState, isOpen, sortByTime, statusKey } from "./hostname-states";
import type { StatusSnapshot } from "./model";
import { formatTime } from "./words";

type StateCounts = Readonly<Record<StepState, number>>;

/** The states of all hostnames at one time, from the latest status of each hostname until then. */
export interface HistoryMoment {
  readonly time: Date;
  /** By step, all eight. */
  readonly steps: readonly StateCounts[];
}

/** A step of a hostname whose state differs from the previous status. */
interface Change {
  readonly time: Date;
  readonly hostname: string;
  readonly step: number;
  readonly from: StepState;
  readonly to: StepState;
}

export interface History {
  /**
   * In the order of time, at most sixty. Of more statuses, the first remains, and the last of each of equal time spans.
   */
  readonly moments: readonly HistoryMoment[];
  /** The latest {@link mostChanges}, latest first. */
  readonly changes: readonly Change[];
  readonly changeCount: number;
  /** Steps that were done and have since been undone: the latest {@link mostChanges}. */
  readonly setbacks: readonly Change[];
  readonly hostnameCount: number;
  /**
   * Returns the time since which the hostname has been at that step in that state, for example `since 2026-11-21
   * 08:40:00 UTC`. Adds `or before` if the first status already has that state. Returns undefined if the latest status
   * differs, or if there is only one status.
   */
  readonly sinceOf: (hostnameState: Pick<HostnameState, "migration" | "hostname" | "current">) => string | undefined;
}

interface Stand {
  readonly step: number | undefined;
  readonly state: StepState | undefined;
  readonly since: Date;
}

const mostMoments = 60;
export const mostChanges = 100;

export function historyOf(statuses: readonly StatusSnapshot[]): History {
  const states = new Map<string, readonly StepState[]>();
  const stands = new Map<string, Stand>();
  const counts = stepNames.map(() => ({ done: 0, todo: 0, waiting: 0, failed: 0, unknown: 0, none: 0 }));
  const moments: HistoryMoment[] = [];
  const changes = keepLatest();
  const setbacks = keepLatest();
  for (const { time, hostnames } of sortByTime(statuses)) {
    for (const status of hostnames) {
      const key = statusKey(status);
      const before = states.get(key);
      const now = stepNames.map((_, index) => status.steps[index]?.state ?? "unknown");
      states.set(key, now);
      const open = now.findIndex((state) => isOpen({ state }));
      const [step, state] = [open === -1 ? undefined : open + 1, now[open]];
      const stood = stands.get(key);
      if (stood?.step !== step || stood?.state !== state || stood === undefined) {
        stands.set(key, { step, state, since: time });
      }
      now.forEach((to, index) => {
        const count = counts[index];
        const from = before?.[index];
        if (count === undefined || from === to) return;
        count[to] += 1;
        if (from === undefined) return;
        count[from] -= 1;
        const change = { time, hostname: status.hostname, step: index + 1, from, to };
        changes.add(change);
        if (from === "done" && to !== "none") setbacks.add(change);
      });
    }
    moments.push({ time, steps: counts.map((count) => ({ ...count })) });
  }
  return {
    moments: thin(moments),
    changes: changes.list(),
    changeCount: changes.count(),
    setbacks: setbacks.list(),
    hostnameCount: states.size,
    sinceOf: ({ migration = "", hostname, current }) => {
      const stand = stands.get(statusKey({ migration, hostname }));
      const [first] = moments;
      if (stand === undefined || current === undefined || first === undefined || moments.length < 2) return undefined;
      if (stand.step !== current.step || stand.state !== current.state) return undefined;
      return `since ${formatTime(stand.since)}${stand.since.getTime() === first.time.getTime() ? " or before" : ""}`;
    },
  };
}

function keepLatest() {
  let kept: Change[] = [];
  let count = 0;
  return {
    add: (change: Change) => {
      count += 1;
      kept.push(change);
      if (kept.length >= 2 * mostChanges) kept = kept.slice(-mostChanges);
    },
    count: () => count,
    list: (): readonly Change[] => kept.slice(-mostChanges).reverse(),
  };
}

/**
 * Keeps the last moment of each of equal time spans. Also keeps the first moment of all, so that the plot begins at the
 * first status.
 */
function thin(moments: readonly HistoryMoment[]): readonly HistoryMoment[] {
  const [first] = moments;
  const last = moments.at(-1);
  if (moments.length <= mostMoments || first === undefined || last === undefined) return moments;
  const begin = first.time.getTime();
  const span = Math.max(1, last.time.getTime() - begin);
  const spans = mostMoments - 2;
  const bySpan = new Map<number, HistoryMoment>();
  for (const moment of moments.slice(1)) {
    bySpan.set(Math.floor(((moment.time.getTime() - begin) / span) * spans), moment);
  }
  return [first, ...bySpan.values()];
}
