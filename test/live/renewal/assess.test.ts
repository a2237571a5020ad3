import type { LiveCertificate } from "../../../lib/google";
import { assessLiveRenewal } from "../../../lib/live/renewal";
import { makeCertificate } from "../../support/make-certificate";

const dayMs = 86_400_000;
const issuedAt = Date.parse("2026-11-01T00:00:00Z");
const { certificatePem } = makeCertificate(["shop.example.com"], {
  notBefore: new Date(issuedAt),
  notAfter: new Date(issuedAt + 90 * dayMs),
});

const managed: LiveCertificate = {
  name: "projects/p/locations/global/certificates/c",
  kind: "managed",
  state: "ACTIVE",
  domains: ["shop.example.com", "pay.example.com"],
  attempts: [],
  certificatePem,
};
const uploaded: LiveCertificate = { ...managed, kind: "selfManaged" };
const attempt = { domain: "pay.example.com", state: "FAILED" };

/** Returns severity, code and message of each finding on a day after the issuance. */
function findings(certificate: LiveCertificate, day: number): readonly string[] {
  const found = assessLiveRenewal(certificate, new Date(issuedAt + day * dayMs));
  return found.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
}

test.each<[string, LiveCertificate, number, readonly string[]]>([
  ["a managed certificate before its renewal", managed, 59, []],
  ["a managed certificate whose renewal has begun", managed, 61, []],
  [
    "a managed certificate a week after its renewal was due",
    managed,
    67,
    ["warning renewal-overdue shop.example.com, pay.example.com: 23 days left, until 2027-01-30"],
  ],
  [
    "a failed attempt long before the renewal",
    { ...managed, attempts: [{ ...attempt, failureReason: "CONFIG" }] },
    10,
    [
      "warning renewal-at-risk pay.example.com: the CNAME of its authorization is missing or wrong; 80 days left, until 2027-01-30",
    ],
  ],
  [
    "an attempt that CAA has refused while the renewal is due",
    { ...managed, attempts: [{ ...attempt, failureReason: "CAA", details: "issue letsencrypt.org" }] },
    60,
    [
      "error renewal-failing pay.example.com: a CAA record excludes the CA, or can't be read (issue letsencrypt.org); 30 days left, until 2027-01-30",
    ],
  ],
  [
    "an attempt that a limit of the CA has ended",
    { ...managed, attempts: [{ ...attempt, state: "AUTHORIZING", failureReason: "RATE_LIMITED" }] },
    65,
    ["error renewal-failing pay.example.com: a limit of the CA was reached; 25 days left, until 2027-01-30"],
  ],
  [
    "a provisioning issue without a failed domain",
    { ...managed, issue: { reason: "AUTHORIZATION_ISSUE", details: "" } },
    65,
    [
      "error renewal-failing shop.example.com, pay.example.com: the authorization of a domain failed; 25 days left, until 2027-01-30",
    ],
  ],
  [
    "both, which have one cause",
    { ...managed, issue: { reason: "AUTHORIZATION_ISSUE", details: "" }, attempts: [attempt] },
    89,
    ["error renewal-failing pay.example.com: its validation failed; 1 day left, until 2027-01-30"],
  ],
  [
    "a failed state without a failed domain, long before the renewal",
    { ...managed, state: "FAILED" },
    10,
    ["warning renewal-at-risk shop.example.com, pay.example.com: its state is FAILED; 80 days left, until 2027-01-30"],
  ],
  [
    "a failed state whose renewal is overdue, once",
    { ...managed, state: "FAILED" },
    88,
    ["error renewal-failing shop.example.com, pay.example.com: its state is FAILED; 2 days left, until 2027-01-30"],
  ],
  [
    "a failed state with its failed domain",
    { ...managed, state: "FAILED", attempts: [{ ...attempt, failureReason: "CONFIG" }] },
    70,
    [
      "error renewal-failing pay.example.com: the CNAME of its authorization is missing or wrong; 20 days left, until 2027-01-30",
    ],
  ],
  [
    "a renewal that has failed, although its share of the lifetime is not used",
    { ...managed, state: "RENEWAL_FAILED" },
    10,
    [
      "error renewal-failing shop.example.com, pay.example.com: its state is RENEWAL_FAILED; 80 days left, until 2027-01-30",
    ],
  ],
  [
    "an attempt of a certificate that its load balancer validates, without the CNAME of an authorization",
    { ...managed, validation: "loadBalancer", attempts: [{ ...attempt, failureReason: "CONFIG" }] },
    65,
    [
      "error renewal-failing pay.example.com: DNS leads elsewhere than to the load balancer, or the load balancer does not use the certificate; 25 days left, until 2027-01-30",
    ],
  ],
  [
    "an attempt in a failed state of Compute",
    { ...managed, validation: "loadBalancer", attempts: [{ ...attempt, state: "FAILED_OTHERWISE" }] },
    65,
    ["error renewal-failing pay.example.com: its validation failed; 25 days left, until 2027-01-30"],
  ],
  [
    "an authorized domain whose reason is unspecified",
    {
      ...managed,
      attempts: ["AUTHORIZED", "AUTHORIZING"].map((state) => ({
        ...attempt,
        state,
        failureReason: "FAILURE_REASON_UNSPECIFIED",
      })),
    },
    65,
    [],
  ],
  [
    "a certificate after its end",
    managed,
    91,
    ["error certificate-ended shop.example.com, pay.example.com: expired on 2027-01-30"],
  ],
  ["an uploaded certificate in its first two thirds", uploaded, 59, []],
  [
    "an uploaded certificate in its last third",
    uploaded,
    60,
    ["warning uploaded-expires shop.example.com, pay.example.com: 30 days left, until 2027-01-30"],
  ],
  [
    "an uploaded certificate in its last tenth",
    uploaded,
    81,
    ["error uploaded-expires-soon shop.example.com, pay.example.com: 9 days left, until 2027-01-30"],
  ],
  [
    "a certificate that is issued for the first time",
    { ...managed, state: "PROVISIONING", attempts: [attempt] },
    65,
    [],
  ],
  [
    "the end of a certificate that has failed after its issuance",
    { ...managed, state: "FAILED" },
    91,
    ["error certificate-ended shop.example.com, pay.example.com: expired on 2027-01-30"],
  ],
  ["a certificate that Node can't read", { ...managed, certificatePem: "-" }, 65, []],
])("reports %s", (_, certificate, day, expected) => {
  expect(findings(certificate, day)).toEqual(expected);
});

