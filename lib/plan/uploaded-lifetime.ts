/** Lifetimes of uploaded certificates: limits of public CAs, and the dates of replacements. */
import { renewalDueAt } from "../renewal";
import { certificatesIn, isIssuedByOneOf, readCertificateChain } from "../x509";
import type { MigrationPlan } from "./model";
import type { Planning } from "./planning";
import { isReference } from "./shape/reference";

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Maximum lifetimes of certificates of public CAs in days, by date of issue, latest first.
 *
 * @see https://cabforum.org/2025/04/11/ballot-sc081v3-introduce-schedule-of-reducing-validity-and-data-reuse-periods/
 */
const limits = [
  { since: "2029-03-15", days: 47 },
  { since: "2027-03-15", days: 100 },
  { since: "2026-03-15", days: 200 },
] as const;

/**
 * Warns of a certificate of a public CA that is valid for longer than public CAs may issue: browsers may refuse it.
 *
 * @param pem the certificate and its chain
 */
export function checkLifetime(
  { findings, uploads: { publicRoots } }: Planning,
  { notBefore, notAfter, pem }: { readonly notBefore: Date; readonly notAfter: Date; readonly pem: string },
  owner: string,
  at: string,
): void {
  const limit = limits.find(({ since }) => notBefore.getTime() >= Date.parse(`${since}T00:00:00Z`));
  const days = Math.ceil((notAfter.getTime() - notBefore.getTime()) / dayMs);
  if (limit === undefined || days <= limit.days || publicRoots === undefined) return;
  if (!isIssuedByOneOf(certificatesIn(pem), publicRoots())) return;
  const issued = `${owner} was issued on ${dayOf(notBefore)} and is valid for ${days} days`;
  const what = `${issued}; since ${limit.since}, public CAs may issue at most ${limit.days}`;
  findings.report("certificate-lifetime-exceeded", at, what);
}

/** When an uploaded certificate has to be replaced. */
export interface UploadedReplacement {
  /** Id of the certificate in the plan. */
  readonly certificate: string;
  /** When two thirds of its lifetime are used. */
  readonly replaceFrom: Date;
  readonly notAfter: Date;
}

/** Returns the next replacements of the uploaded certificates of a plan, without those whose PEM is a reference. */
export function uploadedReplacements({ certificates }: MigrationPlan): readonly UploadedReplacement[] {
  return certificates.flatMap((planned) => {
    if (planned.kind !== "selfManaged" || isReference(planned.certificatePem)) return [];
    const { leaf } = readCertificateChain(planned.certificatePem);
    if (leaf === undefined) return [];
    return [{ certificate: planned.id, replaceFrom: renewalDueAt(leaf), notAfter: leaf.notAfter }];
  });
}

/** Returns what to know about a replacement, in one line. */
export function describeReplacement({ certificate, replaceFrom, notAfter }: UploadedReplacement): string {
  return `certificate '${certificate}' is uploaded and ends on ${dayOf(notAfter)}; replace it from ${dayOf(replaceFrom)} on`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
