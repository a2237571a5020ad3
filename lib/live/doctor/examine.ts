import { setMaxListeners } from "node:events";
import { mapConcurrently } from "../../async/concurrent";
import { severityRanks } from "../../findings/codes";
import { isRegion, lastPart } from "../../resource-names";
import type { SourceMigration } from "../../source";
import { commandLine } from "../../text/command-line";
import { type CheckName, checkNames } from "./check-names";
import { runCheckTask } from "./check-task";
import { checkTasksOf } from "./checks";
import type { DoctorCode } from "./codes";
import type { DoctorFinding, DoctorReport } from "./model";
import type { DoctorLookUps, DoctorOptions } from "./options";
import { share } from "./shared";
import { doctorSubject } from "./subject";

/**
 * Finds problems that would make migrations fail or affect traffic, before anything is changed. Only reads: it sends
 * list calls and DNS queries. A check that cannot run becomes a finding or a note of the check, and never ends the run.
 */
export async function examine(migrations: readonly SourceMigration[], options: DoctorOptions): Promise<DoctorReport> {
  // Each running check adds a listener; the default limit exists to detect leaks.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const { source = {}, run = {} } = options;
  const subjects = migrations.map((migration) => doctorSubject(migration, source));
  const served = new Set(subjects.flatMap(({ dns }) => dns.hostnames));
  const unsorted = subjects.flatMap((subject, index) => {
    // Terraform applies the whole stack, whose references are looked up once.
    const stack = index === 0 ? source.stack : undefined;
    const own = { ...options, source: { ...source, stack }, signal };
    return checkTasksOf({ subject, shared: share(subject, own), options: own, served });
  });
  const tasks = unsorted.sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check));
  const { concurrency = 32, timeoutMs = 120_000 } = run;
  let done = 0;
  const results = await mapConcurrently(tasks, concurrency, async (task) => {
    const result = await runCheckTask(task, signal, timeoutMs);
    done += 1;
    run.onCheck?.(done, tasks.length);
    return result;
  });
  const checks = results.map(({ check }) => check);
  return {
    findings: sortFindings(withoutConsequences(results.flatMap(({ findings }) => findings))).map((finding) =>
      askingAt(options.lookUps.resolver, finding),
    ),
    checks,
    stopped: checks.some(({ outcome }) => outcome === "stopped"),
  };
}

function askingAt(resolver: DoctorLookUps["resolver"], found: DoctorFinding): DoctorFinding {
  const { command } = found;
  // `+trace` follows the delegation from the root, and `+norecurse` commands query a specific name server.
  if (resolver === undefined || command === undefined || !/^dig (?!.*(?:\+trace|\+norecurse) )/.test(command))
    return found;
  const { address, port } = resolver;
  return { ...found, command: command.replace(/^dig/, () => commandLine("dig", `@${address}`, "-p", String(port))) };
}

/** Leaves out failed checks and missing resources in a region that does not exist: only the region must be fixed. */
function withoutConsequences(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const regions = findings
    .filter(({ code, subject }) => code === "existing-missing" && isRegion(subject))
    .map(({ subject }) => ({ id: subject, name: lastPart(subject) }));
  const isConsequence = ({ code, subject, message }: DoctorFinding) =>
    regions.some(
      ({ id, name }) =>
        (code === "existing-missing" && subject.startsWith(`${id}/`)) ||
        (code === "check-unanswered" && message.split(/[^a-z0-9-]+/).includes(name)),
    );
  return findings.filter((finding) => !isConsequence(finding));
}

/** Errors first, then by code and subject. Several migrations can have the same finding. */
function sortFindings(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const known = new Map(
    findings.map((finding) => [`${finding.code}\n${finding.subject}\n${finding.message}`, finding]),
  );
  const key = ({ severity, code, subject, message: what }: DoctorFinding) =>
    `${severityRanks[severity]} ${code} ${subject} ${what}`;
  return [...known.values()].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

/** Checks that send no requests and no queries. Their results do not show that any service or resolver is reachable. */
const offlineChecks: ReadonlySet<CheckName> = new Set(["project", "clients"]);

/** Codes that a check can report without an answer from a service or a resolver. */
const withoutAnswer: ReadonlySet<DoctorCode> = new Set([
  "credentials-missing",
  "credentials-refused",
  "credentials-unreadable",
  "check-denied",
  "check-needs-api",
  "check-unanswered",
  "resolver-unreachable",
  "project-unknown",
  "address-clients",
  "clients-without-sni",
  "must-staple",
  "name-not-served",
  "validation-lost",
]);

/** Reports whether no check could run, because neither a service nor a resolver answered any of them. */
export function hasNoAnswers({ findings, checks, stopped }: DoctorReport): boolean {
  const asking = checks.filter(({ check }) => !offlineChecks.has(check));
  return (
    !stopped &&
    asking.length > 0 &&
    asking.every(({ outcome }) => outcome !== "passed") &&
    findings.every(({ code }) => withoutAnswer.has(code))
  );
}
