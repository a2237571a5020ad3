import type { Listed } from "./cloud-reader";
import type { PartRunner } from "./part-runner";
import type { RehearsalOrder, StackVariant } from "./script";
import type { Stage } from "./stage";

export interface StepOptions {
  /** @default "phases" */
  readonly order?: RehearsalOrder;
  readonly manualStep?: "proxies" | "addresses";
  /** Whether certificates in state FAILED get another generation, once. @default false */
  readonly mend?: boolean;
  readonly say: (line: string) => void;
}

/** Returns the actions that both kinds of migrations share. */
export function stepActions(stage: Stage, { mend = false, say }: StepOptions, runner: PartRunner) {
  const variant = (change: Partial<StackVariant>): StackVariant => ({
    phase: "serve",
    traffic: "previous",
    rotated: false,
    mended: runner.replacements(),
    ...change,
  });
  return {
    variant,
    /** Deploys a variant. @returns whether the cloud has its authorizations and records */
    deploy: async (change: Partial<StackVariant>) => (await stage.deploy(variant(change))) && stage.hasMade(),
    certificatesActive: () => stage.wait(async () => allActive(await stage.certificates())),
    /**
     * Waits until all certificates are ACTIVE. Gives FAILED certificates another generation, if the options allow that.
     */
    issued: async (): Promise<boolean> => {
      for (;;) {
        await stage.wait(async () => {
          const certificates = await stage.certificates();
          return allActive(certificates) || certificates.some(hasFailed);
        });
        const certificates = await stage.certificates();
        const failed = certificates.filter(hasFailed).map(({ name }) => name);
        if (failed.length === 0) return allActive(certificates);
        say(`FAILED: ${failed.join(", ")}`);
        if (!mend || runner.replacements() > 0) return false;
        runner.countReplacement();
        if (!(await stage.deploy(variant({ phase: "issue" })))) return false;
      }
    },
  };
}

function stateOf({ state, managed }: Listed): string {
  // Uploaded certificates have no state; they either exist or not.
  return managed?.state ?? state ?? "ACTIVE";
}

/** Returns whether there is a resource, and all are ACTIVE. */
export function allActive(items: readonly Listed[]): boolean {
  return items.length > 0 && items.every((item) => stateOf(item) === "ACTIVE");
}

function hasFailed(item: Listed): boolean {
  return stateOf(item) === "FAILED";
}

/** Runs the eight steps in the order of the option `order`. */
export async function runSteps(stage: Stage, options: StepOptions, runner: PartRunner): Promise<boolean> {
  const { order = "phases", manualStep } = options;
  const { variant, deploy, certificatesActive, issued } = stepActions(stage, options, runner);
  // Directly attached certificates have no map, so there is nothing to wait for.
  const entriesActive = () =>
    stage.wait(async () => (await stage.maps()).length === 0 || allActive(await stage.entries()));
  const moved = () => stage.moveTraffic("new", variant({ traffic: "loadBalancer" }));
  // The deployed stack includes step 6, unless the proxies are created manually.
  const attached = manualStep === "proxies" ? [] : [6];
  const attachedManually = async () => manualStep !== "proxies" || (await runner.step([6], stage.attachManually));
  const verified = async () => (manualStep !== "addresses" || (await stage.attachManually())) && stage.verify();
  if (order === "phases") {
    return (
      (await runner.step([1, 2], () => deploy({ phase: "issue" }))) &&
      (await runner.step([3], issued)) &&
      (await runner.step([4, ...attached], () => stage.deploy(variant({})))) &&
      (await runner.step([5], entriesActive)) &&
      (await attachedManually()) &&
      (await runner.step([7], verified)) &&
      runner.step([8], moved)
    );
  }
  if (order === "certificates alone") {
    return (await runner.step([1, 2], () => deploy({ phase: "issue" }))) && runner.step([3], certificatesActive);
  }
  if (order === "one deploy" || order === "without traffic") {
    return (
      (await runner.step([1, 2, 3, 4, ...attached], async () => (await deploy({})) && certificatesActive())) &&
      (await runner.step([5], entriesActive)) &&
      (await attachedManually()) &&
      (await runner.step([7], verified)) &&
      (order === "without traffic" || runner.step([8], moved))
    );
  }
  return (
    (await runner.step([1, 2, 4, 6, 8], async () => (await moved()) && stage.hasMade())) &&
    (await runner.step([3], certificatesActive)) &&
    (await runner.step([5], entriesActive)) &&
    runner.step([7], stage.verify)
  );
}
