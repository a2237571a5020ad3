/** One place at which two normalized values differ. */
export interface Difference {
  /** For example `managed.domains[0]`; empty for the whole value. */
  readonly path: string;
  /** Undefined if the service has a field that is not expected. */
  readonly expected: unknown;
  /** Undefined if an expected field is missing. */
  readonly seen: unknown;
}

/** Returns every difference of two normalized values. The order of lists counts, the order of fields does not. */
export function differencesOf(expected: unknown, seen: unknown, path = ""): readonly Difference[] {
  if (isRecord(expected) && isRecord(seen)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(seen)])].sort();
    return names.flatMap((name) => differencesOf(expected[name], seen[name], path === "" ? name : `${path}.${name}`));
  }
  if (Array.isArray(expected) && Array.isArray(seen)) {
    const longest = Math.max(expected.length, seen.length);
    return Array.from({ length: longest }, (_, index) => index).flatMap((index) =>
      differencesOf(expected[index], seen[index], `${path}[${index}]`),
    );
  }
  return Object.is(expected, seen) ? [] : [{ path, expected, seen }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
