import type { Probe, RehearsalPart } from "../../../rehearsal";
import { type MarkedState, markWords, stateMarks } from "../../../text/state-marks";
import { countOf } from "../../../text/words";
import * as load from "../../load";
import type { Line } from "../../moving-lines";
import { cut, joinFitting, pad, widthOf } from "../../style";
import { chooseRows, hostnameHead, leastName, mostRows } from "../board-rows";

/** States of a step, in the order of the legend. */
const columnStates = ["done", "waiting", "todo", "failed", "stopped"] as const satisfies readonly MarkedState[];

interface Column {
  /** Number of a step, or a letter for a stage after the steps. */
  readonly label: string;
  state: (typeof columnStates)[number];
  readonly failed: Set<string>;
}

interface Row {
  side: Probe["side"];
  probes: number;
  failed: number;
}

/** Columns after the steps of a hostname, from the full set to an empty one for narrow terminals. */
const tails: readonly (readonly ("SERVES" | "HANDSHAKES" | "FAILED")[])[] = [
  ["SERVES", "HANDSHAKES", "FAILED"],
  ["SERVES", "FAILED"],
  ["SERVES"],
  [],
];
/** Widths of these columns. */
const tailWidths = { SERVES: 13, HANDSHAKES: 10, FAILED: 6 } as const;
const servers = { previous: "previous", loadBalancer: "load balancer", unserved: "-" } as const;
const words: Readonly<Record<Column["state"], string>> = { ...markWords, waiting: "running" };
/** Mark of a hostname that a step does not contain. */
const outsideMark = stateMarks.none;

/** Number of hostnames that take precedence over the legend on a terminal with few rows. */
const leastRows = 4;

export interface BoardState {
  readonly probed: (probe: Probe) => void;
  readonly went: (part: RehearsalPart) => void;
  /**
   * Returns the lines of the board: a table, the counts, the current step, and a legend if there is room.
   *
   * @param height number of rows of the terminal for the board; a terminal with very few rows gets more
   * @param width maximum width of a line, in columns
   */
  readonly lines: (height: number, width: number) => readonly Line[];
}

/**
 * Creates the state of the board; it has no knowledge of terminals.
 *
 * @param added the hostname that is added after the eight steps
 */
export function createBoardState(hostnames: readonly string[], added?: string): BoardState {
  const steps = Array.from({ length: 8 }, (_, index) => newColumn(String(index + 1)));
  /** Stages after the steps, by name. */
  const extras = new Map<string, Column>();
  const rows = new Map<string, Row>(hostnames.map((name) => [name, { side: undefined, probes: 0, failed: 0 }]));
  const total = { probes: 0, failed: 0 };
  let time = "";
  let current = "getting ready";

  const columns = () => [...steps, ...extras.values()];
  const columnsOf = ({ numbers, name }: RehearsalPart): readonly Column[] => {
    if (numbers.length > 0) return numbers.flatMap((number) => steps[number - 1] ?? []);
    const extra = extras.get(name) ?? newColumn(String.fromCharCode("A".charCodeAt(0) + extras.size));
    extras.set(name, extra);
    return [extra];
  };

  return {
    probed: ({ time: now, hostname, side, ok }) => {
      time = now;
      total.probes += 1;
      if (!ok) total.failed += 1;
      const row = rows.get(hostname);
      if (row === undefined) return;
      row.side = side;
      row.probes += 1;
      if (ok) return;
      row.failed += 1;
      for (const column of columns()) if (column.state === "waiting") column.failed.add(hostname);
    },
    went: (part) => {
      for (const column of columnsOf(part)) column.state = stateOf(part);
      const letter = extras.get(part.name)?.label;
      current = part.ok !== undefined ? "" : letter === undefined ? part.name : `${letter} ${part.name}`;
    },
    lines: (height, width) => {
      const named = [...extras].map(([name, { label }]) => `${label} ${name}`);
      const legend = fittingLegend({ named, hasOutside: added !== undefined }, height, width);
      // Beside the rows: the head, the counts, and the current step.
      const most = Math.max(1, Math.min(mostRows, height - 3 - legend.length));
      const { shown, rest } = chooseRows([...rows], most, byFailures);
      const layout = layoutFor(
        shown.map(([name]) => name),
        columns(),
        width,
      );
      const lines: readonly Line[] = [
        { text: headOf(layout), tone: "faint" },
        ...shown.map(([name, row]) => lineOf(name, row, layout, added)),
        ...(rest.length === 0 ? [] : [{ text: describeRest(rest) }]),
        countLine(total, time),
        { text: current === "" ? "" : `${stateMarks.waiting} ${current}`, tone: "pending" },
        ...legend.map((text) => ({ text, tone: "faint" as const })),
      ];
      return lines.map((line) => ({ ...line, text: cut(line.text, width) }));
    },
  };
}

