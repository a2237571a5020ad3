import { type Finding, findingsOf } from "../../findings/finding";
import { defined } from "../../json/defined";
import { type Fields, fieldsOf, isFields, parseJson } from "../../json/fields";
import { type StepStatus, stepNames } from "../../live/status";
import { verifyCodes } from "../../live/verify";
import { listFirst } from "../../text/words";
import type { DoctorRecord, StatusSnapshot, Verification, VerifiedPair } from "../model";
import {
  anyText,
  flag,
  listReader,
  object,
  oneOfWords,
  optional,
  ProblemList,
  type Read,
  type Reader,
  readObject,
  type SourceText,
  textField,
  timestamp,
  wholeNumber,
} from "./field-reader";

/** Note for a part whose file contains no time. */
const timeOfFile = "its time is that of the file";

/** Reads all eight steps by their numbers. The titles come from this program, not from the file. */
const eightSteps: Reader<readonly StepStatus[]> = (value, at, problems) => {
  const read = listReader(
    object({
      step: wholeNumber,
      state: oneOfWords(["unknown", "done", "todo", "waiting", "failed", "none"]),
      code: optional(anyText),
      reason: optional(anyText),
      next: optional(anyText),
    }),
  )(value, at, problems);
  const byNumber = new Map(read.map((step) => [step.step, step]));
  return stepNames.map((name, index) => {
    const step = byNumber.get(index + 1);
    if (step === undefined) problems.report(at, `has no step ${index + 1}; there have to be all eight`);
    return { state: "unknown", ...step, step: index + 1, name };
  });
};

const snapshot = object({
  time: optional(timestamp),
  hostnames: listReader(object({ steps: eightSteps, migration: textField, hostname: textField })),
});

/**
 * Reads the output of `cert-migration status --json`: one status, or with `--watch` one status per line. A truncated
 * last line is left out, and the notes mention it.
 */
export function readStatusFile({ source, text: content, modifiedAt }: SourceText): Read<readonly StatusSnapshot[]> {
  const problems = new ProblemList(source, { command: "status --json", field: "hostnames" });
  const { values, notes } = valuesOf(content, problems);
  const part = values.map(([value, at]) => {
    problems.checkVersion(value);
    const read = snapshot(value, at, problems);
    const hostnames = read.hostnames.map((hostname) => {
      const current = hostname.steps.find(({ state }) => state !== "done" && state !== "none");
      return { ...hostname, ...defined({ current }) };
    });
    const all = read.time === undefined ? [...notes, timeOfFile] : notes;
    return { source, time: read.time ?? modifiedAt, hostnames, notes: all };
  });
  return problems.list().length > 0 ? { problems: problems.list() } : { part };
}

interface Values {
  /** Each with its pointer. */
  readonly values: readonly (readonly [Fields, string])[];
  readonly notes: readonly string[];
}

function valuesOf(content: string, problems: ProblemList): Values {
  const lines = content
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\n");
  const isLines = lines.length > 1 && parseLine(lines[0] ?? "") !== undefined;
  if (!isLines) {
    const value = problems.parse(content);
    return { values: value === undefined ? [] : [[value, ""]], notes: [] };
  }
  const isCut = !content.endsWith("\n") && parseLine(lines.at(-1) ?? "") === undefined;
  const values = (isCut ? lines.slice(0, -1) : lines).flatMap((line, index) => {
    const value = parseLine(line);
    if (value === undefined) problems.report(`line ${index + 1}`, "is not JSON");
    const output = value === undefined ? undefined : problems.checkOutput(value, `line ${index + 1}`);
    return output === undefined ? [] : [[output, `line ${index + 1}: `] as const];
  });
  return { values, notes: isCut ? ["its last line was cut off and is not counted"] : [] };
}

function parseLine(line: string): Fields | undefined {
  const value = parseJson(line);
  return isFields(value) ? value : undefined;
}

/** Reads a finding in the output of a command. Version 0.1 wrote `what` or `detail`, and `why`. */
const finding: Reader<Finding> = (value, at, problems) => {
  const keys = ["message", "what", "detail"] as const;
  const key = keys.find((candidate) => fieldsOf(value)[candidate] !== undefined) ?? "message";
  const read = object({
    subject: optional(anyText),
    remedy: optional(anyText),
    why: optional(anyText),
    meaning: optional(anyText),
    code: textField,
    severity: oneOfWords(["warning", "error", "info"]),
    command: optional(anyText),
  })(value, at, problems);
  const message = textField(fieldsOf(value)[key], `${at}/${key}`, problems);
  const { code, severity, subject = "", remedy = "", why, meaning = why, command } = read;
  return { code, severity, subject, message, remedy, ...defined({ meaning, command }) };
};

