import { escapeUnsafe } from "../text/quote";
import { type CommandResult, isFailure, type PlacedFinding, type ResultCheck } from "./model";

/**
 * Writes a result as JUnit XML. Each check is a test case, and each finding that fails the run is another. A result
 * with neither has one case, because many readers refuse a suite without cases.
 */
export function junitXml(result: CommandResult): string {
  const cases = casesOf(result);
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`;
  const lines = cases.map(({ group, name, failure }) => {
    const open = `<testcase classname="${xml(`${result.command}.${group}`)}" name="${xml(name)}"`;
    if (failure === undefined) return `    ${open}/>`;
    const { code, message, remedy } = failure;
    const shown = xml(`${code}: ${message}`);
    return `    ${open}><failure type="${xml(code)}" message="${shown}">${xml(remedy)}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="cert-migration" ${counts}>`,
    `  <testsuite name="${xml(result.command)}" ${counts}>`,
    ...lines,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function casesOf({ command, summary, checks, findings }: CommandResult): readonly ResultCheck[] {
  const failed = findings.filter(isFailure).map((failure: PlacedFinding): ResultCheck => {
    const { code, subject } = failure;
    const name = subject === "" ? code : `${subject}: ${code}`;
    return { name, group: subject === "" ? command : subject, failure };
  });
  const cases = [...checks, ...failed];
  return cases.length > 0 ? cases : [{ name: summary, group: command }];
}

/** Escapes text for an XML element or attribute. Characters that XML cannot represent are first written as numbers. */
function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
  };
  return escapeUnsafe(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
