import { beginnings, type Disturbance, withArticle } from "./disturbance";

/**
 * Terraform is killed during a run, and runs again. The resources of the killed run exist, but its state does not
 * contain them.
 */
export const killDisturbances: readonly Disturbance[] = [
  ...Object.entries(beginnings).map(
    ([part, method]): Disturbance => ({
      name: `killed-at-${part}`,
      summary: `SIGKILL after the first request that creates ${withArticle(part)}; ${
        part === "record"
          ? "the next apply overwrites the record, and imports other existing resources"
          : "the next applies import existing resources and continue"
      }`,
      kills: [method],
    }),
  ),
  {
    name: "killed-at-repointing",
    summary: "SIGKILL in a rotation, after the first entry has changed to the new certificate",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.patch"],
  },
  {
    name: "killed-at-deletion",
    summary: "SIGKILL in a rotation, while the previous certificate is deleted",
    kills: ["certificatemanager.projects.locations.certificates.delete"],
  },
  {
    name: "killed-at-gate",
    summary: "SIGKILL while the gate waits for certificates",
    course: { order: "one deploy" },
    faults: { issuance: [{ domain: "pay.example.net", failureReason: "CONFIG", times: 2 }] },
    kills: ["certificatemanager.projects.locations.certificates.list"],
  },
  {
    name: "killed-at-entries-gate",
    summary: "SIGKILL in a rotation, while the gate waits for entries of the new certificate",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list"],
  },
  {
    name: "killed-at-destroy",
    summary: "SIGKILL in a destroy, while the first entry is deleted; the next destroy completes",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.delete"],
  },
  {
    name: "killed-again-and-again",
    summary: "SIGKILL at the first authorization, certificate, entry and proxy, one after the other",
    kills: [beginnings.authorization, beginnings.certificate, beginnings.entry, beginnings.proxy],
  },
  {
    name: "killed-before-the-state-is-sent",
    summary:
      "SIGKILL at the first certificate and at the proxy, before the state is uploaded; the next applies import the resources layer by layer",
    kills: [beginnings.certificate, beginnings.proxy],
    losesState: true,
  },
];
