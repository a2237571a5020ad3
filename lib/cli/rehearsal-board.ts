import type { RehearsalOptions } from "../rehearsal";
import type { Io } from "./command";
import { createPlainBoard } from "./rehearsal-plain";
import { cut, isTerminal, paintFor, widthOf } from "./style";
import { safe } from "./text";

/** How a rehearsal is shown while it goes on: a board that moves on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export interface RehearsalBoard {
  /** To be given to the rehearsal. */
  readonly hooks: Pick<RehearsalOptions, "onProbe" | "onStretch" | "onTerraform">;
  /** A line that stays; made safe here. */
  readonly say: (line: string) => void;
  /** Takes the board away. */
  readonly end: () => void;
}

type Probe = Parameters<NonNullable<RehearsalOptions["onProbe"]>>[0];
type Stretch = Parameters<NonNullable<RehearsalOptions["onStretch"]>>[0];

/** Least time between two drawings, in milliseconds. */
const redrawMs = 150;
/** Hostnames that have a line of their own; the rest is counted. */
const mostRows = 12;
/** Size of a terminal that does not tell it. */
const defaultColumns = 80;
const defaultRows = 24;

/** @param added the hostname that no certificate has before the eight steps are over */
export function createRehearsalBoard(io: Io, hostnames: readonly string[], added?: string): RehearsalBoard {
  const say = (line: string) => void io.stderr.write(`${safe(line)}\n`);
  if (io.quiet === true) return { hooks: {}, say: () => undefined, end: () => undefined };
  if (!isTerminal(io.stderr, io.env)) return createPlainBoard(io);
  const board = createBoardState(hostnames, added);
  const paint = paintFor(io, "stderr");
  // Some tell 0 for what they don't know.
  const columnsNow = () => io.stderr.columns || defaultColumns;
  /** Columns that each line took. */
  let drawn: readonly number[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  const wipe = () => {
    // A terminal that has become narrower has broken the lines that no longer fit.
    const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columnsNow())), 0);
    // Row by row: tmux keeps what is erased from the first row of the screen to its end, and would keep every board.
    if (rows > 0) io.stderr.write("\u001b[A\u001b[2K".repeat(rows));
    drawn = [];
  };
  const draw = () => {
    drawnAt = io.now().getTime();
    const columns = columnsNow() - 1;
    const rows = Math.min(mostRows, Math.max(1, (io.stderr.rows || defaultRows) - 6));
    const lines = board.lines(rows, columns).map(({ text, tone }) => ({ tone, text: cut(text, columns).trimEnd() }));
    wipe();
    io.stderr.write(lines.map(({ text, tone }) => `${tone === undefined ? text : paint(tone, text)}\n`).join(""));
    drawn = lines.map(({ text }) => widthOf(text));
  };
  return {
    hooks: {
      onProbe: (probe) => {
        board.probed(probe);
        if (io.now().getTime() - drawnAt >= redrawMs) draw();
      },
      onStretch: (stretch) => {
        board.went(stretch);
        draw();
      },
    },
    say: (line) => {
      wipe();
      say(line);
      draw();
    },
    end: wipe,
  };
}

interface Line {
  readonly text: string;
  readonly tone?: "good" | "bad" | "pending" | "faint";
}

interface Column {
  /** Number of a step, or a letter for what follows them. */
  readonly label: string;
  state: "later" | "now" | "ok" | "stopped" | "failed";
  /** Hostnames that failed while it was under way. */
  readonly failed: Set<string>;
}

interface Row {
  side: Probe["side"];
  probes: number;
  failed: number;
}

/** What stands behind the steps of a hostname, from the most to what fits anywhere. */
const tails: readonly (readonly ("SERVES" | "HANDSHAKES" | "FAILED")[])[] = [
  ["SERVES", "HANDSHAKES", "FAILED"],
  ["SERVES", "FAILED"],
  ["SERVES"],
  [],
];
/** Columns of a hostname that are worth more than what stands behind the steps. */
const leastName = 14;
/** Longest hostname that is shown whole, in columns. */
const longestName = 40;

const marks: Readonly<Record<Column["state"], string>> = { later: ".", now: ">", ok: "+", stopped: "~", failed: "!" };

/**
 * What the board shows, of what it has been told; decides nothing about terminals.
 *
 * @param added the hostname that is no part of the eight steps
 */
