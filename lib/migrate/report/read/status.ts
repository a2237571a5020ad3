import { type StepStatus, stepNames } from "../../status";
import type { StatusSnapshot } from "../model";
import { FieldReader, type Fields } from "./fields";
import { type Read, type SourceText, timeOfFile } from "./sources";

/** Reads what `cert-migration status --json` printed. */
export function readStatusFile({ source, text, modifiedAt }: SourceText): Read<StatusSnapshot> {
  const reader = new FieldReader(source);
  const file = reader.parse(text);
  if (file === undefined) return { problems: reader.problems() };
  reader.version(file);
  const time = file.time === undefined ? modifiedAt : reader.time(file, "time", "");
  const hostnames = reader.list(file, "hostnames", "").map(([fields, at]) => {
    const steps = stepsOf(fields, at, reader);
    const current = steps.find(({ state }) => state !== "done" && state !== "none");
    return {
      migration: reader.text(fields, "migration", at),
      hostname: reader.text(fields, "hostname", at),
      steps,
      ...(current === undefined ? {} : { current }),
    };
  });
  const problems = reader.problems();
  if (problems.length > 0) return { problems };
  return { part: { source, time, hostnames, ...(file.time === undefined ? { notes: [timeOfFile] } : {}) } };
}

/** All eight, by their numbers; what one is called is ours to say. */
function stepsOf(hostname: Fields, at: string, reader: FieldReader): readonly StepStatus[] {
  const read = new Map<number, Omit<StepStatus, "step" | "name">>();
  for (const [fields, place] of reader.list(hostname, "steps", at)) {
    const step = reader.count(fields, "step", place);
    read.set(step, {
      state: reader.oneOf(fields, "state", place, ["unknown", "done", "todo", "waiting", "failed", "none"]),
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
