import { type Finding, findingsOf } from "../../findings/finding";
import { defined } from "../../json/defined";
import type { Fields } from "../../json/fields";
import { verifyCodes } from "../../live/verify";
import type { Verification, VerifiedPair } from "../model";
import { FieldReader } from "./field-reader";
import { readFinding } from "./finding";
import { type Read, type SourceText, timeOfFile } from "./sources";

/** Reads the output of `cert-migration verify --json`. */
export function readVerifyFile({ source, text, modifiedAt }: SourceText): Read<Verification> {
  const reader = new FieldReader(source);
  const file = reader.parse(text);
  if (file === undefined) return { problems: reader.problems() };
  reader.version(file);
  const time = file.time === undefined ? modifiedAt : reader.time(file, "time", "");
  const results = reader.list(file, "results", "").map(([fields, at]) => pairOf(fields, at, reader));
  const findings = reader.maybeList(file, "findings", "").map(([fields, at]) => readFinding(reader, fields, at));
  const freeze = file.freeze === undefined ? [] : freezeFindings(reader.fields(file.freeze, "/freeze"), reader);
  const exact = file.exact === undefined ? {} : reader.fields(file.exact, "/exact");
  const { reason } = reader.maybeText(exact, "reason", "/exact");
  const migrations = reader.maybeList(file, "migrations", "").map(([fields, at]) => ({
    name: reader.text(fields, "name", at),
    ...reader.maybeText(fields, "project", at),
  }));
  const problems = reader.problems();
  if (problems.length > 0) return { problems };
  const notes = [
    ...(file.time === undefined ? [timeOfFile] : []),
    ...(reason === undefined ? [] : [`not compared with the certificates of the plan: ${reason}`]),
  ];
  return {
    part: {
      source,
      time,
      ...(migrations.length === 0 ? {} : { migrations }),
      results,
      findings: [...findings, ...freeze],
      notes,
    },
  };
}

const verifyFinding = findingsOf(verifyCodes);

/** Returns the findings of the audit log about the change freeze; empty if the verdict is `clear-as-of`. */
function freezeFindings(freeze: Fields, reader: FieldReader): readonly Finding[] {
  const verdict = reader.oneOf(freeze, "verdict", "/freeze", ["clear-as-of", "violations", "unknown"]);
  if (verdict === "clear-as-of") return [];
  // Outputs of earlier versions have two lists in place of `findings`.
  const earlier = verdict === "violations" ? "violations" : "doubts";
  const messages = reader
    .maybeList(freeze, freeze.findings === undefined ? earlier : "findings", "/freeze")
    // Only violations have a key; the other findings are gaps in the evidence.
    .filter(([fields]) => verdict === "unknown" || freeze.findings === undefined || fields.key !== undefined)
    .map(([fields, at]) => reader.text(fields, "message", at));
  const more = messages.length > 1 ? ` (and ${messages.length - 1} more)` : "";
  const code = verdict === "violations" ? "freeze-violated" : "freeze-unknown";
  const { meaning } = verifyCodes[code];
  return [verifyFinding(code, "", `${messages[0] ?? meaning}${more}`)];
}

function pairOf(fields: Fields, at: string, reader: FieldReader): VerifiedPair {
  const ok = reader.flag(fields, "ok", at);
  const certificate =
    fields.certificate === undefined ? undefined : reader.fields(fields.certificate, `${at}/certificate`);
  return {
    hostname: reader.text(fields, "hostname", at),
    address: reader.text(fields, "address", at),
    ok,
    ...reader.maybeText(fields, "client", at),
    ...(ok ? {} : { code: reader.text(fields, "code", at) }),
    ...defined({
      message: reader.maybeText(fields, "message", at).message ?? reader.maybeText(fields, "detail", at).detail,
    }),
    ...reader.maybeText(fields, "remedy", at),
    ...reader.maybeText(fields, "protocol", at),
    ...(certificate === undefined
      ? {}
      : {
          certificate: {
            issuer: reader.anyText(certificate, "issuer", `${at}/certificate`),
            notAfter: reader.time(certificate, "notAfter", `${at}/certificate`),
          },
        }),
  };
}
