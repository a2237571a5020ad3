import type { Cloud } from "../cloud";
import { InputError } from "../errors";
import { type Orphan, orphansOf } from "./orphans";
import type { StackVariant } from "./script";
import type { StackJson } from "./stack";
import type { StageOptions } from "./stage-options";
import { lastLines, type Terraform } from "./terraform";

/** What a pipeline works with. */
export interface PipelineParts {
  readonly cloud: Pick<Cloud, "faults">;
  readonly terraform: Pick<Terraform, "apply" | "import" | "plan" | "write">;
  /** Lets so many seconds of the cloud's time go by. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Where load balancers are met by HTTPS. */
  readonly tlsAddresses: () => readonly string[];
  /** Deletes something by its name. @returns whether it is gone; what is in use stays */
  readonly remove: (name: string) => Promise<boolean>;
  readonly counted: { imports: number };
}

/** From a failed apply to the next, in the cloud's time. */
const retrySeconds = 20;

/** Deploys stacks as a pipeline would. */
export function pipelineOf(
  { cloud, terraform, pass, tlsAddresses, remove, counted }: PipelineParts,
  { synthesize, attempts = 3, kills = [], say, signal }: StageOptions,
) {
  let deployed: StackJson | undefined;
  // Terraform is killed as it runs, so that their number is that of the beginning.
  const most = attempts + kills.length;

  /** A stack that is refused at one point of the migration ends it there: what was deployed before goes on serving. */
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

  /** Gets out of the way of the next apply what the last one says that is there already. @returns whether it did */
  const settle = async ({ address, id, isUploaded }: Orphan): Promise<boolean> => {
    if (id === undefined) {
      say(`${address} exists already, and nothing tells by which id it is imported`);
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

  const planIsEmpty = async (): Promise<boolean> => {
    const { exitCode, output } = await terraform.plan();
    if (exitCode !== 0 && signal.aborted) {
      say("stopped: nobody knows whether a second plan is empty");
      return false;
    }
    if (exitCode === 2) say(`a second plan is not empty: ${plannedChanges(output)}`);
    if (exitCode === 1) say(`terraform plan failed: ${lastLines(output)}`);
    return exitCode === 0;
  };

  /** Applies until it succeeds or counts as stuck, and plans again: nothing must be left to do. */
  const deployStack = async (stack: StackJson): Promise<boolean> => {
    deployed = stack;
    await terraform.write(stack);
    const settled = new Set<string>();
    let failures = 0;
    // What was interrupted is over, and what begins afterwards nobody would interrupt.
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
      // A lost state is found again layer by layer, since an apply stops at what it makes first: each of them brings it further, once.
      if (settled.size > before) say("it gets further now: that apply counts as no failure");
      else failures += 1;
      if (failures >= most) return false;
      await pass(retrySeconds);
    }
    return false;
  };

  return {
    /** What was deployed last, whether that went well or not. */
    deployed: (): StackJson | undefined => deployed,
    deployStack,
    deploy: async (variant: StackVariant): Promise<boolean> => {
      const stack = await synthesized(variant);
      return stack !== undefined && deployStack(stack);
    },
    planIsEmpty,
    /** Whether nothing is left to do, after one more run where something is; faults are over by then. */
    converge: async (): Promise<boolean> => {
      cloud.faults.set({});
      return (await planIsEmpty()) || ((await terraform.apply()).exitCode === 0 && planIsEmpty());
    },
  };
}

/** What a plan would change, on one line. */
function plannedChanges(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => /^# \S+ (?:will|must) be|^[~+-] output|^Changes to Outputs/.test(line))
    .slice(0, 5)
    .join("; ")
    .slice(0, 1_000);
}
