import { defined } from "../../lib/json/defined";
import { checkPauses, nextDeployment, type Pause, type PausedWorld, pauserOf } from "../../lib/rehearsal/pauses";
import type { StackVariant } from "../../lib/rehearsal/script";

const issued: StackVariant = { phase: "issue", traffic: "previous", rotated: false, reissues: 1 };
const served: StackVariant = { ...issued, phase: "serve" };
const moved: StackVariant = { ...served, traffic: "loadBalancer" };
const rotated: StackVariant = { ...moved, rotated: true };
const added = "added.example.com";

test.each<[string, StackVariant, StackVariant, string]>([
  ["of the certificates, the map", issued, served, "creates the map and its entries"],
  ["of the map, the move of traffic", served, moved, "moves traffic to the load balancer"],
  ["of traffic, the rotation", moved, rotated, "adds a domain to a certificate"],
  ["of the rotation, the rollback", rotated, { ...rotated, traffic: "previous" }, "rolls traffic back"],
])("announces the next deployment after the deployment %s", (_, deployed, variant, what) => {
  expect(nextDeployment(deployed, { added })).toEqual({ variant, what });
});

test("announces the rollback after the move of traffic without a hostname to add", () => {
  expect(nextDeployment(moved, { added: undefined })?.what).toBe("rolls traffic back");
});

test.each([
  ["certificates alone", issued],
  ["without traffic", served],
] as const)("announces nothing after the last deployment of the order '%s'", (order, deployed) => {
  expect(nextDeployment(deployed, { order, added })).toBeUndefined();
});

const world: PausedWorld = {
  endpoint: "http://127.0.0.1:1/",
  control: "http://127.0.0.1:1/_cloud/",
  nameServer: "127.0.0.1:2",
  rootsFile: "/r.pem",
  stackFolder: "/s",
  addresses: [],
  previous: { listener: "127.0.0.1:3", addresses: [] },
};

function pausing(change: { readonly plan?: string; readonly aborted?: boolean } = {}) {
  const held: Pause[] = [];
  const planned: StackVariant[] = [];
  const stage = {
    pausedWorld: () => world,
    pipeline: {
      deployedVariant: issued,
      savePlan: async (variant: StackVariant) => {
        planned.push(variant);
        return change.plan;
      },
    },
  };
  const hold = async (pause: Pause) => void held.push(pause);
  const pauser = pauserOf(stage, {
    pauses: { afterSteps: [3, 6], beforeDestroy: false, hold },
    added,
    signal: change.aborted === true ? AbortSignal.abort() : new AbortController().signal,
  });
  return { pauser, held, planned };
}

test("pauses once after an apply with several steps, with the plan of the next deployment", async () => {
  const { pauser, held, planned } = pausing({ plan: "/p.json" });
  await pauser.afterSteps([1, 2], { ok: true });
  expect(held).toEqual([]);
  await pauser.afterSteps([4, 6], { ok: true });
  await pauser.beforeDestroy({ ok: true });
  const nextPlan = { file: "/p.json", what: "creates the map and its entries" };
  expect(held).toEqual([{ steps: [4, 6], ok: true, ...world, nextPlan }]);
  expect(planned).toEqual([served]);
});

test("pauses after a failed step too, and shows no plan if Terraform could not create one", async () => {
  const { pauser, held } = pausing();
  await pauser.afterSteps([3], { ok: false });
  expect(held).toEqual([{ steps: [3], ok: false, ...world }]);
});

test("does not pause or run Terraform when the run is stopped", async () => {
  const { pauser, held, planned } = pausing({ aborted: true });
  await pauser.afterSteps([3], { ok: true });
  expect({ held, planned }).toEqual({ held: [], planned: [] });
});

test("reports the chosen steps that a run did not reach, in order, and nothing if the run was stopped", async () => {
  const { pauser } = pausing();
  expect(pauser.missed()).toEqual([3, 6]);
  await pauser.afterSteps([1, 2, 3], { ok: false });
  expect(pauser.missed()).toEqual([6]);
  await pauser.afterSteps([4, 6], { ok: true });
  expect(pauser.missed()).toEqual([]);
  expect(pausing({ aborted: true }).pauser.missed()).toEqual([]);
});

test.each([
  ["certificates alone", false, 3, "the stack creates only certificates"],
  ["without traffic", false, 7, "traffic does not move"],
  ["phases", true, 7, "traffic does not move"],
] as const)(
  "refuses a pause after the last step of the order '%s' (in place: %s)",
  (order, isInPlace, last, reason) => {
    expect(() => checkPauses({ afterSteps: [1, last] }, { order, isInPlace })).not.toThrow();
    expect(() => checkPauses({ afterSteps: [1, last + 1] }, { order, isInPlace })).toThrow(
      `--pause-after ${last + 1}: this rehearsal ends with step ${last}, because ${reason}; use 1 to ${last}`,
    );
  },
);

test.each(["phases", "one deploy", "traffic at once", undefined] as const)(
  "pauses after each step of the order '%s'",
  (order) => {
    expect(() => checkPauses({ afterSteps: [8] }, defined({ order }))).not.toThrow();
    expect(() => checkPauses(undefined, { ...defined({ order }), isInPlace: true })).not.toThrow();
  },
);
