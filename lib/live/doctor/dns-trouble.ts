import { dig } from "../../text/command-line";
import type { DoctorCode } from "./codes";
import { type DoctorFinding, finding } from "./model";

/** Why DNS was not heard of, where that is to be told alike wherever it is met. */
export interface DnsTrouble {
  /** What failed, as in `shop.com` or `the CAA records of shop.com`. */
  readonly what: string;
  /** The name that was asked. */
  readonly name: string;
  readonly type: string;
  /** A response code, `timeout`, `bogus`, or the system's own code of an error. */
  readonly detail: string;
}

/**
 * The finding for an answer that did not come.
 *
 * @param otherwise what it means where name servers failed, rather than DNSSEC or the way to the resolver
 */
export function explainTrouble(
  { what, name, type, detail }: DnsTrouble,
  otherwise: { readonly code: DoctorCode; readonly subject: string; readonly what: string },
): DoctorFinding {
  const command = dig([[name, type]]);
  if (detail === "bogus") return finding("dnssec-bogus", name, `${what} fails DNSSEC validation`, { command });
  // The system's words for a way that leads nowhere: the names that were asked have no part in it.
  if (/^E[A-Z]+$|^no resolver/.test(detail)) {
    return finding("resolver-unreachable", "DNS", `no resolver answers (${detail})`);
  }
  return finding(otherwise.code, otherwise.subject, otherwise.what, { command });
}

/** How a question went that no answer came of, after the words for what was asked. */
export function answeredWith(detail: string): string {
  if (detail === "timeout") return "is not answered in time";
  if (detail === "unreadable") return "is answered with what can't be read";
  if (detail === "alias-loop") return "leads from alias to alias without end";
  return `is answered with ${detail}`;
}
