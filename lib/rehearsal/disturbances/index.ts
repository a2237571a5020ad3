import { apiDisturbances } from "./api";
import type { Disturbance } from "./disturbance";
import { killDisturbances } from "./kills";
import { validationDisturbances } from "./validation";

export { beginnings } from "./disturbance";
export type { Disturbance };

/** Values of `rehearse --faults NAME`. The fault matrix also runs each of them. */
export const disturbances: readonly Disturbance[] = [
  ...apiDisturbances,
  ...validationDisturbances,
  ...killDisturbances,
  // Migrations with a weaker gate.
  {
    name: "without-a-gate-for-entries",
    summary:
      "with gate 'precondition', a rotation deletes the previous certificate before all front ends serve its successor; front ends stop serving deleted certificates",
    attempts: 8,
    behavior: { propagationMs: 240_000, deletedCertificates: "gone at once" },
  },
  {
    name: "without-a-gate",
    summary: "with gate 'none', a rotation changes entries to a certificate that is not issued yet",
    faults: { issuance: [{ domain: "added.by-rehearsal.*", failureReason: "CONFIG", times: 6 }] },
  },
];
