import { beginnings } from "../../../lib/rehearsal/disturbances";
import { disturbed, type Scenario, unharmed } from "./scenario";
import { killedAt } from "./shown";

/** Scenarios that kill Terraform and run it again. The resource of the killed request is missing from the state. */
export const killScenarios: readonly Scenario[] = [
  ...Object.keys(beginnings).map((part) => disturbed(`killed-at-${part}`)),
  disturbed("killed-at-repointing", {
    extras: true,
  }),
  disturbed("killed-at-deletion", {
    extras: true,
    // A kill during the last destroy counts, too, because it also deletes certificates.
    proofs: [killedAt("certificatemanager.projects.locations.certificates.delete")],
  }),
  disturbed("killed-at-gate"),
  {
    name: "killed-at-traffic",
    summary: "SIGKILL at the first record of step 8, on the way back and forth",
    acts: [
      {
        name: "killed on the way back and forth",
        run: async (stage) => {
          const variant = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 } as const;
          stage.kills.add(beginnings.record);
          if (!(await stage.moveTraffic(variant))) return false;
          stage.kills.add(beginnings.record);
          return (await stage.moveTraffic({ ...variant, traffic: "loadBalancer" })) && stage.kills.count === 2;
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
        run: async (stage) => {
          const variant = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 } as const;
          if (!(await stage.moveTraffic(variant))) return false;
          // All clients use the previous provider, so only the verification connects here.
          const answers = () =>
            stage.cloud.loadBalancers.handshakes().answered.reduce((sum, { count }) => sum + count, 0);
          const before = answers();
          const moved = stage.moveTraffic({ ...variant, traffic: "loadBalancer" });
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
  disturbed("killed-at-entries-gate", {
    extras: true,
    proofs: [killedAt("certificatemanager.projects.locations.certificateMaps.certificateMapEntries.list")],
  }),
  disturbed("killed-at-destroy"),
  disturbed("killed-again-and-again"),
  disturbed("killed-before-the-state-is-sent", {
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
  }),
];
