import { type Scenario, unharmed } from "./scenario";

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

/** The API refuses, fails, is slow or cuts connections. */
export const apiScenarios: readonly Scenario[] = [
  ...parts.map(
    (part): Scenario => ({
      name: `api-refuses-${part}`,
      summary: `creating a ${part} is refused six times with ${statuses[part]}`,
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
        summary: `creating a ${part} is begun and fails, twice`,
        faults: { operations: [{ method: beginnings[part], times: 2 }] },
        attempts: 4,
        expect: unharmed,
      }),
    ),
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
    expect: unharmed,
  },
];
