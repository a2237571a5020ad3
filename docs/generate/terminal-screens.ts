import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Result of `npm run screens`: lines of a terminal, with the escape sequences of their colors. */
export interface RecordedScreens {
  /** The command that was typed. */
  readonly line: string;
  readonly columns: number;
  /** Progress while traffic moves. */
  readonly board: readonly string[];
  /** What the command left on the terminal. */
  readonly result: readonly string[];
}

/** A text in one style. */
interface Piece {
  readonly text: string;
  readonly styles: readonly string[];
}

export const recordedScreens = join(__dirname, "recorded-screens.json");

const columnWidth = 8.4;
const rowHeight = 19;
const margin = 18;
const barHeight = 30;

const weights: Readonly<Record<number, string>> = { 1: "bold", 2: "dim" };
const colors: Readonly<Record<number, string>> = { 31: "red", 32: "green", 33: "yellow", 34: "blue", 36: "cyan" };

/** Returns the pictures of the tutorial by their names in docs, for light and dark pages. */
export function terminalPictures(): readonly (readonly [path: string, text: string])[] {
  const { line, columns, board, result } = JSON.parse(readFileSync(recordedScreens, "utf8")) as RecordedScreens;
  return [
    ["rehearsal-board.svg", terminalPicture("The board of a rehearsal while traffic moves", line, columns, board)],
    ["rehearsal-result.svg", terminalPicture("The result of a rehearsal", line, columns, result)],
  ];
}

/**
 * Returns the picture of a terminal. A reader without the picture gets the text of the screen.
 *
 * @throws Error if a line has a control sequence other than bold, dim and a color of the text
 */
export function terminalPicture(title: string, line: string, columns: number, screen: readonly string[]): string {
  const lines = piecesOf(screen);
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = barHeight + lines.length * rowHeight + margin;
  const spoken = lines.map((pieces) =>
    pieces
      .map(({ text }) => text)
      .join("")
      .trim(),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(spoken.filter((text) => /\w/.test(text)).join("; "))}</desc>`,
    "<style>",
    ".ground{fill:#fff;stroke:#d1d9e0}.bar{fill:#f6f8fa}text{fill:#1f2328;white-space:pre}.line,.dim{fill:#59636e}.bold{font-weight:700}.red{fill:#cf222e}.green{fill:#1a7f37}.yellow{fill:#9a6700}.blue{fill:#0969da}.cyan{fill:#1b7c83}",
    "@media (prefers-color-scheme:dark){.ground{fill:#0d1117;stroke:#3d444d}.bar{fill:#161b22}text{fill:#e6edf3}.line,.dim{fill:#9198a1}.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.blue{fill:#58a6ff}.cyan{fill:#56d4dd}}",
    "</style>",
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    `<rect class="bar" x="1" y="1" width="${width - 2}" height="${barHeight - 6}" rx="6"/>`,
    `<text class="line" x="${margin}" y="17" font-size="13">$ ${escaped(line)}</text>`,
    ...lines.map((pieces, row) => lineAt(pieces, barHeight + (row + 1) * rowHeight - 5)),
    "</svg>",
    "",
  ].join("\n");
}

/** Returns the pieces of each line. A color continues in the next line until a sequence ends it. */
function piecesOf(screen: readonly string[]): readonly (readonly Piece[])[] {
  let styles: readonly string[] = [];
  return screen.map((text) => {
    const [plain = "", ...sequences] = text.split("\u001b[");
    const pieces: Piece[] = [{ text: plain, styles }];
    for (const sequence of sequences) {
      const [, codes, rest = ""] = /^([\d;]*)m(.*)$/.exec(sequence) ?? [];
      if (codes === undefined) throw new Error(`not a color: ${JSON.stringify(sequence)}`);
      for (const code of codes.split(";")) styles = stylesAfter(styles, Number(code));
      pieces.push({ text: rest, styles });
    }
    return pieces.filter((piece) => piece.text !== "");
  });
}

function stylesAfter(styles: readonly string[], code: number): readonly string[] {
  const weight = weights[code];
  const color = colors[code];
  const uncolored = styles.filter((style) => Object.values(weights).includes(style));
  if (code === 0) return [];
  if (weight !== undefined) return [...styles, weight];
  if (code === 39) return uncolored;
  if (color !== undefined) return [...uncolored, color];
  // The background stays that of the terminal.
  if (code === 49) return styles;
  throw new Error(`no style for the color ${code}`);
}

function lineAt(pieces: readonly Piece[], y: number): string {
  let column = 0;
  const drawn = pieces.map(({ text, styles }) => {
    // Each piece has its own length, so that columns align in every font.
    const x = round(margin + column * columnWidth);
    const length = round(text.length * columnWidth);
    column += text.length;
    const named = styles.length === 0 ? "" : ` class="${styles.join(" ")}"`;
    return `<text${named} x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped(text)}</text>`;
  });
  return drawn.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
