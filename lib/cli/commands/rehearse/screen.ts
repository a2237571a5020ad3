/** The result of a rehearsal for people: the verdict in a frame, a row for each part, and what follows. */
import type { RehearsalResult } from "../../../rehearsal";
import { lastPart } from "../../../resource-names";
import { countOf } from "../../../text/words";
import type { Io } from "../../command";
import * as load from "../../load";
import { columnsOf, foldTo, type Paint, paintFor, stateTones } from "../../style";
import { safe } from "../../text";
import { formatTable } from "../../text-table";
import { type ShownVerdict, verdictFrame } from "./verdict-frame";

/** Width in columns without a terminal. Below it, the table has no column for the seconds. */
const usualColumns = 80;

/** Formats the result for people, in lines that fit the terminal, and 80 columns without a terminal. */
export function rehearsalScreen(shown: ShownVerdict, io: Pick<Io, "stdout" | "env" | "color">): string {
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

function partsTable(
  { result, seconds }: ShownVerdict,
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
) {
  const { partRows, partStateLabel } = load.report();
  const rows = partRows(result, seconds);
  const isNarrow = columns < usualColumns;
  const head = ["STEP", "RESULT", ...(isNarrow ? [] : ["SECONDS"]), "FAILED", "WHAT"];
  const cellsOf = (steps: string, state: string, time: number, counts: string, what: string) => [
    ...[steps, state],
    ...(isNarrow ? [] : [time.toFixed(1)]),
    ...[counts, what],
  ];
  const cells = rows.map(({ steps, state, counts, what }) =>
    counts === undefined
      ? [steps, partStateLabel(state), ...(isNarrow ? [] : ["-"]), "-", what]
      : cellsOf(steps, partStateLabel(state), counts.seconds, `${counts.failed} of ${counts.handshakes}`, what),
  );
  const all = `${result.failedHandshakes} of ${result.probes}`;
  const total = cellsOf("total", "", seconds, all, "");
  const paintCell = (cell: string, column: number, row: number) => {
    const { state, counts } = rows[row] ?? {};
    if (state === undefined) return paint("strong", cell);
    return column === 1 ? paint(stateTones[state], cell) : counts === undefined ? paint("faint", cell) : cell;
  };
  return formatTable(head, [...cells, total], paintCell, columns);
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
  const { probes, failedHandshakes, firstFailureDay, failure } = happened;
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
    ...(failure?.hadEffect === false
      ? [
          `${failure.name} had no effect: nothing was due in these days; raise --days above the day of the first renewal`,
        ]
      : []),
  ];
}

function clientsLine({ refusesOthers, withCertificate, withoutCertificate }: NonNullable<RehearsalResult["clients"]>) {
  const { probes, failed, refused } = withoutCertificate;
  const others = refusesOthers ? `${refused} of ${probes} were refused, as before` : `${failed} of ${probes} failed`;
  return `clients with a certificate: ${withCertificate.failed} of ${withCertificate.probes} failed; clients without a certificate: ${others}`;
}
