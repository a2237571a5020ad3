import { defineGroup } from "../../behavior";
import { isRefused, type Json, type Side } from "../../side";
import { pages, providerFile } from "../../sources";
import { changeZone, listRecordSets, recordSet, zoneOf } from "./records";

const resource = providerFile("services/dns/resource_dns_record_set.go");

const named = (side: Side) => `${side.host("listed")}.`;

/** Returns names and types of record sets. */
function keysOf({ rrsets }: Json): readonly string[] {
  return ((rrsets ?? []) as readonly Json[]).map(({ name, type }) => `${name} ${type}`);
}

async function allKeys(side: Side, maxResults: number): Promise<readonly string[]> {
  const keys: string[] = [];
  let pageToken = "";
  do {
    const page = await listRecordSets(side, { maxResults, ...(pageToken === "" ? {} : { pageToken }) });
    keys.push(...keysOf(page));
    pageToken = String(page.nextPageToken ?? "");
  } while (pageToken !== "");
  return keys;
}

export const lists = defineGroup<undefined>({
  service: "cloud-dns",
  concept: "lists",
  prepare: async (side) => {
    const additions = [
      recordSet(side, "listed", "A", "192.0.2.1"),
      recordSet(side, "listed", "AAAA", "2001:db8::1"),
      recordSet(side, "below.listed", "A", "192.0.2.1"),
    ];
    await changeZone(side, { additions });
    return undefined;
  },
  behaviors: [
    {
      word: "by-name",
      statement: "The list with a name contains all record sets of this name, and no names below it.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/google/dns-zones.ts"],
      expected: ["listed.{prefix}.{domain}. A", "listed.{prefix}.{domain}. AAAA"],
      observe: async (side) => keysOf(await listRecordSets(side, { name: named(side) })),
    },
    {
      word: "by-name-and-type",
      statement: "The list with a name and a type contains one record set.",
      source: [pages.dnsRecordSets, resource],
      reliedOnBy: ["lib/google/dns-zones.ts", "lib/terraform-provider/resources/dns.ts"],
      expected: ["listed.{prefix}.{domain}. AAAA"],
      observe: async (side) => keysOf(await listRecordSets(side, { name: named(side), type: "AAAA" })),
    },
    {
      word: "nothing-found",
      statement: "The list with the name of no record set is empty, and is not refused.",
      source: [pages.dnsRecordSets, resource],
      reliedOnBy: ["lib/google/dns-zones.ts", "record-missing"],
      expected: [],
      observe: async (side) => keysOf(await listRecordSets(side, { name: `${side.host("nothing")}.`, type: "A" })),
    },
    {
      word: "type-without-name",
      statement: "The list with a type and without a name is refused.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/cloud/cloud-dns/service.ts"],
      expected: true,
      observe: async (side) =>
        isRefused(await side.call("dns.resourceRecordSets.list", { ...zoneOf(side), type: "A" })),
    },
    {
      word: "paged",
      statement: "A page has at most `maxResults` record sets, and its token leads to the next page.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/google/pages.ts"],
      expected: { found: 2, hasNextPage: true },
      observe: async (side) => {
        const page = await listRecordSets(side, { maxResults: 2 });
        return { found: keysOf(page).length, hasNextPage: typeof page.nextPageToken === "string" };
      },
    },
    {
      word: "all-pages",
      statement: "All pages together contain the same record sets as one large page, each once and in the same order.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/google/pages.ts"],
      expected: true,
      observe: async (side) => JSON.stringify(await allKeys(side, 2)) === JSON.stringify(await allKeys(side, 1_000)),
    },
    {
      word: "last-page",
      statement: "The last page has no token.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["lib/google/pages.ts"],
      expected: false,
      observe: async (side) => "nextPageToken" in (await listRecordSets(side, { name: named(side) })),
    },
    {
      word: "unknown-token",
      statement: "A page token that the service did not give is refused.",
      source: pages.dnsRecordSets,
      reliedOnBy: ["page-token-refused"],
      expected: true,
      observe: async (side) => {
        const parameters = { ...zoneOf(side), pageToken: "unknown" };
        return isRefused(await side.call("dns.resourceRecordSets.list", parameters));
      },
    },
    {
      word: "selected-fields",
      statement: "`fields` selects what the answer contains.",
      source: pages.dnsPartialAnswers,
      reliedOnBy: ["lib/cloud/front/field-mask.ts"],
      expected: { rrsets: [{ type: "A" }, { type: "AAAA" }] },
      observe: (side) => listRecordSets(side, { name: named(side), fields: "rrsets(type)" }),
    },
  ],
});