function countLine({ probes, failed }: Pick<Row, "probes" | "failed">, time: string): Line {
  const clock = time === "" ? "" : `  cloud time ${time.slice(0, 19).replace("T", " ")}`;
  return { text: `${countOf(probes, "handshake")}, ${failed} failed${clock}`, tone: failed > 0 ? "bad" : "good" };
}

type NamedRow = readonly [name: string, row: Row];

function byFailures([, before]: NamedRow, [, after]: NamedRow): number {
  return after.failed - before.failed;
}

function describeRest(rest: readonly NamedRow[]): string {
  const countAt = (side: Probe["side"]) => rest.filter(([, row]) => row.side === side).length;
  const failed = rest.reduce((sum, [, row]) => sum + row.failed, 0);
  return `${rest.length} more: ${countAt("previous")} at the previous provider, ${countAt("loadBalancer")} at the load balancer, ${failed} failed`;
}

/** Returns the lines of the legend for which there is room: names of the columns and marks, marks alone, or none. */
function fittingLegend(
  { named, hasOutside }: { readonly named: readonly string[]; readonly hasOutside: boolean },
  height: number,
  width: number,
): readonly string[] {
  const states = columnStates.map((state) => `${stateMarks[state]} ${words[state]}`);
  const explained = joinFitting([...states, ...(hasOutside ? [`${outsideMark} not in this step`] : [])], width);
  const steps = joinFitting([...load.status().stepNames.map((name, index) => `${index + 1} ${name}`), ...named], width);
  const room = height - 3 - leastRows;
  if (room >= steps.length + explained.length) return [...steps, ...explained];
  return room >= explained.length ? explained : [];
}

interface Layout {
  readonly nameWidth: number;
  readonly columns: readonly Column[];
  readonly tail: (typeof tails)[number];
}

function layoutFor(names: readonly string[], columns: readonly Column[], width: number): Layout {
  const wanted = Math.max(...names.map(widthOf), hostnameHead.length);
  const room = (tail: Layout["tail"]) =>
    width - 2 - (columns.length * 2 - 1) - tail.reduce((sum, name) => sum + 2 + tailWidths[name], 0);
  const tail = tails.find((columns) => room(columns) >= Math.min(wanted, leastName)) ?? [];
  return { nameWidth: Math.max(1, Math.min(wanted, room(tail))), columns, tail };
}

function headOf({ nameWidth, columns, tail }: Layout): string {
  return [
    pad(hostnameHead, nameWidth),
    columns.map(({ label }) => label).join(" "),
    ...tail.map((name) => name.padEnd(tailWidths[name])),
  ].join("  ");
}

function lineOf(name: string, row: Row, { nameWidth, columns, tail }: Layout, added: string | undefined): Line {
  const { side = "unserved", probes, failed } = row;
  const values = {
    SERVES: servers[side].padEnd(tailWidths.SERVES),
    HANDSHAKES: String(probes).padStart(tailWidths.HANDSHAKES),
    FAILED: String(failed).padStart(tailWidths.FAILED),
  };
  const marked = columns.map((column) => markOf(name, column, added)).join(" ");
  const text = [pad(name, nameWidth), marked, ...tail.map((name) => values[name])].join("  ");
  return failed > 0 ? { text, tone: "bad" } : { text };
}

function markOf(hostname: string, { label, state, failed }: Column, added: string | undefined): string {
  if (failed.has(hostname)) return stateMarks.failed;
  return hostname === added && /^\d$/.test(label) ? outsideMark : stateMarks[state];
}

function stateOf({ ok, stopped }: RehearsalPart): Column["state"] {
  if (ok === undefined) return "waiting";
  return ok ? "done" : stopped ? "stopped" : "failed";
}

function newColumn(label: string): Column {
  return { label, state: "todo", failed: new Set() };
}