export function createBoardState(hostnames: readonly string[], added?: string) {
  const columns: Column[] = Array.from({ length: 8 }, (_, index) => newColumn(String(index + 1)));
  /** What follows the steps, by its name. */
  const extras = new Map<string, Column>();
  const rows = new Map<string, Row>(hostnames.map((name) => [name, { side: undefined, probes: 0, failed: 0 }]));
  const total = { probes: 0, failed: 0 };
  let time = "";
  let underWay = "";

  const columnsOf = ({ numbers, name }: Stretch): readonly Column[] => {
    if (numbers.length > 0) return numbers.map((number) => columns[number - 1]).filter((one) => one !== undefined);
    const known = extras.get(name);
    if (known !== undefined) return [known];
    const added = newColumn(String.fromCharCode("A".charCodeAt(0) + extras.size));
    extras.set(name, added);
    columns.push(added);
    return [added];
  };

  const markOf = (hostname: string, { label, state, failed }: Column) => {
    if (failed.has(hostname)) return "!";
    return hostname === added && /^\d$/.test(label) ? "-" : marks[state];
  };
  /** How wide names are, and what stands behind the steps, so that a line fits. */
  const layoutFor = (shown: readonly string[], most: number) => {
    const wanted = Math.min(longestName, Math.max(...shown.map(widthOf), 10));
    const room = (tail: readonly string[]) =>
      most - 2 - (columns.length * 2 - 1) - tail.reduce((sum, { length }) => sum + 2 + length, 0);
    const tail = tails.find((one) => room(one) >= Math.min(wanted, leastName)) ?? [];
    return { width: Math.max(1, Math.min(wanted, room(tail))), tail };
  };
  type Layout = ReturnType<typeof layoutFor>;
  const head = ({ width, tail }: Layout) =>
    [" ".repeat(width), columns.map(({ label }) => label).join(" "), ...tail].join("  ");
  const rowLine = (name: string, { width, tail }: Layout): Line => {
    const { side = "-", probes, failed } = rows.get(name) as Row;
    const cells = columns.map((column) => markOf(name, column)).join(" ");
    const values = {
      SERVES: side.padEnd(6),
      HANDSHAKES: String(probes).padStart(10),
      FAILED: String(failed).padStart(6),
    };
    const fitted = cut(name, width);
    const padded = `${fitted}${" ".repeat(Math.max(0, width - widthOf(fitted)))}`;
    const text = [padded, cells, ...tail.map((one) => values[one])].join("  ");
    return failed > 0 ? { text, tone: "bad" } : { text };
  };

  return {
    probed: ({ time: now, hostname, side, ok }: Probe): void => {
      time = now;
      total.probes += 1;
      if (!ok) total.failed += 1;
      const row = rows.get(hostname);
      if (row === undefined) return;
      row.side = side;
      row.probes += 1;
      if (ok) return;
      row.failed += 1;
      for (const column of columns) if (column.state === "now") column.failed.add(hostname);
    },
    went: (stretch: Stretch): void => {
      for (const column of columnsOf(stretch)) column.state = stateOf(stretch);
      const letter = extras.get(stretch.name)?.label;
      underWay = stretch.ok !== undefined ? "" : letter === undefined ? stretch.name : `${letter} ${stretch.name}`;
    },
    /**
     * @param most hostnames that have a line of their own
     * @param width columns that a line may take
     */
    lines: (most: number, width: number): readonly Line[] => {
      const names = [...rows.keys()];
      const worst = [...names].sort((one, other) => (rows.get(other) as Row).failed - (rows.get(one) as Row).failed);
      const shown = names.length <= most ? names : worst.slice(0, Math.max(1, most - 1));
      const rest = names.filter((name) => !shown.includes(name));
      const layout = layoutFor(shown, width);
      const sides = (side: Probe["side"]) => rest.filter((name) => rows.get(name)?.side === side).length;
      const failedOf = rest.reduce((sum, name) => sum + (rows.get(name) as Row).failed, 0);
      const clock = time.slice(0, 19).replace("T", " ");
      return [
        {
          text: `${total.probes} handshakes, ${total.failed} failed${clock === "" ? "" : `  ${clock} by the cloud's clock`}`,
          tone: total.failed > 0 ? "bad" : "good",
        },
        { text: head(layout), tone: "faint" },
        ...shown.map((name) => rowLine(name, layout)),
        ...(rest.length === 0
          ? []
          : [{ text: `${rest.length} more: ${sides("old")} old, ${sides("new")} new, ${failedOf} failed` }]),
        { text: underWay === "" ? "" : `> ${underWay}`, tone: "pending" },
      ];
    },
  };
}

function stateOf({ ok, stopped }: Stretch): Column["state"] {
  if (ok === undefined) return "now";
  return ok ? "ok" : stopped ? "stopped" : "failed";
}

function newColumn(label: string): Column {
  return { label, state: "later", failed: new Set() };
}
