import { setTimeout as pause } from "node:timers/promises";
import type { Cloud } from "../cloud";

/** Maximum wait, in milliseconds of the cloud's time. */
const patienceMs = 2 * 3_600_000;
/**
 * Minimum time before a wait fails, in milliseconds of the machine. A fast clock of the cloud does not make Terraform
 * and handshakes faster.
 */
const leastMs = 20_000;

/**
 * Waits until a condition is true.
 *
 * @param nowMs returns milliseconds of the machine. @default - its clock
 * @returns whether the condition became true
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
