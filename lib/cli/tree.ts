/** Lines of trees, whose branches go on beside wrapped text. */
import { type Fold, widthOf, wrapWords } from "./style";

export interface TreeRow {
  /** Branches and name, as in `│  └─ name`. */
  readonly label: string;
  readonly type: string;
  readonly text: string;
}

/** Spaces between two columns. */
const gap = "  ";
/** Minimum width of the texts beside the types; texts with less room stand below. */
const leastText = 24;

/** Folds a line of a tree; its continuation keeps the lines of the branches. */
export function foldBranch(line: string, fold: Fold): string {
  const below = branchesBelow(line);
  return fold(line, below.length).replaceAll(`\n${" ".repeat(below.length)}`, `\n${below}`);
}

/**
 * Formats a tree with types and texts beside it; the texts are already safe.
 *
 * @param columns width of the terminal. @default - any width
 */
export function treeTable(rows: readonly TreeRow[], columns = Number.POSITIVE_INFINITY): string {
  const widest = (of: (row: TreeRow) => string) => rows.reduce((width, row) => Math.max(width, widthOf(of(row))), 0);
  const labelWidth = widest(({ label }) => label);
  const typeWidth = Math.min(
    40,
    widest(({ type }) => type),
  );
  const textStart = labelWidth + typeWidth + 2 * gap.length;
  const needed = Math.min(
    leastText,
    widest(({ text }) => text),
  );
  const beside = ({ label, type, text }: TreeRow) =>
    wrapWords(text, columns - textStart).map((part, index) => {
      const [name, kind] = index === 0 ? [label, type] : [branchesBelow(label), ""];
      return [name.padEnd(labelWidth), kind.padEnd(typeWidth), part].join(gap);
    });
  const stacked = ({ label, type, text }: TreeRow) => {
    const below = `${branchesBelow(label)}${gap}`;
    const fits = widthOf(label) + gap.length + widthOf(type) <= columns;
    const parts = [...(fits ? [] : [type]), ...(text === "" ? [] : [text])];
    const lines = parts.flatMap((part) => wrapWords(part, columns - below.length));
    return [fits ? `${label}${gap}${type}` : label, ...lines.map((line) => `${below}${line}`)];
  };
  const isWide = columns - textStart >= needed && rows.every(({ type }) => widthOf(type) <= typeWidth);
  const linesOf = columns === Number.POSITIVE_INFINITY || isWide ? beside : stacked;
  return rows
    .flatMap(linesOf)
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** Returns what continues the branches of a tree below a line. */
function branchesBelow(line: string): string {
  const [branches = ""] = /^[│├└─ ]*/.exec(line) ?? [];
  return branches.replace(/├─/g, "│ ").replace(/└─/g, "  ");
}
