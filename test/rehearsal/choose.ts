export interface Choice {
  /** Parts of names, separated by commas. */
  readonly only?: string | undefined;
  /** For example, `1/3` chooses the first of every three scenarios. */
  readonly part?: string | undefined;
  /** Number of randomly chosen scenarios. */
  readonly sample?: string | undefined;
  readonly seed: number;
}

/** Returns the chosen members of a list. The same seed chooses the same members. */
export function choose<Named extends { readonly name: string }>(
  all: readonly Named[],
  { only, part = "1/1", sample, seed }: Choice,
): readonly Named[] {
  const [number, parts] = part.split("/").map(Number);
  if (!(Number(number) >= 1 && Number(parts) >= Number(number))) {
    throw new Error(`--part ${part}: give it as in 1/3`);
  }
  const fitting = all.filter(({ name }) => only === undefined || only.split(",").some((part) => name.includes(part)));
  const own = fitting.filter((_, index) => index % Number(parts) === Number(number) - 1);
  if (own.length === 0) throw new Error(`nothing fits; there are ${all.map(({ name }) => name).join(", ")}`);
  if (sample === undefined) return own;
  const lots = own.map((item, index) => ({ item, lot: lotOf(seed, index) }));
  const drawn = new Set(
    lots
      .sort((one, other) => one.lot - other.lot)
      .slice(0, Number(sample))
      .map(({ item }) => item),
  );
  return own.filter((item) => drawn.has(item));
}

/** Returns a pseudo-random number. */
function lotOf(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
