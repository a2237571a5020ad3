import type { Disturbance } from "./disturbance";

const challenge = "_acme-challenge.*";

/**
 * Faults of domain validation: DNS answers are late, wrong, missing or forbidden; certificates take long or become
 * FAILED.
 */
export const validationDisturbances: readonly Disturbance[] = [
  {
    name: "cname-late",
    summary: "the first six queries do not find the CNAME records",
    faults: { dns: [{ name: challenge, type: "CNAME", rrdatas: [], times: 6 }] },
  },
  {
    name: "cname-wrong-then-right",
    summary: "the CNAME records have a wrong target at first",
    faults: { dns: [{ name: challenge, type: "CNAME", rrdatas: ["somewhere.example.org."], times: 4 }] },
  },
  {
    name: "cname-proxied-then-dns-only",
    summary: "a proxy of the DNS host, for example Cloudflare's, hides the CNAME records at first",
    // A CA asks for the CNAME alone, and a proxied name has none.
    faults: { dns: [{ name: challenge, type: "CNAME", rrdatas: [], times: 6 }] },
  },
  {
    name: "cname-twice-then-once",
    summary: "the names have two CNAME records at first, as if two tools published them",
    faults: {
      dns: [{ name: challenge, type: "CNAME", rrdatas: ["first.example.org.", "second.example.org."], times: 4 }],
    },
  },
  {
    name: "cname-nxdomain-then-right",
    summary: "a resolver returns NXDOMAIN for the CNAME records at first",
    faults: { dns: [{ name: challenge, rcode: "NXDOMAIN", times: 4 }] },
  },
  {
    name: "dns-servfail-then-right",
    summary: "the name server returns SERVFAIL for the CNAME records at first",
    faults: { dns: [{ name: challenge, rcode: "SERVFAIL", times: 8 }] },
  },
  {
    name: "zone-refused-then-served",
    summary: "the name server returns REFUSED for the CNAME records at first",
    faults: { dns: [{ name: challenge, rcode: "REFUSED", times: 6 }] },
  },
  {
    name: "dns-slow",
    summary: "answers for the CNAME records take 500 ms",
    faults: { dns: [{ name: challenge, delayMs: 500, times: 12 }] },
  },
  {
    name: "dns-silent-then-right",
    summary: "queries for the CNAME records get no answer at first",
    faults: { dns: [{ name: challenge, drop: true, times: 4 }] },
  },
  {
    name: "dns-truncated",
    summary: "DNS answers are truncated, so clients repeat the query over TCP",
    faults: { dns: [{ name: "*", truncate: true, times: 400 }] },
  },
  {
    name: "caa-denied-then-allowed",
    summary: "CAA allows only another CA at first",
    faults: { dns: [{ name: "example.com", type: "CAA", rrdatas: ['0 issue "ca.example.org"'], times: 3 }] },
  },
  {
    name: "private-ca-disabled-then-enabled",
    summary: "the CAs that issue private certificates (privateCa) are disabled at first",
    faults: { authorities: [{ authority: "*/caPools/*", times: 4 }] },
  },
  {
    name: "rate-limited-then-issued",
    summary: "the CA returns RATE_LIMITED at first",
    faults: { issuance: [{ domain: "*", failureReason: "RATE_LIMITED", times: 6 }] },
  },
  {
    name: "issuance-slow-in-one-deploy",
    summary: "one apply runs steps 1 to 6, and its gate waits minutes for certificates",
    course: { order: "one deploy" },
    faults: { issuance: [{ domain: "*.net", failureReason: "CONFIG", times: 4 }] },
  },
  {
    name: "issuance-slow-in-rotation",
    summary: "the certificate with the added domain takes minutes; the previous certificate is served until then",
    faults: { issuance: [{ domain: "added.by-rehearsal.*", failureReason: "CONFIG", times: 4 }] },
  },
  ...(["CONFIG", "CAA", "RATE_LIMITED"] as const).map(
    (failureReason): Disturbance => ({
      name: `certificate-failed-${failureReason.toLowerCase().replace("_", "-")}`,
      summary: `a certificate becomes FAILED because of ${failureReason}, and is issued again as another generation`,
      faults: { issuance: [{ domain: "pay.example.net", failureReason, times: 3 }] },
      behavior: { pace: { giveUpMs: 60_000 } },
      course: { reissuesFailed: true },
    }),
  ),
  {
    name: "cname-missing",
    summary:
      "the CNAME record of one domain is missing until its certificate is FAILED; after the fix, another generation is issued",
    faults: { dns: [{ name: "_acme-challenge.pay.example.net", rrdatas: [], times: 3 }] },
    behavior: { pace: { giveUpMs: 60_000 } },
    course: { reissuesFailed: true },
  },
  {
    name: "cname-wrong",
    summary:
      "the CNAME record of one domain has a wrong target until its certificate is FAILED; after the fix, another generation is issued",
    faults: { dns: [{ name: "_acme-challenge.pay.example.net", rrdatas: ["somewhere.example.org."], times: 3 }] },
    behavior: { pace: { giveUpMs: 60_000 } },
    course: { reissuesFailed: true },
  },
  {
    name: "zone-not-authoritative",
    summary:
      "the zone of one domain is not delegated until its certificate is FAILED; after the fix, another generation is issued",
    faults: { dns: [{ name: "_acme-challenge.pay.example.net", rcode: "REFUSED", times: 3 }] },
    behavior: { pace: { giveUpMs: 60_000 } },
    course: { reissuesFailed: true },
  },
  {
    name: "certificate-failed-for-good",
    summary: "a certificate stays FAILED: the migration stops, and the previous provider keeps serving",
    faults: { issuance: [{ domain: "pay.example.net", failureReason: "CAA" }] },
    behavior: { pace: { giveUpMs: 60_000 } },
  },
  {
    name: "precondition-gate",
    summary: "gate 'precondition': the first apply stops before the entries, and a later apply continues",
    course: { order: "one deploy" },
    attempts: 8,
    faults: { issuance: [{ domain: "*", failureReason: "CONFIG", times: 2 }] },
  },
];
