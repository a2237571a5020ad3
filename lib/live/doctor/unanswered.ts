import type { DoctorCode } from "./codes";
import type { CheckName, DoctorReport } from "./model";

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
