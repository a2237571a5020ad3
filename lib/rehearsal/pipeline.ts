import type { Cloud } from "../cloud";
import { InputError } from "../errors";
import { type Orphan, orphansOf } from "./orphans";
import type { StackVariant } from "./script";
import type { StackJson } from "./stack";
import type { StageOptions } from "./stage-options";
import type { Terraform } from "./terraform";
import { lastLines } from "./terraform-output";

/** Dependencies of a pipeline. */
export interface PipelineParts {
  readonly cloud: Pick<Cloud, "faults">;
  readonly terraform: Pick<Terraform, "apply" | "import" | "plan" | "savePlan" | "write">;
  /** Waits for a number of seconds of the cloud's time. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Returns the IP addresses of the load balancers' HTTPS listeners. */
  readonly tlsAddresses: () => readonly string[];
  /** Deletes a resource by name. @returns whether the resource no longer exists; a resource in use is kept */
  readonly remove: (name: string) => Promise<boolean>;
  readonly counted: { imports: number };
}

/** Pause between a failed apply and the next, in seconds of the cloud's time. */
const retrySeconds = 20;

/** Returns the actions that deploy stacks as a pipeline does. */
export function pipelineOf(
  { cloud, terraform, pass, tlsAddresses, remove, counted }: PipelineParts,
  { synthesize, attempts = 3, kills = [], say, signal }: StageOptions,
) {
  let deployed: StackJson | undefined;
  let deployedVariant: StackVariant | undefined;
  // Running Terraform removes items of `kills`, so their number is read at the beginning.
  const most = attempts + kills.length;

  /**
   * Returns the stack of a variant; undefined if the stack is refused. The migration ends then, and the last deployed
   * stack keeps serving.
   */
  const synthesized = async (variant: StackVariant): Promise<StackJson | undefined> => {
    try {
      const isMoved = variant.traffic === "loadBalancer";
      return await synthesize(isMoved ? { ...variant, addresses: tlsAddresses() } : variant);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      say(`refused before Terraform runs: ${error.message}`);
      return undefined;
    }
  };

  /**
   * Imports or deletes an existing resource that made the last apply fail.
   *
   * @returns whether the next apply can get past it
   */
  const settle = async ({ address, id, isUploaded }: Orphan): Promise<boolean> => {
    if (id === undefined) {
      say(`${address} exists, and its import id is unknown`);
      return false;
    }
    if (isUploaded) {
      const isDeleted = await remove(id);
      const how = isDeleted ? "deleted" : "not deleted, as it is in use";
      say(`${id} of ${address}: ${how}; Terraform would replace an uploaded certificate that is imported`);
      return isDeleted;
    }
    const { exitCode } = await terraform.import(address, id);
    say(`terraform import ${address} ${id}: ${exitCode === 0 ? "done" : "failed"}`);
    if (exitCode === 0) counted.imports += 1;
    return exitCode === 0;
  };

  /** Plans again after an apply. A plan that fails, for example because a request failed, is repeated like an apply. */
  const planIsEmpty = async (): Promise<boolean> => {
    let { exitCode, output } = await terraform.plan();
    for (let failures = 1; exitCode === 1 && !signal.aborted && failures < most; failures += 1) {
      say(`terraform plan failed (${failures} of ${most}): ${lastLines(output)}`);
      await pass(retrySeconds);
      ({ exitCode, output } = await terraform.plan());
    }
    if (exitCode !== 0 && signal.aborted) {
      say("stopped before the second plan");
      return false;
    }
    if (exitCode === 2) say(`a second plan is not empty: ${plannedChanges(output)}`);
    if (exitCode === 1) say(`terraform plan failed: ${lastLines(output)}`);
    return exitCode === 0;
  };

  /** Applies until success or until the limit of failures, then plans again; the second plan must be empty. */
  const deployStack = async (stack: StackJson): Promise<boolean> => {
    deployed = stack;
    await terraform.write(stack);
    const settled = new Set<string>();
    let failures = 0;
    // An abort fires only once, so a run that starts after it would not be interrupted.
    while (!signal.aborted) {
      const { exitCode, output, killed } = await terraform.apply();
      if (exitCode === 0) return planIsEmpty();
      say(`terraform apply ${killed ? "was killed" : "failed"} (${failures + 1} of ${most}): ${lastLines(output)}`);
      const before = settled.size;
      for (const orphan of orphansOf(output, stack)) {
        if (signal.aborted) return false;
        if (await settle(orphan)) settled.add(orphan.address);
      }
      if (signal.aborted) return false;
      // An apply stops at the first layer of resources that already exist. Each import of a lost state therefore allows
      // a further apply, and is not counted as a failure.
      if (settled.size > before) say("an import lets the next apply continue: the failed apply is not counted");
      else failures += 1;
      if (failures >= most) return false;
      await pass(retrySeconds);
    }
    return false;
  };

  return {
    /** Returns the stack that was deployed last, successfully or not. */
    deployed: (): StackJson | undefined => deployed,
    deployStack,
    deploy: async (variant: StackVariant): Promise<boolean> => {
      const stack = await synthesized(variant);
      if (stack === undefined) return false;
      deployedVariant = variant;
      return deployStack(stack);
    },
    /** Returns the variant that was deployed last, successfully or not. */
    deployedVariant: (): StackVariant | undefined => deployedVariant,
    /**
     * Saves the plan of a variant as JSON, without applying it. The folder contains the deployed stack again
     * afterwards.
     *
     * @returns the file; undefined if the variant is refused or Terraform can't plan it
     */
    savePlan: async (variant: StackVariant): Promise<string | undefined> => {
      const stack = await synthesized(variant);
      if (stack === undefined || deployed === undefined) return undefined;
      await terraform.write(stack);
      try {
        const { file, output } = await terraform.savePlan();
        if (file === undefined && !signal.aborted) say(`no plan for check-plan: ${lastLines(output)}`);
        return file;
      } finally {
        await terraform.write(deployed);
      }
    },
    planIsEmpty,
    /** Removes all faults, then returns whether the plan is empty; if it is not, applies once more first. */
    converge: async (): Promise<boolean> => {
      cloud.faults.set({});
      return (await planIsEmpty()) || ((await terraform.apply()).exitCode === 0 && planIsEmpty());
    },
  };
}

/** Returns the changes of a plan on one line. */
function plannedChanges(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => /^# \S+ (?:will|must) be|^[~+-] output|^Changes to Outputs/.test(line))
    .slice(0, 5)
    .join("; ")
    .slice(0, 1_000);
}
