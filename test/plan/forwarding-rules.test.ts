import { type LoadBalancerSpec, planMigration } from "../../lib/plan";

const forwardingRules = { ipv4Address: "203.0.113.7", loadBalancingScheme: "EXTERNAL_MANAGED" } as const;

test.each<[string, LoadBalancerSpec["kind"], readonly string[]]>([
  ["may have either scheme of a global load balancer", "globalExternal", []],
  ["has no scheme of its own if the kind has only one", "crossRegionInternal", ["loadBalancingScheme"]],
])("a new forwarding rule %s", (_, kind, expected) => {
  const { findings } = planMigration({
    name: "shop",
    certificates: [{ domains: ["shop.example.com"] }],
    dns: { kind: "external" },
    loadBalancer: { kind, newTargetHttpsProxy: { name: "web", urlMap: "web", forwardingRules } },
  });
  const refused = findings.filter(({ code }) => code === "proxy-attribute-not-allowed");
  expect(refused.map(({ subject }) => subject.split("/").at(-1))).toEqual(expected);
});
