/** The result of a rehearsal for people: the verdict in a frame, a row for each part, and what follows. */
import type { RehearsalResult } from "../../../rehearsal";
import { lastPart } from "../../../resource-names";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import * as load from "../../load";
import { type MarkedState, stateMarks, stateTones, stateWords } from "../../marks";
import { columnsOf, foldTo, type Paint, paintFor } from "../../style";
import { safe } from "../../text";
import { formatTable } from "../../text-table";
import type { EndedPart } from "./part-log";
import { type ShownVerdict, verdictFrame } from "./verdict-frame";

/** Width in columns without a terminal. Below it, the table has no column for the seconds. */
const usualColumns = 80;

export interface ShownRehearsal extends ShownVerdict {
  readonly parts: readonly EndedPart[];
}

/** Formats the result for people, in lines that fit the terminal, and 80 columns without a terminal. */
export function rehearsalScreen(shown: ShownRehearsal, io: Pick<Io, "stdout" | "env" | "color">): string {
  const columns = columnsOf(io, "stdout") ?? usualColumns;
  const paint = paintFor(io, "stdout");
  const fold = foldTo(columns);
  return [
    verdictFrame(shown, { columns, paint }),
    "\n",
    partsTable(shown, { columns, paint }),
    ...notesOf(shown.result).map((line) => `${fold(safe(line), 2)}\n`),
  ].join("");
}

interface Row {
  readonly steps: string;
  /** `todo`: the rehearsal ended before this part; `none`: this rehearsal has no such part. */
  readonly state: EndedPart["state"] | "todo" | "none";
  readonly seconds: number;
  readonly handshakes: number;
  readonly failed: number;
  readonly what: string;
}

const words: Readonly<Record<MarkedState, string>> = { ...stateWords, todo: "not reached", none: "not run" };

function partsTable(shown: ShownRehearsal, { columns, paint }: { readonly columns: number; readonly paint: Paint }) {
  const { result, seconds } = shown;
  const ended = shown.parts.map((part) => rowOf(part, result));
  const rows = [...ended, ...notRun(shown), restOf(ended, shown)];
  const isNarrow = columns < usualColumns;
  const head = ["STEP", "RESULT", ...(isNarrow ? [] : ["SECONDS"]), "FAILED", "WHAT"];
  const cellsOf = (steps: string, state: string, time: number, counts: string, what: string) => [
    ...[steps, state],
    ...(isNarrow ? [] : [time.toFixed(1)]),
    ...[counts, what],
  ];
  const cells = rows.map(({ steps, state, seconds: time, handshakes, failed, what }) =>
    isWithoutCounts(state)
      ? [steps, `${stateMarks[state]} ${words[state]}`, ...(isNarrow ? [] : ["-"]), "-", what]
      : cellsOf(steps, `${stateMarks[state]} ${words[state]}`, time, `${failed} of ${handshakes}`, what),
  );
  const all = `${result.failedHandshakes} of ${result.probes}`;
  const total = cellsOf("total", "", seconds, all, "");
  const paintCell = (cell: string, column: number, row: number) => {
    const { state } = rows[row] ?? {};
    if (state === undefined) return paint("strong", cell);
    return column === 1 ? paint(stateTones[state], cell) : isWithoutCounts(state) ? paint("faint", cell) : cell;
  };
  return formatTable(head, [...cells, total], paintCell, columns);
}

function rowOf({ numbers, name, state, seconds, ...counts }: EndedPart, { steps }: RehearsalResult): Row {
  const named = numbers.map((number) => steps.find((step) => step.number === number)?.name ?? "");
  return { steps: numbers.join(", "), state, seconds: tenths(seconds), ...counts, what: named.join("; ") || name };
}

/** Returns the steps and the parts after them that the rehearsal did not run. */
function notRun({ result, parts }: ShownRehearsal): readonly Row[] {
  const { watch, rotation, rollback, completed } = result;
  const rowFor = (steps: string, what: string): Row => {
    return { steps, state: completed ? "none" : "todo", seconds: 0, handshakes: 0, failed: 0, what };
  };
  const started = new Set(parts.flatMap(({ numbers }) => numbers));
  const steps = load.status().stepNames.flatMap((name, index) => {
    return started.has(index + 1) ? [] : [rowFor(String(index + 1), name)];
  });
  const others = Object.entries({ watch, rotation, rollback }).filter(([, ok]) => ok === undefined);
  return [...steps, ...others.map(([name]) => rowFor("", name))];
}

function isWithoutCounts(state: Row["state"]): state is "todo" | "none" {
  return state === "todo" || state === "none";
}

/** Returns the row of everything before, between and after the other rows, so that the rows add up to the total. */
function restOf(rows: readonly Row[], { result, seconds }: ShownRehearsal): Row {
  const { probes, failedHandshakes, destroyed, left } = result;
  const rest = (total: number, of: (row: Row) => number) => rows.reduce((remaining, row) => remaining - of(row), total);
  const failed = rest(failedHandshakes, (row) => row.failed);
  const remains = left.length > 0 ? left.map(lastPart).join(", ") : destroyed ? "nothing" : "something";
  return {
    steps: "",
    state: destroyed && failed === 0 ? "done" : "failed",
    seconds: Math.max(0, tenths(rest(tenths(seconds), (row) => row.seconds))),
    handshakes: rest(probes, (row) => row.handshakes),
    failed,
    what: `preparation, time between the parts, destroy: ${remains} left behind`,
  };
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

function notesOf({ days, clients, discarded }: RehearsalResult): readonly string[] {
  return [
    ...(days === undefined ? [] : daysLines(days)),
    ...(clients === undefined ? [] : [clientsLine(clients)]),
    ...(discarded === 0
      ? []
      : [
          `beside them ${countOf(discarded, "try", "tries")} timed out while the process of the rehearsal was suspended, and ${discarded === 1 ? "was" : "each was"} repeated`,
        ]),
  ];
}

/** Describes the days after the cut-over: what happened on which of them. */
function daysLines({ days, ...happened }: NonNullable<RehearsalResult["days"]>): readonly string[] {
  const { renewals, replacements, expiries, incidents, plans, plansWithChanges } = happened;
  const { probes, failedHandshakes, firstFailureDay } = happened;
  const names = (all: readonly { readonly day: number; readonly certificate: string }[]) =>
    all.map(({ day, certificate }) => `day ${day} ${lastPart(certificate)}`).join(", ");
  const firstFailure = firstFailureDay === undefined ? "" : `, the first on day ${firstFailureDay}`;
  return [
    `${days} days after the cut-over: ${failedHandshakes} of ${probes} handshakes failed${firstFailure}`,
    `renewals: ${renewals.length === 0 ? "none" : names(renewals)}; ${countOf(plans, "plan")} after them, ${plansWithChanges} with changes`,
    ...(replacements.length === 0 ? [] : [`uploaded certificates replaced: ${names(replacements)}`]),
    ...(expiries.length === 0 ? [] : [`expired: ${names(expiries)}`]),
    ...incidents.map(({ day, closedDay, policy }) => {
      return `alert from day ${day} ${closedDay === undefined ? "to the end" : `to day ${closedDay}`}: ${policy}`;
    }),
  ];
}

function clientsLine({ refusesOthers, withCertificate, withoutCertificate }: NonNullable<RehearsalResult["clients"]>) {
  const { probes, failed, refused } = withoutCertificate;
  const others = refusesOthers ? `${refused} of ${probes} were refused, as before` : `${failed} of ${probes} failed`;
  return `clients with a certificate: ${withCertificate.failed} of ${withCertificate.probes} failed; clients without a certificate: ${others}`;
}
