import type { Problem } from "../../errors";
import type { Severity } from "../../findings/codes";
import { stepsOf } from "../../json/pointer";
import { escapeUnsafe } from "../../text/quote";

/** A place in a document. */
export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;
}

/** A problem of a document with its position. */
export interface DocumentProblem extends Problem, Position {
  /** Name of the document, as passed to the reader: usually a path. */
  readonly source: string;
  /** JSON pointer (RFC 6901) to the value in question; empty for the document as a whole. */
  readonly pointer: string;
  /** @default "error" */
  readonly severity?: Severity;
  /** Index of the certificate whose private key is in a file that can't be read. @default - another problem */
  readonly certificateWithoutKey?: number;
}

/**
 * Formats problems, one per line: `migration.yaml:4:7: message [code]`, with the prefix `warning: ` for warnings.
 * Escapes control characters. Returns an empty string for no problems, otherwise text with a final line break.
 */
export function formatProblems(problems: Iterable<DocumentProblem>): string {
  let lines = "";
  for (const { source, line, column, severity, message, code } of problems) {
    const kind = severity === "warning" ? "warning: " : "";
    lines += `${escapeUnsafe(`${source}:${line}:${column}: ${kind}${message} [${code}]`)}\n`;
  }
  return lines;
}

/** The most problems that one reading reports. Further problems are counted. */
export const MOST_PROBLEMS = 100;

/** Compares positions by their order in the document. */
export function byPlace(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

/**
 * Returns problems in the order of the document: at most 100, and then the number of further problems.
 *
 * @param omitted number of further problems, all of them after the first hundred
 */
export function tidyProblems(problems: readonly DocumentProblem[], omitted = 0): readonly DocumentProblem[] {
  const sorted = [...problems].sort(byPlace);
  const listed = sorted.slice(0, MOST_PROBLEMS);
  const last = listed.at(-1);
  const more = sorted.length - listed.length + omitted;
  if (last === undefined || more === 0) return listed;
  const message = `${more} more ${more === 1 ? "problem is" : "problems are"} not shown: fix these first`;
  const { certificateWithoutKey: _, ...place } = last;
  return [...listed, { ...place, pointer: "", code: "document-more-problems", message }];
}

/** Formats a JSON pointer as a readable path, for example `certificates[0].domains` or `dns.zones["example.com"]`. */
export function pathOf(pointer: string): string {
  let path = "";
  for (const step of stepsOf(pointer)) {
    if (/^\d+$/.test(step)) path += `[${step}]`;
    else if (/^[A-Za-z_]\w*$/.test(step)) path += path === "" ? step : `.${step}`;
    else path += `[${JSON.stringify(step)}]`;
  }
  return path;
}
