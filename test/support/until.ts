import { setTimeout as sleep } from "node:timers/promises";

/**
 * Polls a value until it is as expected, for events that the other end of a connection sees later. Returns the last
 * value in any case.
 */
export async function until<Value>(
  ask: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const value = await ask();
    if (isDone(value)) return value;
    await sleep(5);
  }
  return ask();
}
