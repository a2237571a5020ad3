import { type MigrationSpec, planMigration } from "../../lib/plan";
import { leastCpuTimeOf } from "../support/cpu-time";

const count = 5_000;
const limitMs = 1_500;
const domains = Array.from({ length: count }, (_, index) => `shop${index}.example`);
const certificates = domains.map((domain) => ({ domains: [domain] }));
const keyed = <Value>(value: Value) => Object.fromEntries(domains.map((domain) => [domain, value]));
const external = { kind: "external" } as const;
const addresses = { kind: "globalExternal", addresses: ["203.0.113.7"] } as const;

/** At this size, a quadratic algorithm would take 2 to 10 seconds. */
describe(`plans ${count} domains in well under 1.5 s, also if`, () => {
  test.each<[string, MigrationSpec]>([
    ["each has a zone", { name: "a", certificates, dns: { kind: "cloudDns", zones: keyed("zone") } }],
    [
      "the records of none are stated",
      { name: "b", certificates, dns: external, traffic: { to: "previous", previous: { "other.example": { a: [] } } } },
    ],
    [
      "the records of half of them are stated",
      {
        name: "c",
        certificates,
        dns: external,
        traffic: {
          to: "previous",
          previous: Object.fromEntries(domains.slice(0, count / 2).map((domain) => [domain, { a: ["192.0.2.1"] }])),
        },
      },
    ],
    [
      "each is an alias today, in a zone of its own",
      {
        name: "d",
        certificates,
        dns: { kind: "cloudDns", zones: keyed("zone") },
        loadBalancer: addresses,
        traffic: { to: "loadBalancer", previous: keyed({ cname: "old.example.net" }) },
      },
    ],
    ["nothing serves what must be served", { name: "e", certificates: [], dns: external, mustServe: domains }],
  ])("%s", (_, spec) => {
    expect(leastCpuTimeOf(() => planMigration(spec), limitMs)).toBeLessThan(limitMs);
  });
});
