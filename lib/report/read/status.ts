import { defined } from "../../json/defined";
import { type Fields, isFields, parseJson } from "../../json/fields";
import { type StepStatus, stepNames } from "../../live/status";
import type { StatusSnapshot } from "../model";
import { FieldReader } from "./field-reader";
import { type Read, type SourceText, timeOfFile } from "./sources";

/**
 * Reads the output of `cert-migration status --json`: one status, or with `--watch` one status per line. A truncated
 * last line is left out, and the notes mention it.
 */
export function readStatusFile(file: SourceText): Read<readonly StatusSnapshot[]> {
  const reader = new FieldReader(file.source);
  const { values, notes } = valuesOf(file.text, reader);
  const part = values.map(([value, at]) => snapshotOf(value, at, notes, file, reader));
  const problems = reader.problems();
  return problems.length > 0 ? { problems } : { part };
}

interface Values {
  /** Each with its pointer. */
  readonly values: readonly (readonly [Fields, string])[];
  readonly notes: readonly string[];
}

function valuesOf(text: string, reader: FieldReader): Values {
  const lines = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\n");
  const isLines = lines.length > 1 && parseLine(lines[0] ?? "") !== undefined;
  if (!isLines) {
    const value = reader.parse(text);
    return { values: value === undefined ? [] : [[value, ""]], notes: [] };
  }
  const isCut = !text.endsWith("\n") && parseLine(lines.at(-1) ?? "") === undefined;
  const values = (isCut ? lines.slice(0, -1) : lines).flatMap((line, index) => {
    const value = parseLine(line);
    if (value === undefined) reader.report(`line ${index + 1}`, "is not JSON");
    return value === undefined ? [] : [[value, `line ${index + 1}: `] as const];
  });
  return { values, notes: isCut ? ["its last line was cut off and is not counted"] : [] };
}

function parseLine(line: string): Fields | undefined {
  const value = parseJson(line);
  return isFields(value) ? value : undefined;
}

function snapshotOf(
  value: Fields,
  at: string,
  notes: readonly string[],
  { source, modifiedAt }: SourceText,
  reader: FieldReader,
): StatusSnapshot {
  reader.version(value);
  const hasTime = value.time !== undefined;
  return {
    source,
    time: hasTime ? reader.time(value, "time", at) : modifiedAt,
    hostnames: reader.list(value, "hostnames", at).map(([fields, place]) => {
      const steps = stepsOf(fields, place, reader);
      const current = steps.find(({ state }) => state !== "done" && state !== "none");
      return {
        migration: reader.text(fields, "migration", place),
        hostname: reader.text(fields, "hostname", place),
        steps,
        ...defined({ current }),
      };
    }),
    notes: hasTime ? notes : [...notes, timeOfFile],
  };
}

/** Reads all eight steps by their numbers. The titles come from this program, not from the file. */
function stepsOf(hostname: Fields, at: string, reader: FieldReader): readonly StepStatus[] {
  const read = new Map<number, Omit<StepStatus, "step" | "name">>();
  for (const [fields, place] of reader.list(hostname, "steps", at)) {
    const step = reader.count(fields, "step", place);
    read.set(step, {
      state: reader.oneOf(fields, "state", place, ["unknown", "done", "todo", "waiting", "failed", "none"]),
      ...reader.maybeText(fields, "code", place),
      ...reader.maybeText(fields, "reason", place),
      ...reader.maybeText(fields, "next", place),
    });
  }
  return stepNames.map((name, index) => {
    const step = read.get(index + 1);
    if (step === undefined) reader.report(`${at}/steps`, `has no step ${index + 1}; there have to be all eight`);
    return { step: index + 1, name, ...(step ?? { state: "unknown" }) };
  });
}
