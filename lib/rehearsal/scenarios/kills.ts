import { beginnings } from "./api";
import { type Scenario, unharmed } from "./scenario";

/** Terraform is killed in the middle and run again; what it had begun is there, but not in its state. */
export const killScenarios: readonly Scenario[] = [
  ...Object.entries(beginnings).map(
    ([part, method]): Scenario => ({
      name: `killed-at-${part}`,
      summary: `SIGKILL when the first ${part} has been asked for; the next runs import what exists and go on`,
      kills: [method],
      expect: unharmed,
    }),
  ),
  {
    name: "killed-at-repointing",
    summary: "SIGKILL in a rotation, when the first entry has been led to the new certificate",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.patch"],
    extras: true,
    expect: unharmed,
  },
  {
    name: "killed-at-deletion",
    summary: "SIGKILL in a rotation, when the old certificate is being deleted",
    kills: ["certificatemanager.projects.locations.certificates.delete"],
    extras: true,
    expect: unharmed,
  },
  {
    name: "killed-again-and-again",
    summary: "SIGKILL at authorizations, certificates, entries and the proxy, one after the other",
    kills: [beginnings.authorization, beginnings.certificate, beginnings.entry, beginnings.proxy],
    expect: unharmed,
  },
];
