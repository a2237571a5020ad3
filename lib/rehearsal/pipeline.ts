import type { Cloud } from "../cloud";
import { InputError } from "../errors";
import type { Operator } from "./operator";
import { type Orphan, orphansOf } from "./orphans";
import type { StackVariant } from "./script";
import type { StackJson } from "./stack";
import type { StageOptions } from "./stage-options";
import type { Terraform } from "./terraform";
import { lastLines } from "./terraform-output";

/** Dependencies of a pipeline. */
export interface PipelineParts {
  readonly cloud: Pick<Cloud, "faults">;
  readonly terraform: Pick<
    Terraform,
    "apply" | "forget" | "idInState" | "import" | "name" | "plan" | "savePlan" | "write"
  >;
  readonly operator: Pick<Operator, "catchUp" | "remove">;
  /** Waits for a number of seconds of the cloud's time. */
  readonly pass: (seconds: number) => Promise<void>;
  /** Returns the IP addresses of the load balancers' HTTPS listeners. */
  readonly tlsAddresses: () => readonly string[];
}

/** Pause between a failed apply and the next, in seconds of the cloud's time. */
const retrySeconds = 20;
/**
 * The same if an operator publishes the CNAMEs: the cloud looks for them again after at most this time, so the next
 * apply finds what was published before the pause.
 */
const retrySecondsAfterPublishing = 45;