const pair = {
  ok: flag,
  hostname: textField,
  address: textField,
  client: optional(anyText),
  message: optional(anyText),
  // Outputs of earlier versions have `detail` in place of `message`.
  detail: optional(anyText),
  remedy: optional(anyText),
  protocol: optional(anyText),
  certificate: optional(object({ issuer: anyText, notAfter: timestamp })),
};

const verifiedPair: Reader<VerifiedPair> = (value, at, problems) => {
  const failed = fieldsOf(value).ok === true ? undefined : object({ code: textField })(value, at, problems);
  const { detail, message = detail, remedy, ...read } = object(pair)(value, at, problems);
  return failed === undefined ? read : { ...read, failure: { ...failed, ...defined({ message, remedy }) } };
};

const verifyFinding = findingsOf(verifyCodes);

/** Reads the findings of the audit log about the change freeze; empty if the verdict is `clear-as-of`. */
const freezeFindings: Reader<readonly Finding[]> = (value, at, problems) => {
  const { verdict } = object({ verdict: oneOfWords(["clear-as-of", "violations", "unknown"]) })(value, at, problems);
  if (verdict === "clear-as-of") return [];
  // Outputs of earlier versions have two lists in place of `findings`.
  const earlier = verdict === "violations" ? "violations" : "doubts";
  const key = fieldsOf(value).findings === undefined ? earlier : "findings";
  const entries = fieldsOf(value)[key] ?? [];
  const read = listReader(object({ message: textField, key: optional((keyValue) => keyValue) }))(
    entries,
    `${at}/${key}`,
    problems,
  );
  // Only violations have a key; the other findings are gaps in the evidence.
  const kept = verdict === "unknown" || key === earlier ? read : read.filter((item) => item.key !== undefined);
  const [first, ...others] = kept.map(({ message }) => message);
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const code = verdict === "violations" ? "freeze-violated" : "freeze-unknown";
  return [verifyFinding(code, "", `${first ?? verifyCodes[code].meaning}${more}`)];
};

const verification = object({
  time: optional(timestamp),
  ok: optional(flag),
  results: listReader(verifiedPair),
  findings: optional(listReader(finding)),
  freeze: optional(freezeFindings),
  exact: optional(object({ reason: optional(anyText) })),
  migrations: optional(listReader(object({ name: textField, project: optional(anyText) }))),
  shard: optional(textField),
});

/** Reads the output of `cert-migration verify --json`. */
export function readVerifyFile(file: SourceText): Read<Verification> {
  const read = readObject(file, { command: "verify --json", field: "results" }, verification);
  if ("problems" in read) return read;
  const { ok, results, findings = [], freeze = [], exact, migrations = [], shard } = read.part;
  const notes = [
    ...(read.part.time === undefined ? [timeOfFile] : []),
    ...(exact?.reason === undefined ? [] : [`not compared with the certificates of the plan: ${exact.reason}`]),
  ];
  return {
    part: {
      source: file.source,
      time: read.part.time ?? file.modifiedAt,
      ...(migrations.length === 0 ? {} : { migrations }),
      ...defined({ ok, shard }),
      results,
      findings: [...findings, ...freeze],
      notes,
    },
  };
}

/** The most checks that are listed because they could not run. */
const mostNamed = 20;

const check = object({
  check: textField,
  subject: optional(anyText),
  outcome: oneOfWords(["unknown", "passed", "found", "stopped"]),
});

const doctor = object({
  findings: listReader(finding),
  checks: optional(listReader(check)),
  stopped: optional((value) => value === true),
});

/** Reads the output of `cert-migration doctor --json`. */
export function readDoctorFile(file: SourceText): Read<DoctorRecord> {
  const read = readObject(file, { command: "doctor --json", field: "findings" }, doctor);
  if ("problems" in read) return read;
  const { findings, checks = [], stopped = false } = read.part;
  const blind = checks
    .filter(({ outcome }) => outcome === "unknown" || outcome === "stopped")
    .map((check) => `${check.check}${check.subject === undefined ? "" : ` of ${check.subject}`}`);
  const notes = [
    ...(stopped ? ["it was stopped before the end, so findings may be missing"] : []),
    ...(blind.length > 0 ? [`not or not wholly looked at: ${listFirst(blind, mostNamed)}`] : []),
  ];
  return { part: { source: file.source, findings, notes, ...(stopped ? { stopped } : {}) } };
}
