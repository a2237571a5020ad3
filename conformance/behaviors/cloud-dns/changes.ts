import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { changeZone, dataOf, recordSet, tryChange, withoutAdded, zoneOf } from "./records";

const resource = providerFile("services/dns/resource_dns_record_set.go");
const waiter = providerFile("services/dns/dns_change.go");

const first = (side: Side) => recordSet(side, "first", "A", "192.0.2.1");
const second = (side: Side) => recordSet(side, "second", "A", "192.0.2.2");

interface Fixture {
  /** The change as its request is answered. */
  readonly created: Json;
  /** The change when it is done. */
  readonly done: Json;
}

export const changes = defineGroup<Fixture>({
  service: "cloud-dns",
  concept: "changes",
  prepare: async (side) => {
    const created = await side.make("dns.changes.create", zoneOf(side), { additions: [first(side)] });
    return { created, done: await side.ended("dns.changes.create", zoneOf(side), created) };
  },
  behaviors: [
    {
      word: "pending",
      statement: "A change is answered with its id, its start and the status `pending`.",
      source: [pages.dnsChanges, waiter],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: { kind: "dns#change", id: "{id}", startTime: "{time}", status: "pending" },
      observe: async (_, { created: { kind, id, startTime, status } }) => ({ kind, id, startTime, status }),
    },
    {
      word: "done",
      statement: "A change of record sets ends in the status `done`.",
      source: [pages.dnsChanges, waiter],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts", "operations-slow"],
      expected: "done",
      observe: async (_, { done }) => done.status,
    },
    {
      word: "content",
      statement: "A change contains its additions, also when it is read again.",
      source: pages.dnsChanges,
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: [{ name: "first.{prefix}.{domain}.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }],
      observe: async (_, { done }) => withoutAdded(done.additions),
    },
    {
      word: "unknown",
      statement: "A change that does not exist is refused with 404 notFound.",
      source: pages.dnsChanges,
      reliedOnBy: ["operations-hang"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) =>
        refusalOf(await side.call("dns.changes.get", { ...zoneOf(side), changeId: "999999999" })),
    },
    {
      word: "replacement",
      statement: "A change that deletes and adds the same record set replaces its data.",
      source: [resource, pages.dnsChanges],
      reliedOnBy: ["killed-at-record", "lib/terraform-provider/resources/dns.ts"],
      expected: ["192.0.2.9"],
      observe: async (side) => {
        const after = recordSet(side, "replaced", "A", "192.0.2.9");
        const before = recordSet(side, "replaced", "A", "192.0.2.8");
        await changeZone(side, { additions: [before] });
        await changeZone(side, { deletions: [before], additions: [after] });
        return dataOf(side, after);
      },
    },
    {
      word: "all-or-nothing",
      statement: "A change with an addition that is refused adds none of its record sets.",
      source: pages.dnsChanges,
      reliedOnBy: ["api-refuses-record"],
      expected: { status: 409, added: undefined },
      observe: async (side) => {
        const { status } = await tryChange(side, { additions: [second(side), first(side)] });
        return { status, added: await dataOf(side, second(side)) };
      },
    },
    {
      word: "deletion-differs",
      statement: "The deletion of a record set with another time to live is refused with 412 conditionNotMet.",
      source: [pages.dnsErrors, issue("kubernetes-sigs/external-dns/467")],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => refusalOf(await tryChange(side, { deletions: [{ ...first(side), ttl: 60 }] })),
    },
    {
      word: "deletion-of-other-data",
      statement: "The deletion of a record set with other data is refused with 412 conditionNotMet.",
      source: [pages.dnsErrors, issue("kubernetes-sigs/external-dns/3311")],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) =>
        refusalOf(await tryChange(side, { deletions: [{ ...first(side), rrdatas: ["192.0.2.7"] }] })),
    },
    {
      word: "deletion-missing",
      statement: "The deletion of a record set that does not exist is refused with 404 notFound.",
      source: resource,
      reliedOnBy: ["deletion-with-its-records"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) => refusalOf(await tryChange(side, { deletions: [second(side)] })),
    },
    {
      word: "empty",
      statement: "A change without additions and deletions is refused with 400 required.",
      source: issue("GoogleCloudPlatform/cloud-foundation-toolkit/511"),
      reliedOnBy: ["api-refuses-record"],
      expected: { status: 400, reason: "required" },
      observe: async (side) => refusalOf(await side.call("dns.changes.create", zoneOf(side), {}, { isOwn: true })),
    },
    {
      word: "newest-first",
      statement: "The list of changes in descending order begins with the latest change.",
      source: pages.dnsChanges,
      reliedOnBy: ["lib/cloud/cloud-dns/zone-history.ts"],
      expected: true,
      observe: async (side) => {
        const latest = await changeZone(side, { additions: [second(side)] });
        const query = { sortBy: "changeSequence", sortOrder: "descending", maxResults: 1 };
        const { changes: listed } = await side.make("dns.changes.list", { ...zoneOf(side), ...query });
        return (listed as readonly Json[])[0]?.id === latest.id;
      },
    },
  ],
});