test.each<[string, LiveCertificate, number, readonly string[]]>([
  [
    "a warning long before the renewal",
    managed,
    1,
    ["warning renewal-at-risk pay.example.com: the CNAME record is missing; 89 days left, until 2027-01-30"],
  ],
  [
    "a warning until the CA has tried",
    managed,
    65,
    ["warning renewal-at-risk pay.example.com: the CNAME record is missing; 25 days left, until 2027-01-30"],
  ],
  [
    "the cause of a renewal that is overdue",
    managed,
    67,
    ["warning renewal-overdue pay.example.com: the CNAME record is missing; 23 days left, until 2027-01-30"],
  ],
  [
    "the cause of an overdue renewal beside the failed attempt of another domain",
    { ...managed, attempts: [{ domain: "shop.example.com", state: "FAILED", failureReason: "RATE_LIMITED" }] },
    88,
    [
      "error renewal-failing shop.example.com: a limit of the CA was reached; 2 days left, until 2027-01-30",
      "warning renewal-overdue pay.example.com: the CNAME record is missing; 2 days left, until 2027-01-30",
    ],
  ],
  [
    "nothing beside the attempt that failed for it",
    { ...managed, attempts: [{ ...attempt, failureReason: "CONFIG" }] },
    65,
    [
      "error renewal-failing pay.example.com: the CNAME of its authorization is missing or wrong; 25 days left, until 2027-01-30",
    ],
  ],
  ["nothing for an uploaded certificate", uploaded, 1, []],
])("an obstacle to the next validation of a domain is %s", (_, certificate, day, expected) => {
  const obstacle = { hostnames: ["pay.example.com"], cause: "the CNAME record is missing" };
  const found = assessLiveRenewal(certificate, new Date(issuedAt + day * dayMs), [obstacle]);
  expect(found.map(({ severity, code, message }) => `${severity} ${code} ${message}`)).toEqual(expected);
});

test.each<[string, Partial<LiveCertificate>, string]>([
  ["90 days of a public CA", {}, "warning renewal-overdue"],
  ["the lifetime that the issuance config asks for", { issuanceConfig: "i", lifetimeMs: 60 * dayMs }, "none"],
])("a certificate that begins a year before its issuance, as in a rehearsal, has %s", (_, change, atDay67) => {
  const { certificatePem } = makeCertificate(["shop.example.com"], {
    notBefore: new Date(issuedAt - 365 * dayMs),
    notAfter: new Date(issuedAt + 90 * dayMs),
  });
  const certificate = { ...managed, certificatePem, ...change };
  expect(findings(certificate, 61)).toEqual([]);
  expect(findings(certificate, 67)[0] ?? "none").toMatch(new RegExp(`^${atDay67}`));
  expect(findings(certificate, 85)[0]).toMatch(/^warning renewal-overdue/);
});

test("follows the rotation window of a private CA", () => {
  const failing = { ...managed, attempts: [attempt] };
  expect(findings({ ...failing, renewalShare: 0.5 }, 44)[0]).toMatch(/^warning renewal-at-risk /);
  expect(findings({ ...failing, renewalShare: 0.5 }, 45)[0]).toMatch(/^error renewal-failing /);
  expect(findings({ ...managed, renewalShare: 0.5 }, 55)).toEqual([]);
  expect(findings({ ...managed, renewalShare: 0.5 }, 56)[0]).toMatch(/^warning renewal-overdue /);
});

test.each<[string, Partial<LiveCertificate>, RegExp]>([
  ["CNAMEs", {}, /check its CNAMEs and CAA records/],
  [
    "DNS and the load balancer",
    { validation: "loadBalancer" },
    /^check that DNS leads its domains to the load balancer/,
  ],
])("an overdue renewal without a reason suggests a check of %s", (_, change, remedy) => {
  const found = assessLiveRenewal({ ...managed, ...change }, new Date(issuedAt + 70 * dayMs));
  expect(found.map((finding) => [finding.code, finding.remedy])).toEqual([
    ["renewal-overdue", expect.stringMatching(remedy)],
  ]);
});
