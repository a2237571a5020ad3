import { defined } from "../../json/defined";
import { eventKinds, type RehearsalRecord, servers } from "../model";
import {
  amount,
  anyText,
  fields,
  flag,
  listReader,
  nullable,
  object,
  oneOfWords,
  optional,
  type Read,
  type Reader,
  readObject,
  rfc3339,
  type SourceText,
  textField,
  texts,
  wholeNumber,
  wholeNumbers,
} from "./field-reader";

/** Reads an object whose keys are names and whose values are texts. */
const textsByName: Reader<Readonly<Record<string, string>>> = (value, at, problems) => {
  const named = Object.entries(fields(value, at, problems));
  return Object.fromEntries(named.map(([name, value]) => [name, textField(value, `${at}/${name}`, problems)]));
};

const certificate = object({ name: anyText, kind: textField, domains: texts });

const rehearsed = object({
  input: object({
    kind: oneOfWords(["spec", "certificates", "stack", "app", "terraform-dir"]),
    name: textField,
    sha256: textField,
    migrations: listReader(
      object({ name: textField, project: optional(anyText), certificates: listReader(certificate) }),
    ),
  }),
  hostnames: texts,
  addedHostname: optional(anyText),
  versions: object({
    terraform: object({ program: textField, version: textField }),
    kit: textsByName,
    package: textField,
    provider: optional(anyText),
    node: textField,
  }),
  provider: oneOfWords(["stand-in", "real"]),
  speed: amount,
  faults: optional(object({ name: textField, sha256: optional(anyText) })),
  startedAt: rfc3339,
  endedAt: rfc3339,
  evidence: optional(object({ folder: textField, manifestSha256: textField })),
});

/** Former files have `new` for the load balancer. */
const certificateSide: Reader<"previous" | "loadBalancer"> = (value, at, problems) =>
  value === "new" ? "loadBalancer" : oneOfWords(["previous", "loadBalancer"])(value, at, problems);

const timeline = object({
  addresses: object({ previous: texts, loadBalancer: texts }),
  from: rfc3339,
  until: rfc3339,
  events: listReader(
    object({
      kind: oneOfWords(eventKinds),
      from: rfc3339,
      until: optional(rfc3339),
      what: textField,
      ok: optional(flag),
      hostnames: optional(texts),
    }),
  ),
  parts: optional(listReader(object({ name: textField, from: rfc3339, until: rfc3339 }))),
  hostnames: listReader(
    object({
      hostname: textField,
      runs: listReader(
        object({
          from: rfc3339,
          until: rfc3339,
          by: oneOfWords(servers),
          handshakes: wholeNumber,
          failed: optional(wholeNumber),
          certificate: optional(anyText),
          error: optional(anyText),
        }),
      ),
    }),
  ),
  certificates: listReader(
    object({
      sha256: textField,
      side: certificateSide,
      names: texts,
      issuer: anyText,
      keyType: textField,
      notBefore: rfc3339,
      notAfter: rfc3339,
    }),
  ),
});

const faultCounts = optional(listReader(object({ list: textField, count: wholeNumber })));

const daysOfCertificates = listReader(object({ day: amount, certificate: textField }));

const days = object({
  days: amount,
  probes: wholeNumber,
  failedHandshakes: wholeNumber,
  firstFailureDay: optional(amount),
  plans: wholeNumber,
  plansWithChanges: wholeNumber,
  renewals: daysOfCertificates,
  replacements: daysOfCertificates,
  expiries: daysOfCertificates,
  incidents: listReader(object({ day: amount, closedDay: optional(amount), policy: textField })),
  failure: optional(
    object({ name: textField, beganDay: amount, repairedDay: optional(amount), hadEffect: optional(flag) }),
  ),
});

const result = object({
  ok: flag,
  stopped: nullable(flag),
  steps: listReader(
    object({
      number: wholeNumber,
      name: textField,
      ok: flag,
      stopped: nullable(flag),
      seconds: amount,
      probes: wholeNumber,
      failedHandshakes: wholeNumber,
      from: optional(rfc3339),
      until: optional(rfc3339),
    }),
  ),
  parts: optional(
    listReader(
      object({
        numbers: wholeNumbers,
        name: textField,
        state: oneOfWords(["done", "stopped", "failed"]),
        seconds: amount,
        handshakes: wholeNumber,
        failed: wholeNumber,
      }),
    ),
  ),
  probes: wholeNumber,
  failedHandshakes: wholeNumber,
  discarded: optional(wholeNumber),
  clients: optional(
    object({
      refusesOthers: flag,
      withCertificate: object({ probes: wholeNumber, failed: wholeNumber }),
      withoutCertificate: object({ probes: wholeNumber, failed: wholeNumber, refused: wholeNumber }),
    }),
  ),
  // `--json` has no watch, and null for other parts that were not rehearsed.
  watch: nullable(flag),
  rotation: nullable(flag),
  rollback: nullable(flag),
  days: optional(days),
  destroyed: flag,
  left: optional(texts),
  failures: listReader(
    object({ time: rfc3339, hostname: textField, address: optional(anyText), error: optional(anyText) }),
  ),
  acts: optional(listReader(object({ name: textField, ok: flag }))),
  converged: nullable(flag),
  seed: optional(wholeNumber),
  faultCounts,
  /** Name of `faultCounts` in former files. */
  struck: faultCounts,
  kills: optional(wholeNumber),
  imports: optional(wholeNumber),
  rehearsed: optional(rehearsed),
  timeline: optional(timeline),
});

/** Reads the JSON that `cert-migration rehearse --report` or `--json` wrote. */
export function readRehearsalFile(file: SourceText): Read<RehearsalRecord> {
  const read = readObject(file, { command: "rehearse --json", field: "steps" }, result);
  if ("problems" in read) return read;
  const { struck, ...part } = read.part;
  return { part: { source: file.source, result: { acts: [], ...defined({ faultCounts: struck }), ...part } } };
}
