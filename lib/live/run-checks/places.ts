/**
 * Places for attempts: a limited number of quick attempts at the same time, and a limited number of slow attempts in
 * addition.
 */
export interface Places {
  readonly isFree: () => boolean;
  /** Returns the number of quick attempts of a lane that are in progress. */
  readonly quickOf: (lane: string) => number;
  /** Takes a place. @returns a function that releases the place */
  readonly enter: (lane: string) => () => void;
}

/**
 * Duration in milliseconds after which an attempt is slow. A slow attempt does not count against the limit, so that its
 * place is free.
 */
const slowMs = 1_000;
/** Maximum number of slow attempts per place, which limits sockets and memory. */
const slowPerPlace = 8;

/** Creates places. @param onFree called when an attempt in progress becomes slow and its place is free */
export function createPlaces(count: number, onFree: () => void): Places {
  let quick = 0;
  let slow = 0;
  const byLane = new Map<string, number>();
  const quickOf = (lane: string) => byLane.get(lane) ?? 0;
  const countQuick = (lane: string, change: 1 | -1) => {
    quick += change;
    byLane.set(lane, quickOf(lane) + change);
  };
  /** Slow attempts that exceed the limit of slow attempts, in their order. */
  const overdue = new Set<() => void>();
  return {
    isFree: () => quick < count,
    quickOf,
    enter: (lane) => {
      countQuick(lane, 1);
      let isSlow = false;
      const giveWay = () => {
        if (slow >= count * slowPerPlace) {
          overdue.add(giveWay);
          return;
        }
        overdue.delete(giveWay);
        isSlow = true;
        slow += 1;
        countQuick(lane, -1);
        onFree();
      };
      const timer = setTimeout(giveWay, slowMs);
      return () => {
        clearTimeout(timer);
        overdue.delete(giveWay);
        if (!isSlow) {
          countQuick(lane, -1);
          return;
        }
        slow -= 1;
        const [first] = overdue;
        first?.();
      };
    },
  };
}
