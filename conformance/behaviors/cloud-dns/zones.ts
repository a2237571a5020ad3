import { defineGroup } from "../../behavior";
import { isRefused, type Json, refusalOf, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { withoutAdded } from "./records";

const resource = providerFile("services/dns/resource_dns_managed_zone.go");

/** A zone that only the run uses; its domain is not delegated. */
interface Fixture {
  readonly zone: Json;
  readonly at: { readonly project: string; readonly managedZone: string };
}

const dnsNameOf = (side: Side) => `${side.host("zone")}.`;

/** Returns the record sets at the apex of a zone. */
async function apexOf(side: Side, { at }: Fixture): Promise<readonly Json[]> {
  const { rrsets } = await side.make("dns.resourceRecordSets.list", { ...at, name: dnsNameOf(side) });
  return withoutAdded(rrsets);
}

/** Returns a text with one placeholder for the number of the set of name servers. */
function withoutSet(text: unknown): string {
  return String(text).replace(/ns-cloud-[a-z](?=\d)/g, "ns-cloud-");
}

function withoutSets(values: unknown): readonly string[] {
  return ((values ?? []) as readonly unknown[]).map(withoutSet);
}

const nameServers = [1, 2, 3, 4].map((number) => `ns-cloud-${number}.googledomains.com.`);

export const zones = defineGroup<Fixture>({
  service: "cloud-dns",
  concept: "zones",
  prepare: async (side) => {
    const body = { name: side.name("zone"), dnsName: dnsNameOf(side), description: "conformance" };
    const zone = await side.make("dns.managedZones.create", { project: side.project }, body);
    return { zone, at: { project: side.project, managedZone: side.name("zone") } };
  },
  behaviors: [
    {
      word: "resource",
      statement: "A created zone is public, and has its domain with a trailing dot.",
      source: [resource, pages.dnsKeyTerms],
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: {
        kind: "dns#managedZone",
        name: "{prefix}-zone",
        dnsName: "zone.{prefix}.{domain}.",
        visibility: "public",
      },
      observe: async (_, { zone: { kind, name, dnsName, visibility } }) => ({ kind, name, dnsName, visibility }),
    },
    {
      word: "name-servers",
      statement: "A public zone has four name servers of one set, with trailing dots.",
      source: [pages.dnsKeyTerms, issue("opstrace/opstrace/1068")],
      reliedOnBy: ["zone-not-delegated", "lib/google/dns-zones.ts"],
      expected: nameServers,
      observe: async (_, { zone }) => withoutSets(zone.nameServers),
    },
    {
      word: "apex",
      statement: "A zone has the record sets NS and SOA from its creation.",
      source: [issue("hashicorp/terraform/14796"), resource],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: ["NS", "SOA"],
      observe: async (side, fixture) => (await apexOf(side, fixture)).map(({ type }) => type),
    },
    {
      word: "apex-ns",
      statement: "The NS records at the apex are the name servers of the zone, with a time to live of 21600 seconds.",
      source: "https://github.com/opstrace/opstrace/pull/861",
      reliedOnBy: ["name-server-lame"],
      expected: { ttl: 21_600, rrdatas: nameServers },
      observe: async (side, fixture) => {
        const found = (await apexOf(side, fixture)).find(({ type }) => type === "NS");
        return { ttl: found?.ttl, rrdatas: withoutSets(found?.rrdatas) };
      },
    },
    {
      word: "apex-soa",
      statement:
        "The SOA record of a new zone has the first name server, the serial 1 and a negative TTL of 300 seconds.",
      source: "https://github.com/opstrace/opstrace/pull/861",
      reliedOnBy: ["cname-nxdomain-then-right"],
      expected: ["ns-cloud-1.googledomains.com. cloud-dns-hostmaster.google.com. 1 21600 3600 259200 300"],
      observe: async (side, fixture) =>
        withoutSets((await apexOf(side, fixture)).find(({ type }) => type === "SOA")?.rrdatas),
    },
    {
      word: "apex-deletion",
      statement: "The deletion of the NS record set at the apex is refused with 400 invalidZoneApex.",
      source: [
        issue("hashicorp/terraform-provider-google/836"),
        providerFile("services/dns/resource_dns_record_set.go"),
      ],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: { status: 400, reason: "invalidZoneApex" },
      observe: async (side, fixture) => {
        const deletions = (await apexOf(side, fixture)).filter(({ type }) => type === "NS");
        return refusalOf(await side.call("dns.changes.create", fixture.at, { deletions }));
      },
    },
    {
      word: "apex-alias",
      statement: "A CNAME at the apex, beside NS and SOA, is refused with 400 cnameResourceRecordSetConflict.",
      source: issue("kubernetes-sigs/external-dns/3885"),
      reliedOnBy: ["hostname-alias"],
      expected: { status: 400, reason: "cnameResourceRecordSetConflict" },
      observe: async (side, { at }) => {
        const additions = [{ name: dnsNameOf(side), type: "CNAME", ttl: 300, rrdatas: ["target.example.com."] }];
        return refusalOf(await side.call("dns.changes.create", at, { additions }));
      },
    },
    {
      word: "name-outside",
      statement: "A record set whose name is outside of the domain of the zone is refused with 400 invalid.",
      source: issue("mantl/mantl/1082"),
      reliedOnBy: ["zone-domain-mismatch", "zone-mismatched"],
      expected: { status: 400, reason: "invalid" },
      observe: async (side, { at }) => {
        const additions = [{ name: `${side.host("outside")}.`, type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }];
        return refusalOf(await side.call("dns.changes.create", at, { additions }));
      },
    },
    {
      word: "by-domain",
      statement: "The list of zones with a domain contains the zones of exactly this domain.",
      source: providerFile("services/dns/data_source_dns_managed_zones.go"),
      reliedOnBy: ["zone-missing"],
      expected: ["{prefix}-zone"],
      observe: async (side) => {
        const query = { project: side.project, dnsName: dnsNameOf(side) };
        const { managedZones = [] } = await side.make("dns.managedZones.list", query);
        return (managedZones as readonly Json[]).map(({ name }) => name);
      },
    },
    {
      word: "by-number",
      statement: "A zone is found by its number as well as by its name.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/cloud/cloud-dns/service.ts"],
      expected: "{prefix}-zone",
      observe: async (side, { zone }) =>
        (await side.make("dns.managedZones.get", { project: side.project, managedZone: String(zone.id) })).name,
    },
    {
      word: "exists",
      statement: "A second zone with the same name is refused with 409 alreadyExists.",
      source: pages.dnsErrors,
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, reason: "alreadyExists" },
      observe: async (side) => {
        const body = { name: side.name("zone"), dnsName: dnsNameOf(side), description: "conformance" };
        return refusalOf(await side.call("dns.managedZones.create", { project: side.project }, body));
      },
    },
    {
      word: "relative-domain",
      statement: "A zone whose domain has no trailing dot is refused.",
      source: resource,
      reliedOnBy: ["dns-name-relative"],
      expected: true,
      observe: async (side) => {
        const body = { name: side.name("relative"), dnsName: side.host("relative"), description: "conformance" };
        return isRefused(await side.call("dns.managedZones.create", { project: side.project }, body));
      },
    },
    {
      word: "missing",
      statement: "A zone that does not exist is refused with 404 notFound.",
      source: resource,
      reliedOnBy: ["zone-missing"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) => {
        const parameters = { project: side.project, managedZone: side.name("missing") };
        return refusalOf(await side.call("dns.managedZones.get", parameters));
      },
    },
    {
      word: "not-empty",
      statement: "The deletion of a zone with further record sets is refused with 400 containerNotEmpty.",
      source: issue("hashicorp/terraform-provider-google/1572"),
      reliedOnBy: ["zone-deleted"],
      expected: { status: 400, reason: "containerNotEmpty" },
      observe: async (side, { at }) => {
        const additions = [{ name: `${side.host("a.zone")}.`, type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }];
        await side.run("dns.changes.create", at, { additions });
        return refusalOf(await side.call("dns.managedZones.delete", at, undefined, { isOwn: true }));
      },
    },
  ],
});
