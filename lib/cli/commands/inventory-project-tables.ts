import type { ProjectRow } from "../../inventory/project";
import { groupBy } from "../../json/group-by";
import type { ProjectFinding, ProjectInventory } from "../../project-inventory";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import * as load from "../load";
import { columnsOf, type Fold, folderFor, foldTo, paintFor, severityTones, widthOf } from "../style";
import { safe } from "../text";
import { formatTable } from "../text-table";

/** Width that decides about the layout if stdout is not a terminal. */
const usualColumns = 120;
/** Indentation of a table below its proxy. */
const indent = "  ";

export function printProject(inventory: ProjectInventory, io: Io): void {
  const { projectTable, wereRead } = load.inventoryProject();
  const rows = projectTable(inventory);
  const isComplete = wereRead(inventory, "targetHttpsProxies", "targetSslProxies");
  const nothing = `no target HTTPS or SSL proxy was ${isComplete ? "found" : "read"}\n`;
  io.stdout.write(rows.length === 0 ? nothing : tableOf(rows, columnsOf(io, "stdout")));
  printFindings(inventory.findings, io);
}

/** Returns one table if it fits into the columns, otherwise a table for each proxy. */
function tableOf(rows: readonly ProjectRow[], columns: number | undefined): string {
  const cells = rows.map(({ address, proxy, certificate, names, issuer, expires, renewedBy }) => [
    ...[address, proxy, certificate, issuer, expires, renewedBy],
    shorten(names),
  ]);
  const table = formatTable(["address", "proxy", "certificate", "issuer", "expires", "renewed by", "names"], cells);
  const fits = table.split("\n").every((line) => widthOf(line) <= (columns ?? usualColumns));
  return fits ? table : proxyTables(rows, columns);
}

function proxyTables(rows: readonly ProjectRow[], columns: number | undefined): string {
  const fold: Fold = columns === undefined ? (line) => line : foldTo(columns);
  const head = ["certificate", "expires", "renewed by", "issuer", "names"];
  return [...groupBy(rows, ({ address, proxy }) => `${address}  ${proxy}`)]
    .map(([heading, ofProxy]) => {
      const cells = ofProxy.map(({ certificate, names, issuer, expires, renewedBy }) => {
        return [certificate, expires, renewedBy, issuer, shorten(names)];
      });
      const table = formatTable(head, cells, undefined, columns === undefined ? undefined : columns - indent.length);
      return `${fold(safe(heading), 2)}\n${table.replace(/^(?=.)/gm, indent)}`;
    })
    .join("\n");
}

function shorten(names: readonly string[]): string {
  const [first = "-", ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Maximum number of subjects of a code; `--json` lists all. */
const mostSubjects = 10;

function printFindings(findings: readonly ProjectFinding[], io: Io): void {
  const fold = folderFor(io, "stdout");
  const paint = paintFor(io, "stdout");
  for (const alike of groupBy(findings, ({ code }) => code).values()) {
    const [first] = alike;
    if (first === undefined) continue;
    const { severity, code, meaning = "", remedy } = first;
    io.stdout.write(
      `\n${paint(severityTones[severity], `${severity} ${code}`)}${alike.length === 1 ? "" : ` (${alike.length})`}\n`,
    );
    io.stdout.write(`${fold(`  ${meaning}`, 2)}\n`);
    for (const { subject, message } of alike.slice(0, mostSubjects))
      io.stdout.write(`${fold(`  - ${safe(subject)}: ${safe(message)}`, 4)}\n`);
    if (alike.length > mostSubjects)
      io.stdout.write(`  - and ${countOf(alike.length - mostSubjects, "other")}; --json lists all\n`);
    io.stdout.write(`${fold(`  remedy: ${safe(remedy)}`, 10)}\n`);
  }
}
