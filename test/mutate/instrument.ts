import type { Change } from "./operators";

/** A change with the number that switches it on. */
export interface NumberedChange extends Change {
  readonly id: number;
}

/**
 * Declares `mutation` in a file that has changes. The process that runs the tests shares it with all files; a child
 * process of a test reads the number from its environment.
 */
const declaration =
  "const mutation = (globalThis as any).mutation ??= { active: Number(process.env.MUTATION), reached: new Set(), " +
  "is(id: number) { this.reached.add(id); return id === this.active; } }; ";

/** Adds every change to the source of its file, each behind a condition. Lines keep their numbers. */
export function instrument(source: string, changes: readonly NumberedChange[]): string {
  const bytes = Buffer.from(source);
  const sorted = [...changes].sort((a, b) => a.start - b.start || b.end - a.end);
  return declaration + render(bytes, 0, bytes.length, sorted);
}

function render(bytes: Buffer, from: number, to: number, changes: readonly NumberedChange[]): string {
  let rendered = "";
  let at = from;
  let rest = changes;
  for (let first = rest[0]; first; first = rest[0]) {
    const { start, end } = first;
    const here = rest.filter((change) => change.start === start && change.end === end);
    const inside = rest.filter((change) => change.end <= end && !here.includes(change));
    rest = rest.filter((change) => change.start >= end);
    rendered += bytes.subarray(at, start).toString() + conditional(here, render(bytes, start, end, inside));
    at = end;
  }
  return rendered + bytes.subarray(at, to).toString();
}

function conditional(changes: readonly NumberedChange[], original: string): string {
  return changes.reduce(
    (otherwise, { id, replacement, isStatement }) =>
      isStatement
        ? `if (mutation.is(${id})) ${replacement} else { ${otherwise} }`
        : `(mutation.is(${id}) ? (${replacement}) : (${otherwise}))`,
    original,
  );
}

/** The lines of a change, before and after, with single spaces. */
export function describeChange(source: string, { start, end, replacement }: Change) {
  const bytes = Buffer.from(source);
  const lineStart = bytes.lastIndexOf("\n", start - 1) + 1;
  const nextBreak = bytes.indexOf("\n", end);
  const lineEnd = nextBreak < 0 ? bytes.length : nextBreak;
  const line = (middle: string) =>
    [bytes.subarray(lineStart, start), middle, bytes.subarray(end, lineEnd)].join("").replace(/\s+/g, " ").trim();
  return {
    line: bytes.subarray(0, start).toString().split("\n").length,
    before: line(bytes.subarray(start, end).toString()),
    after: line(replacement),
  };
}
