import type { Disturbance } from "./disturbance";

const challenge = "_acme-challenge.*";

/**
 * Faults of domain validation: DNS answers are late, wrong, missing or forbidden; certificates take long or become
 * FAILED.
 */
export const validationDisturbances: readonly Disturbance[] = [
  {
    name: "cname-late",
    summary: "the CNAMEs are not seen at the first six looks",
    faults: { dns: [{ name: challenge, type: "CNAME", rrdatas: [], times: 6 }] },
  },
  {
    name: "cname-wrong-then-right",
    summary: "the CNAMEs lead elsewhere at first",
    faults: { dns: [{ name: challenge, type: "CNAME", rrdatas: ["somewhere.example.org."], times: 4 }] },
  },
  {
    name: "cname-nxdomain-then-right",
    summary: "a resolver still says that the CNAMEs don't exist",
    faults: { dns: [{ name: challenge, rcode: "NXDOMAIN", times: 4 }] },
  },
  {
    name: "dns-servfail-then-right",
    summary: "the name server fails for the CNAMEs at first",
    faults: { dns: [{ name: challenge, rcode: "SERVFAIL", times: 8 }] },
  },
  {
    name: "zone-refused-then-served",
    summary: "the name server is not authoritative for the CNAMEs at first",
    faults: { dns: [{ name: challenge, rcode: "REFUSED", times: 6 }] },
  },
  {
    name: "dns-slow",
    summary: "the CNAMEs are answered after half a second",
    faults: { dns: [{ name: challenge, delayMs: 500, times: 12 }] },
  },
  {
    name: "dns-silent-then-right",
    summary: "questions for the CNAMEs are lost at first",
    faults: { dns: [{ name: challenge, drop: true, times: 4 }] },
  },
  {
    name: "dns-truncated",
    summary: "DNS answers don't fit into a datagram and are fetched over TCP",
    faults: { dns: [{ name: "*", truncate: true, times: 400 }] },
  },
  {
    name: "caa-denied-then-allowed",
    summary: "CAA names another authority at first",
    faults: { dns: [{ name: "example.com", type: "CAA", rrdatas: ['0 issue "ca.example.org"'], times: 3 }] },
  },
  {
    name: "rate-limited-then-issued",
    summary: "the authority is asked too often at first",
    faults: { issuance: [{ domain: "*", failureReason: "RATE_LIMITED", times: 6 }] },
  },
  {
    name: "issuance-slow-in-one-deploy",
    summary: "one deploy does steps 1 to 6, and its gate waits for certificates that take minutes",
    order: "one deploy",
    faults: { issuance: [{ domain: "*.net", failureReason: "CONFIG", times: 4 }] },
  },
  {
    name: "issuance-slow-in-rotation",
    summary: "the certificate with the added domain takes minutes: the old one serves until then",
    faults: { issuance: [{ domain: "added.by-rehearsal.*", failureReason: "CONFIG", times: 4 }] },
  },
  ...(["CONFIG", "CAA", "RATE_LIMITED"] as const).map(
    (failureReason): Disturbance => ({
      name: `certificate-failed-${failureReason.toLowerCase().replace("_", "-")}`,
      summary: `a certificate ends as FAILED because of ${failureReason}, and is issued anew as another generation`,
      faults: { issuance: [{ domain: "pay.example.net", failureReason, times: 3 }] },
      cloud: { pace: { giveUpMs: 60_000 } },
      mend: true,
    }),
  ),
  {
    name: "cname-missing",
    summary:
      "the CNAMEs of one domain are not there for so long that its certificate is FAILED; they come, and it is issued anew",
    faults: { dns: [{ name: "_acme-challenge.pay.example.net", rrdatas: [], times: 3 }] },
    cloud: { pace: { giveUpMs: 60_000 } },
    mend: true,
  },
  {
    name: "cname-wrong",
    summary:
      "the CNAME of one domain leads elsewhere for so long that its certificate is FAILED; it is mended, and issued anew",
    faults: { dns: [{ name: "_acme-challenge.pay.example.net", rrdatas: ["somewhere.example.org."], times: 3 }] },
    cloud: { pace: { giveUpMs: 60_000 } },
    mend: true,
  },
  {
    name: "zone-not-authoritative",
    summary:
      "the zone of one domain is not delegated for so long that its certificate is FAILED; then it is, and it is issued anew",
    faults: { dns: [{ name: "_acme-challenge.pay.example.net", rcode: "REFUSED", times: 3 }] },
    cloud: { pace: { giveUpMs: 60_000 } },
    mend: true,
  },
  {
    name: "certificate-failed-for-good",
    summary: "a certificate ends as FAILED: the migration stops, and the old provider goes on serving",
    faults: { issuance: [{ domain: "pay.example.net", failureReason: "CAA" }] },
    cloud: { pace: { giveUpMs: 60_000 } },
  },
  {
    name: "precondition-gate",
    summary: "gate 'precondition': the first apply stops before the entries, a later one goes on",
    order: "one deploy",
    attempts: 8,
    faults: { issuance: [{ domain: "*", failureReason: "CONFIG", times: 2 }] },
  },
];
