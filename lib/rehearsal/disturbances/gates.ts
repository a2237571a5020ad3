import type { Disturbance } from "./disturbance";

/** Faults during a migration with a weaker gate. */
export const gateDisturbances: readonly Disturbance[] = [
  {
    name: "without-a-gate-for-entries",
    summary:
      "gate 'precondition': in a rotation the old certificate is deleted as soon as entries are repointed, before front ends know of it, which present deleted certificates no more",
    attempts: 8,
    cloud: { propagationMs: 240_000, deletedCertificates: "gone at once" },
  },
  {
    name: "without-a-gate",
    summary: "gate 'none': in a rotation the entries are led to a certificate that is not issued yet",
    faults: { issuance: [{ domain: "added.by-rehearsal.*", failureReason: "CONFIG", times: 6 }] },
  },
];
