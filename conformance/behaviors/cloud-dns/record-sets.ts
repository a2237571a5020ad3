import { defineGroup } from "../../behavior";
import { refusalOf, type Side } from "../../side";
import { providerFile } from "../../sources";

const resource = providerFile("services/dns/resource_dns_record_set.go");
const zoneOf = ({ project, zone }: Side) => ({ project, managedZone: zone });

interface Fixture {
  readonly name: string;
  readonly change: Readonly<Record<string, unknown>>;
}

export const recordSets = defineGroup<Fixture>({
  service: "cloud-dns",
  concept: "record-sets",
  prepare: async (side) => {
    const name = `${side.host("a")}.`;
    const additions = [{ name, type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }];
    return { name, change: await side.run("dns.changes.create", zoneOf(side), { additions }) };
  },
  behaviors: [
    {
      word: "change-done",
      statement: "A change of record sets ends in the status `done`.",
      source: [resource, "https://cloud.google.com/dns/docs/reference/rest/v1/changes"],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: "done",
      observe: async (_, { change }) => change.status,
    },
    {
      word: "served",
      statement: "A record is served by the name servers of the zone within two minutes after its change is done.",
      source: "https://cloud.google.com/dns/docs/records",
      reliedOnBy: ["cname-missing"],
      expected: ["192.0.2.1"],
      observe: async (side, { name }) => {
        const isServed = (data: readonly string[]) => data.length > 0;
        return (await side.eventually(() => side.resolve(name, "A"), isServed, { withinMs: 120_000 })).value;
      },
    },
    {
      word: "addition-exists",
      statement: "The addition of a record set that exists is refused with 409 alreadyExists.",
      source: "https://cloud.google.com/dns/docs/reference/rest/v1/changes/create",
      reliedOnBy: ["api-refuses-record"],
      expected: { status: 409, reason: "alreadyExists" },
      observe: async (side, { name }) => {
        const additions = [{ name, type: "A", ttl: 300, rrdatas: ["192.0.2.2"] }];
        return refusalOf(await side.call("dns.changes.create", zoneOf(side), { additions }));
      },
    },
  ],
});
