import { type HandshakeFailure, verifyCodes } from "../verify";

/** What a client that follows a resolver can fail with: at DNS, or as in `verify`. */
export type WatchCode = DnsFailure | HandshakeFailure;

export type DnsFailure = "dns-no-address" | "dns-failed" | "dns-unanswered";

interface CodeMeaning {
  /** What it means for clients. */
  readonly meaning: string;
  /** What to do. */
  readonly remedy: string;
}

const dnsCodes: Readonly<Record<DnsFailure, CodeMeaning>> = {
  "dns-no-address": {
    meaning: "DNS says that the hostname has no address, so no client finds it",
    remedy:
      "look whether a record of step 8 was deleted or replaced rather than changed; put the old address back until that is clear",
  },
  "dns-failed": {
    meaning: "a resolver can't say what the address of the hostname is",
    remedy: "look at the name servers of the zone, at DNSSEC after a change of them, and at where a CNAME leads",
  },
  "dns-unanswered": {
    meaning: "name servers of the hostname don't answer, though others do",
    remedy: "look at the name servers of the zone and at its delegation",
  },
};

const { "http-no-answer": _, "http-server-error": __, ...handshakeCodes } = verifyCodes;

/** Every code that a sample of `watch` can have. */
export const watchCodes: Readonly<Record<string, CodeMeaning>> = { ...dnsCodes, ...handshakeCodes };
