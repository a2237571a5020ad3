import fc from "fast-check";
import { createRehearsalBoard } from "../../../../lib/cli/commands/rehearse/board";
import { createBoardState } from "../../../../lib/cli/commands/rehearse/board-state";
import { testIo } from "../../../support/io";
import { createScreen } from "../../../support/screen";

const time = "2026-11-21T10:29:32.240Z";
const probe = (hostname: string, side: "previous" | "loadBalancer", ok = true) => ({
  time,
  hostname,
  side,
  ok,
  address: "x",
});
const textOf = (board: ReturnType<typeof createBoardState>, height = 22, width = 80) =>
  board.lines(height, width).map(({ text }) => text);
const legend = [
  "1 certificate made  2 CNAME published  3 certificate active  4 entry made",
  "5 entry active  6 map attached  7 served and verified  8 traffic moved",
  "+ done  ~ running  . to do  X failed  / stopped",
];

/** Erases the row of the cursor, moves the cursor up row by row, and erases each row. */
const wipeOf = (rows: number) => `\r\u001b[2K${"\u001b[A\u001b[2K".repeat(rows)}`;

test("the board lists every hostname by step, with its server and its handshakes", () => {
  const board = createBoardState(["a.example.com", "b.example.com"]);
  board.went({ numbers: [1, 2], name: "1 certificates, 2 records" });
  board.probed(probe("a.example.com", "previous"));
  board.went({ numbers: [1, 2], name: "1 certificates, 2 records", ok: true, seconds: 1 });
  board.went({ numbers: [3], name: "step 3 (certificates ACTIVE)" });
  board.probed(probe("b.example.com", "loadBalancer"));
  board.probed(probe("b.example.com", "loadBalancer", false));
  expect(textOf(board)).toEqual([
    "HOSTNAME       1 2 3 4 5 6 7 8  SERVES         HANDSHAKES  FAILED",
    "a.example.com  + + ~ . . . . .  previous                1       0",
    "b.example.com  + + X . . . . .  load balancer           2       1",
    "3 handshakes, 1 failed  cloud time 2026-11-21 10:29:32",
    "~ step 3 (certificates ACTIVE)",
    ...legend,
  ]);
});

test("the board has nothing above the column headers, and shows the preparation as current step before step 1", () => {
  const lines = textOf(createBoardState(["a.example.com"]));
  expect(lines).toEqual([
    "HOSTNAME       1 2 3 4 5 6 7 8  SERVES         HANDSHAKES  FAILED",
    "a.example.com  . . . . . . . .  -                       0       0",
    "0 handshakes, 0 failed",
    "~ getting ready",
    ...legend,
  ]);
});

test("the board adds a column for work after the steps when that work begins", () => {
  const board = createBoardState(["a.example.com"]);
  board.went({ numbers: [], name: "rotation: a domain added" });
  board.went({ numbers: [], name: "rotation: a domain added", ok: false, seconds: 1 });
  board.went({ numbers: [], name: "rollback: traffic back" });
  expect(textOf(board)[0]).toContain("7 8 A B  SERVES");
  expect(textOf(board)[1]).toContain(". . X ~  -");
  expect(textOf(board)[3]).toBe("~ B rollback: traffic back");
  expect(textOf(board).slice(5, 7).join("  ")).toContain("A rotation: a domain added");
  expect(textOf(board).slice(5, 8).join("  ")).toContain("B rollback: traffic back");
});

test("the board does not show a stopped run as a failure", () => {
  const board = createBoardState(["a.example.com"]);
  board.went({ numbers: [1], name: "1", ok: true, seconds: 1 });
  board.went({ numbers: [2, 3], name: "2, 3" });
  board.went({ numbers: [2, 3], name: "2, 3", ok: false, stopped: true, seconds: 1 });
  expect(textOf(board)[1]).toContain("+ / / . . . . .");
  expect(textOf(board)[3]).toBe("");
});

