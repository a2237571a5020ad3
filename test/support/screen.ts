/**
 * Simulates a terminal that wraps lines again when it is resized, as current terminals do. It supports the control
 * sequences that the project writes and refuses others.
 */
export function createScreen(size: { readonly columns: number; readonly rows: number }) {
  /** Complete lines of scrollback and screen; the cursor is at the beginning or the end of the last line. */
  let lines: string[] = [""];
  const screen = {
    ...size,
    isTTY: true,
    /** Returns the lines of scrollback and screen, without the line of the cursor. */
    lines: (): readonly string[] => lines.slice(0, -1),
    write: (text: string): void => {
      const [plain = "", ...sequences] = text.split("\u001b[");
      print(plain);
      for (const sequence of sequences) {
        const [, count = "", letter = "", rest = ""] = /^(\d*)([A-Z])(.*)$/s.exec(sequence) ?? [];
        if (letter === "A") goUp(Number(count || 1));
        else if (`${count}${letter}` === "2K") lines[lines.length - 1] = "";
        else throw new Error(`not known: ${JSON.stringify(sequence)}`);
        print(rest);
      }
    },
  };
  const print = (text: string): void => {
    // The cursor returns to the beginning of a line only to erase it.
    const [same = "", ...others] = text.replace(/\r$/, "").split("\n");
    lines.push(`${lines.pop() ?? ""}${same}`, ...others);
  };
  const rowsOf = (line: string) => Math.max(1, Math.ceil(line.length / screen.columns));
  /** Moves the cursor up and erases the rows that it passes, because the project erases each. Stops at the top row. */
  const goUp = (count: number): void => {
    if (lines.at(-1) !== "") throw new Error(`stays on the screen: ${JSON.stringify(lines.at(-1))}`);
    const cursor = lines.reduce((sum, line) => sum + rowsOf(line), 0) - 1;
    let left = Math.max(cursor - count, cursor - screen.rows + 1, 0);
    const kept: string[] = [];
    for (const line of lines) {
      if (left <= 0) break;
      kept.push(line.slice(0, left * screen.columns));
      left -= rowsOf(line);
    }
    lines = [...kept, ""];
  };
  return screen;
}
