import { type CodedFinding, findingsOf } from "../findings/finding";
import { type RenewalCode, renewalCodes } from "./codes";

export type RenewalFinding = CodedFinding<RenewalCode>;

/** What the service and DNS report about the next renewal of a certificate. */
interface RenewalReports {
  /** State by the service's words, as in `ACTIVE`, `FAILED` or `RENEWAL_FAILED`. @default - `ACTIVE` */
  readonly state?: string;
  /** How the CA validates the domains, if not by DNS authorizations. @default - DNS authorizations, or a private CA */
  readonly validation?: "loadBalancer";
  /** Validations that failed after the issuance, by domain. */
  readonly attempts: readonly ValidationAttempt[];
  /** Issue of the whole certificate. @default - none */
  readonly issue?: { readonly reason: string; readonly details: string };
  /** What the next validation of its domains would meet. @default - not known */
  readonly obstacles?: readonly RenewalObstacle[];
}

/** A certificate that has been issued or uploaded, with what the service reports about its next renewal. */
export interface ServingCertificate extends RenewalReports {
  /** Id of the certificate, for messages. */
  readonly name: string;
  /** The service renews a managed certificate; the owner replaces an uploaded one. */
  readonly kind: "managed" | "selfManaged";
  readonly domains: readonly string[];
  /** @default - not known: no finding depends on the share of the lifetime that is used */
  readonly notBefore?: Date;
  readonly notAfter: Date;
  /** Issuance config of a certificate of a private CA. @default - a public CA */
  readonly issuanceConfig?: string;
  /** Share of the lifetime after which the certificate is renewed, 0 to 1. @default 2/3 */
  readonly renewalShare?: number;
  /** Lifetime that the issuance config asks for. @default - 90 days from a public CA, otherwise not known */
  readonly lifetimeMs?: number;
}

/** What would stop the validation of domains today. */
export interface RenewalObstacle {
  readonly hostnames: readonly string[];
  /** As in `the CNAME record _acme-challenge.example.com is missing`. */
  readonly cause: string;
}

