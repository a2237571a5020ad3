import type { Cloud } from "../../../lib/cloud";
import type { GateName, MigrationSpec } from "../../../lib/plan";
import { beginnings } from "../../../lib/rehearsal/disturbances";
import type { Stage } from "../../../lib/rehearsal/stage";
import { slowMap } from "./api";
import { ask } from "./requests";
import { type Scenario, type SceneAct, smallSpec, unharmed } from "./scenario";
import type { Evidence, Proof } from "./seen";
import { issuedAgain, isTerraform, renewedMeanwhile, whileRenewing } from "./shown";

const daysMs = 24 * 3_600_000;
/** Certificates of 90 days are renewed 30 days before they expire. */
const untilRenewalMs = 61 * daysMs;
const challenge = "_acme-challenge.*";
const cnameGone = { dns: [{ name: challenge, rrdatas: [] as string[] }] };
/** Renewals are retried soon, and certificates report that they are being renewed. */
const behavior = { renewingState: "PROVISIONING", pace: { renewalRetryMs: 60_000 } } as const;

/** The effect of a gate while a renewal fails; docs/rehearsal.md contains a table of these rows. */
interface UnderGate {
  /** Whether plans and applies go through. */
  readonly goOn: boolean;
  readonly plan: string;
  readonly apply: string;
  readonly what: string;
  readonly proofs: readonly Proof[];
}

function runsMeanwhile(what: string, pattern: RegExp, most?: 0): Proof {
  const count = (evidence: Evidence) => whileRenewing(evidence).filter(({ output }) => pattern.test(output)).length;
  return { what, count, ...(most === undefined ? { atLeast: 2 } : { atMost: most }) };
}

const diagnostics = /^[\s│]*(?:Warning|Error):/m;
const checkWarning = /^[\s│]*Warning: Check block assertion failed/m;
const emptyPlan: Proof = {
  what: "empty plans meanwhile",
  count: (evidence) =>
    whileRenewing(evidence).filter(({ words, exitCode }) => words[0] === "plan" && exitCode === 0).length,
};
const silent = runsMeanwhile("runs meanwhile that warned or failed", diagnostics, 0);

export const renewalUnderGates: Readonly<Record<GateName, UnderGate>> = {
  wait: {
    goOn: true,
    plan: "empty, and silent: each certificate was judged once",
    apply: "goes through, and reports nothing",
    what: "plans stay empty: each certificate was judged once",
    proofs: [emptyPlan, silent, runsMeanwhile("runs meanwhile that asked a gate again", /local-exec/, 0)],
  },
  precondition: {
    goOn: false,
    plan: "fails: `Resource precondition failed`",
    apply: "is held up until the renewal is over",
    what: "every plan of the stack is held up until it is over",
    proofs: [runsMeanwhile("runs meanwhile that were held up", /Error: Resource precondition failed/)],
  },
  check: {
    goOn: true,
    plan: "empty, with a warning: `Check block assertion failed`",
    apply: "goes through, with the same warning",
    what: "plans go on, and warn",
    proofs: [emptyPlan, runsMeanwhile("runs meanwhile that warned", checkWarning)],
  },
  none: {
    goOn: true,
    plan: "empty, and silent",
    apply: "goes through, and reports nothing",
    what: "plans go on, and say nothing",
    proofs: [emptyPlan, silent],
  },
};

