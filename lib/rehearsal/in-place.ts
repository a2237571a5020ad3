/**
 * The steps of a migration whose load balancers serve the hostnames already: the map is attached in place, the direct
 * certificates are detached in a later step of their own and deleted last.
 */
import type { Act, PartRunner } from "./part-runner";
import { withoutDirectCertificates, withoutMap } from "./serving-proxies";
import type { Stage } from "./stage";
import { allActive, type StepActions, type StepOptions } from "./steps";

/** Time for which `verify` passes before certificates are detached and deleted, in seconds of the cloud's time. */
const verifiedSeconds = 120;

/** Pause between two verifications, in seconds of the cloud's time. */
const betweenSeconds = 40;

/** Time after which all front ends serve a changed proxy, in seconds of the cloud's time. */
const arrivalSeconds = 120;

/** Runs steps 1 to 7; traffic does not move, so there is no step 8. */
export async function runInPlace(
  stage: Stage,
  { order = "phases" }: StepOptions,
  { runner, actions }: { readonly runner: PartRunner; readonly actions: StepActions },
): Promise<boolean> {
  const { deploy, certificatesActive, issued } = actions;
  const hasOwner = stage.serving.some(({ isAdopted }) => !isAdopted);
  const hasAdopted = stage.serving.some(({ isAdopted }) => isAdopted);
  const entriesActive = () => stage.wait(async () => allActive(await stage.reader.entries()));
  const attached = () => attach(stage);
  const adopted = hasAdopted && !hasOwner ? [6] : [];
  if (order === "map attached at once") {
    return (
      (await runner.step([1, 2, 4, 6], async () => (await deploy()) && attached())) &&
      (await runner.step([3], certificatesActive)) &&
      (await runner.step([5], entriesActive)) &&
      runner.step([7], stage.verify)
    );
  }
  if (order === "certificates removed first") {
    const removed = async () => {
      const ok = await stage.owner.apply({ hasMap: false, certificates: "last" });
      await stage.pass(arrivalSeconds);
      return ok;
    };
    if ((await runner.extra("direct certificates removed before the map is attached", removed)) === undefined)
      return false;
  }
  const isOneDeploy = order === "one deploy" || order === "without traffic";
  const begins = isOneDeploy ? [1, 2, 3, 4, ...adopted] : [4, ...adopted];
  return (
    (isOneDeploy ||
      ((await runner.step([1, 2], () => deploy({ phase: "issue" }))) && (await runner.step([3], issued)))) &&
    (await runner.step(begins, async () => (await deploy()) && certificatesActive())) &&
    (await runner.step([5], entriesActive)) &&
    (!hasOwner || (await runner.step([6], attached))) &&
    runner.step([7], stage.verify)
  );
}

/** Attaches the map to the proxies of other owners, and waits until all front ends serve it. */
async function attach(stage: Stage): Promise<boolean> {
  const attached = await stage.owner.apply({ hasMap: true, certificates: "all" });
  await stage.pass(arrivalSeconds);
  return attached;
}

/** Detaches the map from all proxies, so that the direct certificates serve, and attaches it again. */
export async function rollBackInPlace(stage: Stage): Promise<boolean> {
  const attached = stage.pipeline.deployed;
  if (attached === undefined) return false;
  const isChanged = stage.serving.some(({ isAdopted }) => isAdopted);
  const back = !isChanged || (await stage.pipeline.deployStack(withoutMap(attached)));
  if (!back || !(await stage.owner.apply({ hasMap: false, certificates: "all" }))) return false;
  await stage.pass(arrivalSeconds);
  await stage.prober.everyHostname();
  return (!isChanged || (await stage.pipeline.deployStack(attached))) && (await attach(stage)) && stage.verify();
}

/** The steps after `verify` has passed. */
export const detachActs: readonly Act[] = [
  {
    name: "direct certificates detached, after verify has passed for 2 minutes",
    run: async (stage) => {
      if (!(await verifyRepeatedly(stage))) return false;
      const attached = stage.pipeline.deployed;
      if (attached === undefined) return false;
      const isChanged = stage.serving.some(({ isAdopted }) => isAdopted);
      if (isChanged && !(await stage.pipeline.deployStack(withoutDirectCertificates(attached)))) return false;
      return stage.owner.apply({ hasMap: true, certificates: "none" });
    },
  },
  {
    name: "direct certificates deleted, after verify has passed for 2 minutes",
    run: async (stage) => (await verifyRepeatedly(stage)) && stage.deleteDirectCertificates(),
  },
];

async function verifyRepeatedly(stage: Stage): Promise<boolean> {
  for (let passed = 0; passed < verifiedSeconds; passed += betweenSeconds) {
    if (!(await stage.verify())) return false;
    await stage.pass(betweenSeconds);
  }
  return stage.verify();
}
