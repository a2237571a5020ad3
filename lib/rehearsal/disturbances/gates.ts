import type { Disturbance } from "./disturbance";

/** Faults during a migration with a weaker gate. */
export const gateDisturbances: readonly Disturbance[] = [
  {
    name: "without-a-gate-for-entries",
    summary:
      "with gate 'precondition', a rotation deletes the previous certificate before all front ends serve its successor; front ends stop serving deleted certificates",
    attempts: 8,
    cloud: { propagationMs: 240_000, deletedCertificates: "gone at once" },
  },
  {
    name: "without-a-gate",
    summary: "with gate 'none', a rotation changes entries to a certificate that is not issued yet",
    faults: { issuance: [{ domain: "added.by-rehearsal.*", failureReason: "CONFIG", times: 6 }] },
  },
];
