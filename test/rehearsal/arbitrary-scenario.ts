import fc from "fast-check";
import type { CertificateSpec, LoadBalancerSpec, MigrationSpec, PreviousRecords } from "../../lib/plan";
import type { Scenario } from "./scenarios";

const zones = { "example.com": "com", "example.net": { name: "net", project: "dns-project" }, "example.org": "org" };
const roots = Object.keys(zones);

const host = fc.oneof(
  fc.constantFrom(...roots),
  fc
    .tuple(fc.constantFrom("www", "api", "pay", "a-b", "deep.er", "x1"), fc.constantFrom(...roots))
    .map(([label, root]) => `${label}.${root}`),
);

const loadBalancer = fc.constantFrom<LoadBalancerSpec | undefined>(undefined, {
  kind: "globalExternal",
  newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" } },
});

const faults = fc.constantFrom<Scenario["faults"]>(
  undefined,
  { issuance: [{ domain: "*", failureReason: "CONFIG", times: 5 }] },
  { issuance: [{ domain: "added.*", failureReason: "RATE_LIMITED", times: 3 }] },
  { requests: [{ method: "certificatemanager.*.create", status: "UNAVAILABLE", times: 4 }] },
  { dns: [{ name: "_acme-challenge*", rcode: "SERVFAIL", times: 6 }] },
);

/** Valid migrations, with or without temporary faults: each has to converge without a failed handshake. */
export const arbitraryScenario: fc.Arbitrary<Scenario> = fc
  .record({
    hosts: fc.uniqueArray(host, { minLength: 1, maxLength: 7 }),
    size: fc.integer({ min: 1, max: 3 }),
    wildcards: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    loadBalancer,
    alias: fc.boolean(),
    perProject: fc.boolean(),
    oneDeploy: fc.boolean(),
    faults,
    namePrefix: fc.constantFrom("prod", undefined),
  })
  .map((choice): Scenario => {
    const certificates: CertificateSpec[] = [];
    for (let at = 0; at < choice.hosts.length; at += choice.size) {
      certificates.push({ domains: choice.hosts.slice(at, at + choice.size) });
    }
    const wild = roots.filter((_, index) => choice.wildcards[index] === true).map((root) => `*.${root}`);
    if (wild.length > 0) certificates.push({ domains: wild });
    const aliased = choice.hosts.find((name) => choice.alias && !roots.includes(name));
    const previous: Readonly<Record<string, PreviousRecords>> =
      aliased === undefined ? {} : { [aliased]: { cname: "edge.old-provider.example." } };
    const spec: MigrationSpec = {
      name: "shop",
      certificates,
      dns: { kind: "cloudDns", zones },
      traffic: { to: "previous", previous },
      ...(choice.loadBalancer === undefined ? {} : { loadBalancer: choice.loadBalancer }),
      ...(choice.perProject ? { authorizationType: "PER_PROJECT_RECORD" as const } : {}),
      ...(choice.namePrefix === undefined ? {} : { namePrefix: choice.namePrefix }),
    };
    return {
      name: "random",
      summary: "drawn at random",
      spec,
      extras: true,
      expect: { completes: true, failedHandshakes: "none" },
      ...(choice.oneDeploy ? { course: { order: "one deploy" as const } } : {}),
      ...(choice.faults === undefined ? {} : { faults: choice.faults }),
    };
  });
