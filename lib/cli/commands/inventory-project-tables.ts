import type { ProjectRow } from "../../inventory/project";
import { groupBy } from "../../json/group-by";
import type { ProjectFinding, ProjectInventory } from "../../project-inventory";
import { countOf } from "../../text/words";
import type { Io } from "../command";
import * as load from "../load";
import { cut, folderFor, paintFor, widthOf } from "../style";
import { safe } from "../text";
import { formatTable } from "../text-table";

/** Width of the output if stdout is not a terminal. */
const usualColumns = 120;
const leastColumns = 80;
/** Widths in columns, beyond which a cell is cut. */
const mostOfCertificate = 28;
const mostOfIssuer = 24;
const mostOfNarrowIssuer = 18;

export function printProject(inventory: ProjectInventory, io: Io): void {
  const columns = Math.max(leastColumns, io.stdout.columns ?? usualColumns);
  const { projectTable, wereRead } = load.inventoryProject();
  const rows = projectTable(inventory);
  const isComplete = wereRead(inventory, "targetHttpsProxies", "targetSslProxies");
  const nothing = `no target HTTPS or SSL proxy was ${isComplete ? "found" : "read"}\n`;
  io.stdout.write(rows.length === 0 ? nothing : tableOf(rows, columns));
  printFindings(inventory.findings, io);
}

/** Returns one table if it fits into the columns, otherwise a table for each proxy. */
function tableOf(rows: readonly ProjectRow[], columns: number): string {
  const cells = rows.map(({ address, proxy, certificate, names, issuer, expires, renewedBy }) => [
    address,
    proxy,
    cut(safe(certificate), mostOfCertificate),
    cut(safe(issuer), mostOfIssuer),
    expires,
    renewedBy,
    shorten(names),
  ]);
  const table = formatTable(["address", "proxy", "certificate", "issuer", "expires", "renewed by", "names"], cells);
  return table.split("\n").every((line) => widthOf(line) <= columns) ? table : narrowTable(rows, columns);
}

function narrowTable(rows: readonly ProjectRow[], columns: number): string {
  return [...groupBy(rows, ({ address, proxy }) => `${address}  ${proxy}`)]
    .map(([heading, ofProxy]) => {
      const lines = ofProxy.map(({ certificate, names, issuer, expires, renewedBy }) => [
        `  ${cut(safe(certificate), mostOfCertificate)}`,
        expires,
        renewedBy,
        cut(safe(issuer), mostOfNarrowIssuer),
        names.length > 1 ? `${names[0]} +${names.length - 1}` : (names[0] ?? "-"),
      ]);
      const table = formatTable(["  certificate", "expires", "renewed", "issuer", "names"], lines);
      return [heading, ...table.trimEnd().split("\n")].map((line, index) =>
        cut(index === 0 ? safe(line) : line, columns),
      );
    })
    .map((lines) => `${lines.join("\n")}\n`)
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
    const tone = severity === "error" ? "bad" : severity === "warning" ? "pending" : "faint";
    io.stdout.write(`\n${paint(tone, `${severity} ${code}`)}${alike.length === 1 ? "" : ` (${alike.length})`}\n`);
    io.stdout.write(`${fold(`  ${meaning}`, 2)}\n`);
    for (const { subject, message } of alike.slice(0, mostSubjects))
      io.stdout.write(`${fold(`  - ${safe(subject)}: ${safe(message)}`, 4)}\n`);
    if (alike.length > mostSubjects)
      io.stdout.write(`  - and ${countOf(alike.length - mostSubjects, "other")}; --json lists all\n`);
    io.stdout.write(`${fold(`  remedy: ${safe(remedy)}`, 10)}\n`);
  }
}