/** Deploys stacks as a pipeline does: a failed apply is repeated, and a second plan has to be empty. */
export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #options: StageOptions;
  /** Maximum number of failures of an apply or a plan: each kill allows one more. */
  readonly #mostFailures: number;
  #deployed: StackJson | undefined;
  #deployedVariant: StackVariant | undefined;
  #imports = 0;
  /** Ids of replaced resources that the state no longer has, because an import took their address. */
  #replaced: readonly string[] = [];

  constructor(parts: PipelineParts, options: StageOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#mostFailures = attemptsOf(options) + (options.faults?.kills?.length ?? 0);
  }

  /** The stack that was deployed last, successfully or not. */
  get deployed(): StackJson | undefined {
    return this.#deployed;
  }

  /** The variant that was deployed last, successfully or not. */
  get deployedVariant(): StackVariant | undefined {
    return this.#deployedVariant;
  }

  /** Number of resources that existed outside of Terraform's state and were imported. */
  get imports(): number {
    return this.#imports;
  }

  async deploy(variant: StackVariant): Promise<boolean> {
    const stack = await this.#synthesize(variant);
    if (stack === undefined) return false;
    this.#deployedVariant = variant;
    return this.deployStack(stack);
  }

  /** Applies until success or until the limit of failures, then plans again; the second plan must be empty. */
  async deployStack(stack: StackJson): Promise<boolean> {
    const { terraform } = this.#parts;
    const { signal, output } = this.#options;
    this.#deployed = stack;
    await terraform.write(stack);
    const settled = new Set<string>();
    let failures = 0;
    // An abort fires only once, so a run that starts after it would not be interrupted.
    while (!signal.aborted) {
      const run = await terraform.apply();
      if (run.exitCode === 0) {
        await this.#removeReplaced();
        return this.planIsEmpty();
      }
      const attempt = `${failures + 1} of ${this.#mostFailures}`;
      const ended = run.killed ? "was killed" : "failed";
      output.say(`${terraform.name.command} apply ${ended} (${attempt}): ${lastLines(run.output)}`);
      const before = settled.size;
      for (const orphan of orphansOf(run.output, stack)) {
        if (signal.aborted) return false;
        if (await this.#settle(orphan)) settled.add(orphan.address);
      }
      if (signal.aborted) return false;
      // An apply stops at the first layer of resources that already exist. Each import of a lost state therefore allows
      // a further apply, and is not counted as a failure.
      if (settled.size > before) output.say("an import lets the next apply continue: the failed apply is not counted");
      else failures += 1;
      if (failures >= this.#mostFailures) return false;
      await this.#pauseBeforeApply();
    }
    return false;
  }

  /** Pauses before the next apply; an operator publishes what the last one has authorized first. */
  async #pauseBeforeApply(): Promise<void> {
    const { operator, pass } = this.#parts;
    const publishes = this.#options.migration.publishes === true;
    if (publishes) await operator.catchUp();
    await pass(publishes ? retrySecondsAfterPublishing : retrySeconds);
  }

  /** Plans again after an apply. A plan that fails, for example because a request failed, is repeated like an apply. */
  async planIsEmpty(): Promise<boolean> {
    const { terraform, pass } = this.#parts;
    const { signal, output } = this.#options;
    let run = await terraform.plan();
    for (let failures = 1; run.exitCode === 1 && !signal.aborted && failures < this.#mostFailures; failures += 1) {
      const attempt = `${failures} of ${this.#mostFailures}`;
      output.say(`${terraform.name.command} plan failed (${attempt}): ${lastLines(run.output)}`);
      await pass(retrySeconds);
      run = await terraform.plan();
    }
    if (run.exitCode !== 0 && signal.aborted) {
      output.say("stopped before the second plan");
      return false;
    }
    if (run.exitCode === 2) output.say(`a second plan is not empty: ${plannedChanges(run.output)}`);
    if (run.exitCode === 1) output.say(`${terraform.name.command} plan failed: ${lastLines(run.output)}`);
    return run.exitCode === 0;
  }

  /**
   * Saves the plan of a variant as JSON, without applying it. The folder contains the deployed stack again afterwards.
   *
   * @returns the file; undefined if the variant is refused or Terraform can't plan it
   */
  async savePlan(variant: StackVariant): Promise<string | undefined> {
    const { terraform } = this.#parts;
    const { signal, output } = this.#options;
    const stack = await this.#synthesize(variant);
    if (stack === undefined || this.#deployed === undefined) return undefined;
    await terraform.write(stack);
    try {
      const saved = await terraform.savePlan();
      if (saved.file === undefined && !signal.aborted) {
        output.say(`no plan for check-plan: ${lastLines(saved.output)}`);
      }
      return saved.file;
    } finally {
      await terraform.write(this.#deployed);
    }
  }

  /** Removes all faults, then returns whether the plan is empty; if it is not, applies once more first. */
  async converge(): Promise<boolean> {
    const { cloud, terraform } = this.#parts;
    cloud.faults.set({});
    return (await this.planIsEmpty()) || ((await terraform.apply()).exitCode === 0 && this.planIsEmpty());
  }

  /**
   * Returns the stack of a variant; undefined if the stack is refused. The migration ends then, and the last deployed
   * stack keeps serving.
   */
  async #synthesize(variant: StackVariant): Promise<StackJson | undefined> {
    const { terraform, tlsAddresses } = this.#parts;
    const { migration, output } = this.#options;
    const isMoved = variant.traffic === "loadBalancer";
    try {
      return await migration.synthesize(isMoved ? { ...variant, addresses: tlsAddresses() } : variant);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      output.say(`refused before ${terraform.name.product} runs: ${error.message}`);
      return undefined;
    }
  }

  /**
   * Imports or deletes an existing resource that made the last apply fail.
   *
   * @returns whether the next apply can get past it
   */
  async #settle({ address, id, isUploaded }: Orphan): Promise<boolean> {
    const { terraform, operator } = this.#parts;
    const { say } = this.#options.output;
    if (id === undefined) {
      say(`${address} exists, and its import id is unknown`);
      return false;
    }
    if (isUploaded) {
      const isDeleted = await operator.remove(id);
      const how = isDeleted ? "deleted" : "not deleted, as it is in use";
      const reason = `${terraform.name.product} would replace an uploaded certificate that is imported`;
      say(`${id} of ${address}: ${how}; ${reason}`);
      return isDeleted;
    }
    await this.#freeAddress(address, id);
    const isImported = (await terraform.import(address, id)).exitCode === 0;
    say(`${terraform.name.command} import ${address} ${id}: ${isImported ? "done" : "failed"}`);
    if (isImported) this.#imports += 1;
    return isImported;
  }

  /** Removes a resource from the state at whose address its replacement is imported. */
  async #freeAddress(address: string, id: string): Promise<void> {
    const { terraform } = this.#parts;
    const replaced = terraform.idInState(address);
    // Only resources of Certificate Manager are replaced under another name.
    if (replaced === undefined || replaced === id || !replaced.includes("/locations/")) return;
    const isForgotten = (await terraform.forget(address)).exitCode === 0;
    const { say } = this.#options.output;
    say(`${terraform.name.command} state rm ${address}: ${isForgotten ? `done; ${replaced} stays` : "failed"}`);
    if (isForgotten) this.#replaced = [...this.#replaced, replaced];
  }

  /** Deletes the replaced resources that the state no longer has and nothing uses any more. */
  async #removeReplaced(): Promise<void> {
    const { operator } = this.#parts;
    for (const id of this.#replaced) {
      if (!(await operator.remove(id))) continue;
      this.#options.output.say(`${id} deleted: it was replaced, and the state no longer had it`);
      this.#replaced = this.#replaced.filter((replaced) => replaced !== id);
    }
  }
}

/** Returns how often an apply or destroy may fail before the migration counts as stuck, without kills. */
export function attemptsOf({ terraform: { attempts = 3 } }: Pick<StageOptions, "terraform">): number {
  return attempts;
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
