import type { MigrationSpec } from "../../../lib/plan";
import { disturbed, type Scenario, smallSpec, unharmed } from "./scenario";

/** A public certificate and a certificate of a private CA. */
const withPrivateCa: MigrationSpec = {
  ...smallSpec,
  certificates: [
    { domains: ["shop.example.com"] },
    {
      kind: "privateCa",
      domains: ["status.corp.internal"],
      caPool: "projects/rehearsal-project/locations/europe-west6/caPools/internal",
    },
  ],
  dns: {
    kind: "cloudDns",
    zones: { "example.com": "example-com", "example.org": "example-org", "corp.internal": "corp-internal" },
  },
};

/** Scenarios with late, wrong, missing or forbidden DNS records for domain validation; issuance is slow or fails. */
export const proofScenarios: readonly Scenario[] = [
  disturbed("cname-late"),
  disturbed("cname-wrong-then-right"),
  disturbed("cname-proxied-then-dns-only"),
  disturbed("cname-twice-then-once"),
  disturbed("cname-nxdomain-then-right"),
  disturbed("dns-servfail-then-right"),
  disturbed("zone-refused-then-served"),
  disturbed("dns-slow"),
  disturbed("dns-silent-then-right"),
  disturbed("dns-truncated"),
  disturbed("caa-denied-then-allowed"),
  disturbed("private-ca-disabled-then-enabled", { spec: withPrivateCa }),
  disturbed("rate-limited-then-issued"),
  disturbed("issuance-slow-in-one-deploy"),
  disturbed("issuance-slow-in-rotation", {
    extras: true,
  }),
  ...["config", "caa", "rate-limited"].map((reason) =>
    disturbed(`certificate-failed-${reason}`, { expect: { ...unharmed, messages: ["FAILED: "] } }),
  ),
  disturbed("cname-missing", {
    expect: { ...unharmed, messages: ["FAILED: "] },
  }),
  disturbed("cname-wrong", {
    expect: { ...unharmed, messages: ["FAILED: "] },
  }),
  disturbed("zone-not-authoritative", {
    expect: { ...unharmed, messages: ["FAILED: "] },
  }),
  disturbed("certificate-failed-for-good", {
    expect: { completes: false, failedHandshakes: "none", messages: ["FAILED: "] },
  }),
  disturbed("precondition-gate", {
    spec: { ...smallSpec, gate: "precondition" },
  }),
];