/** Hides the CNAMEs and advances the time until renewals begin; then shows them again, so that renewals succeed. */
function renewal(goOn: boolean): SceneAct {
  return {
    name: "renewed in vain at first: a plan, an unrelated apply, and all over",
    run: (stage, scene) =>
      scene.suffer(stage, cnameGone, async () => {
        const before = await chainsOf(stage);
        await stage.cloud.clock.advance(untilRenewalMs);
        if (!(await stage.wait(async () => (await statesOf(stage)).every((state) => state === "PROVISIONING"))))
          return false;
        const planned = await stage.pipeline.planIsEmpty();
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
  return (await stage.reader.certificates()).map(({ managed }) => managed?.state);
}

async function chainsOf(stage: Stage): Promise<readonly string[]> {
  return (await stage.reader.certificates()).map(({ pemCertificate = "" }) => pemCertificate);
}

/** Counts DNS changes by Terraform from two months after the first issuance, or by others at any time after it. */
function changesOfDns(who: string, byTerraform: boolean): Proof {
  return {
    what: `changes of DNS ${who} when certificates were about to be renewed`,
    atLeast: 2,
    count: ({ requests, issued }) => {
      const since = Date.parse(issued[0]?.time ?? "");
      return requests.filter(
        (request) =>
          request.method === beginnings.record &&
          request.status < 300 &&
          isTerraform(request) === byTerraform &&
          Date.parse(request.time) - since >= (byTerraform ? untilRenewalMs : 0),
      ).length;
    },
  };
}

/** Scenarios that plan and apply stacks while certificates are renewed. */
export const renewalScenarios: readonly Scenario[] = [
  ...(Object.keys(renewalUnderGates) as GateName[]).map(
    (gate): Scenario => ({
      name: `renewal-under-gate-${gate}`,
      summary: `certificates are renewed, in vain at first, under the gate '${gate}': ${renewalUnderGates[gate].what}`,
      spec: { ...smallSpec, gate },
      behavior,
      attempts: gate === "precondition" ? 8 : 3,
      acts: [renewal(renewalUnderGates[gate].goOn)],
      proofs: [issuedAgain(2), ...renewalUnderGates[gate].proofs],
      expect: gate === "precondition" ? { ...unharmed, messages: ["Resource precondition failed"] } : unharmed,
    }),
  ),
  {
    name: "renewal-during-an-apply",
    summary: "all certificates are renewed while an unrelated apply runs",
    acts: [
      {
        name: "renewed during an unrelated apply",
        run: (stage, scene) =>
          scene.suffer(stage, slowMap(6_000), async () => {
            const before = await chainsOf(stage);
            const earlier = scene.requests.length;
            const applied = scene.deploy(stage, { ...scene.spec, labels: { team: "web" } });
            const isChanging = () =>
              scene.requests.slice(earlier).some((each) => isTerraform(each) && each.mutation && each.status < 300);
            const begun = await stage.wait(isChanging);
            await stage.cloud.clock.advance(untilRenewalMs);
            const renewed = await stage.wait(async () =>
              (await chainsOf(stage)).every((chain) => !before.includes(chain)),
            );
            await stage.prober.everyHostname();
            return (await applied) && begun && renewed;
          }),
      },
    ],
    proofs: [renewedMeanwhile(2)],
    expect: unharmed,
  },
  {
    name: "cname-vanished",
    summary: "somebody deletes the CNAMEs: the next apply writes them again, and renewals go on",
    behavior,
    acts: [
      {
        name: "CNAMEs deleted past Terraform, and written again",
        run: async (stage, scene) => {
          const before = await chainsOf(stage);
          const deleted = await deleteChallenges(stage.cloud, scene.project, ["example-com", "example-net"]);
          await stage.cloud.clock.advance(untilRenewalMs);
          const stuck = await stage.wait(async () => (await statesOf(stage)).includes("PROVISIONING"));
          const empty = await stage.pipeline.planIsEmpty();
          const written = await scene.deploy(stage, scene.spec);
          const renewed = await stage.wait(async () =>
            (await chainsOf(stage)).every((chain) => !before.includes(chain)),
          );
          return deleted >= 2 && stuck && !empty && written && renewed;
        },
      },
    ],
    proofs: [changesOfDns("by hand", false), changesOfDns("by Terraform", true), issuedAgain(2)],
    expect: unharmed,
  },
];

interface RecordSet {
  readonly name: string;
  readonly type: string;
}

/** Deletes the CNAMEs of all authorizations, as an accidental cleanup would. @returns their number */
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
