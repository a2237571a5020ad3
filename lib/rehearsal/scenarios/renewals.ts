import type { Cloud } from "../../cloud";
import type { Gate, MigrationSpec } from "../../plan";
import type { Stage } from "../stage";
import { ask } from "./requests";
import { type Scenario, type SceneAct, smallSpec, unharmed } from "./scenario";

const daysMs = 24 * 3_600_000;
/** Certificates of 90 days are renewed 30 days before their end. */
const untilRenewalMs = 61 * daysMs;
const challenge = "_acme-challenge.*";
const cnameGone = { dns: [{ name: challenge, rrdatas: [] as string[] }] };
/** Renewals are tried again soon, and what is being renewed says so. */
const cloud = { renewingState: "PROVISIONING", pace: { renewalRetryMs: 60_000 } } as const;

/** What each gate does to a plan while a certificate is being renewed. */
const plansMeanwhile: Readonly<Record<Gate, { readonly goOn: boolean; readonly what: string }>> = {
  wait: { goOn: true, what: "plans stay empty: each certificate was judged once" },
  precondition: { goOn: false, what: "every plan of the stack is held up until it is over" },
  check: { goOn: true, what: "plans go on, and warn" },
  none: { goOn: true, what: "plans go on, and say nothing" },
};

/** Time passes until renewals begin, with their CNAMEs gone from DNS; then they are back, and renewals end. */
function renewal(goOn: boolean): SceneAct {
  return {
    name: "renewed in vain at first: a plan, an unrelated apply, and all over",
    play: (stage, scene) =>
      scene.suffer(stage, cnameGone, async () => {
        const before = await chainsOf(stage);
        await stage.cloud.clock.advance(untilRenewalMs);
        if (!(await stage.wait(async () => (await statesOf(stage)).every((state) => state === "PROVISIONING"))))
          return false;
        const planned = await stage.planIsEmpty();
        const labelled: MigrationSpec = { ...scene.spec, labels: { team: "web" } };
        const applied = await scene.deploy(stage, labelled);
        stage.cloud.faults.set({ ...cnameGone, dns: [{ ...cnameGone.dns[0], name: challenge, times: 1 }] });
        const renewed = await stage.wait(async () => {
          const [states, chains] = [await statesOf(stage), await chainsOf(stage)];
          return states.every((state) => state === "ACTIVE") && chains.every((chain) => !before.includes(chain));
        });
        await stage.prober.everyHostname();
        return renewed && planned === goOn && applied === goOn && (await scene.deploy(stage, labelled));
      }),
  };
}

async function statesOf(stage: Stage): Promise<readonly (string | undefined)[]> {
  return (await stage.certificates()).map(({ managed }) => managed?.state);
}

async function chainsOf(stage: Stage): Promise<readonly string[]> {
  return (await stage.certificates()).map(({ pemCertificate = "" }) => pemCertificate);
}

/** Certificates are renewed while stacks go on being planned and applied. */
export const renewalScenarios: readonly Scenario[] = [
  ...(Object.keys(plansMeanwhile) as Gate[]).map(
    (gate): Scenario => ({
      name: `renewal-under-gate-${gate}`,
      summary: `certificates are renewed, in vain at first, under the gate '${gate}': ${plansMeanwhile[gate].what}`,
      spec: { ...smallSpec, gate },
      cloud,
      attempts: gate === "precondition" ? 8 : 3,
      acts: [renewal(plansMeanwhile[gate].goOn)],
      expect: gate === "precondition" ? { ...unharmed, told: ["Resource precondition failed"] } : unharmed,
    }),
  ),
  {
    name: "renewal-during-an-apply",
    summary: "all certificates are renewed while an unrelated apply runs",
    acts: [
      {
        name: "renewed during an unrelated apply",
        play: async (stage, scene) => {
          const before = await chainsOf(stage);
          const applied = scene.deploy(stage, { ...scene.spec, labels: { team: "web" } });
          await stage.cloud.clock.advance(untilRenewalMs);
          const renewed = await stage.wait(async () =>
            (await chainsOf(stage)).every((chain) => !before.includes(chain)),
          );
          await stage.prober.everyHostname();
          return (await applied) && renewed;
        },
      },
    ],
    expect: unharmed,
  },
  {
    name: "cname-vanished",
    summary: "somebody deletes the CNAMEs: the next apply writes them again, and renewals go on",
    cloud,
    acts: [
      {
        name: "CNAMEs deleted past Terraform, and written again",
        play: async (stage, scene) => {
          const before = await chainsOf(stage);
          const deleted = await deleteChallenges(stage.cloud, scene.project, ["example-com", "example-net"]);
          await stage.cloud.clock.advance(untilRenewalMs);
          const stuck = await stage.wait(async () => (await statesOf(stage)).includes("PROVISIONING"));
          const empty = await stage.planIsEmpty();
          const written = await scene.deploy(stage, scene.spec);
          const renewed = await stage.wait(async () =>
            (await chainsOf(stage)).every((chain) => !before.includes(chain)),
          );
          return deleted >= 2 && stuck && !empty && written && renewed;
        },
      },
    ],
    proof: {
      what: "CNAMEs deleted by hand, and written again",
      shows: ({ method, status }) => method === "dns.changes.create" && status < 300,
      atLeast: 6,
    },
    expect: unharmed,
  },
];

interface RecordSet {
  readonly name: string;
  readonly type: string;
}

/** Deletes the CNAMEs of all authorizations, as somebody who tidies up. @returns how many there were */
async function deleteChallenges(at: Cloud, project: string, zones: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const zone of zones) {
    const path = `dns/v1/projects/${project}/managedZones/${zone}`;
    const { rrsets } = (await ask(at, "GET", `${path}/rrsets`)) as { readonly rrsets: readonly RecordSet[] };
    for (const record of rrsets.filter(({ name, type }) => type === "CNAME" && name.startsWith("_acme-challenge"))) {
      await ask(at, "POST", `${path}/changes`, { deletions: [record] });
      deleted += 1;
    }
  }
  return deleted;
}
