import { beginnings } from "./api";
import { type Scenario, unharmed } from "./scenario";
import { killedAt } from "./shown";

/** Terraform is killed in the middle and run again; what it had begun is there, but not in its state. */
export const killScenarios: readonly Scenario[] = [
  ...Object.entries(beginnings).map(
    ([part, method]): Scenario => ({
      name: `killed-at-${part}`,
      summary: `SIGKILL when the first ${part.replace("-", " ")} has been asked for; the next runs import what exists and go on`,
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
    // A kill counts wherever it strikes, and the last destroy deletes certificates as well.
    proofs: [killedAt("certificatemanager.projects.locations.certificates.delete")],
    expect: unharmed,
  },
  {
    name: "killed-at-gate",
    summary: "SIGKILL while the gate waits for certificates",
    order: "one deploy",
    faults: { issuance: [{ domain: "pay.example.net", failureReason: "CONFIG", times: 2 }] },
    kills: ["certificatemanager.projects.locations.certificates.list"],
    expect: unharmed,
  },
  {
    name: "killed-at-traffic",
    summary: "SIGKILL at the first record of step 8, on the way back and forth",
    acts: [
      {
        name: "killed on the way back and forth",
        play: async (stage) => {
          const variant = { phase: "serve", traffic: "previous", rotated: false, mended: 0 } as const;
          stage.killAt(beginnings.record);
          if (!(await stage.moveTraffic("old", variant))) return false;
          stage.killAt(beginnings.record);
          return (
            (await stage.moveTraffic("new", { ...variant, traffic: "loadBalancer" })) && stage.counted().kills === 2
          );
        },
      },
    ],
    proofs: [{ ...killedAt(beginnings.record), atLeast: 2 }],
    expect: unharmed,
  },
  {
    name: "killed-at-verification",
    summary: "SIGKILL while the load balancer is verified, before traffic moves to it once more",
    acts: [
      {
        name: "killed while it is verified",
        play: async (stage) => {
          const variant = { phase: "serve", traffic: "previous", rotated: false, mended: 0 } as const;
          if (!(await stage.moveTraffic("old", variant))) return false;
          // All clients are on the other side: who connects here verifies.
          const answers = () => stage.cloud.handshakes().answered.reduce((sum, { count }) => sum + count, 0);
          const before = answers();
          const moved = stage.moveTraffic("new", { ...variant, traffic: "loadBalancer" });
          const isVerifying = await stage.wait(() => answers() > before);
          const isKilled = isVerifying && stage.terraform.kill();
          return (await moved) && isKilled;
        },
      },
    ],
    proofs: [
      {
        what: "runs cut off by SIGKILL while they verified, with the state locked",
        count: ({ runs }) =>
          runs.filter(({ killed, isLockLeft, output }) => killed && isLockLeft && / verify /.test(output)).length,
      },
    ],
    expect: unharmed,
  },
  {
    name: "killed-at-entries-gate",
    summary: "SIGKILL in a rotation, while the gate waits for entries that lead to the new certificate",
    extras: true,
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list"],
    proofs: [killedAt("certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list")],
    expect: unharmed,
  },
  {
    name: "killed-at-destroy",
    summary: "SIGKILL in a destroy, when the first entry is being deleted; the next one ends it",
    kills: ["certificatemanager.projects.locations.certificateMaps.certificateMapEntries.delete"],
    expect: unharmed,
  },
  {
    name: "killed-again-and-again",
    summary: "SIGKILL at authorizations, certificates, entries and the proxy, one after the other",
    kills: [beginnings.authorization, beginnings.certificate, beginnings.entry, beginnings.proxy],
    expect: unharmed,
  },
  {
    name: "killed-before-the-state-is-sent",
    summary:
      "SIGKILL at the first certificate and at the proxy, and what the run did is in no state, as with a state in a bucket; the next runs import it layer by layer",
    kills: [beginnings.certificate, beginnings.proxy],
    losesState: true,
    proofs: [
      {
        what: "kinds of things that were made before a kill, and imported after it",
        atLeast: 4,
        count: ({ runs }) =>
          new Set(
            runs
              .filter(({ words, exitCode }) => words[0] === "import" && exitCode === 0)
              .map(({ words }) => words.at(-2)?.split(".")[0]),
          ).size,
      },
    ],
    expect: unharmed,
  },
];
