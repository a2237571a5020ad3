import { type CommandResult, markdownText, type PlacedFinding } from "../results";

type Level = "error" | "warning" | "info";

/** An outcome of a task, in the form of HCP Terraform. */
export interface TaskOutcome {
  readonly type: "task-result-outcomes";
  readonly attributes: {
    readonly "outcome-id": string;
    readonly description: string;
    /** Markdown. */
    readonly body: string;
    readonly tags: Readonly<Record<string, readonly { readonly label: string; readonly level: Level }[]>>;
  };
}

/** Maximum number of findings with an outcome of their own; the summary counts the others. */
const mostOutcomes = 100;
/** Maximum size of a body in bytes. */
const mostBodyBytes = 64 * 1024;
const mostDescription = 250;

/** Returns the outcomes of a checked plan: a summary with the effect on each hostname, and each finding. */
export function outcomesOf(result: CommandResult): readonly TaskOutcome[] {
  const { findings, ok, summary } = result;
  const others = findings.length - mostOutcomes;
  const rest = others > 0 ? `; ${others} further findings have no outcome of their own` : "";
  return [
    outcome("cert-migration", `${summary}${rest}`, markdownText({ ...result, findings: [] }, mostBodyBytes), {
      label: ok ? "Passed" : "Failed",
      level: ok ? "info" : "error",
    }),
    ...findings.slice(0, mostOutcomes).map((finding) => findingTaskOutcome(result, finding)),
  ];
}

function findingTaskOutcome(result: CommandResult, finding: PlacedFinding): TaskOutcome {
  const { code, subject, message, severity, allowed } = finding;
  const body = markdownText({ ...result, summary: message, findings: [finding], tables: [] }, mostBodyBytes);
  const description = subject === "" ? message : `${subject}: ${message}`;
  const isAllowed = allowed === true;
  return outcome(code, description, body, {
    label: isAllowed ? "Allowed" : severity === "error" ? "Failed" : severity === "warning" ? "Warning" : "Info",
    level: isAllowed ? "warning" : severity,
  });
}

function outcome(id: string, description: string, body: string, status: { label: string; level: Level }): TaskOutcome {
  const shown = description.length > mostDescription ? `${description.slice(0, mostDescription - 1)}…` : description;
  return {
    type: "task-result-outcomes",
    attributes: { "outcome-id": id, description: shown, body, tags: { Status: [status] } },
  };
}
