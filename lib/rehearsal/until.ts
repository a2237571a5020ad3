import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";

/** How long anything may take, in the cloud's time. */
const patienceMs = 2 * 3_600_000;
/** How long at least, in time of the machine: where the cloud's time flies, Terraform and handshakes take their own all the same. */
const leastMs = 20_000;

/**
 * Waits until something is so.
 *
 * @param nowMs milliseconds of the machine. @default - its clock
 * @returns whether it came to be
 */
export async function until(
  { clock }: Pick<Cloud, "clock">,
  signal: AbortSignal,
  isDone: () => boolean | Promise<boolean>,
  nowMs: () => number = () => performance.now(),
): Promise<boolean> {
  const deadline = clock.now().getTime() + patienceMs;
  const leastUntilMs = nowMs() + leastMs;
  while (!(await isDone())) {
    if (signal.aborted || (clock.now().getTime() > deadline && nowMs() > leastUntilMs)) return false;
    await pause(50, undefined, { signal }).catch(() => undefined);
  }
  return true;
}
