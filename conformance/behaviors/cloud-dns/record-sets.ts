import { defineGroup } from "../../behavior";
import { isRefused, refusalOf, type Side } from "../../side";
import { issue, pages, providerFile } from "../../sources";
import { changeZone, dataOf, recordSet, servedData, tryChange, withoutAdded, zoneOf } from "./records";

const resource = providerFile("services/dns/resource_dns_record_set.go");
const tests = providerFile("services/dns/resource_dns_record_set_test.go");
const conflict = { status: 400, reason: "cnameResourceRecordSetConflict" };

const address = (side: Side) => recordSet(side, "a", "A", "192.0.2.1");
const alias = (side: Side) => recordSet(side, "alias", "CNAME", "target.example.com.");
const longIpv6 = (side: Side) => recordSet(side, "ipv6", "AAAA", "2001:0db8:0001:00e0:0000:0000:0000:8001");
const plainText = (side: Side) => recordSet(side, "text", "TXT", "text with space", '"quoted text"');

export const recordSets = defineGroup<undefined>({
  service: "cloud-dns",
  concept: "record-sets",
  prepare: async (side) => {
    await changeZone(side, { additions: [address(side), alias(side), longIpv6(side), plainText(side)] });
    return undefined;
  },
  behaviors: [
    {
      word: "served",
      statement: "A record is served by the name servers of the zone within two minutes after its change is done.",
      source: pages.dnsChanges,
      reliedOnBy: ["cname-missing"],
      expected: ["192.0.2.1"],
      observe: (side) => servedData(side, { name: address(side).name, type: "A" }),
    },
    {
      word: "alias-served",
      statement: "A CNAME is served with its target, which ends with a dot.",
      source: pages.dnsRecordFormat,
      reliedOnBy: ["cname-late"],
      expected: ["target.example.com."],
      observe: (side) => servedData(side, { name: alias(side).name, type: "CNAME" }),
    },
    {
      word: "addition-exists",
      statement: "The addition of a record set that exists is refused with 409 alreadyExists.",
      source: [pages.dnsErrors, issue("hashicorp/terraform/14796")],
      reliedOnBy: ["api-refuses-record"],
      expected: { status: 409, reason: "alreadyExists" },
      observe: async (side) => {
        const additions = [recordSet(side, "a", "A", "192.0.2.2")];
        return refusalOf(await tryChange(side, { additions }));
      },
    },
    {
      word: "alias-beside-others",
      statement: "A CNAME beside another record set of its name is refused with 400 cnameResourceRecordSetConflict.",
      source: issue("kubernetes-sigs/external-dns/3885"),
      reliedOnBy: ["challenge-not-alone", "challenge-txt"],
      expected: conflict,
      observe: async (side) => {
        const additions = [recordSet(side, "a", "CNAME", "target.example.com.")];
        return refusalOf(await tryChange(side, { additions }));
      },
    },
    {
      word: "others-beside-alias",
      statement: "A record set beside a CNAME of its name is refused with 400 cnameResourceRecordSetConflict.",
      source: issue("hectorj/terraform-provider-googlesiteverification/17"),
      reliedOnBy: ["hostname-alias", "alias-today"],
      expected: conflict,
      observe: async (side) => {
        const additions = [recordSet(side, "alias", "TXT", '"text"')];
        return refusalOf(await tryChange(side, { additions }));
      },
    },
    {
      word: "two-aliases",
      statement: "A CNAME record set with two targets is refused.",
      source: "https://github.com/hashicorp/terraform-provider-google/pull/2144",
      reliedOnBy: ["record-several-cnames"],
      expected: true,
      observe: async (side) => {
        const additions = [recordSet(side, "two", "CNAME", "one.example.com.", "two.example.com.")];
        return isRefused(await tryChange(side, { additions }));
      },
    },
    {
      word: "relative-name",
      statement: "A record set whose name has no trailing dot is refused with 400 invalid.",
      source: [resource, issue("mantl/mantl/1082")],
      reliedOnBy: ["dns-name-relative"],
      expected: { status: 400, reason: "invalid" },
      observe: async (side) => {
        const body = { ...recordSet(side, "relative", "A", "192.0.2.1"), name: side.host("relative") };
        return refusalOf(await side.call("dns.resourceRecordSets.create", zoneOf(side), body, { isOwn: true }));
      },
    },
    {
      word: "relative-target",
      statement: "A CNAME whose target has no trailing dot is refused.",
      source: pages.dnsRecordFormat,
      reliedOnBy: ["record-target-relative"],
      expected: true,
      observe: async (side) => {
        const additions = [recordSet(side, "relative", "CNAME", "target.example.com")];
        return isRefused(await tryChange(side, { additions }));
      },
    },
    {
      word: "invalid-address",
      statement: "An A record whose data is not an IPv4 address is refused.",
      source: pages.dnsRecordFormat,
      reliedOnBy: ["rrdata-bad-ipv4"],
      expected: true,
      observe: async (side) => {
        const additions = [recordSet(side, "invalid", "A", "192.0.2.300")];
        return isRefused(await tryChange(side, { additions }));
      },
    },
    {
      word: "without-data",
      statement: "A record set without data and without a routing policy is refused.",
      source: resource,
      reliedOnBy: ["exactly-one-of"],
      expected: true,
      observe: async (side) => isRefused(await tryChange(side, { additions: [recordSet(side, "empty", "A")] })),
    },
    {
      word: "ipv6-shortened",
      statement: "The data of an AAAA record is stored and returned in its shortest form.",
      source: [issue("hashicorp/terraform-provider-google/1546"), issue("DNSControl/dnscontrol/25"), resource],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: ["2001:db8:1:e0::8001"],
      observe: (side) => dataOf(side, longIpv6(side)),
    },
    {
      word: "ipv6-deletion",
      statement: "A deletion may contain an IPv6 address in another form than the zone.",
      source: resource,
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: "done",
      observe: async (side) => (await changeZone(side, { deletions: [longIpv6(side)] })).status,
    },
    {
      word: "text-quoted",
      statement: "The data of a TXT record is returned as quoted strings: text without quotes is split at its spaces.",
      source: [issue("Shopify/record_store/58"), resource, tests],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: ['"text" "with" "space"', '"quoted text"'],
      observe: (side) => dataOf(side, plainText(side)),
    },
    {
      word: "text-served",
      statement: "A quoted TXT record is served as one string, and text without quotes as one string for each word.",
      source: issue("Shopify/record_store/58"),
      reliedOnBy: ["challenge-txt"],
      expected: ["quoted text", "textwithspace"],
      observe: async (side) => [...(await servedData(side, { name: plainText(side).name, type: "TXT" }))].sort(),
    },
    {
      word: "type-changed",
      statement: "One change may delete an A record set and add a CNAME of the same name.",
      source: [pages.dnsChanges, tests],
      reliedOnBy: ["alias-today"],
      expected: { a: undefined, cname: ["target.example.com."] },
      observe: async (side) => {
        const before = recordSet(side, "changed", "A", "192.0.2.1");
        const after = recordSet(side, "changed", "CNAME", "target.example.com.");
        await changeZone(side, { additions: [before] });
        await changeZone(side, { deletions: [before], additions: [after] });
        return { a: await dataOf(side, before), cname: await dataOf(side, after) };
      },
    },
    {
      word: "ttl-changed",
      statement: "One change may replace a record set by the same data with another time to live.",
      source: tests,
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: [{ name: "lasting.{prefix}.{domain}.", type: "A", ttl: 600, rrdatas: ["192.0.2.1"] }],
      observe: async (side) => {
        const before = recordSet(side, "lasting", "A", "192.0.2.1");
        await changeZone(side, { additions: [before] });
        await changeZone(side, { deletions: [before], additions: [{ ...before, ttl: 600 }] });
        const { name, type } = before;
        return withoutAdded([await side.make("dns.resourceRecordSets.get", { ...zoneOf(side), name, type })]);
      },
    },
    {
      word: "several-addresses",
      statement: "The data of a record set is returned as a set: the order of addresses has no meaning.",
      source: tests,
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: ["2001:db8:1:e00::28b:8001", "2001:db8:1:e0::29b:8001"],
      observe: async (side) => {
        const given = ["2001:db8:1:e0::29b:8001", "2001:db8:1:e00::28b:8001"];
        const several = recordSet(side, "several", "AAAA", ...given);
        await changeZone(side, { additions: [several] });
        return [...((await dataOf(side, several)) as readonly string[])].sort();
      },
    },
    {
      word: "mail-exchangers",
      statement: "MX data with host names in upper case is accepted, and returned with the same names in some case.",
      source: [tests, resource],
      reliedOnBy: ["lib/terraform-provider/resources/dns.ts"],
      expected: ["1 mx-1.example.com.", "10 mx-2.example.com."],
      observe: async (side) => {
        const mail = recordSet(side, "mail", "MX", "1 MX-1.EXAMPLE.COM.", "10 MX-2.EXAMPLE.COM.");
        await changeZone(side, { additions: [mail] });
        return ((await dataOf(side, mail)) as readonly string[]).map((data) => data.toLowerCase()).sort();
      },
    },
    {
      word: "delegation",
      statement: "A zone may have an NS record set below its apex.",
      source: tests,
      reliedOnBy: ["zone-not-delegated"],
      expected: ["ns-1.example.com.", "ns-2.example.com."],
      observe: async (side) => {
        const nested = recordSet(side, "nested", "NS", "ns-1.example.com.", "ns-2.example.com.");
        await changeZone(side, { additions: [nested] });
        return [...((await dataOf(side, nested)) as readonly string[])].sort();
      },
    },
    {
      word: "weighted",
      statement: "One change may replace the data of a record set by a routing policy with the weights 0, and back.",
      source: tests,
      reliedOnBy: ["lib/cloud/cloud-dns/record-sets.ts", "lib/terraform-provider/resources/dns.ts"],
      expected: {
        weighted: [
          { weight: 0, rrdatas: ["192.0.2.1", "192.0.2.2"] },
          { weight: 0, rrdatas: ["192.0.2.3", "192.0.2.4"] },
        ],
        data: ["192.0.2.1", "192.0.2.2"],
      },
      observe: async (side) => {
        const plain = recordSet(side, "weighted", "A", "192.0.2.1", "192.0.2.2");
        const { name, type, ttl } = plain;
        const items = [plain.rrdatas, ["192.0.2.3", "192.0.2.4"]].map((rrdatas) => ({ weight: 0, rrdatas }));
        const policy = { name, type, ttl, routingPolicy: { wrr: { items } } };
        await changeZone(side, { additions: [plain] });
        await side.run("dns.changes.create", zoneOf(side), { deletions: [plain], additions: [policy] });
        const found = await side.make("dns.resourceRecordSets.get", { ...zoneOf(side), name, type });
        const { wrr } = (found.routingPolicy ?? {}) as { readonly wrr?: { readonly items?: typeof items } };
        const weighted = (wrr?.items ?? []).map(({ weight = 0, rrdatas }) => ({ weight, rrdatas }));
        await side.run("dns.changes.create", zoneOf(side), { deletions: [policy], additions: [plain] });
        return { weighted, data: await dataOf(side, plain) };
      },
    },
    {
      word: "get",
      statement: "A record set is read by its name and type.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: [{ name: "a.{prefix}.{domain}.", type: "A", ttl: 300, rrdatas: ["192.0.2.1"] }],
      observe: async (side) => {
        const { name, type } = address(side);
        return withoutAdded([await side.make("dns.resourceRecordSets.get", { ...zoneOf(side), name, type })]);
      },
    },
    {
      word: "missing",
      statement: "A record set that does not exist is refused with 404 notFound.",
      source: resource,
      reliedOnBy: ["name-gone"],
      expected: { status: 404, reason: "notFound" },
      observe: async (side) => {
        const { name, type } = recordSet(side, "missing", "A");
        return refusalOf(await side.call("dns.resourceRecordSets.get", { ...zoneOf(side), name, type }));
      },
    },
    {
      word: "no-longer-served",
      statement: "A deleted record is no longer served two minutes after its change is done.",
      source: pages.dnsChanges,
      reliedOnBy: ["cname-vanished"],
      expected: [],
      observe: async (side) => {
        await changeZone(side, { deletions: [address(side)] });
        return servedData(side, { name: address(side).name, type: "A" }, (data) => data.length === 0);
      },
    },
  ],
});
