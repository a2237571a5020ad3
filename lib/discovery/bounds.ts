/**
 * Whether a number keeps to `minimum` and `maximum`, which descriptions write as text and which may go beyond what a double holds.
 *
 * @param value a number as text
 * @returns the bound that is broken, as in "at most 1000"
 */
export function brokenBound(
  value: string,
  { minimum, maximum }: { readonly minimum?: string; readonly maximum?: string },
): { readonly code: "minimum" | "maximum"; readonly rule: string } | undefined {
  if (minimum !== undefined && isLess(value, minimum)) return { code: "minimum", rule: `at least ${minimum}` };
  if (maximum !== undefined && isLess(maximum, value)) return { code: "maximum", rule: `at most ${maximum}` };
  return undefined;
}

const whole = /^-?\d{1,40}$/;

function isLess(a: string, b: string): boolean {
  const beyondDouble = a.length > 15 || b.length > 15;
  return beyondDouble && whole.test(a) && whole.test(b) ? BigInt(a) < BigInt(b) : Number(a) < Number(b);
}