/** The latest attempt to validate a domain, by the service's words. */
interface ValidationAttempt {
  readonly domain: string;
  /** `AUTHORIZING`, `AUTHORIZED` or `FAILED`; in Compute `ACTIVE`, `PROVISIONING`, or a text after `FAILED_`. */
  readonly state: string;
  /** `CONFIG`, `CAA` or `RATE_LIMITED`. @default - the attempt has not failed */
  readonly failureReason?: string;
  readonly details?: string;
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Share of the lifetime after which a certificate is renewed: day 60 of 90 for managed certificates of a public CA.
 *
 * @see https://cloud.google.com/certificate-manager/docs/how-it-works
 */
const usualShare = 2 / 3;

/** Lifetime of managed certificates of a public CA. */
const managedLifetimeMs = 90 * dayMs;

/** Share of the time between renewal and end after which a renewal is overdue: a week after day 60 of 90. */
const overdueShareOfWindow = 7 / 30;

/** Share of the lifetime of an uploaded certificate after which its successor is urgent. */
const urgentShare = 0.9;

const causes: Readonly<Record<string, string>> = {
  CONFIG: "the CNAME of its authorization is missing or wrong",
  CAA: "a CAA record excludes the CA, or can't be read",
  RATE_LIMITED: "a limit of the CA was reached",
  AUTHORIZATION_ISSUE: "the authorization of a domain failed",
};

/** Causes that differ for a certificate that the CA validates through its load balancer. */
const causesOfLoadBalancer: Readonly<Record<string, string>> = {
  ...causes,
  CONFIG: "DNS leads elsewhere than to the load balancer, or the load balancer does not use the certificate",
};

/** Remedy of an overdue renewal without a named cause, for a certificate without authorizations. */
const overdueOfLoadBalancer =
  "check that DNS leads its domains to the load balancer that uses it, and that their CAA records allow Google";

const findingOf = findingsOf(renewalCodes);

/**
 * Returns what threatens a certificate that serves traffic: a renewal that fails or is overdue, and the end of an
 * uploaded certificate.
 *
 * @param now time of the service
 */
export function assessRenewal(certificate: ServingCertificate, now: Date): readonly RenewalFinding[] {
  const { name, kind, domains, notAfter, renewalShare: share = usualShare } = certificate;
  const report = (code: RenewalCode, message: string, hostnames = domains, remedy?: string) => [
    findingOf(code, name, `${hostnames.join(", ")}: ${message}`, { hostnames, remedy }),
  ];
  const { used, daysLeft } = elapsed(certificate, now);
  if (daysLeft <= 0) return report("certificate-ended", `expired on ${dayOf(notAfter)}`);
  const end = `${daysLeft} ${daysLeft === 1 ? "day" : "days"} left, until ${dayOf(notAfter)}`;
  if (kind === "selfManaged") {
    const code = used >= urgentShare ? "uploaded-expires-soon" : used >= share ? "uploaded-expires" : undefined;
    return code === undefined ? [] : report(code, end);
  }
  const failures = failuresOf(certificate);
  const failed = new Set(failures.flatMap(({ hostnames }) => hostnames));
  const risks = (certificate.obstacles ?? []).filter(({ hostnames }) => hostnames.some((name) => !failed.has(name)));
  const isOverdue = used >= share + (1 - share) * overdueShareOfWindow;
  if (failures.length + risks.length === 0) {
    const remedy = certificate.validation === "loadBalancer" ? overdueOfLoadBalancer : undefined;
    return isOverdue ? report("renewal-overdue", end, domains, remedy) : [];
  }
  const isDue = used >= share || certificate.state === "RENEWAL_FAILED";
  const codeOfFailures = isDue ? "renewal-failing" : "renewal-at-risk";
  const codeOfRisks = isOverdue ? "renewal-overdue" : "renewal-at-risk";
  return [
    ...failures.flatMap(({ hostnames, cause }) => report(codeOfFailures, `${cause}; ${end}`, hostnames)),
    ...risks.flatMap(({ hostnames, cause }) => report(codeOfRisks, `${cause}; ${end}`, hostnames)),
  ];
}

/** Validity of a certificate. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Returns the time at which a renewal or a replacement is due. */
export function renewalDueAt(certificate: Validity & Partial<RenewalTerms>): Date {
  const from = beginMsOf(certificate, certificate.notBefore);
  return new Date(from + (certificate.notAfter.getTime() - from) * (certificate.renewalShare ?? usualShare));
}

type RenewalTerms = Pick<ServingCertificate, "kind" | "issuanceConfig" | "renewalShare" | "lifetimeMs">;

/**
 * Returns when the lifetime begins. The clock of a rehearsal's cloud runs ahead of clients, which would refuse a
 * certificate that begins in their future: there, certificates are valid before their issuance.
 */
function beginMsOf(
  { kind, issuanceConfig, notAfter, lifetimeMs }: Partial<RenewalTerms> & Pick<Validity, "notAfter">,
  notBefore: Date,
): number {
  const isPublic = kind === "managed" && issuanceConfig === undefined;
  const longestMs = lifetimeMs ?? (isPublic ? managedLifetimeMs : Number.POSITIVE_INFINITY);
  return Math.max(notBefore.getTime(), notAfter.getTime() - longestMs);
}

/** Returns the used share of the lifetime, and the whole days until the end. */
function elapsed(certificate: ServingCertificate, now: Date) {
  const { notBefore, notAfter } = certificate;
  const until = notAfter.getTime();
  const from = notBefore && beginMsOf(certificate, notBefore);
  const used = from === undefined ? 0 : (now.getTime() - from) / (until - from);
  return { used, daysLeft: Math.ceil((until - now.getTime()) / dayMs) };
}

/**
 * Returns the failed validations by domain; the issue or the state of the whole certificate only if no domain has
 * failed.
 */
function failuresOf(certificate: ServingCertificate): readonly RenewalObstacle[] {
  const { domains, attempts, issue, issuanceConfig, obstacles = [], state = "ACTIVE", validation } = certificate;
  const failed = attempts.filter(isFailed);
  const hasFailed = state.includes("FAILED");
  if (issuanceConfig !== undefined && (issue !== undefined || failed.length > 0 || hasFailed)) {
    const cause = obstacles[0]?.cause ?? `the CA pool of ${issuanceConfig} did not issue it`;
    return [{ hostnames: domains, cause: withDetails(cause, issue?.details) }];
  }
  const words = validation === "loadBalancer" ? causesOfLoadBalancer : causes;
  if (failed.length > 0) {
    return failed.map(({ domain, failureReason = "", details }) => ({
      hostnames: [domain],
      cause: withDetails(words[failureReason] ?? "its validation failed", details),
    }));
  }
  if (issue !== undefined) {
    return [{ hostnames: domains, cause: withDetails(words[issue.reason] ?? issue.reason, issue.details) }];
  }
  if (!hasFailed) return [];
  return obstacles.length > 0 ? obstacles : [{ hostnames: domains, cause: `its state is ${state}` }];
}

function isFailed({ state, failureReason = "FAILURE_REASON_UNSPECIFIED" }: ValidationAttempt): boolean {
  return state.startsWith("FAILED") || failureReason !== "FAILURE_REASON_UNSPECIFIED";
}

function withDetails(cause: string, details = ""): string {
  return details === "" ? cause : `${cause} (${details})`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
