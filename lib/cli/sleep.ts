import { setTimeout as pause } from "node:timers/promises";

/** Resolves after the given milliseconds, or rejects when the signal is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
}
