import type { Fields } from "../../json/fields";
import type { RehearsalRecord } from "../model";
import { FieldReader } from "./field-reader";
import { readClients, readRehearsed, readTimeline } from "./rehearsal-details";
import type { Read, SourceText } from "./sources";

/** Reads the JSON that `cert-migration rehearse --report` or `--json` wrote. */
export function readRehearsalFile({ source, text }: SourceText): Read<RehearsalRecord> {
  const reader = new FieldReader(source);
  const file = reader.parse(text);
  if (file === undefined) return { problems: reader.problems() };
  reader.version(file);
  const result = {
    ok: reader.flag(file, "ok", ""),
    ...maybeFlag(file, "stopped", "", reader),
    steps: reader.list(file, "steps", "").map(([fields, at]) => ({
      number: reader.count(fields, "number", at),
      name: reader.text(fields, "name", at),
      ok: reader.flag(fields, "ok", at),
      ...maybeFlag(fields, "stopped", at, reader),
      seconds: reader.amount(fields, "seconds", at),
      probes: reader.count(fields, "probes", at),
      failedHandshakes: reader.count(fields, "failedHandshakes", at),
      ...(fields.from === undefined ? {} : { from: reader.time(fields, "from", at).toISOString() }),
      ...(fields.until === undefined ? {} : { until: reader.time(fields, "until", at).toISOString() }),
    })),
    probes: reader.count(file, "probes", ""),
    failedHandshakes: reader.count(file, "failedHandshakes", ""),
    ...(file.discarded === undefined ? {} : { discarded: reader.count(file, "discarded", "") }),
    ...readClients(file, reader),
    ...maybeFlag(file, "rotation", "", reader),
    ...maybeFlag(file, "rollback", "", reader),
    destroyed: reader.flag(file, "destroyed", ""),
    failures: reader.list(file, "failures", "").map(([fields, at]) => ({
      time: reader.time(fields, "time", at).toISOString(),
      hostname: reader.text(fields, "hostname", at),
      ...reader.maybeText(fields, "address", at),
      ...reader.maybeText(fields, "error", at),
    })),
    acts: reader.maybeList(file, "acts", "").map(([fields, at]) => ({
      name: reader.text(fields, "name", at),
      ok: reader.flag(fields, "ok", at),
    })),
    ...maybeFlag(file, "converged", "", reader),
    ...(file.seed === undefined ? {} : { seed: reader.count(file, "seed", "") }),
    ...(file.struck === undefined
      ? {}
      : {
          struck: reader.list(file, "struck", "").map(([fields, at]) => ({
            list: reader.text(fields, "list", at),
            count: reader.count(fields, "count", at),
          })),
        }),
    ...(file.kills === undefined ? {} : { kills: reader.count(file, "kills", "") }),
    ...(file.imports === undefined ? {} : { imports: reader.count(file, "imports", "") }),
    ...readRehearsed(file, reader),
    ...readTimeline(file, reader),
  };
  const problems = reader.problems();
  return problems.length > 0 ? { problems } : { part: { source, result } };
}

function maybeFlag<Key extends string>(
  fields: Fields,
  key: Key,
  at: string,
  reader: FieldReader,
): { readonly [name in Key]?: boolean } {
  // `--json` has null for parts that were not rehearsed.
  return fields[key] === undefined || fields[key] === null
    ? {}
    : ({ [key]: reader.flag(fields, key, at) } as { readonly [name in Key]?: boolean });
}
