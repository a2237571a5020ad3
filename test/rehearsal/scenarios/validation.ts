import { disturbed, type Scenario, smallSpec, unharmed } from "./scenario";

/** What authorities find in DNS is late, wrong, missing or forbidden; certificates take long or FAIL. */
export const proofScenarios: readonly Scenario[] = [
  disturbed("cname-late"),
  disturbed("cname-wrong-then-right"),
  disturbed("cname-nxdomain-then-right"),
  disturbed("dns-servfail-then-right"),
  disturbed("zone-refused-then-served"),
  disturbed("dns-slow"),
  disturbed("dns-silent-then-right"),
  disturbed("dns-truncated"),
  disturbed("caa-denied-then-allowed"),
  disturbed("rate-limited-then-issued"),
  disturbed("issuance-slow-in-one-deploy"),
  disturbed("issuance-slow-in-rotation", {
    extras: true,
  }),
  ...["config", "caa", "rate-limited"].map((reason) =>
    disturbed(`certificate-failed-${reason}`, { expect: { ...unharmed, told: ["FAILED: "] } }),
  ),
  disturbed("cname-missing", {
    expect: { ...unharmed, told: ["FAILED: "] },
  }),
  disturbed("cname-wrong", {
    expect: { ...unharmed, told: ["FAILED: "] },
  }),
  disturbed("zone-not-authoritative", {
    expect: { ...unharmed, told: ["FAILED: "] },
  }),
  disturbed("certificate-failed-for-good", {
    expect: { completes: false, failedHandshakes: "none", told: ["FAILED: "] },
  }),
  disturbed("precondition-gate", {
    spec: { ...smallSpec, gate: "precondition" },
  }),
];
