import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";

/** How long anything may take, in the cloud's time. */
const patienceMs = 2 * 3_600_000;

/** Waits until something is so. @returns whether it came to be */
export async function until(
  cloud: Cloud,
  signal: AbortSignal,
  isDone: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = cloud.clock.now().getTime() + patienceMs;
  while (!(await isDone())) {
    if (signal.aborted || cloud.clock.now().getTime() > deadline) return false;
    await pause(50, undefined, { signal }).catch(() => undefined);
  }
  return true;
}
