import { eventKinds, type RehearsalRecord, servers } from "../model";
import {
  amount,
  anyText,
  count,
  fields,
  flag,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  type Read,
  type Reader,
  readObject,
  rfc3339,
  type SourceText,
  text,
  texts,
} from "./field-reader";

/** Reads an object whose keys are names and whose values are texts. */
const textsByName: Reader<Readonly<Record<string, string>>> = (value, at, problems) => {
  const named = Object.entries(fields(value, at, problems));
  return Object.fromEntries(named.map(([name, own]) => [name, text(own, `${at}/${name}`, problems)]));
};

const certificate = object({ name: anyText, kind: text, domains: texts });

const rehearsed = object({
  input: object({
    kind: oneOf(["spec", "certificates", "stack", "app", "terraform-dir"]),
    name: text,
    sha256: text,
    migrations: listOf(object({ name: text, project: optional(anyText), certificates: listOf(certificate) })),
  }),
  hostnames: texts,
  addedHostname: optional(anyText),
  versions: object({
    terraform: object({ program: text, version: text }),
    kit: textsByName,
    package: text,
    provider: optional(anyText),
    node: text,
  }),
  provider: oneOf(["stand-in", "real"]),
  speed: amount,
  faults: optional(object({ name: text, sha256: optional(anyText) })),
  startedAt: rfc3339,
  endedAt: rfc3339,
  evidence: optional(object({ folder: text, manifestSha256: text })),
});

const timeline = object({
  addresses: object({ previous: texts, loadBalancer: texts }),
  from: rfc3339,
  until: rfc3339,
  events: listOf(
    object({
      kind: oneOf(eventKinds),
      from: rfc3339,
      until: optional(rfc3339),
      what: text,
      ok: optional(flag),
      hostnames: optional(texts),
    }),
  ),
  hostnames: listOf(
    object({
      hostname: text,
      runs: listOf(
        object({
          from: rfc3339,
          until: rfc3339,
          by: oneOf(servers),
          handshakes: count,
          failed: optional(count),
          certificate: optional(anyText),
          error: optional(anyText),
        }),
      ),
    }),
  ),
  certificates: listOf(
    object({
      sha256: text,
      side: oneOf(["previous", "new"]),
      names: texts,
      issuer: anyText,
      keyType: text,
      notBefore: rfc3339,
      notAfter: rfc3339,
    }),
  ),
});

const result = object({
  ok: flag,
  stopped: nullable(flag),
  steps: listOf(
    object({
      number: count,
      name: text,
      ok: flag,
      stopped: nullable(flag),
      seconds: amount,
      probes: count,
      failedHandshakes: count,
      from: optional(rfc3339),
      until: optional(rfc3339),
    }),
  ),
  probes: count,
  failedHandshakes: count,
  discarded: optional(count),
  clients: optional(
    object({
      refusesOthers: flag,
      withCertificate: object({ probes: count, failed: count }),
      withoutCertificate: object({ probes: count, failed: count, refused: count }),
    }),
  ),
  // `--json` has null for parts that were not rehearsed.
  rotation: nullable(flag),
  rollback: nullable(flag),
  destroyed: flag,
  failures: listOf(object({ time: rfc3339, hostname: text, address: optional(anyText), error: optional(anyText) })),
  acts: optional(listOf(object({ name: text, ok: flag }))),
  converged: nullable(flag),
  seed: optional(count),
  struck: optional(listOf(object({ list: text, count }))),
  kills: optional(count),
  imports: optional(count),
  rehearsed: optional(rehearsed),
  timeline: optional(timeline),
});

/** Reads the JSON that `cert-migration rehearse --report` or `--json` wrote. */
export function readRehearsalFile(file: SourceText): Read<RehearsalRecord> {
  const read = readObject(file, result);
  return "problems" in read ? read : { part: { source: file.source, result: { acts: [], ...read.part } } };
}
