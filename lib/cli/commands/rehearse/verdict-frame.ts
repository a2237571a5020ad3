import type { RehearsalResult } from "../../../rehearsal";
import type { RehearsedInput } from "../../../report";
import { lastPart } from "../../../resource-names";
import { commandLine } from "../../../text/command-line";
import type { MarkedState } from "../../../text/state-marks";
import { wordsFor } from "../../duration";
import { nameOfInput } from "../../standard-input";
import { foldTo, type Paint } from "../../style";
import { fileLink, safe } from "../../text";
import { paintHeadline } from "../../verdict";

/** What the frame shows. */
export interface ShownVerdict {
  readonly result: RehearsalResult;
  /** Duration of the whole rehearsal, in seconds. */
  readonly seconds: number;
  readonly input: Pick<RehearsedInput, "kind" | "name">;
  /** File of `--report`, if it was written. */
  readonly report?: string;
  /** Folder of `--evidence`. */
  readonly evidence?: string;
}

interface FrameLook {
  readonly columns: number;
  readonly paint: Paint;
}

/** Maximum width of the frame's lines, in columns. */
const mostColumns = 100;

/**
 * Returns the verdict in a frame. The right side is open: a link or a command that is wider than the terminal stays in
 * one line, so that it can be opened or copied.
 */
export function verdictFrame(shown: ShownVerdict, { columns, paint }: FrameLook): string {
  const { word, state, reason } = verdictOf(shown);
  const { failedHandshakes, probes } = shown.result;
  const counts = `${failedHandshakes} of ${probes} handshakes failed in ${wordsFor(shown.seconds * 1_000)}`;
  const { advice, command } = nextStep(shown, word);
  const fold = foldTo(columns - 2);
  const labeled = (label: string, text: string) =>
    fold(`${label.padEnd(labelWidth)}${safe(text)}`, labelWidth).split("\n");
  const lines = [
    `${paintHeadline(word, state, paint)}: ${counts}`,
    ...(reason === undefined ? [] : labeled("reason", reason)),
    ...linkLine("report", shown.report),
    ...linkLine("evidence", shown.evidence),
    ...labeled("next", advice),
    ...(command === undefined ? [] : [`${" ".repeat(labelWidth)}${paint("strong", safe(command))}`]),
  ];
  const rule = "─".repeat(Math.min(columns, mostColumns) - 1);
  return [`┌${rule}`, ...lines.map((line) => `│ ${line}`), `└${rule}`].map((line) => `${line}\n`).join("");
}

const labelWidth = "evidence  ".length;

function linkLine(label: string, path: string | undefined): readonly string[] {
  return path === undefined ? [] : [`${label.padEnd(labelWidth)}${fileLink(path)}`];
}

type Word = "PASSED" | "STOPPED" | "FAILED";

function verdictOf({ result }: ShownVerdict): {
  readonly word: Word;
  readonly state: MarkedState;
  readonly reason?: string;
} {
  const { ok, stopped, failedHandshakes, destroyed, left } = result;
  if (ok) return { word: "PASSED", state: "done" };
  if (stopped === true && failedHandshakes === 0 && destroyed) return { word: "STOPPED", state: "stopped" };
  const first = result.parts.find(({ state }) => state === "failed");
  const failure =
    first === undefined
      ? undefined
      : first.failed > 0
        ? `handshakes failed in ${first.name}`
        : `${first.name} did not reach its expected result`;
  const remains = left.length > 0 ? `left behind: ${left.map(lastPart).join(", ")}` : undefined;
  const reasons = [failure, destroyed ? undefined : (remains ?? "the destroy failed")].filter(
    (reason) => reason !== undefined,
  );
  return { word: "FAILED", state: "failed", ...(reasons.length === 0 ? {} : { reason: reasons.join("; ") }) };
}

interface NextStep {
  readonly advice: string;
  /** Command to copy. */
  readonly command?: string;
}

function nextStep({ report, input }: ShownVerdict, word: Word): NextStep {
  if (word === "STOPPED") return { advice: "run the command again" };
  if (word === "PASSED") return afterPass(input);
  if (report === undefined)
    return { advice: "repeat with --report report.html, which shows each failure and its time" };
  return { advice: "open the report, which shows each failure and its time" };
}

const program = ["npx", "cert-migration"];

function afterPass({ kind, name }: ShownVerdict["input"]): NextStep {
  const prerequisites = "check the prerequisites in your project";
  switch (kind) {
    case "certificates":
      return {
        advice: "write the migration file, and edit it",
        command: commandLine(...program, "inventory", name, "--out", "migration.yaml"),
      };
    case "spec":
      return name === nameOfInput("-")
        ? { advice: `${prerequisites} with 'cert-migration doctor'` }
        : { advice: prerequisites, command: commandLine(...program, "doctor", "--spec", name) };
    case "stack":
      return { advice: prerequisites, command: commandLine(...program, "doctor", "--stack", name) };
    case "app":
      return { advice: `synthesize the app, and ${prerequisites} with 'cert-migration doctor --stack'` };
    case "terraform-dir":
      return { advice: "plan the folder, and check the plan with 'cert-migration check-plan'" };
  }
}
