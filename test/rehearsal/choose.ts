export interface Choice {
  /** Part of a name; several of them with commas in between. */
  readonly only?: string | undefined;
  /** As in `1/3`: the first of every three. */
  readonly part?: string | undefined;
  /** How many, by lot. */
  readonly sample?: string | undefined;
  readonly seed: number;
}

/** Takes from a list what was asked for; the same seed draws the same. */
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

/** A number that looks drawn at random. */
function lotOf(seed: number, index: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
