import type { FaultPlan } from "../../../lib/cloud";
import { beginnings } from "../../../lib/rehearsal/disturbances";
import type { StackJson } from "../../../lib/rehearsal/stack";
import { disturbed, type Scenario, type SceneAct, unharmed } from "./scenario";
import { failedSaying, operationsOver, presentedAfter, refused } from "./shown";

/** Delays the first change of a map, so that its apply keeps running. @param delayMs real time */
export function slowMap(delayMs: number): FaultPlan {
  return { requests: [{ method: "certificatemanager.projects.locations.certificateMaps.patch", delayMs, times: 1 }] };
}

const previous = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 } as const;
const onLoadBalancer = { ...previous, traffic: "loadBalancer" } as const;

/** Moves traffic forward and back while changes of DNS are refused. */
const trafficRefused: SceneAct = {
  name: "traffic goes back and forth while DNS refuses",
  run: (stage, scene) => {
    const faults = { requests: [{ method: beginnings.record, status: "UNAVAILABLE", times: 6 }] };
    return scene.suffer(
      stage,
      faults,
      async () => (await stage.moveTraffic(previous)) && stage.moveTraffic(onLoadBalancer),
    );
  },
};

const collections = ["dns_authorization", "certificate", "certificate_map", "certificate_map_entry"].map(
  (name) => `google_certificate_manager_${name}`,
);

/** Sets timeouts of three seconds of real time for creations and updates in Certificate Manager. */
function impatient(stack: StackJson): StackJson {
  const resource = Object.entries((stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, object>>>>);
  const timeouts = { create: "3s", update: "3s", delete: "60s" };
  const changed = resource.map(([type, blocks]) => {
    if (!collections.includes(type)) return [type, blocks];
    return [type, Object.fromEntries(Object.entries(blocks).map(([id, block]) => [id, { ...block, timeouts }]))];
  });
  return { ...stack, resource: Object.fromEntries(changed) };
}

/** Adds APIs of the project and a log bucket, so that all services that have operations take part. */
function withOtherServices(stack: StackJson): StackJson {
  const api = (name: string) => ({ service: `${name}.googleapis.com`, disable_on_destroy: true });
  const bucket = { project: "rehearsal-project", location: "global", bucket_id: "alerts" };
  const others = {
    google_project_service: { pubsub: api("pubsub"), run: api("run") },
    google_logging_project_bucket_config: { alerts: bucket },
  };
  return { ...stack, resource: { ...(stack.resource as object), ...others } };
}

/** What the provider prints for an operation that takes longer than the resource's timeout. */
const hasTimedOut = "timeout while waiting for state to become 'done: true'";

/** The API refuses, fails, is slow or cuts connections. */
export const apiScenarios: readonly Scenario[] = [
  ...Object.keys(beginnings).map((part) => disturbed(`api-refuses-${part}`)),
  ...Object.keys(beginnings)
    .filter((part) => part !== "record")
    .map((part) => disturbed(`operation-fails-${part}`)),
  disturbed("quota-at-every-step"),
  disturbed("quota-for-all-requests", {
    proofs: [refused(429, "refused for quota")],
  }),
  {
    name: "api-refuses-traffic",
    summary: "step 8, and the way back, are refused six times with UNAVAILABLE",
    acts: [trafficRefused],
    proofs: [{ ...refused(503, "changes of DNS refused", beginnings.record), atLeast: 6 }],
    expect: unharmed,
  },
  disturbed("api-refuses-gate"),
  disturbed("api-refuses-deletion", {
    extras: true,
  }),
  {
    name: "operations-hang",
    summary: "operations of Certificate Manager take longer than Terraform waits: what was begun is imported",
    behavior: { operationMs: 150_000 },
    edit: impatient,
    attempts: 20,
    proofs: [
      operationsOver(60, "operations that were still under way a minute later"),
      failedSaying(hasTimedOut, "runs that waited no longer"),
      refused(409, "creations of what an earlier run had begun"),
    ],
    expect: { ...unharmed, messages: [hasTimedOut] },
  },
  disturbed("connections-cut"),
  disturbed("api-slow"),
  disturbed("operations-slow", {
    edit: withOtherServices,
    proofs: [
      operationsOver(50, "operations that took a minute"),
      operationsOver(50, "operations of Service Usage that took a minute", /^\/v1\/operations\//),
      operationsOver(50, "operations of Cloud Logging that took a minute", /^\/v2\/.*\/operations\//),
    ],
  }),
  disturbed("permission-missing-then-granted"),
  disturbed("propagation-slow", {
    extras: true,
    proofs: [presentedAfter(280, "hostnames whose new certificate was presented minutes after their entry led to it")],
  }),
];
