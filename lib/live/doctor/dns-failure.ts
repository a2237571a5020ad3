import { dig } from "../../text/command-line";
import type { DoctorCode } from "./codes";
import { type DoctorFinding, doctorFinding } from "./model";

/** A failed DNS query, so that all checks report it in the same words. */
export interface DnsFailure {
  /** What failed, for example `shop.com` or `the CAA records of shop.com`. */
  readonly what: string;
  /** The queried name. */
  readonly name: string;
  readonly type: string;
  /** A response code, `timeout`, `bogus`, or the operating system's error code. */
  readonly detail: string;
}

/** @param otherwise the finding if name servers failed, rather than DNSSEC or the connection to the resolver */
export function explainDnsFailure(
  { what, name, type, detail }: DnsFailure,
  otherwise: { readonly code: DoctorCode; readonly subject: string; readonly what: string },
): DoctorFinding {
  const command = dig([[name, type]]);
  if (detail === "bogus") return doctorFinding("dnssec-bogus", name, `${what} fails DNSSEC validation`, { command });
  // Operating system errors mean that the resolver is unreachable; the queried names do not matter.
  if (/^E[A-Z]+$|^no resolver/.test(detail)) {
    return doctorFinding("resolver-unreachable", "DNS", `no resolver answers (${detail})`);
  }
  return doctorFinding(otherwise.code, otherwise.subject, otherwise.what, { command });
}

/** Describes the result of a query without an answer; the text follows the description of the query. */
export function answeredWith(detail: string): string {
  if (detail === "timeout") return "is not answered in time";
  if (detail === "unreadable") return "returned an unreadable answer";
  if (detail === "alias-loop") return "has a CNAME loop";
  return `is answered with ${detail}`;
}
