import type { LoadBalancerSpec } from "../../plan";
import { newAddress, oldAddress } from "../script";
import { type Scenario, smallSpec, unharmed } from "./scenario";

const bothFamilies: LoadBalancerSpec = {
  kind: "globalExternal",
  newTargetHttpsProxy: {
    urlMap: "rehearsal",
    forwardingRules: { ipv4Address: newAddress, ipv6Address: "2001:db8:2::7" },
  },
};

const range = (length: number) => Array.from({ length }, (_, index) => index + 1);

/** Migrations of other shapes, with rotation and rollback where that is of interest. */
export const shapeScenarios: readonly Scenario[] = [
  { name: "plain-sailing", summary: "nothing goes wrong", extras: true, expect: unharmed },
  {
    name: "one-deploy",
    summary: "one deploy does steps 1 to 6, as the gate waits",
    order: "one deploy",
    extras: true,
    expect: unharmed,
  },
  {
    name: "both-address-families",
    summary: "A and AAAA on both sides",
    spec: {
      ...smallSpec,
      loadBalancer: bothFamilies,
      traffic: {
        to: "previous",
        previous: {
          "example.com": { a: [oldAddress], aaaa: ["2001:db8:1::10"] },
          "pay.example.net": { a: [oldAddress], aaaa: ["2001:db8:1::11"] },
        },
      },
    },
    extras: true,
    expect: unharmed,
  },
  {
    name: "ipv6-on-the-old-side-only",
    summary: "a name has AAAA today, and the load balancer has no address of IPv6: step 8 is refused",
    spec: {
      ...smallSpec,
      traffic: { to: "previous", previous: { "example.com": { a: [oldAddress], aaaa: ["2001:db8:1::10"] } } },
    },
    expect: { completes: false, failedHandshakes: "none", told: ["the load balancer no IPv6 address"] },
  },
  {
    name: "ipv6-on-the-new-side-only",
    summary: "the load balancer has an address of IPv6, and names have none today",
    spec: { ...smallSpec, loadBalancer: bothFamilies },
    extras: true,
    expect: unharmed,
  },
  {
    name: "alias-today",
    summary: "a host is a CNAME to the old provider today",
    spec: {
      ...smallSpec,
      traffic: { to: "previous", previous: { "pay.example.net": { cname: "edge.old-provider.example." } } },
    },
    extras: true,
    expect: unharmed,
  },
  {
    name: "wildcard-only",
    summary: "a certificate for a wildcard alone, probed by a name that it covers",
    spec: { ...smallSpec, certificates: [{ domains: ["*.example.com"] }] },
    extras: true,
    expect: unharmed,
  },
  {
    name: "uploaded-certificate",
    summary: "a certificate of another authority is uploaded beside a managed one",
    uploads: [["legacy.example.com"]],
    // The gate 'wait' verifies before step 8 with public roots alone, and this authority is none of them.
    spec: { ...smallSpec, gate: "precondition" },
    attempts: 8,
    extras: true,
    expect: unharmed,
  },
  {
    name: "fifty-hostnames",
    summary: "fifty hostnames on ten certificates",
    spec: {
      ...smallSpec,
      certificates: range(10).map((number) => ({
        domains: range(5).map((host) => `h${host}.c${number}.example.com`),
      })),
    },
    expect: unharmed,
  },
  {
    name: "two-hundred-hostnames",
    summary: "two hundred hostnames on ten certificates",
    spec: {
      ...smallSpec,
      certificates: range(10).map((number) => ({
        domains: range(20).map((host) => `h${host}.c${number}.example.com`),
      })),
    },
    expect: unharmed,
  },
  {
    name: "zone-in-another-project",
    summary: "a zone lies in a project of its own",
    spec: {
      ...smallSpec,
      dns: {
        kind: "cloudDns",
        zones: { "example.com": "example-com", "example.net": { name: "net", project: "dns-project" } },
      },
    },
    expect: unharmed,
  },
  {
    name: "record-per-project",
    summary: "authorizations with records of the project's own",
    spec: { ...smallSpec, authorizationType: "PER_PROJECT_RECORD" },
    extras: true,
    expect: unharmed,
  },
  {
    name: "names-in-other-scripts",
    summary: "internationalized names",
    spec: { ...smallSpec, certificates: [{ domains: ["bücher.example.com", "*.bücher.example.com"] }] },
    expect: unharmed,
  },
];
