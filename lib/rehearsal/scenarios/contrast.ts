import { type Scenario, smallSpec } from "./scenario";

const harmed = { completes: false, failedHandshakes: "some" } as const;
const takesMinutes = { domain: "*", failureReason: "CONFIG", times: 6 } as const;

/** What is lost without what this project adds: measured, so that nobody has to take it on trust. */
export const contrastScenarios: readonly Scenario[] = [
  {
    name: "without-the-constructs",
    summary:
      "the same resources written plainly: map attached and traffic moved at once, certificates issued meanwhile",
    plain: true,
    order: "traffic at once",
    faults: { issuance: [takesMinutes] },
    expect: harmed,
  },
  {
    name: "without-the-constructs-rotation",
    summary:
      "the same resources written plainly: a certificate with another domain is created and replaces the old one at once",
    plain: true,
    extras: true,
    faults: { issuance: [{ ...takesMinutes, domain: "added.by-rehearsal.*" }] },
    expect: harmed,
  },
  {
    name: "without-a-gate",
    summary: "gate 'none': in a rotation the entries are led to a certificate that is not issued yet",
    spec: { ...smallSpec, gate: "none" },
    extras: true,
    faults: { issuance: [{ ...takesMinutes, domain: "added.by-rehearsal.*" }] },
    expect: harmed,
  },
];
