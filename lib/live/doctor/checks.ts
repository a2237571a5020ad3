import { X509Certificate } from "node:crypto";
import { groupBy } from "../../json/group-by";
import { isReference, type MigrationPlan } from "../../plan";
import { describeCertificate } from "../../x509";
import { type CheckContext, type CheckRow, type Fault, type PreparedCheck, row } from "./check-row";
import { type CheckTask, checkTask } from "./check-task";
import { judgeClients } from "./client-checks";
import { dnsChecks } from "./dns-checks";
import { balancerChecks, certificateChecks, projectChecks, recordChecks } from "./google-checks";
import { type CheckResult, doctorFinding, merge } from "./model";
import { oneCodeChecks, oneCodes } from "./one-code-checks";
import type { PreviousCertificate } from "./options";
import { referenceChecks } from "./reference-checks";

/** Every check of the doctor. Checks of the same name are reported in this order. */
const checks: readonly CheckRow<CheckResult>[] = [
  ...projectChecks,
  ...balancerChecks,
  ...oneCodes.map(
    (code): CheckRow<CheckResult> => ({
      check: oneCodeChecks[code].check,
      prepare: (context) => oneCodeChecks[code].prepare(context).map((each) => reportAs(code, each)),
    }),
  ),
  ...referenceChecks,
  ...certificateChecks,
  ...recordChecks,
  ...dnsChecks,
  row({
    check: "clients",
    of: ({ options: { previousCertificates = [], source } }) => [[...previousCertificates, ...uploaded(source?.plan)]],
    subject: (_previous, { subject }) => subject.path,
    ask: async (previous) => previous,
    judge: (previous, _previous, { subject, served }) => ({ findings: judgeClients(subject, previous, served) }),
  }),
];

function reportAs(
  code: keyof typeof oneCodeChecks,
  { subject, work }: PreparedCheck<Fault | undefined>,
): PreparedCheck<CheckResult> {
  const report = (fault: Fault | undefined) =>
    fault === undefined ? [] : [doctorFinding(code, fault.subject, fault.what, fault)];
  return { subject, work: async () => ({ findings: report(await work()) }) };
}

/** Returns all checks of a migration, ready to run. */
export function checkTasksOf(context: CheckContext): readonly CheckTask[] {
  return combine(
    checks.flatMap(({ check, prepare }) =>
      prepare(context).map(({ subject, work }) => checkTask(check, subject, work)),
    ),
  );
}

/** Combines checks of the same kind and subject, so that each is reported once. */
function combine(tasks: readonly CheckTask[]): readonly CheckTask[] {
  return [...groupBy(tasks, ({ check, subject }) => `${check}\n${subject}`).values()].map((group) => {
    const { check, subject } = group[0] as CheckTask;
    return checkTask(check, subject, async () => merge(await Promise.all(group.map((task) => task.work()))));
  });
}

/** Returns the uploaded certificates, whose clients expect the same properties after the migration. */
function uploaded(plan: MigrationPlan | undefined): readonly PreviousCertificate[] {
  return (plan?.certificates ?? []).flatMap((certificate) => {
    if (certificate.kind !== "selfManaged" || isReference(certificate.certificatePem)) return [];
    const { mustStaple } = describeCertificate(new X509Certificate(certificate.certificatePem));
    return [{ source: certificate.id, domains: [], mustStaple, ipAddresses: [] }];
  });
}
