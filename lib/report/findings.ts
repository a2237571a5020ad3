import { severityRanks } from "../findings/codes";
import { findingsOf as createFindings, type Finding } from "../findings/finding";
import { defined } from "../json/defined";
import { groupBy } from "../json/group-by";
import { stepNames } from "../live/status";
import { watchCodes } from "../live/watch";
import { listFirst } from "../text/words";
import { reportCodes } from "./codes";
import type { History } from "./history";
import { type HostnameState, isOpen, latestPairs } from "./hostname-states";
import type { ReportData, Verification, WatchedHostname, WatchRecord } from "./model";
import { latestFindings, missingShards } from "./shards";
import { countWithSeparators, formatSpan, partOf } from "./words";

/** A finding that the reader of the report has to know, with the hostnames that it affects. */
export interface ReportFinding extends Omit<Finding, "subject"> {
  /** The command that reported the finding. */
  readonly by: "status" | "verify" | "watch" | "doctor" | "rehearse";
  /** The message of the finding for the first of the hostnames. */
  readonly example?: string;
  /** Hostnames with this finding: the first {@link mostSubjects}. */
  readonly subjects: readonly string[];
  /** The number of all hostnames with this finding. */
  readonly subjectCount: number;
}

/** Limits the hostnames that a finding lists. One cause for thousands of hostnames stays one finding of a few lines. */
export const mostSubjects = 50;

/** Returns all findings, the severest first. The same finding on several hostnames is merged into one. */
export function reportFindings(
  data: ReportData,
  hostnameStates: readonly HostnameState[],
  history: History,
): readonly ReportFinding[] {
  const found = [
    ...fromDoctor(data),
    ...fromStatus(data, hostnameStates),
    ...fromHistory(history, hostnameStates),
    ...fromVerify(data),
    ...fromWatches(data),
    ...fromRehearsal(data),
  ];
  const rank = ({ severity }: ReportFinding) => severityRanks[severity];
  return merge(found).sort((left, right) => rank(left) - rank(right) || right.subjectCount - left.subjectCount);
}

/**
 * A finding before merging. Only `subject` and `example` differ by hostname; findings that are equal in everything else
 * are merged.
 */
type Found = Finding & Pick<ReportFinding, "by" | "example">;

function merge(found: readonly Found[]): ReportFinding[] {
  const alike = groupBy(found, ({ by, code, severity, message, meaning, remedy, command }) =>
    JSON.stringify([by, code, severity, message, meaning, remedy, command]),
  );
  return [...alike.values()].flatMap((all) => {
    const subjects = [...new Set(all.map(({ subject }) => subject).filter((subject) => subject !== ""))];
    const merged = { subjects: subjects.slice(0, mostSubjects), subjectCount: subjects.length };
    return all.slice(0, 1).map(({ subject: _, ...finding }) => ({ ...finding, ...merged }));
  });
}

function fromDoctor({ doctor }: ReportData): readonly Found[] {
  return (doctor?.findings ?? []).map((finding) => ({ by: "doctor", ...finding }));
}

const reportFinding = createFindings(reportCodes);

function own(
  by: Found["by"],
  code: keyof typeof reportCodes,
  message: string,
  { subject = "", ...more }: Partial<Pick<Found, "subject" | "example">> = {},
): Found {
  return { by, ...reportFinding(code, subject, message), ...more };
}

/**
 * Returns the steps that failed. {@link fromVerify} reports the failures that `verify` found, because it also has the
 * addresses.
 */
function fromStatus({ verifications = [] }: ReportData, hostnameStates: readonly HostnameState[]): readonly Found[] {
  const verifiedFailing = new Set(latestPairs(verifications).flatMap(({ ok, hostname }) => (ok ? [] : [hostname])));
  return hostnameStates.flatMap(({ hostname, steps }) =>
    steps
      .filter(({ step, state }) => state === "failed" && !(step === 7 && verifiedFailing.has(hostname)))
      .map(({ step, name, code, reason, next }): Found => {
        const message = `step ${step}, ${name}, has failed`;
        const seen = reason === undefined ? {} : { example: next === undefined ? reason : `${reason}; ${next}` };
        if (code === undefined) return own("status", "step-failed", message, { subject: hostname, ...seen });
        return { by: "status", code, severity: "error", message, subject: hostname, remedy: "", ...seen };
      }),
  );
}

/** Returns the steps that were done and have since been undone: a resource or record was removed. */
function fromHistory({ setbacks }: History, hostnameStates: readonly HostnameState[]): readonly Found[] {
  const open = new Set(
    hostnameStates.flatMap(({ hostname, steps }) => steps.filter(isOpen).map(({ step }) => `${step} ${hostname}`)),
  );
  return setbacks
    .filter(({ hostname, step }) => open.has(`${step} ${hostname}`))
    .map(({ hostname, step }) => {
      const what = `step ${step}, ${stepNames[step - 1] ?? ""}, was done and is no longer done`;
      return own("status", "step-undone", what, { subject: hostname });
    });
}

