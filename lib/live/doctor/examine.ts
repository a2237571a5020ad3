import { X509Certificate } from "node:crypto";
import { setMaxListeners } from "node:events";
import { mapConcurrently } from "../../async/concurrent";
import { severityRanks } from "../../findings/codes";
import { isReference, type MigrationPlan } from "../../plan";
import { isRegion, lastPart } from "../../resource-names";
import type { SourceMigration } from "../../source";
import { commandLine } from "../../text/command-line";
import { describeCertificate } from "../../x509";
import { type CheckTask, checkTask, runCheckTask } from "./check-task";
import { judgeClients } from "./client-checks";
import type { DoctorCode } from "./codes";
import { dnsCheckTasks } from "./dns-check-tasks";
import { googleCheckTasks } from "./google-check-tasks";
import { type CheckName, checkNames, type DoctorFinding, type DoctorReport, finding } from "./model";
import { newRecordCheckTasks } from "./new-records";
import type { DoctorOptions, OldCertificate } from "./options";
import { combine, referenceCheckTasks } from "./reference-check-tasks";
import { share } from "./shared";
import { type DoctorSubject, subjectOf } from "./subject";

/**
 * Finds problems that would make migrations fail or affect traffic, before anything is changed. Only reads: it sends
 * list calls and DNS queries. A check that cannot run becomes a finding or a note of the check, and never ends the run.
 */
export async function examine(migrations: readonly SourceMigration[], options: DoctorOptions): Promise<DoctorReport> {
  // Each running check adds a listener; the default limit exists to detect leaks.
  const signal = AbortSignal.any([options.signal]);
  setMaxListeners(0, signal);
  const subjects = migrations.map((migration) => subjectOf(migration, options.plan, options.project, options.stack));
  const served = new Set(subjects.flatMap(({ hostnames }) => hostnames));
  const tasks = subjects.flatMap((subject, index) => {
    // Terraform applies the whole stack, whose references are looked up once.
    const stack = index === 0 ? options.stack : undefined;
    return checkTasksOf(subject, served, { ...options, stack, signal });
  });
  const { concurrency = 32, timeoutMs = 120_000 } = options;
  let done = 0;
  const results = await mapConcurrently(tasks, concurrency, async (task) => {
    const result = await runCheckTask(task, signal, timeoutMs);
    done += 1;
    options.onCheck?.(done, tasks.length);
    return result;
  });
  const checks = results.map(({ check }) => check);
  return {
    findings: sortFindings(withoutConsequences(results.flatMap(({ findings }) => findings))).map((one) =>
      askingAt(options.resolver, one),
    ),
    checks: checks.sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check)),
    stopped: checks.some(({ outcome }) => outcome === "stopped"),
  };
}

/** Returns all checks of a migration. @param served hostnames of all migrations */
function checkTasksOf(
  subject: DoctorSubject,
  served: ReadonlySet<string>,
  options: DoctorOptions,
): readonly CheckTask[] {
  const { path, project } = subject;
  const shared = share(subject, options);
  const old = [...(options.old ?? []), ...uploaded(options.plan)];
  const { google, plan, stack, isFromOutputs = false } = options;
  return combine([
    checkTask("project", path, async () => ({
      findings: project === undefined ? [finding("project-unknown", path, `the project of ${path} is not known`)] : [],
    })),
    ...googleCheckTasks(subject, shared, options),
    ...referenceCheckTasks({ google, shared, subject, signal: options.signal }, { plan, stack, isFromOutputs }),
    ...newRecordCheckTasks(subject.newRecords, options),
    ...dnsCheckTasks(subject, shared, options),
    checkTask("clients", path, async () => ({ findings: judgeClients(subject, old, served) })),
  ]);
}

/** Returns the uploaded certificates, whose clients expect the same properties after the migration. */
function uploaded(plan: MigrationPlan | undefined): readonly OldCertificate[] {
  return (plan?.certificates ?? []).flatMap((certificate) => {
    if (certificate.kind !== "selfManaged" || isReference(certificate.certificatePem)) return [];
    const { mustStaple } = describeCertificate(new X509Certificate(certificate.certificatePem));
    return [{ source: certificate.id, domains: [], mustStaple, ipAddresses: [] }];
  });
}

function askingAt(resolver: DoctorOptions["resolver"], found: DoctorFinding): DoctorFinding {
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
  return findings.filter((one) => !isConsequence(one));
}

/** Errors first, then by code and subject. Several migrations can have the same finding. */
function sortFindings(findings: readonly DoctorFinding[]): readonly DoctorFinding[] {
  const known = new Map(findings.map((one) => [`${one.code}\n${one.subject}\n${one.message}`, one]));
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
