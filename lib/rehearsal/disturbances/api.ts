import { beginnings } from "./creations";
import type { Disturbance } from "./disturbance";

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

/** Returns the name of a part with its article, to follow `creating`. */
function withArticle(part: (typeof parts)[number]): string {
  return `${/^[aeiou]/.test(part) ? "an" : "a"} ${part.replace("-", " ")}`;
}

/** Faults of the API: it refuses, fails, is slow or closes connections. */
export const apiDisturbances: readonly Disturbance[] = [
  ...parts.map(
    (part): Disturbance => ({
      name: `api-refuses-${part}`,
      summary: `creating ${withArticle(part)} is refused six times with ${statuses[part]}`,
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
        summary: `creating ${withArticle(part)} is begun and fails, twice`,
        faults: { operations: [{ method: beginnings[part], times: 2 }] },
        attempts: 4,
      }),
    ),
  {
    name: "quota-at-every-step",
    summary: "the first two creations of each kind are refused for quota",
    faults: {
      requests: parts.map((part) => ({ method: beginnings[part], status: "RESOURCE_EXHAUSTED", times: 2 })),
    },
    attempts: 8,
  },
  {
    name: "quota-for-all-requests",
    summary: "a project may send fifteen requests in a minute",
    // A minute of the cloud takes two seconds of the machine. The limit is low enough that even a busy machine exceeds
    // it.
    faults: { requestsPerMinute: 15 },
    attempts: 20,
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
  },
  {
    name: "api-refuses-deletion",
    summary: "deletions are refused four times with INTERNAL, in a rotation",
    faults: { requests: [{ method: "certificatemanager.*.delete", status: "INTERNAL", times: 4 }] },
    attempts: 8,
  },
  {
    name: "connections-cut",
    summary: "every twentieth connection to the API is cut",
    faults: { seed: 7, requests: [{ method: "*", cut: true, probability: 0.05, times: 12 }] },
    attempts: 8,
  },
  {
    name: "api-slow",
    summary: "forty requests take a quarter of a second longer",
    faults: { requests: [{ method: "*", delayMs: 250, times: 40 }] },
  },
  {
    name: "operations-slow",
    summary: "every operation takes a minute of the cloud's time",
    cloud: { operationMs: 60_000 },
  },
  {
    name: "permission-missing-then-granted",
    summary: "certificates may not be created at first",
    faults: { requests: [{ method: beginnings.certificate, status: "PERMISSION_DENIED", times: 2 }] },
  },
  {
    name: "propagation-slow",
    summary: "changes take five minutes to reach load balancers",
    faults: { propagationMs: 300_000 },
    cloud: { propagationMs: 300_000 },
  },
];
