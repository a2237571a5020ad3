import type { GateName, MigrationSpec } from "../../../lib/plan";
import { beginnings } from "../../../lib/rehearsal/disturbances";
import { resourcesOf, type StackJson } from "../../../lib/rehearsal/stack";
import type { Stage } from "../../../lib/rehearsal/stage";
import { lastLines } from "../../../lib/rehearsal/terraform-output";
import { ask } from "./requests";
import { type Scenario, type Scene, type SceneAct, smallSpec, unharmed } from "./scenario";
import type { Evidence, Proof } from "./seen";
import { changesIn, failedSaying } from "./shown";

const stalePlan: SceneAct = {
  name: "a saved plan is applied after another apply",
  run: async (stage, scene) => {
    const { terraform } = stage;
    await terraform.write(scene.stackOf({ ...scene.spec, labels: { team: "web" } }));
    const { exitCode: planned } = await terraform.run("plan", "-out=saved", "-input=false", "-no-color");
    const between = await scene.deploy(stage, { ...scene.spec, labels: { team: "ops" } });
    const { exitCode, output } = await terraform.run("apply", "-input=false", "-no-color", "saved");
    scene.say(`the saved plan: ${lastLines(output)}`);
    return planned === 0 && between && exitCode !== 0 && stage.pipeline.planIsEmpty();
  },
};

/** A hostname of a wildcard certificate that later gets its own certificate. */
const ownName = "covered-by-wildcard.example.com";

function withOwn(spec: MigrationSpec): MigrationSpec {
  return { ...spec, certificates: [...spec.certificates, { name: "own", domains: [ownName] }] };
}

/** Returns the certificate that covers only {@link ownName}: its address, and its name in the cloud. */
function ownOf(stack: StackJson): { readonly address: string; readonly name: string } {
  const type = "google_certificate_manager_certificate";
  const [id, block] =
    Object.entries(resourcesOf(stack, type)).find(
      ([, { managed }]) =>
        (managed as { readonly domains?: readonly string[] } | undefined)?.domains?.join() === ownName,
    ) ?? [];
  return { address: `${type}.${id}`, name: String(block?.name) };
}

/** Recreates a certificate with the same name outside of Terraform: it exists, but is not ACTIVE. */
async function recreate({ cloud }: Stage, { project }: Scene, name: string): Promise<void> {
  const collection = `v1/projects/${project}/locations/global/certificates`;
  const { managed, description, labels } = (await ask(cloud, "GET", `${collection}/${name}`)) as {
    readonly managed: { readonly domains: readonly string[]; readonly dnsAuthorizations: readonly string[] };
    readonly description?: string;
    readonly labels?: object;
  };
  const { domains, dnsAuthorizations } = managed;
  await ask(cloud, "DELETE", `${collection}/${name}`);
  const body = { managed: { domains, dnsAuthorizations }, description, labels };
  await ask(cloud, "POST", `${collection}?certificateId=${name}`, body);
}

const notActiveForLong = { issuance: [{ domain: ownName, failureReason: "CONFIG", times: 5 }] };

/**
 * Saves a plan that points an entry to an ACTIVE certificate. The certificate is no longer ACTIVE when the plan is
 * applied.
 */
const outlivedPlan: SceneAct = {
  name: "a plan is saved while a certificate is ACTIVE, and applied when it is not",
  run: async (stage, scene) => {
    const { terraform } = stage;
    const stack = scene.stackOf(withOwn(scene.spec));
    const { address, name } = ownOf(stack);
    await terraform.write(stack);
    const made = await terraform.run("apply", "-auto-approve", "-input=false", "-no-color", `-target=${address}`);
    const isActive = async () => {
      const own = (await stage.reader.certificates()).find((certificate) => certificate.name.endsWith(`/${name}`));
      return own?.managed?.state === "ACTIVE";
    };
    if (made.exitCode !== 0 || !(await stage.wait(isActive))) return false;
    const planned = await terraform.run("plan", "-out=saved", "-input=false", "-no-color");
    return scene.suffer(stage, notActiveForLong, async () => {
      await recreate(stage, scene, name);
      const wasActive = await isActive();
      const { exitCode, output } = await terraform.run("apply", "-input=false", "-no-color", "saved");
      if (exitCode !== 0) scene.say(`the saved plan: ${lastLines(output)}`);
      const isActiveAgain = await stage.wait(isActive);
      await stage.prober.everyHostname();
      return planned.exitCode === 0 && !wasActive && exitCode === 0 && isActiveAgain && stage.pipeline.planIsEmpty();
    });
  },
};

/** Counts applies of the saved plan that create an entry before, or after, the last issuance of its certificate. */
function entryMade(when: "before" | "after"): Proof {
  return {
    what: `applies of a saved plan in which an entry was made ${when} its certificate was issued again`,
    count: ({ runs, requests, issued }: Evidence) =>
      runs.filter((run) => {
        const entry = changesIn(run, requests).find(({ method }) => method === beginnings.entry);
        const times = issued.filter(({ domains }) => domains.join() === ownName).map(({ time }) => time);
        if (!run.words.includes("saved") || entry === undefined || times.length < 2) return false;
        return entry.time > (times.at(-1) ?? "") === (when === "after");
      }).length,
  };
}

function outlived(gate: GateName, rest: Pick<Scenario, "summary" | "proofs" | "expect">): Scenario {
  return {
    name: `saved-plan-outlived-under-gate-${gate}`,
    spec: { ...smallSpec, gate },
    attempts: gate === "wait" ? 3 : 8,
    acts: [outlivedPlan],
    ...rest,
  };
}

/** Scenarios that apply a saved plan after the resources have changed. */
export const savedPlanScenarios: readonly Scenario[] = [
  {
    name: "saved-plan-is-stale",
    summary: "a saved plan is applied after another apply: refused, and nothing has changed",
    acts: [stalePlan],
    proofs: [
      failedSaying("Saved plan is stale", "applies of a plan that was made before another apply"),
      {
        what: "changes in such an apply",
        atMost: 0,
        count: ({ runs, requests }) =>
          runs.filter(({ words }) => words.includes("saved")).flatMap((run) => changesIn(run, requests)).length,
      },
    ],
    expect: { ...unharmed, messages: ["Saved plan is stale"] },
  },
  outlived("wait", {
    summary:
      "a plan is saved while a certificate is ACTIVE, and applied after the certificate was recreated outside of Terraform and is not ACTIVE: the gate is judged in the apply, and waits",
    proofs: [entryMade("after")],
    expect: unharmed,
  }),
  outlived("precondition", {
    summary:
      "a plan is saved while a certificate is ACTIVE, and applied after the certificate was recreated outside of Terraform and is not ACTIVE: a saved plan is not judged again, and goes through",
    proofs: [entryMade("before")],
    expect: { completes: false, failedHandshakes: "some" },
  }),
];
