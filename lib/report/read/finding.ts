import type { Finding } from "../../findings/finding";
import { defined } from "../../json/defined";
import type { Fields } from "../../json/fields";
import type { FieldReader } from "./field-reader";

/** Reads a finding in the output of a command. Version 0.1 wrote `what` or `detail`, and `why`. */
export function readFinding(reader: FieldReader, fields: Fields, at: string): Finding {
  const { subject = "" } = reader.maybeText(fields, "subject", at);
  const { remedy = "" } = reader.maybeText(fields, "remedy", at);
  const { meaning = reader.maybeText(fields, "why", at).why } = reader.maybeText(fields, "meaning", at);
  const older = ["what", "detail"].find((key) => fields[key] !== undefined) ?? "message";
  return {
    code: reader.text(fields, "code", at),
    severity: reader.oneOf(fields, "severity", at, ["warning", "error", "info"]),
    subject,
    message: reader.text(fields, fields.message === undefined ? older : "message", at),
    remedy,
    ...defined({ meaning }),
    ...reader.maybeText(fields, "command", at),
  };
}
