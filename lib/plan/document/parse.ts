import type { Code } from "../../findings/codes";
import { type CodedFinding, withRemedy } from "../../findings/finding";
import { escapeUnsafe } from "../../text/quote";
import { planAround } from "../plan";
import { shapeMistakes } from "../shape/mistakes";
import type { MigrationSpec } from "../spec";
import { readReferencedFiles } from "./files";
import { locate, type MigrationDocument } from "./locate";
import { byPlace, type DocumentProblem, MOST_PROBLEMS, tidyProblems } from "./problem";
import { readTree } from "./tree";
import { readValues } from "./values";

/** Origin of a document. */
export interface DocumentOrigin {
  /** Name of the document in problems, usually its path. */
  readonly source: string;

  /**
   * Reads a file that the document names as `file:PATH`. The path is passed as written, relative to the document's
   * folder. Throws if the file does not exist.
   *
   * @default - a document that names a file is refused
   */
  readonly readFile?: (path: string) => string;
}

/** A spec with its document, or all problems that prevent reading it. */
export type ParsedMigration =
  | { readonly spec: MigrationSpec; readonly document: MigrationDocument }
  | { readonly problems: readonly DocumentProblem[] };

/**
 * Reads a migration spec from YAML 1.2 or JSON.
 *
 * All errors are reported at once, ordered by position: syntax errors, duplicate keys, unknown and missing
 * properties, values of the wrong type or out of range, unreadable files, and with them the errors that
 * {@link planMigration} finds in all other values. Anchors and aliases are allowed, merge keys
 * (`<<`) are not. Documents of more than 4 Mi characters, 64 levels or 500,000 values are refused, so that parsing
 * takes a few seconds at most.
 *
 * {@link planMigration} checks the spec itself; {@link documentProblems} adds positions to its findings.
 *
 * @example
 * ```ts
 * const source = "migration.yaml";
 * const read = parseMigrationDocument(
 *   ["name: shop", "certificates: [{ domains: [shop.example.com] }]", "dns: { kind: external }"].join("\n"),
 *   { source },
 * );
 * if ("problems" in read) throw new Error(formatProblems(read.problems));
 * ManagedCertMigration.fromSpec(stack, "migration", read.spec);
 * ```
 */
export function parseMigrationDocument(text: string, origin: DocumentOrigin): ParsedMigration {
  const { source } = origin;
  const tree = readTree(text, source);
  if (!("root" in tree)) return { problems: tidyProblems(tree.problems) };
  if (tree.root === null && tree.problems.length === 0) {
    const message = "the document is empty: give at least 'name', 'certificates' and 'dns'";
    return { problems: [{ source, line: 1, column: 1, pointer: "", code: "document-empty", message }] };
  }

  const values = readValues(tree, source);
  const problems: DocumentProblem[] = [...tree.problems, ...values.problems];
  if (values.abandoned) return { problems: tidyProblems(problems) };

  const document: MigrationDocument = { source, tree };
  const data = readReferencedFiles(values.data, origin.readFile, (pointer, problem) => {
    problems.push({ source, ...locate(document, pointer), pointer, ...problem });
  });
  const shape = shapeMistakes(data);
  const mistakes = shape
    .map((mistake) => ({ ...mistake, ...locate(document, mistake.pointer, mistake.inKey ? "key" : "value") }))
    .sort(byPlace);
  // Explaining mistakes takes longer than finding them, so that only the reported mistakes are explained.
  const reported = mistakes.slice(0, MOST_PROBLEMS);
  for (const { pointer, line, column, explain } of reported)
    problems.push({ source, line, column, pointer, ...explain() });
  if (problems.length === 0) return { spec: data as MigrationSpec, document };
  if (shape.length > 0) {
    const errors = planAround(data, shape).findings.filter(({ severity }) => severity === "error");
    problems.push(...documentProblems(document, errors));
  }
  return { problems: tidyProblems(problems, mistakes.length - reported.length) };
}

/** Converts findings of a plan to problems of the document from which the spec was read, in the same order. */
export function documentProblems(
  document: MigrationDocument,
  findings: Iterable<CodedFinding<Code>>,
): readonly DocumentProblem[] {
  return Array.from(findings, (finding) => ({
    source: document.source,
    ...locate(document, finding.subject),
    pointer: finding.subject,
    code: finding.code,
    message: escapeUnsafe(withRemedy(finding)),
    severity: finding.severity,
  }));
}
