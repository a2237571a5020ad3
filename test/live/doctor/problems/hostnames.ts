import { startNameServer } from "../../../../lib/cloud/name-server";
import { createZone, createZoneSource } from "../../../support/zones";
import type { RecordOfTest } from "../world";
import { answering, balancer, type DoctorProblem, publishing, without, wwwOf } from "./make";

/** A hostname that is an alias, whose target the migration changes. */
const aliased = (domain: string): readonly RecordOfTest[] => [
  [domain, "A", 60, "198.51.100.1"],
  [wwwOf({ domain }), "CNAME", 60, `origin.${domain}.`],
  [`origin.${domain}`, "A", 60, "198.51.100.1"],
];
const aliasing: DoctorProblem["spec"] = (spec, { domain }) => ({
  ...spec,
  traffic: {
    to: "previous",
    previous: { [domain]: { a: ["198.51.100.1"] }, [wwwOf({ domain })]: { cname: `origin.${domain}.` } },
  },
});

/** Problems with hostnames. */
export const hostnames: readonly DoctorProblem[] = [
  {
    title: "a hostname does not exist",
    records: (domain) => [[domain, "A", 60, "198.51.100.1"]],
    spec: (spec) => without(spec, "traffic"),
    found: (place) => [`hostname-unresolved ${wwwOf(place)}`],
    says: ["does not exist", "remove it"],
  },
  {
    title: "a record set of an unrelated service has the name of the ingress",
    records: (domain) => [...aliased(domain), [`cert-migration-ingress.${domain}`, "A", 60, "192.0.2.99"]],
    spec: aliasing,
    found: ({ domain }) => [`record-overwritten cert-migration-ingress.${domain}`],
    says: [
      /^cert-migration-ingress\.shop\d+\.com A exists in the DNS zone shop with 192\.0\.2\.99, and the plan writes 198\.18\.0\.\d+$/,
      "choose another name (traffic.ingressLabel)",
      /^gcloud dns record-sets describe cert-migration-ingress\.shop\d+\.com\. --type=A --zone=shop --project=p\d+$/,
    ],
  },
  {
    title: "a record set that the plan creates for a hostname exists",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
      [domain, "AAAA", 60, "2001:db8::99"],
    ],
    spec: (spec, place) => ({
      ...spec,
      ...balancer({
        newTargetHttpsProxy: { urlMap: "global/urlMaps/shop", forwardingRules: { ipv4Address: place.address } },
        addresses: [place.address, "2001:db8::7"],
      }),
      traffic: { ...(spec.traffic as object), to: "loadBalancer" },
    }),
    found: ({ domain }) => [`ipv6-new ${wwwOf({ domain })}`, `record-overwritten ${domain}`],
    says: [/AAAA exists in the DNS zone shop with 2001:db8::99, and the plan writes 2001:db8::7$/],
  },
  {
    title: "the record sets of an earlier apply exist, without a finding",
    records: (domain) => aliased(domain),
    spec: aliasing,
    make: async (world, place) => {
      await world.publish(place, [[`cert-migration-ingress.${place.domain}`, "A", 60, place.address]]);
      return undefined;
    },
    found: () => [],
    says: [],
  },
  {
    title: "the address of a hostname is unknown",
    make: answering((place) => ({ name: wwwOf(place), type: "AAAA", rcode: "SERVFAIL" })),
    found: (place) => [`hostname-unanswered ${wwwOf(place)}`],
    says: ["is answered with SERVFAIL"],
  },
  {
    title: "the TTL of an address is one hour",
    records: (domain) => [
      [domain, "A", 300, "198.51.100.1"],
      [wwwOf({ domain }), "A", 3600, "198.51.100.1"],
    ],
    found: (place) => [`ttl-long ${wwwOf(place)}`],
    says: [
      /^the TTL of A of www\.shop\d+\.com is 3600 s$/,
      "lower the TTL to 60 s now, and move traffic after 2026-11-21T13:00:00.000Z, when the caches of resolvers have expired",
    ],
  },
  {
    title: "the load balancer has no IPv4 address",
    spec: (spec) => ({ ...without(spec, "traffic"), ...balancer({ addresses: { ipv6: ["2001:db8::7"] } }) }),
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "AAAA", 60, "2001:db8::1"],
      [domain, "AAAA", 60, "2001:db8::1"],
    ],
    found: (place) => [`ipv4-lost ${place.domain}`, `ipv4-lost ${wwwOf(place)}`],
    says: ["has A 198.51.100.1", "give the load balancer an IPv4 address"],
  },
  {
    title: "a hostname has IPv6 addresses, the load balancer has none",
    spec: (spec) => without(spec, "traffic"),
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "AAAA", 60, "2001:db8::1"],
    ],
    found: (place) => [`ipv6-lost ${wwwOf(place)}`],
    says: ["has AAAA 2001:db8::1", "give the load balancer an IPv6 address"],
  },
  {
    title: "the load balancer has an IPv6 address, the hostnames have none",
    spec: (spec) => ({ ...spec, ...balancer({ addresses: ["203.0.113.7", "2001:db8::7"] }) }),
    found: (place) => [`ipv6-new ${place.domain}`, `ipv6-new ${wwwOf(place)}`],
    says: ["has no AAAA record", "allow lists"],
  },
  {
    title: "a hostname is an alias, and the migration does not state that",
    spec: (spec) => without(spec, "traffic"),
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "CNAME", 60, `${domain}.`],
    ],
    found: (place) => [`hostname-alias ${wwwOf(place)}`],
    says: [/^www\.shop\d+\.com is an alias of shop\d+\.com$/, /^state \{ cname: shop\d+\.com\. \}/],
  },
  {
    title: "traffic.previous differs from DNS",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.2", "198.51.100.3"],
    ],
    found: (place) => [`previous-differs ${wwwOf(place)}`],
    says: [/has A 198\.51\.100\.1 in the plan, 198\.51\.100\.2, 198\.51\.100\.3 in DNS$/],
  },
  {
    title: "what is stated as addresses is an alias",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "CNAME", 60, `${domain}.`],
    ],
    found: (place) => [`previous-differs ${wwwOf(place)}`],
    says: [/has CNAME nothing in the plan, shop\d+\.com in DNS$/],
  },
  {
    title: "another resolver sends clients elsewhere",
    make: async (_world, { domain }) => {
      const name = `${domain}.`;
      const zone = createZone(name, [
        { name, type: "A", ttl: 60, rrdatas: ["198.51.100.9"] },
        { name: `www.${name}`, type: "A", ttl: 60, rrdatas: ["198.51.100.1"] },
      ]);
      const server = await startNameServer({ zones: createZoneSource([zone]) });
      return {
        options: { lookUps: { resolvers: [{ address: server.address, port: server.port }] } },
        end: server.close,
      };
    },
    found: ({ domain }) => [`resolvers-disagree ${domain}`],
    says: [/^A of shop\d+\.com: 198\.51\.100\.1 here, 127\.0\.0\.1 port \d+ says 198\.51\.100\.9$/],
  },
  {
    title: "a wildcard record leads where step 8 does not reach",
    spec: (spec, { domain }) => ({ ...spec, certificates: [{ domains: [domain, `*.${domain}`], primary: true }] }),
    make: publishing(({ domain }) => [`*.${domain}`, "A", 60, "198.51.100.1"]),
    found: ({ domain }) => [`wildcard-not-moved *.${domain}`],
    says: [/^names below shop\d+\.com resolve to 198\.51\.100\.1$/],
  },
];
