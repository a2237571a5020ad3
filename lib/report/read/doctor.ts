import type { DoctorRecord } from "../model";
import { FieldReader } from "./field-reader";
import { readFinding } from "./finding";
import type { Read, SourceText } from "./sources";

/** The most checks that are listed because they could not run. */
const mostNamed = 20;

/** Reads the output of `cert-migration doctor --json`. */
export function readDoctorFile({ source, text }: SourceText): Read<DoctorRecord> {
  const reader = new FieldReader(source);
  const file = reader.parse(text);
  if (file === undefined) return { problems: reader.problems() };
  reader.version(file);
  const findings = reader.list(file, "findings", "").map(([fields, at]) => readFinding(reader, fields, at));
  const blind = reader.maybeList(file, "checks", "").flatMap(([fields, at]) => {
    const check = reader.text(fields, "check", at);
    const { subject } = reader.maybeText(fields, "subject", at);
    const outcome = reader.oneOf(fields, "outcome", at, ["unknown", "passed", "found", "stopped"]);
    return outcome === "unknown" || outcome === "stopped"
      ? [`${check}${subject === undefined ? "" : ` of ${subject}`}`]
      : [];
  });
  const problems = reader.problems();
  if (problems.length > 0) return { problems };
  const more = blind.length > mostNamed ? `, and ${blind.length - mostNamed} more` : "";
  const notes = [
    ...(file.stopped === true ? ["it was stopped before the end, so findings may be missing"] : []),
    ...(blind.length > 0 ? [`not or not wholly looked at: ${blind.slice(0, mostNamed).join(", ")}${more}`] : []),
  ];
  return { part: { source, findings, notes, ...(file.stopped === true ? { stopped: true } : {}) } };
}