test("the board does not show a hostname that is added later among the steps", () => {
  const board = createBoardState(["a.example.com", "added.example.com"], "added.example.com");
  board.went({ numbers: [1], name: "1", ok: true });
  board.went({ numbers: [2], name: "2" });
  board.probed(probe("added.example.com", "previous", false));
  board.went({ numbers: [], name: "rotation", ok: true });
  expect(textOf(board).slice(1, 3)).toEqual([
    "a.example.com      + ~ . . . . . . +  -                       0       0",
    "added.example.com  - X - - - - - - +  previous                1       1",
  ]);
  expect(textOf(board).at(-1)).toBe("+ done  ~ running  . to do  X failed  / stopped  - not in this step");
});

test.each([
  [200, "a-name-of-a-shop.example.com  . . . . . . . .  -                       0       0"],
  [80, "a-name-of-a-shop.example.com  . . . . . . . .  -                       0       0"],
  [70, "a-name-of-a-shop.…  . . . . . . . .  -                       0       0"],
  [60, "a-name-of-a-shop.ex…  . . . . . . . .  -                   0"],
  [40, "a-name-of-a-shop.examp…  . . . . . . . ."],
  [30, "a-name-of-a-…  . . . . . . . ."],
])("the board cuts a long hostname in %i columns", (width, expected) => {
  const board = createBoardState(["a-name-of-a-shop.example.com"]);
  expect(textOf(board, 22, width)[1]).toBe(expected);
});

const longName = `${"a-long-name-of-a-shop-".repeat(2)}.example.com`;

test.each(Array.from({ length: 15 }, (_, index) => 60 + index * 10))(
  "the board fits every line into %i columns, aligns marks with their headers, and explains every mark",
  (width) => {
    const board = createBoardState([longName, "b.example.com"], "b.example.com");
    board.went({ numbers: [1], name: "1", ok: true });
    board.went({ numbers: [2, 3], name: "2, 3" });
    board.probed(probe("b.example.com", "loadBalancer", false));
    for (const index of [0, 1, 2, 3]) board.went({ numbers: [], name: `extra ${index}` });
    const lines = textOf(board, 22, width);
    expect(lines.filter((line) => line.length > width)).toEqual([]);
    const [head = "", first = "", second = ""] = lines;
    expect(head).toMatch(/^HOSTNAME +1 2 3 4 5 6 7 8 A B C D {2}SERVES/);
    const at = (label: string) => head.indexOf(` ${label}`) + 1;
    expect([at("1"), at("2"), at("4"), at("D")].map((column) => first[column])).toEqual(["+", "~", ".", "~"]);
    expect([at("1"), at("2"), at("D")].map((column) => second[column])).toEqual(["-", "X", "~"]);
    expect(second.slice(at("SERVES"), at("SERVES") + 13)).toBe("load balancer");
    expect(first.startsWith(longName)).toBe(width >= 120);
    const text = lines.join("  ");
    for (const mark of [". to do", "~ running", "+ done", "/ stopped", "X failed", "- not in this step"]) {
      expect(text).toContain(mark);
    }
    for (const named of ["1 certificate made", "7 served and verified", "8 traffic moved", "A extra 0", "D extra 3"])
      expect(text).toContain(named);
  },
);

test("the board has no line wider than a terminal of any width", () => {
  const board = createBoardState(["a-name-of-a-shop.example.com", "b.example.com"]);
  for (let index = 0; index < 4; index++) board.went({ numbers: [], name: `extra ${index}` });
  for (let width = 28; width < 60; width++) {
    const wide = textOf(board, 22, width)
      .slice(0, 3)
      .filter((line) => line.length > width);
    expect({ width, wide }).toEqual({ width, wide: [] });
  }
});