function fromVerify(data: ReportData): readonly Found[] {
  const { verifications = [] } = data;
  const found = verifyFindings(data).map((finding): Found => ({ by: "verify", ...finding }));
  return [...fromPairs(verifications), ...found, ...fromShards("verify", verifications)];
}

/** Returns what the latest verifications found beside the results of hostnames. */
export function verifyFindings({ verifications = [] }: ReportData): readonly Finding[] {
  return latestFindings(verifications, ({ source }) =>
    reportFinding("not-served", "", `${source}: verify failed, and the file lists no failure`),
  );
}

function fromShards(by: "verify" | "watch", results: readonly (Verification | WatchRecord)[]): readonly Found[] {
  return missingShards(results).map(({ shards, names }) => {
    const quoted = names.map((name) => `'${name}'`);
    const of = quoted.length === 0 ? "" : ` for ${listFirst(quoted, mostShards)}`;
    return own(by, "shard-missing", `${by}: no result of --shard ${listFirst(shards, mostShards)}${of}`);
  });
}

/** Limits the shards, and the migrations, that a message lists. */
const mostShards = 10;

function fromPairs(verifications: readonly Verification[]): readonly Found[] {
  return latestPairs(verifications)
    .filter(({ ok }) => !ok)
    .map(({ hostname, address, failure: { code, message: example, remedy = "" } = {} }): Found => {
      const message = `not served as it should be at ${address}`;
      const seen = { subject: hostname, ...defined({ example }) };
      if (code === undefined) return own("verify", "not-served", message, seen);
      return { by: "verify", code, severity: "error", message, ...seen, remedy };
    });
}

function fromWatches({ watches = [] }: ReportData): readonly Found[] {
  return [...fromShards("watch", watches), ...watches.flatMap(fromWatch)];
}

function fromWatch({ source, hostnames, blind, verdict }: WatchRecord): readonly Found[] {
  const totals = totalsOf(hostnames);
  const failures = hostnames.flatMap(({ hostname, codes }) =>
    codes.map(
      ({ code, detail }): Found => ({
        by: "watch",
        code,
        severity: "error",
        subject: hostname,
        message: `${source}: ${countWithSeparators(totals.get(code) ?? 0, "connection")} failed`,
        ...meaningOf(code),
        ...defined({ example: detail }),
      }),
    ),
  );
  const together = `${countWithSeparators(blind.count, "time")}, ${formatSpan(blind.milliseconds)} together`;
  return [
    ...failures,
    ...(blind.count > 0 ? [own("watch", "watch-gap", `${source}: nothing could be seen ${together}`)] : []),
    ...(verdict === undefined ? [own("watch", "watch-without-summary", `${source} has no summary`)] : []),
  ];
}

/** Returns the meaning and the remedy of a code of `watch`. Codes of a later version have neither. */
function meaningOf(code: string): Pick<Found, "meaning" | "remedy"> {
  if (!Object.hasOwn(watchCodes, code)) return { remedy: "" };
  const { meaning, remedy } = watchCodes[code as keyof typeof watchCodes];
  return { meaning, remedy };
}

function totalsOf(hostnames: readonly WatchedHostname[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { codes } of hostnames) {
    for (const { code, count } of codes) totals.set(code, (totals.get(code) ?? 0) + count);
  }
  return totals;
}

function fromRehearsal({ rehearsal }: ReportData): readonly Found[] {
  if (rehearsal === undefined) return [];
  const { steps, failures, failedHandshakes, probes, acts = [] } = rehearsal.result;
  const { rotation, rollback, converged, destroyed, stopped } = rehearsal.result;
  const of = (code: keyof typeof reportCodes, what: string, subject?: string): Found =>
    own("rehearse", code, what, subject === undefined ? {} : { subject });
  const unlisted = `${partOf(failedHandshakes, probes, "handshake")} failed, more than are listed`;
  return [
    ...(stopped === true ? [of("rehearsal-stopped", "the rehearsal was stopped before its end")] : []),
    ...steps
      .filter((step) => !step.ok && step.stopped !== true)
      .map(({ number, name, failedHandshakes: failed }) => {
        const how = failed === 0 ? "did not end as it should" : `${countWithSeparators(failed, "handshake")} failed`;
        return of("rehearsed-step-failed", `step ${number}, ${name}: ${how}`);
      }),
    ...failures.map(({ hostname, address, error }) =>
      of("rehearsed-handshake-failed", `${error ?? "no handshake"} at ${address ?? "no address"}`, hostname),
    ),
    ...(failures.length < failedHandshakes ? [of("rehearsed-handshake-failed", unlisted)] : []),
    ...(rotation === false ? [of("rotation-failed", "a domain added to a certificate")] : []),
    ...(rollback === false ? [of("rollback-failed", "traffic back and forth")] : []),
    ...acts.filter(({ ok }) => !ok).map(({ name }) => of("rehearsed-act-failed", name)),
    ...(converged === false ? [of("not-converged", "a last plan was not empty")] : []),
    ...(destroyed ? [] : [of("left-behind", "something was left after destroying the stack")]),
  ];
}
