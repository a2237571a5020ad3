import { appendFileSync, statSync } from "node:fs";
import { InputError } from "../errors";
import { fileReason } from "../files/file-reason";
import type { Finding } from "../findings/finding";
import { defined } from "../json/defined";
import type { CommandResult, PlacedFile, ResultCheck } from "../results";
import { quote } from "../text/quote";
import { countOf } from "../text/words";
import type { Io } from "./command";
import { type OptionValues, value } from "./declare";
import * as load from "./load";
import { jsonOption } from "./options";
import { toJson, writeNote } from "./text";
import { oneOf } from "./value-types";

/** Formats for the places where teams look at results. */
export const resultForms = ["junit", "sarif", "markdown", "github"] as const;

type ResultForm = (typeof resultForms)[number];

export const formWords =
  "JUnit XML; SARIF for code scanning; Markdown for a comment on a pull request; annotations and a step summary of GitHub Actions";

export const formatOptions = {
  "--format <form>": value(oneOf("text", "json", ...resultForms), `text; JSON; ${formWords}`, "text"),
  ...jsonOption,
} as const;

/**
 * Returns the format that `--format` and `--json` choose.
 *
 * @throws InputError `format-twice`
 */
export function resultFormOf<Form extends string>(
  { format, json }: { readonly format: Form; readonly json: boolean },
  given: ReadonlySet<string>,
): Form | "json" {
  if (!json) return format;
  if (given.has("format") && format !== "json") {
    throw new InputError("format-twice", `--json and --format ${format} are two formats; use only one of them`);
  }
  return "json";
}

export type FormatValues = OptionValues<typeof formatOptions>;

/** A finding before it has a place. */
type UnplacedFinding = Finding & { readonly allowed?: boolean };

/** What a command found, before its findings have places. */
export interface FoundResult extends Pick<CommandResult, "ok" | "summary"> {
  readonly checks: readonly (Omit<ResultCheck, "failure"> & { readonly failure?: UnplacedFinding | undefined })[];
  readonly findings: readonly UnplacedFinding[];
  /** @default - no tables */
  readonly tables?: CommandResult["tables"];
}

/** Writes the result of a command in a format of {@link resultForms}. */
export interface ResultWriter {
  /** Runs a command. Mistakes in its input are written as findings too, before the error goes to stderr. */
  readonly reporting: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly write: (found: FoundResult) => void;
}

/**
 * Returns the writer for a format; undefined for `text`, `json` and the formats of a command.
 *
 * @param command name of the command, as in `check-plan`
 * @param files returns the files in which findings are placed
 */
export function resultWriter(
  form: string,
  command: string,
  files: () => readonly PlacedFile[],
  io: Io,
): ResultWriter | undefined {
  if (!resultForms.some((known) => known === form)) return undefined;
  const write = (found: FoundResult) => writeResult(placedResult(command, found, files()), form as ResultForm, io);
  const reporting: ResultWriter["reporting"] = (work) =>
    work().catch((error: unknown) => {
      if (error instanceof InputError) {
        const { findings } = error;
        write({ ok: false, summary: `${countOf(findings.length, "mistake")} in the input`, checks: [], findings });
      }
      throw error;
    });
  return { reporting, write };
}

function writeResult(result: CommandResult, form: ResultForm, io: Io): void {
  const { annotationLines, junitXml, markdownText, sarifLog } = load.results();
  if (form === "junit") io.stdout.write(junitXml(result));
  else if (form === "markdown") io.stdout.write(markdownText(result));
  else if (form === "sarif") io.stdout.write(toJson(sarifLog(result, explained)));
  else {
    for (const line of annotationLines(result)) io.stdout.write(`${line}\n`);
    writeStepSummary(result, io);
  }
}

/**
 * Returns a result with places for its findings.
 *
 * @param fallback place of findings without a file. @default migration.yaml
 */
export function placedResult(
  command: string,
  { checks, findings, ...found }: FoundResult,
  files: readonly PlacedFile[],
  fallback = usualSpec,
): CommandResult {
  const { createPlacer } = load.results();
  const { version } = require("../../package.json") as { readonly version: string };
  const place = createPlacer(files, fallback);
  const placed = (finding: UnplacedFinding) => ({ ...finding, ...place(finding) });
  return {
    command,
    version,
    tables: [],
    ...found,
    checks: checks.map(({ failure, ...check }) => ({
      ...check,
      ...defined({ failure: failure === undefined ? undefined : placed(failure) }),
    })),
    findings: findings.map(placed),
  };
}

/** FilePlace of findings that concern no file, such as those of a project. */
const usualSpec = "migration.yaml";

function explained(code: string, command: string) {
  const codes = load
    .explain()
    .allCodes()
    .filter((known) => known.code === code);
  return codes.find(({ commands }) => commands.includes(command)) ?? codes[0];
}

/** Size limit of GitHub for the summary of a step, in bytes. */
const summaryLimit = 1024 * 1024;

/** Adds the result to the summary of the step, within the limit that all texts of the step share. */
function writeStepSummary(result: CommandResult, io: Io): void {
  const path = io.env.GITHUB_STEP_SUMMARY ?? "";
  if (path === "") {
    writeNote("step-summary-missing", "GITHUB_STEP_SUMMARY is not set; the summary of the step is not written", io);
    return;
  }
  const { markdownText } = load.results();
  const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  try {
    appendFileSync(path, markdownText(result, summaryLimit - 1 - before));
  } catch (error) {
    const message = `GITHUB_STEP_SUMMARY: ${quote(path)} can't be written: ${fileReason(error)}`;
    throw new InputError("file-unwritable", message);
  }
}
