import { answering, type DoctorProblem, wwwOf } from "./make";

/** Problems with DNS zones. */
export const zones: readonly DoctorProblem[] = [
  {
    title: "the plan names a zone that is not there",
    spec: (spec, { domain }) => ({ ...spec, dns: { kind: "cloudDns", zones: { [domain]: "shopp" } } }),
    found: () => ["zone-missing shopp"],
    says: ["has no DNS zone shopp", /^name shop, which is for shop\d+\.com$/],
  },
  {
    title: "the plan names the private zone of the domain",
    make: async (world, { project, domain }) => {
      await world.zone(project, "inner", domain, { visibility: "private" });
      return undefined;
    },
    spec: (spec, { domain }) => ({ ...spec, dns: { kind: "cloudDns", zones: { [domain]: "inner" } } }),
    found: () => ["zone-private inner"],
    says: ["the DNS zone inner is private", "name the public zone"],
  },
  {
    title: "the plan names the zone of another domain",
    make: async (world, { project, domain }) => {
      await world.zone(project, "other", `other-${domain}`);
      return undefined;
    },
    spec: (spec, { domain }) => ({ ...spec, dns: { kind: "cloudDns", zones: { [domain]: "other" } } }),
    found: () => ["zone-mismatched other"],
    says: [/^the DNS zone other is for other-shop\d+\.com, and the plan writes/],
  },
  {
    title: "the domain is delegated to foreign name servers",
    make: answering(({ domain }) => ({ name: domain, type: "NS", rrdatas: ["ns1.old-provider.net."] })),
    found: ({ domain }) => [`zone-not-delegated ${domain}`],
    says: [
      /is delegated to ns1\.old-provider\.net, and the zone shop is at ns-cloud-/,
      "ask the registrar to delegate",
    ],
  },
  {
    title: "nothing delegates the zone of the plan",
    records: (domain) => [
      [domain, "A", 60, "198.51.100.1"],
      [wwwOf({ domain }), "A", 60, "198.51.100.1"],
    ],
    make: async (world, { project, domain }) => {
      await world.zone(project, "www", wwwOf({ domain }));
      await world.publish({ project }, [[wwwOf({ domain }), "A", 60, "198.51.100.1"]], "www");
      world.cloud.faults.set({ dns: [{ name: wwwOf({ domain }), type: "NS", rrdatas: [] }] });
      return undefined;
    },
    spec: (spec, { domain }) => ({
      ...spec,
      dns: { kind: "cloudDns", zones: { [domain]: "shop", [wwwOf({ domain })]: "www" } },
    }),
    found: (place) => [`zone-not-delegated ${wwwOf(place)}`],
    says: [/^nothing delegates www\.shop\d+\.com: it is part of shop\d+\.com/],
  },
  {
    title: "the domain is delegated to further name servers",
    make: async ({ cloud }, { project, domain }) => {
      const { nameServers } = await cloud.make("GET", `/dns/v1/projects/${project}/managedZones/shop`);
      const [, ...most] = nameServers as readonly string[];
      cloud.faults.set({ dns: [{ name: domain, type: "NS", rrdatas: [...most, "ns1.old-provider.net."] }] });
      return undefined;
    },
    found: ({ domain }) => [`delegation-incomplete ${domain}`],
    says: [/also to ns1\.old-provider\.net and not to ns-cloud-.1\.googledomains\.com/],
  },
  {
    title: "a hostname of the zone is a zone of its own",
    make: async (world, { project, domain }) => {
      await world.zone(project, "www", wwwOf({ domain }));
      await world.publish({ project }, [[wwwOf({ domain }), "A", 60, "198.51.100.1"]], "www");
      return undefined;
    },
    found: (place) => [`delegation-below _acme-challenge.${wwwOf(place)}`, `delegation-below ${wwwOf(place)}`],
    says: [/is a zone of its own, so that _acme-challenge\.www/, "add to dns.zones"],
  },
  {
    title: "the delegation of the domain is unknown",
    make: answering(({ domain }) => ({ name: domain, type: "NS", rcode: "SERVFAIL" })),
    found: ({ domain }) => [`zone-unanswered ${domain}`],
    says: ["is answered with SERVFAIL", /^dig shop\d+\.com NS$/],
  },
  {
    title: "the parent announces signatures that the zone does not have",
    make: answering(({ domain }) => ({ name: domain, type: "DS", rrdatas: ["12345 8 2 ABCD"] })),
    found: ({ domain }) => [`dnssec-unsigned ${domain}`],
    says: ["has a DS record, and DNSSEC is off", /--dnssec-state=on/],
  },
];
