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
  readonly counted: { imports: number };
}

/** From a failed apply to the next, in the cloud's time. */
const retrySeconds = 20;

/** Deploys stacks as a pipeline would. */
export function pipelineOf(
  { cloud, terraform, pass, tlsAddresses, counted }: PipelineParts,
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

  /** Brings under Terraform what an apply says that is there already. @returns how many of them */
  const importAll = async (orphans: readonly Orphan[]): Promise<number> => {
    let imported = 0;
    for (const { address, id } of orphans) {
      const { exitCode } = await terraform.import(address, id);
      say(`terraform import ${address} ${id}: ${exitCode === 0 ? "done" : "failed"}`);
      if (exitCode === 0) imported += 1;
    }
    counted.imports += imported;
    return imported;
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
    let failures = 0;
    // What was interrupted is over, and what begins afterwards nobody would interrupt.
    while (!signal.aborted) {
      const { exitCode, output, killed } = await terraform.apply();
      if (exitCode === 0) return planIsEmpty();
      const orphans = orphansOf(output, stack);
      const counts = orphans.length === 0 ? ` (${failures + 1} of ${most})` : "";
      say(`terraform apply ${killed ? "was killed" : "failed"}${counts}: ${lastLines(output)}`);
      if (signal.aborted) return false;
      // A lost state is found again layer by layer: an apply meets what it makes first, and each thing is imported once.
      if ((await importAll(orphans)) === 0) failures += 1;
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
