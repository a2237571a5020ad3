import { defineGroup } from "../../behavior";
import { isRefused, type Json, refusalOf, type Side } from "../../side";
import { providerFile } from "../../sources";
import { withoutAdded } from "./records";

const tests = providerFile("services/dns/resource_dns_managed_zone_test.go");
const examples = providerFile("services/dns/resource_dns_managed_zone_generated_test.go");
const recordTests = providerFile("services/dns/resource_dns_record_set_test.go");
const lists = providerFile("services/dns/data_source_dns_managed_zones_test.go");
const recordWriter = "lib/terraform-provider/resources/dns.ts";

interface Place {
  readonly project: string;
  readonly managedZone: string;
}

const domainOf = (side: Side, word: string) => `${side.host(word)}.`;

/** Creates a zone that is not delegated. */
async function makeZone(side: Side, word: string, more: object = {}): Promise<Place> {
  const body = { name: side.name(word), dnsName: domainOf(side, word), description: "conformance", ...more };
  await side.make("dns.managedZones.create", { project: side.project }, body);
  return { project: side.project, managedZone: side.name(word) };
}

/** Replaces members of a zone as the provider does, and returns the zone when the new values are readable. */
async function update(side: Side, at: Place, more: Json, isWanted: (zone: Json) => boolean): Promise<Json> {
  const read = () => side.make("dns.managedZones.get", { ...at });
  await side.make("dns.managedZones.update", { ...at }, { ...(await read()), ...more });
  return (await side.eventually(read, isWanted, { withinMs: 60_000 })).value;
}

/** Returns the record set of a type at the apex. */
async function apexSet(side: Side, at: Place, word: string, type: string): Promise<Json> {
  const { rrsets } = await side.make("dns.resourceRecordSets.list", { ...at, name: domainOf(side, word), type });
  return withoutAdded(rrsets)[0] ?? {};
}

/** Replaces a record set at the apex in one change, and returns it. */
async function replaceApex(side: Side, at: Place, word: string, after: Json): Promise<Json> {
  const type = String(after.type);
  const deletions = [await apexSet(side, at, word, type)];
  await side.run("dns.changes.create", { ...at }, { deletions, additions: [{ name: domainOf(side, word), ...after }] });
  return apexSet(side, at, word, type);
}

const keySpecs = ["zoneSigning", "keySigning"].map((keyType) => ({
  algorithm: "rsasha256",
  keyLength: 2048,
  keyType,
}));

/** Returns the settings of DNSSEC without what the service adds. */
function dnssecOf({ dnssecConfig }: Json): Json {
  const { state, nonExistence, defaultKeySpecs } = (dnssecConfig ?? {}) as Json;
  const specs = ((defaultKeySpecs ?? []) as readonly Json[]).map(({ algorithm, keyLength, keyType }) => {
    return { algorithm, keyLength, keyType };
  });
  return { state, nonExistence, keySpecs: specs };
}

