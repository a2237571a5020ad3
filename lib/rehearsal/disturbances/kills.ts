import { beginnings } from "./creations";
import type { Disturbance } from "./disturbance";

/**
 * Terraform is killed during a run, and runs again. The resources of the killed run exist, but its state does not
 * contain them.
 */
export const killDisturbances: readonly Disturbance[] = [
  ...Object.entries(beginnings).map(
    ([part, method]): Disturbance => ({
      name: `killed-at-${part}`,
      summary: `SIGKILL when the first ${part.replace("-", " ")} has been asked for; ${
        part === "record"
          ? "the next run overwrites the record, as the provider does, and imports what else exists"
          : "the next runs import what exists and go on"
      }`,
      kills: [method],
    }),
  ),
  {
    name: "killed-at-repointing",
    summary: "SIGKILL in a rotation, when the first entry has been led to the new certificate",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.patch"],
  },
  {
    name: "killed-at-deletion",
    summary: "SIGKILL in a rotation, when the old certificate is being deleted",
    kills: ["certificatemanager.projects.locations.certificates.delete"],
  },
  {
    name: "killed-at-gate",
    summary: "SIGKILL while the gate waits for certificates",
    order: "one deploy",
    faults: { issuance: [{ domain: "pay.example.net", failureReason: "CONFIG", times: 2 }] },
    kills: ["certificatemanager.projects.locations.certificates.list"],
  },
  {
    name: "killed-at-entries-gate",
    summary: "SIGKILL in a rotation, while the gate waits for entries that lead to the new certificate",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list"],
  },
  {
    name: "killed-at-destroy",
    summary: "SIGKILL in a destroy, when the first entry is being deleted; the next one ends it",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.delete"],
  },
  {
    name: "killed-again-and-again",
    summary: "SIGKILL at authorizations, certificates, entries and the proxy, one after the other",
    kills: [beginnings.authorization, beginnings.certificate, beginnings.entry, beginnings.proxy],
  },
  {
    name: "killed-before-the-state-is-sent",
    summary:
      "SIGKILL at the first certificate and at the proxy, and what the run did is in no state, as with a state in a bucket; the next runs import it layer by layer",
    kills: [beginnings.certificate, beginnings.proxy],
    losesState: true,
  },
];
