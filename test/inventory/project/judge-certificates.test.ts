import { type AssembledProject, judgeProject } from "../../../lib/inventory/project";
import { describeSslCertificate } from "../../../lib/inventory/project/describe-certificates";
import type { ProjectCertificate } from "../../../lib/project-inventory";
import { makeCertificate } from "../../support/make-certificate";
import { certificate, certificateId, healthy, map, now, proxyId, unread, unused } from "./healthy-project";

const { notBefore: _start, ...withoutStart } = certificate;
const managed = { ...certificate, kind: "computeManaged", renewedBy: "google", validation: "loadBalancer" } as const;
const ofManager: ProjectCertificate = {
  ...unused,
  id: "projects/p/locations/global/certificates/up",
  kind: "managerUploaded",
  notAfter: "2026-12-05T00:00:00.000Z",
};
const failing: ProjectCertificate = {
  ...ofManager,
  id: "projects/p/locations/global/certificates/shop",
  kind: "managerManaged",
  renewedBy: "google",
  validation: "dns",
  domainStatuses: [{ domain: "shop.example.com", status: "FAILED", failureReason: "CONFIG" }],
};
const withEntry = {
  ...map,
  proxyIds: [],
  entries: [{ id: "e", name: "e", hostname: "shop.example.com", state: "ACTIVE", certificateIds: [failing.id] }],
};
const authorization = ["authorization-needed", certificateId];

type Case = readonly [string, Partial<AssembledProject>, readonly (readonly string[])[]];

const cases: readonly Case[] = [
  [
    "an expired certificate",
    { certificates: [{ ...certificate, notAfter: "2026-11-20T00:00:00.000Z" }] },
    [["certificate-ended", certificateId]],
  ],
  [
    "an expired certificate that can't be read",
    { certificates: [{ ...withoutStart, notAfter: "2026-11-20T00:00:00.000Z" }] },
    [["certificate-ended", certificateId]],
  ],
  [
    "an uploaded certificate in its last tenth",
    { certificates: [{ ...certificate, notAfter: "2026-12-05T00:00:00.000Z" }] },
    [["uploaded-expires-soon", certificateId]],
  ],
  [
    "an uploaded certificate in its last third",
    { certificates: [{ ...certificate, notAfter: "2027-01-20T00:00:00.000Z" }] },
    [["uploaded-expires", certificateId]],
  ],
  [
    "a managed certificate that should have been renewed",
    { certificates: [{ ...managed, validation: "dns", notAfter: "2026-12-01T00:00:00.000Z" }] },
    [["renewal-overdue", certificateId]],
  ],
  [
    "a domain whose next renewal would fail",
    {
      certificates: [
        {
          ...managed,
          validation: "dns",
          domainStatuses: [{ domain: "shop.example.com", status: "FAILED", failureReason: "CAA" }],
        },
      ],
    },
    [["renewal-at-risk", certificateId]],
  ],
  [
    "a renewal that is due and fails as a whole",
    {
      certificates: [
        {
          ...managed,
          validation: "dns",
          notAfter: "2026-12-15T00:00:00.000Z",
          provisioningIssue: { reason: "RATE_LIMITED", details: "" },
        },
      ],
    },
    [["renewal-failing", certificateId]],
  ],
  ...(["FAILED", "RENEWAL_FAILED"] as const).map(
    (status): Case => [
      `an issued certificate in the state ${status}, whose renewal is overdue`,
      { certificates: [{ ...managed, status, notAfter: "2026-12-01T00:00:00.000Z" }] },
      [["renewal-failing", certificateId], authorization],
    ],
  ),
  [
    "a failed certificate that was issued and has expired",
    { certificates: [{ ...managed, status: "PROVISIONING_FAILED", notAfter: "2026-11-20T00:00:00.000Z" }] },
    [["certificate-ended", certificateId], ["certificate-failed", certificateId], authorization],
  ],
  [
    "a failed certificate whose renewal would be overdue",
    { certificates: [{ ...managed, status: "PROVISIONING_FAILED", notAfter: "2026-12-01T00:00:00.000Z" }] },
    [["certificate-failed", certificateId], authorization],
  ],
  ["a certificate that load balancers validate", { certificates: [managed] }, [authorization]],
  [
    "a certificate of a private CA",
    { certificates: [{ ...managed, validation: "privateCa", issuanceConfigId: "projects/p/locations/global/c/i" }] },
    [["certificate-private", certificateId]],
  ],
  [
    "a failed certificate",
    { certificates: [{ ...managed, status: "PROVISIONING_FAILED" }] },
    [["certificate-failed", certificateId], authorization],
  ],
  [
    "a certificate in issuance",
    { certificates: [{ ...managed, status: "PROVISIONING" }] },
    [["certificate-not-active", certificateId], authorization],
  ],
  [
    "an expired certificate that nothing uses",
    { certificates: [certificate, { ...unused, notAfter: "2020-01-01T00:00:00.000Z" }] },
    [["certificate-unused", unused.id]],
  ],
  [
    "certificates of Media CDN and of backend authentication, even if they have expired or proxies are unknown",
    {
      certificates: [
        certificate,
        { ...unused, id: "e", scope: "EDGE_CACHE", notAfter: "2020-01-01T00:00:00.000Z" },
        { ...unused, id: "c", scope: "CLIENT_AUTH" },
      ],
      unread: [unread],
    },
    [
      ["project-unread", "projects/p"],
      ["certificate-ended", "e"],
      ["certificate-other-scope", "e"],
      ["certificate-other-scope", "c"],
    ],
  ],
  [
    "an unused certificate of cross-region load balancers",
    { certificates: [certificate, { ...unused, scope: "ALL_REGIONS" }] },
    [["certificate-unused", unused.id]],
  ],
  [
    "an unused certificate if proxies are unknown",
    { certificates: [certificate, unused], unread: [unread] },
    [["project-unread", "projects/p"]],
  ],
  ...["EDGE_CACHE", "CLIENT_AUTH"].map(
    (scope): Case => [
      `an uploaded certificate of the scope ${scope} near its end`,
      { certificates: [certificate, { ...ofManager, scope }] },
      [
        ["uploaded-expires-soon", ofManager.id],
        ["certificate-other-scope", ofManager.id],
      ],
    ],
  ),
  [
    "a renewal that fails of a certificate of Media CDN",
    { certificates: [certificate, { ...failing, scope: "EDGE_CACHE" }] },
    [
      ["renewal-failing", failing.id],
      ["certificate-other-scope", failing.id],
    ],
  ],
  [
    "a renewal that fails of a certificate in a map that no proxy has",
    { certificates: [certificate, failing], maps: [withEntry] },
    [
      ["renewal-failing", failing.id],
      ["certificate-unused", failing.id],
    ],
  ],
  [
    "a renewal that fails of a certificate that nothing uses",
    { certificates: [certificate, failing] },
    [["certificate-unused", failing.id]],
  ],
  ...["target HTTPS proxies", "target SSL proxies", "certificate maps", "certificate map entries"].map(
    (what): Case => [
      `renewals of Certificate Manager if ${what} are unknown`,
      { certificates: [certificate, failing, ofManager], unread: [{ ...unread, what }] },
      [
        ["project-unread", "projects/p"],
        ["renewal-failing", failing.id],
        ["uploaded-expires-soon", ofManager.id],
      ],
    ],
  ),
  [
    "a certificate of Compute near its end, which a proxy may use that is not known",
    { certificates: [certificate, { ...unused, notAfter: "2026-12-05T00:00:00.000Z" }], unread: [unread] },
    [["project-unread", "projects/p"]],
  ],
];

