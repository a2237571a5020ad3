import { isObject, textOf, type ValueObject } from "../value";

/** Time limit of the provider for an operation without `timeouts`, in milliseconds. */
const defaultTimeoutMs = 20 * 60_000;

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/**
 * Returns the time limit of an operation in milliseconds, from the resource's `timeouts`, written for example as
 * `1h30m`.
 */
export function timeoutMs({ timeouts }: ValueObject, verb: "create" | "update" | "delete"): number {
  const text = isObject(timeouts) ? textOf(timeouts, verb) : "";
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) return defaultTimeoutMs;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g))
    sum += Number(amount) * (unitsMs[unit ?? ""] ?? 0);
  return sum;
}
