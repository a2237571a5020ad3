import { beginnings, type Disturbance, withArticle } from "./disturbance";

const statuses = {
  authorization: "UNAVAILABLE",
  record: "RESOURCE_EXHAUSTED",
  certificate: "RESOURCE_EXHAUSTED",
  map: "INTERNAL",
  entry: "UNAVAILABLE",
  proxy: "INTERNAL",
  "forwarding-rule": "UNAVAILABLE",
} as const;

const parts = Object.keys(beginnings) as readonly (keyof typeof beginnings)[];

/** Faults of the API: it refuses, fails, is slow or closes connections. */
export const apiDisturbances: readonly Disturbance[] = [
  ...parts.map(
    (part): Disturbance => ({
      name: `api-refuses-${part}`,
      summary: `creating ${withArticle(part)} fails six times with ${statuses[part]}`,
      faults: { requests: [{ method: beginnings[part], status: statuses[part], times: 6 }] },
      // The provider retries requests that certainly did not take effect. INTERNAL does not state that, and ends an
      // apply.
      attempts: 8,
    }),
  ),
  ...parts
    .filter((part) => part !== "record")
    .map(
      (part): Disturbance => ({
        name: `operation-fails-${part}`,
        summary: `the operation that creates ${withArticle(part)} starts and fails, twice`,
        faults: { operations: [{ method: beginnings[part], times: 2 }] },
        attempts: 4,
      }),
    ),
  {
    name: "quota-at-every-step",
    summary: "the quota refuses the first two creations of each kind",
    faults: {
      requests: parts.map((part) => ({ method: beginnings[part], status: "RESOURCE_EXHAUSTED", times: 2 })),
    },
    attempts: 8,
  },
  {
    name: "quota-for-all-requests",
    summary: "the project has a quota of 15 requests per minute",
    // A minute of the cloud takes two seconds of the machine. The limit is low enough that even a busy machine exceeds
    // it.
    faults: { requestsPerMinute: 15 },
    attempts: 20,
  },
  {
    name: "api-refuses-gate",
    summary: "the gate's list requests fail eight times with UNAVAILABLE",
    course: { order: "one deploy" },
    faults: {
      requests: [
        { method: "certificatemanager.projects.locations.certificates.list", status: "UNAVAILABLE", times: 8 },
      ],
    },
  },
  {
    name: "api-refuses-deletion",
    summary: "deletions in a rotation fail four times with INTERNAL",
    faults: { requests: [{ method: "certificatemanager.*.delete", status: "INTERNAL", times: 4 }] },
    attempts: 8,
  },
  {
    name: "connections-cut",
    summary: "every twentieth connection to the API is closed early",
    faults: { seed: 7, requests: [{ method: "*", cut: true, probability: 0.05, times: 12 }] },
    attempts: 8,
  },
  {
    name: "api-slow",
    summary: "40 requests take 250 ms longer",
    faults: { requests: [{ method: "*", delayMs: 250, times: 40 }] },
  },
  {
    name: "operations-slow",
    summary: "every operation takes one minute of the cloud's time",
    behavior: { operationMs: 60_000 },
  },
  {
    name: "permission-missing-then-granted",
    summary: "the permission to create certificates is missing at first",
    faults: { requests: [{ method: beginnings.certificate, status: "PERMISSION_DENIED", times: 2 }] },
  },
  {
    name: "propagation-slow",
    summary: "changes reach the load balancers after five minutes",
    faults: { propagationMs: 300_000 },
    behavior: { propagationMs: 300_000 },
  },
];
