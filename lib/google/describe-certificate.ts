// Kept apart from the public API: its users' compilers could not resolve all types of this client.
import type { protos } from "@google-cloud/certificate-manager";
import type { LiveCertificate } from "./live-certificate";

type ApiCertificate = protos.google.cloud.certificatemanager.v1.ICertificate;

export function describeLiveCertificate(certificate: ApiCertificate): LiveCertificate {
  const { managed } = certificate;
  const name = certificate.name ?? "";
  const domains = certificate.sanDnsnames ?? [];
  const named = word(certificate.scope, scopes);
  const scope = named === "" || named === "DEFAULT" ? {} : { scope: named };
  if (managed === null || managed === undefined) {
    return { name, kind: "selfManaged", state: "ACTIVE", ...scope, domains, attempts: [], ...issued(certificate) };
  }
  const issue = managed.provisioningIssue;
  return {
    name,
    kind: "managed",
    state: word(managed.state, states),
    ...scope,
    ...(managed.dnsAuthorizations?.length || managed.issuanceConfig ? {} : { validation: "loadBalancer" }),
    ...(managed.dnsAuthorizations?.length ? { authorizations: managed.dnsAuthorizations } : {}),
    ...(managed.issuanceConfig ? { issuanceConfig: managed.issuanceConfig } : {}),
    domains: managed.domains ?? domains,
    attempts: (managed.authorizationAttemptInfo ?? []).map((attempt) => {
      const reason = word(attempt.failureReason, reasons);
      return {
        domain: attempt.domain ?? "",
        state: word(attempt.state, attemptStates),
        ...(reason === "" || reason === "FAILURE_REASON_UNSPECIFIED" ? {} : { failureReason: reason }),
        ...(attempt.details ? { details: attempt.details } : {}),
      };
    }),
    ...(issue ? { issue: { reason: word(issue.reason, issueReasons), details: issue.details ?? "" } } : {}),
    ...issued(certificate),
  };
}

function issued({
  expireTime,
  pemCertificate,
}: ApiCertificate): Pick<LiveCertificate, "expireTime" | "certificatePem"> {
  return {
    ...(expireTime ? { expireTime: timestampText(expireTime) } : {}),
    ...(pemCertificate ? { certificatePem: pemCertificate } : {}),
  };
}

export function timestampText({ seconds }: protos.google.protobuf.ITimestamp): string {
  return new Date(Number(seconds ?? 0) * 1_000).toISOString();
}

// Numbers of the enumerations, which the client passes on as the service wrote them.
const states: Readonly<Record<number, string>> = { 1: "PROVISIONING", 2: "FAILED", 3: "ACTIVE" };
const scopes: Readonly<Record<number, string>> = { 0: "DEFAULT", 1: "EDGE_CACHE", 2: "ALL_REGIONS", 3: "CLIENT_AUTH" };
const attemptStates: Readonly<Record<number, string>> = { 1: "AUTHORIZING", 6: "AUTHORIZED", 7: "FAILED" };
const reasons: Readonly<Record<number, string>> = { 1: "CONFIG", 2: "CAA", 3: "RATE_LIMITED" };
const issueReasons: Readonly<Record<number, string>> = { 1: "AUTHORIZATION_ISSUE", 2: "RATE_LIMITED" };

/** Returns the name of an enumeration value. */
export function word(value: string | number | null | undefined, numbers: Readonly<Record<number, string>>): string {
  if (typeof value === "number") return numbers[value] ?? "";
  return value ?? "";
}
