/**
 * Compares a number with `minimum` and `maximum`. Descriptions write the bounds as text, and the bounds can exceed the
 * range of a double.
 *
 * @param value a number as text; `NaN` violates every bound
 * @returns the violated bound, for example "at most 1000"; undefined if the value is within the bounds
 */
export function brokenBound(
  value: string,
  { minimum, maximum }: { readonly minimum?: string; readonly maximum?: string },
): { readonly code: "minimum" | "maximum"; readonly rule: string } | undefined {
  // A bound that is not a number is ignored.
  const breaks = (bound: string, lesser: string, greater: string) =>
    value === "NaN" ? !Number.isNaN(Number(bound)) : isLess(lesser, greater);
  if (minimum !== undefined && breaks(minimum, value, minimum)) return { code: "minimum", rule: `at least ${minimum}` };
  if (maximum !== undefined && breaks(maximum, maximum, value)) return { code: "maximum", rule: `at most ${maximum}` };
  return undefined;
}

const whole = /^-?\d{1,40}$/;

function isLess(a: string, b: string): boolean {
  const beyondDouble = a.length > 15 || b.length > 15;
  return beyondDouble && whole.test(a) && whole.test(b) ? BigInt(a) < BigInt(b) : Number(a) < Number(b);
}
