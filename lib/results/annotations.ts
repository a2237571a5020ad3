import type { Severity } from "../findings/codes";
import { withRemedy } from "../findings/finding";
import { escapeUnsafe } from "../text/quote";
import { allFindings, type CommandResult, isFailure, type PlacedFinding } from "./model";

/** GitHub shows at most ten annotations of each kind for each step. */
const mostAnnotations = 10;

/**
 * Writes the failures and warnings of a result as workflow commands of GitHub Actions. At most ten of each kind are
 * written: where there are more, the last one counts the rest.
 */
export function annotationLines(result: CommandResult): readonly string[] {
  const findings = allFindings(result);
  return (["error", "warning"] as const).flatMap((kind) => {
    const ofKind = findings.filter((finding) => kindOf(finding) === kind);
    return annotate(kind, ofKind.map(annotationOf), result.command);
  });
}

/** An allowed error is worth a warning: the run goes on. */
function kindOf(finding: PlacedFinding): Severity {
  return finding.severity === "error" && !isFailure(finding) ? "warning" : finding.severity;
}

interface Annotation {
  readonly title: string;
  readonly message: string;
  readonly place: PlacedFinding["place"];
}

function annotationOf({ code, subject, message, remedy, place }: PlacedFinding): Annotation {
  return { title: subject === "" ? code : `${subject}: ${code}`, message: withRemedy({ message, remedy }), place };
}

function annotate(kind: "error" | "warning", all: readonly Annotation[], command: string): readonly string[] {
  const shown = all.length > mostAnnotations ? all.slice(0, mostAnnotations - 1) : all;
  const rest = all.length - shown.length;
  return [
    ...shown.map(({ title, message, place }) => {
      return `::${kind} ${[...placeOf(place), `title=${property(title)}`].join(",")}::${data(message)}`;
    }),
    ...(rest === 0 ? [] : [`::${kind} title=cert-migration ${command}::and ${rest} more`]),
  ];
}

function placeOf({ path, line, column }: PlacedFinding["place"]): readonly string[] {
  return [
    `file=${property(path)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
  ];
}

/** Escapes text after the second colons: percent signs and line ends are not allowed there. */
function data(text: string): string {
  return escapeUnsafe(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escapes text of a property: colons and commas would also end it. */
function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
