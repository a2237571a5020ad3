import type { MigrationSpec } from "../../../lib/plan";
import { type CheckCase, with_ } from "./case";

const addresses = { kind: "globalExternal", addresses: ["203.0.113.7"] } as const;
const previous = { "example.com": { a: ["198.51.100.1"] } };
const traffic = (
  change: Partial<NonNullable<MigrationSpec["traffic"]>>,
  more: Partial<MigrationSpec> = {},
): MigrationSpec => with_({ loadBalancer: addresses, traffic: { to: "loadBalancer", previous, ...change }, ...more });

export const trafficCases: readonly CheckCase[] = [
  {
    code: "traffic-in-issue-phase",
    refused: traffic({}, { phase: "issue" }),
    accepted: traffic({ to: "previous" }, { phase: "issue" }),
  },
  {
    code: "traffic-not-served",
    refused: traffic({ hostnames: ["a.b.example.com"], previous: { "a.b.example.com": { a: [] } } }),
    accepted: traffic({ hostnames: ["b.example.com"], previous: { "b.example.com": { a: [] } } }),
  },
  {
    code: "traffic-previous-missing",
    refused: traffic({ previous: {} }),
    accepted: traffic({ previous: { "example.com": { a: [], aaaa: [] } } }),
  },
  {
    code: "traffic-previous-invalid",
    refused: traffic({ previous: { "example.com": { a: ["2001:db8::1"] } } }),
    accepted: traffic({ previous: { "example.com": { a: ["198.51.100.1"] } } }),
  },
  {
    code: "traffic-previous-unused",
    refused: traffic({ hostnames: ["example.com"], previous: { ...previous, "www.example.com": { a: [] } } }),
    accepted: traffic({
      hostnames: ["example.com", "www.example.com"],
      previous: { ...previous, "www.example.com": { a: [] } },
    }),
  },
  {
    code: "traffic-addresses-missing",
    refused: traffic({}, { loadBalancer: { kind: "globalExternal" } }),
    accepted: traffic({ to: "previous" }, { loadBalancer: { kind: "globalExternal" } }),
  },
  {
    code: "traffic-ipv6-missing",
    refused: traffic({ previous: { "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] } } }),
    accepted: traffic(
      { previous: { "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] } } },
      { loadBalancer: { kind: "globalExternal", addresses: ["203.0.113.7", "2001:db8::7"] } },
    ),
  },
  {
    code: "traffic-ipv4-missing",
    refused: traffic({}, { loadBalancer: { kind: "globalExternal", addresses: ["2001:db8::7"] } }),
    accepted: traffic({}),
  },
  {
    code: "traffic-ingress-taken",
    refused: traffic({
      ingressLabel: "www",
      previous: { ...previous, "www.example.com": { a: [] }, "shop.example.com": { cname: "old.example.org" } },
    }),
    accepted: traffic({
      previous: { ...previous, "www.example.com": { a: [] }, "shop.example.com": { cname: "old.example.org" } },
    }),
  },
];