export const zoneUpdates = defineGroup<Place>({
  service: "cloud-dns",
  concept: "zone-updates",
  prepare: (side) => makeZone(side, "updated", { labels: { foo: "bar", ping: "pong" } }),
  behaviors: [
    {
      word: "description-and-labels",
      statement: "An update of a zone replaces its description and removes a label in place.",
      source: tests,
      reliedOnBy: [recordWriter],
      expected: {
        before: { labels: { foo: "bar", ping: "pong" } },
        after: { labels: { foo: "bar" }, description: "description2" },
      },
      observe: async (side, at) => {
        const { labels: before } = await side.make("dns.managedZones.get", { ...at });
        const more = { description: "description2", labels: { foo: "bar" } };
        const zone = await update(side, at, more, ({ description }) => description === "description2");
        return { before: { labels: before }, after: { labels: zone.labels, description: zone.description } };
      },
    },
    {
      word: "query-logging",
      statement: "An update of a zone switches its logging of queries on and off.",
      source: [tests, examples],
      reliedOnBy: [recordWriter],
      expected: [true, false],
      observe: async (side, at) => {
        const loggingOf = ({ cloudLoggingConfig }: Json) => ((cloudLoggingConfig ?? {}) as Json).enableLogging ?? false;
        const seen: unknown[] = [];
        for (const enableLogging of [true, false]) {
          const isWanted = (zone: Json) => loggingOf(zone) === enableLogging;
          seen.push(loggingOf(await update(side, at, { cloudLoggingConfig: { enableLogging } }, isWanted)));
        }
        return seen;
      },
    },
    {
      word: "dnssec-on",
      statement: "A zone with DNSSEC keeps its key specifications and the kind of its denial of existence.",
      source: tests,
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: { state: "on", nonExistence: "nsec", keySpecs },
      observe: async (side) => {
        const dnssecConfig = { state: "on", nonExistence: "nsec", defaultKeySpecs: keySpecs };
        const at = await makeZone(side, "signed", { dnssecConfig });
        return dnssecOf(await side.make("dns.managedZones.get", { ...at }));
      },
    },
    {
      word: "dnssec-off",
      statement: "An update of a zone switches DNSSEC off in place, with another kind of denial of existence.",
      source: tests,
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: { state: "off", nonExistence: "nsec3" },
      observe: async (side) => {
        const at = { project: side.project, managedZone: side.name("signed") };
        const dnssecConfig = { state: "off", nonExistence: "nsec3", defaultKeySpecs: keySpecs };
        const zone = await update(side, at, { dnssecConfig }, (now) => dnssecOf(now).state === "off");
        const { state, nonExistence } = dnssecOf(zone);
        return { state, nonExistence };
      },
    },
    {
      word: "dnssec-state-only",
      statement: "A zone may be created with DNSSEC off and without other settings of DNSSEC.",
      source: tests,
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: "off",
      observe: async (side) => {
        const at = await makeZone(side, "unsigned", { dnssecConfig: { state: "off" } });
        return dnssecOf(await side.make("dns.managedZones.get", { ...at })).state;
      },
    },
    {
      word: "list",
      statement: "The list of zones has the zones of the project, each with its number, domain and visibility.",
      source: [lists, providerFile("services/dns/list_google_dns_managed_zone_test.go")],
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: [
        { name: "{prefix}-signed", id: "{id}", dnsName: "signed.{prefix}.{domain}.", visibility: "public" },
        { name: "{prefix}-updated", id: "{id}", dnsName: "updated.{prefix}.{domain}.", visibility: "public" },
      ],
      observe: async (side) => {
        const names = [side.name("signed"), side.name("updated")];
        const { managedZones } = await side.make("dns.managedZones.list", { project: side.project });
        return ((managedZones ?? []) as readonly Json[])
          .filter(({ name }) => names.includes(String(name)))
          .map(({ name, id, dnsName, visibility }) => ({ name, id, dnsName, visibility }))
          .sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
      },
    },
    {
      word: "apex-address",
      statement: "A zone may have an A record set at its apex.",
      source: examples,
      reliedOnBy: ["hostname-alias"],
      expected: { name: "updated.{prefix}.{domain}.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] },
      observe: async (side, at) => {
        const additions = [{ name: domainOf(side, "updated"), type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }];
        await side.run("dns.changes.create", { ...at }, { additions });
        return apexSet(side, at, "updated", "A");
      },
    },
    {
      word: "apex-ns-replaced",
      statement: "One change may replace the NS record set at the apex.",
      source: recordTests,
      reliedOnBy: [recordWriter, "name-server-lame"],
      expected: {
        name: "updated.{prefix}.{domain}.",
        type: "NS",
        ttl: 300,
        rrdatas: ["ns-1.example.com.", "ns-2.example.com."],
      },
      observe: async (side, at) => {
        const rrdatas = ["ns-1.example.com.", "ns-2.example.com."];
        return replaceApex(side, at, "updated", { type: "NS", ttl: 300, rrdatas });
      },
    },
    {
      word: "apex-soa-replaced",
      statement: "One change may replace the SOA record set at the apex, and the zone returns the data of the request.",
      source: recordTests,
      reliedOnBy: [recordWriter],
      expected: true,
      observe: async (side, at) => {
        const [name = ""] =
          ((await apexSet(side, at, "updated", "SOA")).rrdatas as readonly string[])[0]?.split(" ") ?? [];
        const rrdatas = [`${name} cloud-dns-hostmaster.google.com. 629010464 900 900 1800 60`];
        const after = await replaceApex(side, at, "updated", { type: "SOA", ttl: 300, rrdatas });
        return after.ttl === 300 && JSON.stringify(after.rrdatas) === JSON.stringify(rrdatas);
      },
    },
    {
      word: "emptied",
      statement: "A zone whose other record sets are deleted can be deleted with its NS and SOA record sets.",
      source: tests,
      reliedOnBy: ["zone-deleted", "deletion-with-its-records"],
      expected: { isRefusedBefore: true, after: { status: 404, reason: "notFound" } },
      observe: async (side) => {
        const at = await makeZone(side, "emptied");
        const records = [
          ["cname", "CNAME", ["foo.example.com."]],
          ["a", "A", ["192.0.2.1"]],
          ["nested", "NS", ["ns-1.example.com.", "ns-2.example.com."]],
        ] as const;
        const sets = records.map(([label, type, rrdatas]) => {
          return { name: `${label}.${domainOf(side, "emptied")}`, type, ttl: 300, rrdatas };
        });
        await side.run("dns.changes.create", { ...at }, { additions: sets });
        const remove = () => side.call("dns.managedZones.delete", { ...at }, undefined, { isOwn: true });
        const isRefusedBefore = isRefused(await remove());
        await side.run("dns.changes.create", { ...at }, { deletions: sets });
        await remove();
        return { isRefusedBefore, after: refusalOf(await side.call("dns.managedZones.get", { ...at })) };
      },
    },
  ],
});
