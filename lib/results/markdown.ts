import type { Severity } from "../findings/codes";
import { escapeUnsafe } from "../text/quote";
import { countOf } from "../text/words";
import { allFindings, type CommandResult, isFailure, type PlacedFinding, type ResultTable } from "./model";

/** Length limit of a comment on a pull request of GitHub, in characters. */
export const commentLimit = 65_536;

/** Space for the note about what was left out, in characters. */
const noteSpace = 200;

/**
 * Writes a result as Markdown for a comment on a pull request or a summary: the verdict, the findings, and tables.
 *
 * @param limit maximum size in UTF-8 bytes; lines beyond it are left out and counted
 */
export function markdownText(result: CommandResult, limit: number = commentLimit - 1): string {
  const { command, ok, summary } = result;
  const kept: string[] = [];
  let size = 0;
  let left = 0;
  for (const line of [`## ${ok ? "✅" : "❌"} cert-migration ${command}`, "", text(summary), ...bodyOf(result)]) {
    const length = Buffer.byteLength(line) + 1;
    if (left > 0 || size + length > limit - noteSpace) left += line === "" ? 0 : 1;
    else {
      kept.push(line);
      size += length;
    }
  }
  const note = `_${countOf(left, "more line")} left out: the place for this text is limited. Run the command for all of it._`;
  return `${[...kept, ...(left === 0 ? [] : ["", note])].join("\n")}\n`;
}

function bodyOf(result: CommandResult): readonly string[] {
  const findings = allFindings(result);
  return [...findingGroups.flatMap((group) => groupLines(group, findings)), ...result.tables.flatMap(tableLines)];
}

interface FindingGroup {
  readonly title: string;
  readonly isIn: (finding: PlacedFinding) => boolean;
}

const ofSeverity = (severity: Severity) => (finding: PlacedFinding) => finding.severity === severity;

const findingGroups: readonly FindingGroup[] = [
  { title: "Errors", isIn: isFailure },
  { title: "Allowed", isIn: (finding) => finding.severity === "error" && !isFailure(finding) },
  { title: "Warnings", isIn: ofSeverity("warning") },
  { title: "Notes", isIn: ofSeverity("info") },
];

function groupLines({ title, isIn }: FindingGroup, findings: readonly PlacedFinding[]): readonly string[] {
  const members = findings.filter(isIn);
  if (members.length === 0) return [];
  const lines = members.flatMap(({ code, subject, message, remedy, command, place }) => [
    `- ${subject === "" ? "" : `${codeSpan(subject)}: `}${text(message)} (${codeSpan(code)}, ${codeSpan(placeWords(place))})`,
    ...(remedy === "" ? [] : [`  - What to do: ${text(remedy)}`]),
    ...(command === undefined ? [] : [`  - Run: ${codeSpan(command)}`]),
  ]);
  return ["", `### ${title} (${members.length})`, "", ...lines];
}

function placeWords({ path, line }: PlacedFinding["place"]): string {
  return line === undefined ? path : `${path}:${line}`;
}

function tableLines({ title, head, rows }: ResultTable): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    "",
    `### ${title}`,
    "",
    line(head),
    line(head.map(() => "---")),
    ...rows.map((cells) => line(cells.map(text))),
  ];
}

/**
 * Escapes text, which can come from certificates and servers: it becomes neither markup nor a link, and mentions
 * nobody.
 */
function text(given: string): string {
  return escapeUnsafe(given)
    .replace(/[\\`*_{}[\]<>#|~&$]/g, (character) => `\\${character}`)
    .replaceAll("@", "@<!-- -->");
}

/** Writes text as code, with more backticks than the text contains in a row. */
function codeSpan(given: string): string {
  const shown = escapeUnsafe(given).replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
}
