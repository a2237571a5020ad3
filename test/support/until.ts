import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks until the answer is as wished, for things that another end of a connection learns a moment later; hands out the
 * last answer in any case.
 */
export async function until<Value>(
  ask: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = await ask();
    if (isDone(value)) return value;
    await sleep(5);
  }
  return ask();
}