test.each(cases)("reports for %s", (_, change, expected) => {
  const findings = judgeProject({ ...healthy, ...change }, [], now);
  expect(findings.map(({ code, subject }) => [code, subject])).toEqual(expected);
  for (const { remedy, message } of findings) expect([remedy, message]).not.toContain("");
});

test.each([
  ["FAILED_NOT_VISIBLE", 70, "error renewal-failing", /DNS leads elsewhere.* \(FAILED_NOT_VISIBLE\); 20 days left/],
  ["FAILED_NOT_VISIBLE", 10, "warning renewal-at-risk", /DNS leads elsewhere.* \(FAILED_NOT_VISIBLE\); 80 days left/],
  ["FAILED_CAA_CHECKING", 70, "error renewal-failing", /CAA record excludes.*\(FAILED_CAA_CHECKING\); 20 days left/],
  ["FAILED_CAA_FORBIDDEN", 70, "error renewal-failing", /CAA record excludes.*\(FAILED_CAA_FORBIDDEN\); 20 days left/],
  ["FAILED_RATE_LIMITED", 70, "error renewal-failing", /a limit of the CA.*\(FAILED_RATE_LIMITED\); 20 days left/],
  ["FAILED_LATER", 70, "error renewal-failing", /its validation failed \(FAILED_LATER\); 20 days left/],
  ["PROVISIONING", 61, "none", /^$/],
  ["ACTIVE", 61, "none", /^$/],
])("judges a classic certificate with a domain in the state %s on day %d", (state, day, expected, message) => {
  const dayMs = 86_400_000;
  const notBefore = new Date(now.getTime() - day * dayMs);
  const made = makeCertificate(["shop.example.com"], {
    notBefore,
    notAfter: new Date(notBefore.getTime() + 90 * dayMs),
  });
  const { certificate } = describeSslCertificate({
    name: "shop",
    selfLink: `https://www.googleapis.com/compute/v1/${certificateId}`,
    type: "MANAGED",
    managed: { domains: ["shop.example.com"], status: "ACTIVE", domainStatus: { "shop.example.com": state } },
    certificate: made.certificatePem,
  });
  const certificates = [{ ...certificate, proxyIds: [proxyId] }];
  const [first, ...others] = judgeProject({ ...healthy, certificates }, [], now).filter(
    ({ code }) => code !== "authorization-needed",
  );
  expect(others).toEqual([]);
  expect(first === undefined ? "none" : `${first.severity} ${first.code}`).toBe(expected);
  expect(first?.message ?? "").toMatch(message);
});

test.each([
  ["target HTTPS proxies", "certificates that nothing uses, and renewals of certificates of Compute Engine"],
  ["target SSL proxies", "certificates that nothing uses, and renewals of certificates of Compute Engine"],
  ["certificates of Compute Engine", "names, states, expiry and renewals of these certificates"],
  ["certificates of Certificate Manager", "names, states, expiry and renewals of these certificates"],
])("names the renewals that are not checked without %s", (what, expected) => {
  const [first] = judgeProject({ ...healthy, unread: [{ ...unread, what }] }, [], now);
  expect([first?.code, first?.message]).toEqual(["project-unread", expect.stringContaining(expected)]);
});

test("names the users of a scope that no load balancer serves", () => {
  const edge = { ...unused, scope: "EDGE_CACHE" };
  expect(judgeProject({ ...healthy, certificates: [certificate, edge] }, [], now)).toEqual([
    {
      code: "certificate-other-scope",
      severity: "info",
      subject: unused.id,
      meaning: expect.stringMatching(/^The certificate is not for clients of a load balancer/),
      message: "its scope is EDGE_CACHE, for edge cache services of Media CDN; it has shop.example.com",
      remedy: "no action is needed; it is not part of a load balancer's migration",
    },
  ]);
});
