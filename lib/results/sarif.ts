import { createHash } from "node:crypto";
import type { Log, ReportingDescriptor, Result } from "sarif";
import type { CodeMeaning } from "../findings/codes";
import { escapeUnsafe } from "../text/quote";
import { allFindings, type CommandResult, type PlacedFinding } from "./model";

/** GitHub shows at most 5,000 results of a run. */
const mostResults = 5_000;

const levels = { error: "error", warning: "warning", info: "note" } as const;

/** Returns what `cert-migration explain` knows about a code that a command reports. */
export type Explain = (code: string, command: string) => CodeMeaning | undefined;

/**
 * Writes a result as SARIF 2.1.0 for code scanning. Each finding has a place in a file of the repository; addresses in
 * Terraform and hostnames are logical locations beside it. Fingerprints depend on the code, the subject and the
 * hostnames, and not on the message, whose numbers change from day to day.
 */
export function sarifLog(result: CommandResult, explain: Explain): Log {
  const { command, version, ok } = result;
  const findings = allFindings(result);
  const shown = findings.slice(0, mostResults);
  const ids = [...new Set(shown.map(({ code }) => code))].sort();
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const counts = new Map<string, number>();
  const left = findings.length - shown.length;
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "cert-migration", version, rules: ids.map((id) => ruleOf(id, explain(id, command))) } },
        automationDetails: { id: `cert-migration/${command}/` },
        originalUriBaseIds: { [rootId]: { description: { text: "the root of the repository" } } },
        invocations: [
          {
            executionSuccessful: true,
            exitCodeDescription: ok ? "nothing is refused" : "a finding fails the run",
            ...(left === 0
              ? {}
              : { toolExecutionNotifications: [{ level: "warning", message: { text: `${left} more findings` } }] }),
          },
        ],
        results: shown.map((finding) => resultOf(finding, indexes, counts)),
        columnKind: "utf16CodeUnits",
      },
    ],
  };
}

const rootId = "%SRCROOT%";

function ruleOf(id: string, known: CodeMeaning | undefined): ReportingDescriptor {
  const text = `Run 'cert-migration explain ${id}' for the meaning and the remedy.`;
  if (known === undefined) return { id, help: { text } };
  return {
    id,
    shortDescription: { text: known.meaning },
    fullDescription: { text: known.meaning },
    help: { text: `${known.remedy}. ${text}` },
    defaultConfiguration: { level: levels[known.severity] },
  };
}

function resultOf(finding: PlacedFinding, indexes: ReadonlyMap<string, number>, counts: Map<string, number>): Result {
  const { code, severity, subject, message, remedy, hostnames = [], place, allowed } = finding;
  const key = JSON.stringify([code, subject, [...hostnames].sort()]);
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  const logical = [
    ...(subject === "" ? [] : [{ fullyQualifiedName: escapeUnsafe(subject), kind: "resource" }]),
    ...hostnames.filter((name) => name !== subject).map((name) => ({ name: escapeUnsafe(name), kind: "namespace" })),
  ];
  return {
    ruleId: code,
    ruleIndex: indexes.get(code) ?? -1,
    level: levels[severity],
    message: { text: escapeUnsafe(textOf(subject, message, remedy)) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(place.path), uriBaseId: rootId },
          region: { startLine: place.line ?? 1, ...(place.column === undefined ? {} : { startColumn: place.column }) },
        },
        ...(logical.length === 0 ? {} : { logicalLocations: logical }),
      },
    ],
    partialFingerprints: { "certMigration/v1": digest(`${key} ${count}`) },
    ...(allowed === true ? { suppressions: [{ kind: "external", justification: "allowed by --allow" }] } : {}),
  };
}

function textOf(subject: string, message: string, remedy: string): string {
  return `${subject === "" ? "" : `${subject}: `}${message}.${remedy === "" ? "" : ` What to do: ${remedy}.`}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
