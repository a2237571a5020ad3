import { type CodeTable, error } from "../../findings/codes";
import { findingsOf } from "../../findings/finding";
import { type HandshakeFailure, handshakeCodes, verifyCodes } from "../verify";

export type DnsFailureCode = "dns-no-address" | "dns-failed" | "dns-unanswered";

const dnsCodes: CodeTable<DnsFailureCode> = {
  "dns-no-address": error(
    "the hostname has no address in DNS: clients can't connect",
    "check whether a record of step 8 was deleted or replaced instead of changed; restore the previous address until the cause is known",
  ),
  "dns-failed": error(
    "a resolver can't resolve the hostname",
    "check the name servers of the zone, DNSSEC after a change of name servers, and the target of a CNAME",
  ),
  "dns-unanswered": error(
    "some name servers of the hostname don't answer",
    "check the name servers of the zone and its delegation",
  ),
};

/** A watch sends no HTTP requests, and ignores addresses to which this machine has no route. */
const {
  "ipv6-not-here": _noRoute,
  "http-no-answer": _noAnswer,
  "http-server-error": _serverError,
  ...connectionCodes
} = handshakeCodes;

/** A code of {@link watchCodes}. */
export type WatchCode = DnsFailureCode | keyof typeof connectionCodes;

/** Every code that a sample of `watch` can have. */
export const watchCodes: CodeTable<WatchCode> = { ...dnsCodes, ...connectionCodes };

/** Codes of failed samples, also of a connection with more options than the connections of `watch`. */
export type FailureCode = DnsFailureCode | HandshakeFailure;

export const failureFinding = findingsOf<FailureCode>({ ...verifyCodes, ...dnsCodes });

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof watchCodes, true> {}
}
