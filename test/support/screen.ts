/**
 * A terminal that breaks lines anew where it is resized, as today's do; it knows what the project writes to one, and
 * refuses the rest.
 */
export function createScreen(size: { readonly columns: number; readonly rows: number }) {
  /** Whole lines, above and on the screen; the cursor is at the begin or the end of the last one. */
  let lines: string[] = [""];
  const screen = {
    ...size,
    isTTY: true,
    /** What stands above and on the screen, without the line in which the cursor waits. */
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
    // A line is only gone back to to be erased.
    const [same = "", ...others] = text.replace(/\r$/, "").split("\n");
    lines.push(`${lines.pop() ?? ""}${same}`, ...others);
  };
  const rowsOf = (line: string) => Math.max(1, Math.ceil(line.length / screen.columns));
  /** What is passed is erased at once: whoever goes up erases each row. No way leads above the screen. */
  const goUp = (count: number): void => {
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
