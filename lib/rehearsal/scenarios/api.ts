import type { FaultPlan } from "../../cloud";
import type { StackJson } from "../stack";
import { type Scenario, type SceneAct, unharmed } from "./scenario";
import { failedSaying, operationsOver, presentedAfter, refused } from "./shown";

/** Which request begins each part of a migration, by what it makes. */
export const beginnings = {
  authorization: "certificatemanager.projects.locations.dnsAuthorizations.create",
  record: "dns.changes.create",
  certificate: "certificatemanager.projects.locations.certificates.create",
  map: "certificatemanager.projects.locations.certificateMaps.create",
  entry: "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create",
  proxy: "compute.targetHttpsProxies.insert",
  "forwarding-rule": "compute.globalForwardingRules.insert",
} as const;

/** Keeps an apply that changes a map going for so long when all else of it is done. @param delayMs of the machine */
export function slowMap(delayMs: number): FaultPlan {
  return { requests: [{ method: "certificatemanager.projects.locations.certificateMaps.patch", delayMs, times: 1 }] };
}

const statuses = {
  authorization: "UNAVAILABLE",
  record: "RESOURCE_EXHAUSTED",
  certificate: "RESOURCE_EXHAUSTED",
  map: "INTERNAL",
  entry: "UNAVAILABLE",
  proxy: "INTERNAL",
  "forwarding-rule": "UNAVAILABLE",
} as const;

const previous = { phase: "serve", traffic: "previous", rotated: false, mended: 0 } as const;
const onLoadBalancer = { ...previous, traffic: "loadBalancer" } as const;

/** Traffic goes back and forth while changes of DNS are refused. */
const trafficRefused: SceneAct = {
  name: "traffic goes back and forth while DNS refuses",
  play: (stage, scene) => {
    const faults = { requests: [{ method: beginnings.record, status: "UNAVAILABLE", times: 6 }] };
    return scene.suffer(
      stage,
      faults,
      async () => (await stage.moveTraffic("old", previous)) && stage.moveTraffic("new", onLoadBalancer),
    );
  },
};

const collections = ["dns_authorization", "certificate", "certificate_map", "certificate_map_entry"].map(
  (name) => `google_certificate_manager_${name}`,
);

/** Gives up on each operation of Certificate Manager after three seconds of the machine. */
function impatient(stack: StackJson): StackJson {
  const resource = Object.entries((stack.resource ?? {}) as Readonly<Record<string, Readonly<Record<string, object>>>>);
  const timeouts = { create: "3s", update: "3s", delete: "60s" };
  const changed = resource.map(([type, blocks]) => {
    if (!collections.includes(type)) return [type, blocks];
    return [type, Object.fromEntries(Object.entries(blocks).map(([id, block]) => [id, { ...block, timeouts }]))];
  });
  return { ...stack, resource: Object.fromEntries(changed) };
}

const parts = Object.keys(beginnings) as readonly (keyof typeof beginnings)[];

/** Words of one part, after `creating`. */
function withArticle(part: (typeof parts)[number]): string {
  return `${/^[aeiou]/.test(part) ? "an" : "a"} ${part.replace("-", " ")}`;
}

/** The API refuses, fails, is slow or cuts connections. */
export const apiScenarios: readonly Scenario[] = [
  ...parts.map(
    (part): Scenario => ({
      name: `api-refuses-${part}`,
      summary: `creating ${withArticle(part)} is refused six times with ${statuses[part]}`,
      faults: { requests: [{ method: beginnings[part], status: statuses[part], times: 6 }] },
      // The provider repeats what was not begun by itself; INTERNAL says nothing of that, and ends an apply.
      attempts: 8,
      expect: unharmed,
    }),
  ),
  ...parts
    .filter((part) => part !== "record")
    .map(
      (part): Scenario => ({
        name: `operation-fails-${part}`,
        summary: `creating ${withArticle(part)} is begun and fails, twice`,
        faults: { operations: [{ method: beginnings[part], times: 2 }] },
        attempts: 4,
        expect: unharmed,
      }),
    ),
  {
    name: "quota-at-every-step",
    summary: "the first two creations of each kind are refused for quota",
    faults: {
      requests: parts.map((part) => ({ method: beginnings[part], status: "RESOURCE_EXHAUSTED", times: 2 })),
    },
    attempts: 8,
    expect: unharmed,
  },
  {
    name: "quota-for-all-requests",
    summary: "a project may send fifteen requests in a minute",
    // A minute is over after two seconds of the machine; few enough that also a busy one sends more.
    faults: { requestsPerMinute: 15 },
    attempts: 20,
    proofs: [refused(429, "refused for quota")],
    expect: unharmed,
  },
  {
    name: "api-refuses-traffic",
    summary: "step 8, and the way back, are refused six times with UNAVAILABLE",
    acts: [trafficRefused],
    proofs: [{ ...refused(503, "changes of DNS refused", beginnings.record), atLeast: 6 }],
    expect: unharmed,
  },
  {
    name: "api-refuses-gate",
    summary: "the gate's looks at certificates are refused eight times with UNAVAILABLE",
    order: "one deploy",
    faults: {
      requests: [
        { method: "certificatemanager.projects.locations.certificates.list", status: "UNAVAILABLE", times: 8 },
      ],
    },
    expect: unharmed,
  },
  {
    name: "api-refuses-deletion",
    summary: "deletions are refused four times with INTERNAL, in a rotation",
    faults: { requests: [{ method: "certificatemanager.*.delete", status: "INTERNAL", times: 4 }] },
    attempts: 8,
    extras: true,
    expect: unharmed,
  },
  {
    name: "operations-hang",
    summary: "operations of Certificate Manager take longer than Terraform waits: what was begun is imported",
    cloud: { operationMs: 150_000 },
    edit: impatient,
    attempts: 20,
    proofs: [
      operationsOver(60, "operations that were still under way a minute later"),
      failedSaying("has not ended within 3 s", "runs that waited no longer"),
      refused(409, "creations of what an earlier run had begun"),
    ],
    expect: { ...unharmed, told: ["has not ended within 3 s"] },
  },
  {
    name: "connections-cut",
    summary: "every twentieth connection to the API is cut",
    faults: { seed: 7, requests: [{ method: "*", cut: true, probability: 0.05, times: 12 }] },
    attempts: 8,
    expect: unharmed,
  },
  {
    name: "api-slow",
    summary: "forty requests take a quarter of a second longer",
    faults: { requests: [{ method: "*", delayMs: 250, times: 40 }] },
    expect: unharmed,
  },
  {
    name: "operations-slow",
    summary: "every operation takes a minute of the cloud's time",
    cloud: { operationMs: 60_000 },
    proofs: [operationsOver(50, "operations that took a minute")],
    expect: unharmed,
  },
  {
    name: "permission-missing-then-granted",
    summary: "certificates may not be created at first",
    faults: { requests: [{ method: beginnings.certificate, status: "PERMISSION_DENIED", times: 2 }] },
    expect: unharmed,
  },
  {
    name: "propagation-slow",
    summary: "changes take five minutes to reach load balancers",
    faults: { propagationMs: 300_000 },
    cloud: { propagationMs: 300_000 },
    extras: true,
    proofs: [presentedAfter(280, "hostnames whose new certificate was presented minutes after their entry led to it")],
    expect: unharmed,
  },
];
