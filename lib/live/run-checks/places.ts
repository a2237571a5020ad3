/** Places for attempts: so many quick ones at once, and beside them some that have become slow. */
export interface Places {
  readonly isFree: () => boolean;
  /** How many quick attempts of a lane are under way. */
  readonly quickOf: (lane: string) => number;
  /** Takes a place. @returns what gives it back */
  readonly enter: (lane: string) => () => void;
}

/** An attempt that takes longer no longer counts against the limit, so that others get its place. */
const slowMs = 1_000;
/** How many such attempts there may be for each place: sockets and memory stay limited. */
const slowPerPlace = 8;

/** @param onFree told that an attempt under way has become slow, and its place is free */
export function createPlaces(count: number, onFree: () => void): Places {
  let quick = 0;
  let slow = 0;
  const byLane = new Map<string, number>();
  const quickOf = (lane: string) => byLane.get(lane) ?? 0;
  const countQuick = (lane: string, change: 1 | -1) => {
    quick += change;
    byLane.set(lane, quickOf(lane) + change);
  };
  /** Attempts that are slow and find no room beside the others yet, in their order. */
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