test.each([
  [22, 12, 3],
  [13, 7, 3],
  [10, 4, 3],
  [9, 5, 1],
  [8, 4, 1],
  [7, 4, 0],
  [3, 2, 0],
])("the board uses of %i rows %i for hostnames and %i for the legend", (height, hostnames, legendRows) => {
  const names = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`);
  const lines = textOf(createBoardState(names), height);
  const at = lines.findIndex((line) => line.includes("handshakes, 0 failed"));
  expect([at - 1, lines.length - at - 2]).toEqual([hostnames, legendRows]);
});

test("the board lists the failing hostnames of many, and counts the others", () => {
  const names = Array.from({ length: 200 }, (_, index) => `h${index}.example.com`);
  const board = createBoardState(names);
  for (const [index, name] of names.entries())
    board.probed(probe(name, index < 50 ? "loadBalancer" : "previous", name !== "h199.example.com"));
  const lines = textOf(board, 8);
  expect(lines[4]).toBe("197 more: 149 at the previous provider, 48 at the load balancer, 0 failed");
  expect(lines[1]).toMatch(/^h199\.example\.com/);
});

const terminal = (written: string[], now: () => Date) => ({
  ...testIo({ now }),
  stderr: { write: (text: string) => written.push(text), isTTY: true, columns: 60, rows: 24 },
  env: { TERM: "xterm", NO_COLOR: "1" },
});

test("the board is redrawn in place, with permanent lines above, and erased at the end", () => {
  const written: string[] = [];
  let now = 0;
  const { observer, say, end } = createRehearsalBoard(
    terminal(written, () => new Date(now)),
    ["a.example.com"],
  );
  observer.probe?.(probe("a.example.com", "previous"));
  const [first = ""] = written;
  expect(first.split("\n")).toHaveLength(9);
  written.length = 0;
  // Too soon to draw again.
  observer.probe?.(probe("a.example.com", "previous"));
  expect(written).toEqual([]);
  now = 1_000;
  observer.probe?.(probe("a.example.com", "previous"));
  expect(written[0]).toBe(wipeOf(8));
  written.length = 0;
  say("note \u001b[31m");
  expect(written.slice(0, 2)).toEqual([wipeOf(8), "note \\u{1b}[31m\n"]);
  written.length = 0;
  end();
  end();
  expect(written).toEqual([wipeOf(8)]);
});

test("the board shows a hostname with control characters as text", () => {
  const written: string[] = [];
  const { observer } = createRehearsalBoard(
    terminal(written, () => new Date(0)),
    ["a\u001b[31m.example.com"],
  );
  observer.part?.({ numbers: [1], name: "1" });
  expect(written.join("")).toContain("\na\\u{1b}[31m.exam");
  expect(written.join("")).not.toContain("\u001b[31m");
});

test("the board erases the lines that a narrower terminal has wrapped", () => {
  const written: string[] = [];
  const io = terminal(written, () => new Date(0));
  const { observer, end } = createRehearsalBoard(io, ["a.example.com"]);
  observer.probe?.(probe("a.example.com", "previous"));
  written.length = 0;
  io.stderr.columns = 30;
  end();
  // 58, 58, 58, 15, 59, 44, 38 and 44 columns, in rows of 30.
  expect(written).toEqual([wipeOf(15)]);
});

test("the board leaves only the permanent lines after any number of updates and resizes", () => {
  type Action = { readonly say: string } | { readonly columns: number } | "probe" | "part";
  const action = fc.oneof(
    fc
      .string({ maxLength: 60, unit: fc.constantFrom("a", "b", " ", "\u001b") })
      .map((text) => ({ say: `said ${text}` })),
    fc.integer({ min: 10, max: 200 }).map((columns) => ({ columns })),
    fc.constantFrom("probe" as const, "part" as const),
  );
  fc.assert(
    fc.property(fc.array<Action>(action, { maxLength: 30 }), (actions) => {
      const screen = createScreen({ columns: 100, rows: 1_000 });
      let reads = 0;
      const now = () => new Date(1_000 * reads++);
      const io = { ...testIo({ now }), stderr: screen, env: { TERM: "xterm", NO_COLOR: "1" } };
      const { observer, say, end } = createRehearsalBoard(io, ["a.example.com", "a-longer-name-of-it.example.com"]);
      const said: string[] = [];
      for (const one of actions) {
        if (one === "probe") observer.probe?.(probe("a.example.com", "previous"));
        else if (one === "part") observer.part?.({ numbers: [1, 2], name: "1 certificates, 2 records" });
        else if ("columns" in one) screen.columns = one.columns;
        else {
          say(one.say);
          said.push(one.say.replaceAll("\u001b", "\\u{1b}"));
        }
      }
      end();
      // A line that is wider than the terminal is folded between words, with its following lines indented.
      const withoutSpaces = (lines: readonly string[]) => lines.join("").replaceAll(" ", "");
      expect(withoutSpaces(screen.lines())).toBe(withoutSpaces(said));
    }),
  );
});

test("the board moves below the message about Ctrl-C, and continues", () => {
  const screen = createScreen({ columns: 100, rows: 1_000 });
  const stopping = new AbortController();
  const io = { ...testIo({ signal: stopping.signal }), stderr: screen, env: { TERM: "xterm", NO_COLOR: "1" } };
  const { observer, end } = createRehearsalBoard(io, ["a.example.com"]);
  observer.part?.({ numbers: [1], name: "1" });
  screen.write("^C");
  stopping.abort();
  screen.write("stopping\n");
  observer.part?.({ numbers: [1], name: "1", ok: false, stopped: true });
  end();
  expect(screen.lines()).toEqual(["stopping"]);
});

test("the board stays away after its end, also if a line follows", () => {
  const screen = createScreen({ columns: 100, rows: 1_000 });
  const io = { ...testIo(), stderr: screen, env: { TERM: "xterm", NO_COLOR: "1" } };
  const { observer, say, end } = createRehearsalBoard(io, ["a.example.com"]);
  observer.part?.({ numbers: [1], name: "1" });
  end();
  say("the report is written");
  expect(screen.lines()).toEqual(["the report is written"]);
});

test("the board erases the echo of Ctrl-C if the board is drawn between the key and the stop", () => {
  const screen = createScreen({ columns: 100, rows: 1_000 });
  const stopping = new AbortController();
  const io = { ...testIo({ signal: stopping.signal }), stderr: screen, env: { TERM: "xterm", NO_COLOR: "1" } };
  const { observer, end } = createRehearsalBoard(io, ["a.example.com"]);
  observer.part?.({ numbers: [], name: "rotation" });
  screen.write("^C");
  observer.part?.({ numbers: [], name: "rotation", ok: true });
  stopping.abort();
  screen.write("stopping\n");
  end();
  expect(screen.lines()).toEqual(["stopping"]);
});

test.each([
  [0, 0],
  [undefined, undefined],
])("the board replaces a reported size of %p columns and %p rows by 80 by 24", (columns, rows) => {
  const written: string[] = [];
  const io = { ...terminal(written, () => new Date(0)) };
  Object.assign(io.stderr, { columns, rows });
  const names = Array.from({ length: 30 }, (_, index) => `a-name-of-a-shop-${index}.example.com`);
  const { observer, end } = createRehearsalBoard(io, names);
  observer.probe?.(probe(names[0] ?? "", "previous"));
  const drawn = (written[0] ?? "").split("\n").slice(0, -1);
  expect(drawn).toHaveLength(18);
  expect(Math.max(...drawn.map((line) => line.length))).toBe(79);
  written.length = 0;
  end();
  expect(written).toEqual([wipeOf(18)]);
});

test("the board prints only plain lines in a pipeline", () => {
  const io = testIo();
  const { observer, say, end } = createRehearsalBoard(io, ["a.example.com"]);
  observer.probe?.(probe("a.example.com", "previous"));
  observer.part?.({ numbers: [1], name: "1" });
  expect(io.err()).toBe("");
  say("one\u0007");
  expect(io.err()).toBe("one\\u{7}\n");
  end();
});

test("the board prints nothing with --quiet", () => {
  const io = testIo({ quiet: true });
  createRehearsalBoard(io, ["a.example.com"]).say("one");
  expect(io.err()).toBe("");
});
