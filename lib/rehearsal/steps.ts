import type { Listed } from "./cloud-reader";
import type { PartRunner } from "./part-runner";
import type { RehearsalOrder, StackVariant } from "./script";
import type { Stage } from "./stage";

/** How a rehearsal runs the eight steps. */
export interface StepOptions {
  /**
   * Order of the deploys:
   * - `phases`: deploys the certificates first, and the map when they are ACTIVE
   * - `one deploy`: does steps 1 to 6 in one deploy
   * - `traffic at once`: also does step 8 in that deploy, which the guide warns against
   * - `without traffic`, `certificates alone`: one deploy that ends with step 7 or step 3
   * - `map attached at once`, `certificates removed first`: only for proxies that serve the hostnames already; the two
   *   wrong orders of their change, which lose handshakes
   *
   * @default "phases"
   */
  readonly order?: RehearsalOrder;
  /**
   * Resources that the stack leaves to others and the rehearsal creates manually: target proxies with addresses, or
   * addresses alone.
   *
   * @default - nothing
   */
  readonly manualStep?: "proxies" | "addresses";
  /** Whether certificates in state FAILED get another generation, once. @default false */
  readonly reissuesFailed?: boolean;
}

/** The work of the steps, which both kinds of migrations share. */
export class StepActions {
  readonly #stage: Stage;
  readonly #options: StepOptions & { readonly say: (line: string) => void };
  #reissues = 0;

  constructor(stage: Stage, options: StepOptions & { readonly say: (line: string) => void }) {
    this.#stage = stage;
    this.#options = options;
  }

  /** Returns a point of the migration: with the map and the previous provider, unless a change differs. */
  readonly variant = (change: Partial<StackVariant> = {}): StackVariant => ({
    phase: "serve",
    traffic: "previous",
    rotated: false,
    reissues: this.#reissues,
    ...change,
  });

  /** Deploys a variant. @returns whether the cloud has its authorizations and records */
  readonly deploy = async (change: Partial<StackVariant> = {}): Promise<boolean> =>
    (await this.#stage.pipeline.deploy(this.variant(change))) && this.#stage.hasMade();

  readonly certificatesActive = (): Promise<boolean> =>
    this.#stage.wait(async () => allActive(await this.#stage.reader.certificates()));

  /** Waits until all certificates are ACTIVE. Gives FAILED certificates another generation, if the options allow it. */
  readonly issued = async (): Promise<boolean> => {
    const { reader, wait, pipeline } = this.#stage;
    for (;;) {
      await wait(async () => {
        const certificates = await reader.certificates();
        return allActive(certificates) || certificates.some(hasFailed);
      });
      const certificates = await reader.certificates();
      const failed = certificates.filter(hasFailed).map(({ name }) => name);
      if (failed.length === 0) return allActive(certificates);
      this.#options.say(`FAILED: ${failed.join(", ")}`);
      if (this.#options.reissuesFailed !== true || this.#reissues > 0) return false;
      this.#reissues += 1;
      if (!(await pipeline.deploy(this.variant({ phase: "issue" })))) return false;
    }
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
export async function runSteps(
  stage: Stage,
  { order = "phases", manualStep }: StepOptions,
  { runner, actions }: { readonly runner: PartRunner; readonly actions: StepActions },
): Promise<boolean> {
  const { variant, deploy, certificatesActive, issued } = actions;
  // Directly attached certificates have no map, so there is nothing to wait for.
  const entriesActive = () =>
    stage.wait(async () => (await stage.reader.maps()).length === 0 || allActive(await stage.reader.entries()));
  const moved = () => stage.moveTraffic(variant({ traffic: "loadBalancer" }));
  // The deployed stack includes step 6, unless the proxies are created manually.
  const attached = manualStep === "proxies" ? [] : [6];
  const attachedManually = async () => manualStep !== "proxies" || (await runner.step([6], stage.attachManually));
  const verified = async () => (manualStep !== "addresses" || (await stage.attachManually())) && stage.verify();
  if (order === "phases") {
    return (
      (await runner.step([1, 2], () => deploy({ phase: "issue" }))) &&
      (await runner.step([3], issued)) &&
      (await runner.step([4, ...attached], () => stage.pipeline.deploy(variant()))) &&
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
      (await runner.step([1, 2, 3, 4, ...attached], async () => (await deploy()) && certificatesActive())) &&
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
