import { groupBy } from "../../json/group-by";
import type { HostnameStatus, StatusChange, StepState } from "../../live/status";
import type { RenewalFinding } from "../../renewal";
import { markWords, stateMarks } from "../../text/state-marks";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import * as load from "../load";
import { cut, type Fold, foldTo, joinFitting, type Paint, stateTones, widthOf } from "../style";
import { safe } from "../text";
import { formatTable } from "../text-table";
import type { VerdictLine } from "../verdict";

const marks: Readonly<Record<StepState, string>> = stateMarks;
const words: Readonly<Record<StepState, string>> = markWords;
const urgency: readonly StepState[] = ["failed", "waiting", "todo", "unknown"];

type OpenStep = NonNullable<HostnameStatus["current"]>;

/** Phrases for steps that are not done, without "yet". */
const openPhrases: Readonly<Record<OpenStep["name"], string>> = {
  "certificate made": "certificate not created",
  "CNAME published": "CNAME not published",
  "certificate active": "certificate not active",
  "entry made": "entry not created",
  "entry active": "entry not active",
  "map attached": "map not attached",
  "served and verified": "not verified",
  "traffic moved": "traffic not moved",
};

/** Returns the step of a hostname that is not done, as in `7 not verified yet`. */
function openStep({ step, name, state }: OpenStep): string {
  return `${step} ${openPhrases[name]}${state === "failed" ? "" : " yet"}`;
}

/**
 * Returns the names of the steps, and the meanings of the marks.
 *
 * @param columns width of a terminal. @default - any width
 */
export function legendLines(columns = Number.POSITIVE_INFINITY): readonly string[] {
  const states = ["done", "waiting", "todo", "failed", "unknown", "none"] as const;
  return [
    ...joinFitting(
      load.status().stepNames.map((name, index) => `${index + 1} ${name}`),
      columns,
    ),
    ...joinFitting(
      states.map((state) => `${marks[state]} ${words[state]}`),
      columns,
    ),
  ];
}

/** Returns where a hostname stands, as in `7 not verified yet: to do`. */
function standingOf(current: OpenStep): string {
  return `${openStep(current)}: ${current.reason ?? words[current.state]}`;
}

/**
 * Formats a table with a line for each hostname and a mark for each step.
 *
 * @param columns width of a terminal. In a table that is wider, lines below the marks contain where hostnames stand,
 * once for all hostnames with the same text; the marks of hostnames that are too long stand below them. Default: any
 * width.
 */
export function statusTable(hostnames: readonly HostnameStatus[], paint: Paint, columns?: number): string {
  const painted = (cell: string, column: number, row: number) => {
    const state = hostnames[row]?.steps[column - 1]?.state;
    return state === undefined ? cell : paint(stateTones[state], cell);
  };
  const head = ["hostname", "1", "2", "3", "4", "5", "6", "7", "8"];
  const marked = hostnames.map(({ hostname, steps }) => [hostname, ...steps.map(({ state }) => marks[state])]);
  const wideHead = [...head, "open step", "next"];
  const wide = hostnames.map(({ current }, index) => [
    ...(marked[index] ?? []),
    current === undefined ? "" : standingOf(current),
    current?.next ?? "",
  ]);
  const fits = (table: string) => columns === undefined || linesOf(table).every((line) => widthOf(line) <= columns);
  if (columns === undefined || fits(formatTable(wideHead, wide))) return formatTable(wideHead, wide, painted);
  const standing = standingLines(hostnames, foldTo(columns));
  if (fits(formatTable(head, marked))) return `${formatTable(head, marked, painted)}${standing}`;
  const below = linesOf(
    formatTable(
      ["", ...head.slice(1)],
      marked.map(([, ...marks]) => ["", ...marks]),
      painted,
    ),
  );
  const above = [head, ...marked].map(([name = ""]) => safe(name));
  return `${above.map((name, index) => `${name}\n${below[index]}\n`).join("")}${standing}`;
}

