import type { DoctorCode } from "./codes";
import type { CheckName, DoctorReport } from "./model";

/** Checks that ask nobody: what they say is no sign that anything could be looked at. */
const askNobody: ReadonlySet<CheckName> = new Set(["project", "clients"]);

/** What is found without asking, or where nobody answers. */
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

/** Whether no check could run: neither a service nor a resolver has answered any of them. */
export function isBlind({ findings, checks, stopped }: DoctorReport): boolean {
  const asking = checks.filter(({ check }) => !askNobody.has(check));
  return (
    !stopped &&
    asking.length > 0 &&
    asking.every(({ outcome }) => outcome !== "passed") &&
    findings.every(({ code }) => withoutAnswer.has(code))
  );
}