/** Lists where hostnames stand and what to do next, with the hostnames of each text. */
function standingLines(hostnames: readonly HostnameStatus[], fold: Fold): string {
  const open = hostnames.flatMap(({ hostname, current }) => (current === undefined ? [] : [{ hostname, current }]));
  const alike = groupBy(open, ({ current }) => `${standingOf(current)}\n${current.next ?? ""}`);
  const lines = [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = group.map(({ hostname }) => hostname).join(", ");
    const next = first.current.next === undefined ? [] : [`  next: ${first.current.next}`];
    return [standingOf(first.current), `  ${names}`, ...next];
  });
  return lines.map((line) => `${fold(safe(line), 2)}\n`).join("");
}

/** @param renewals what threatens certificates that already serve */
export function hostnamesVerdict(
  hostnames: readonly HostnameStatus[],
  renewals: readonly RenewalFinding[] = [],
): VerdictLine {
  const count = (state: StepState | undefined) => hostnames.filter(({ current }) => current?.state === state).length;
  const open = urgency.flatMap((state) => (count(state) === 0 ? [] : [`${count(state)} ${words[state]}`]));
  const { length: total } = hostnames;
  const hasFailed = count("failed") > 0 || renewals.some(({ severity }) => severity === "error");
  return {
    state: hasFailed ? "failed" : count(undefined) === total ? "done" : "waiting",
    headline: `${count(undefined)} of ${countOf(total, "hostname has", "hostnames have")} completed every step`,
    rest: open.map((words) => `, ${words}`).join(""),
  };
}

/** Formats a change as one line, safe for a terminal. */
export function changeLine({ hostname, before, after }: StatusChange, time: Date): string {
  const why = after.reason === undefined ? "" : ` - ${after.reason}`;
  return safe(`${time.toISOString()} ${hostname}: ${after.name}: ${words[before]} -> ${words[after.state]}${why}`);
}

/**
 * Rows that are not for hostnames: heading, head and steps of the table, two empty rows, the summary, and the row of
 * the cursor.
 */
const otherRows = 14;

/**
 * Returns the lines that fit onto a terminal: the number of hostnames in each state of each step, and the hostnames in
 * the most urgent states.
 */
export function statusScreen(
  hostnames: readonly HostnameStatus[],
  heading: string,
  { columns = 80, rows = 24 }: Io["stdout"],
  paint: Paint,
): readonly string[] {
  const { countSteps, stepNames } = load.status();
  const states = ["done", "waiting", "todo", "failed", "unknown", "none"] as const;
  const counts = countSteps(hostnames).map((count, index) => [
    `${index + 1} ${stepNames[index] ?? ""}`,
    ...states.map((state) => (count[state] === 0 ? "" : String(count[state]))),
  ]);
  const head = ["", ...states.map((state) => (state === "none" ? "n/a" : words[state]))];
  const plain = linesOf(formatTable(head, counts));
  const table = plain.some((line) => widthOf(line) >= columns)
    ? plain.map((line) => cut(line, columns - 1))
    : linesOf(
        formatTable(head, counts, (cell, column) => {
          const state = states[column - 1];
          return state === undefined ? cell : paint(stateTones[state], cell);
        }),
      );
  const open = hostnames
    .filter(({ current }) => current !== undefined)
    .sort((a, b) => urgency.indexOf(a.current?.state ?? "none") - urgency.indexOf(b.current?.state ?? "none"));
  const room = Math.max(1, rows - otherRows);
  const shown = open.slice(0, open.length > room ? room - 1 : room).map(({ hostname, current }) => {
    const state = current?.state ?? "unknown";
    const text = `${hostname}: ${current === undefined ? "" : openStep(current)}: ${current?.reason ?? words[state]}`;
    return paint(stateTones[state], cut(safe(text), columns - 1));
  });
  const rest = open.length - shown.length;
  return [cut(safe(heading), columns - 1), ...table, "", ...shown, ...(rest === 0 ? [] : [`and ${rest} more`])];
}

function linesOf(text: string): readonly string[] {
  return text.trimEnd().split("\n");
}
