import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, pages, providerFile } from "../../sources";
import { create } from "./resources";

const lists = providerFile("services/certificatemanager/data_source_google_certificate_manager_certificates.go");
const method = "certificatemanager.projects.locations.certificateMaps.list";

/** Ids in an order that is not the order of their creation. */
const words = ["list-b", "list-c", "list-a"];

type Query = Readonly<Record<string, string | number>>;

/** Returns a page of the maps of this group: other resources of the project don't count. */
async function pageOf(side: Side, query: Query): Promise<{ readonly ids: readonly string[]; readonly next: string }> {
  const page = await side.make(method, { parent: side.location(), ...query });
  const maps = (page.certificateMaps ?? []) as readonly Json[];
  return { ids: maps.map(({ name }) => String(name).split("/").at(-1) ?? ""), next: String(page.nextPageToken ?? "") };
}

async function allIds(side: Side, query: Query): Promise<readonly string[]> {
  const ids: string[] = [];
  let pageToken = "";
  do {
    const page = await pageOf(side, pageToken === "" ? query : { ...query, pageToken });
    ids.push(...page.ids);
    pageToken = page.next;
  } while (pageToken !== "");
  return ids.filter((id) => id.startsWith(side.name("list-")));
}

export const list = defineGroup<undefined>({
  service: "certificate-manager",
  concept: "list",
  prepare: async (side) => {
    for (const word of words)
      await create(side, "certificateMaps", word, { description: word, labels: { list: "yes" } });
    return undefined;
  },
  behaviors: [
    {
      word: "complete",
      statement: "A list over all pages has every resource once.",
      source: [aip(158), lists],
      reliedOnBy: ["lib/google/pages.ts"],
      expected: ["{prefix}-list-a", "{prefix}-list-b", "{prefix}-list-c"],
      observe: async (side) => [...(await allIds(side, { pageSize: 1 }))].sort(),
    },
    {
      word: "page-size",
      statement: "A page has at most as many items as requested, and a token if there are more.",
      source: [aip(158), pages.managerProto],
      reliedOnBy: ["lib/google/pages.ts"],
      expected: { items: 1, hasNext: true },
      observe: async (side) => {
        const { ids, next } = await pageOf(side, { pageSize: 1 });
        return { items: ids.length, hasNext: next !== "" };
      },
    },
    {
      word: "last-page",
      statement: "The last page has no token.",
      source: [aip(158), pages.managerProto],
      reliedOnBy: ["answer-endless"],
      expected: "",
      observe: async (side) => (await pageOf(side, { pageSize: 1000 })).next,
    },
    {
      word: "token-of-other-filter",
      statement: "A page token with another filter is refused with 400 INVALID_ARGUMENT.",
      source: aip(158),
      reliedOnBy: ["page-token-refused"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => {
        const { next } = await pageOf(side, { pageSize: 1 });
        const query = { parent: side.location(), pageToken: next, filter: "labels.list=yes" };
        return refusalOf(await side.call(method, query));
      },
    },
    {
      word: "token-unknown",
      statement: "A text that is not a page token is refused with 400 INVALID_ARGUMENT.",
      source: aip(158),
      reliedOnBy: ["page-token-refused"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => refusalOf(await side.call(method, { parent: side.location(), pageToken: "invented" })),
    },
    {
      word: "filter-by-label",
      statement: "A filter by a label returns the resources with this label only.",
      source: aip(160),
      reliedOnBy: ["lib/cloud/front/filter.ts"],
      expected: ["{prefix}-list-a", "{prefix}-list-b", "{prefix}-list-c"],
      observe: async (side) => [...(await allIds(side, { filter: "labels.list=yes" }))].sort(),
    },
    {
      word: "filter-invalid",
      statement: "A filter that is not an expression is refused with 400 INVALID_ARGUMENT.",
      source: aip(160),
      reliedOnBy: ["lib/cloud/front/filter.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => refusalOf(await side.call(method, { parent: side.location(), filter: "((" })),
    },
    {
      word: "order-descending",
      statement: "`orderBy` with ` desc` reverses the order.",
      source: [pages.managerProto, aip(132)],
      reliedOnBy: ["lib/cloud/front/listing.ts"],
      expected: ["{prefix}-list-c", "{prefix}-list-b", "{prefix}-list-a"],
      observe: (side) => allIds(side, { orderBy: "name desc" }),
    },
    {
      word: "all-locations",
      statement: "The location `-` lists the resources of every location.",
      source: aip(159),
      reliedOnBy: ["lib/google/project-lists.ts"],
      expected: 3,
      observe: async (side) => {
        const { certificateMaps } = await side.make(method, { parent: side.location("-"), pageSize: 1000 });
        const names = ((certificateMaps ?? []) as readonly Json[]).map(({ name }) => String(name));
        return names.filter((name) => name.includes(`/${side.name("list-")}`)).length;
      },
    },
    {
      word: "fields",
      statement: "The parameter `fields` leaves out all other fields of an answer.",
      source: "https://cloud.google.com/apis/docs/system-parameters",
      reliedOnBy: ["lib/discovery/field-selector.ts"],
      expected: { certificateMaps: [{ description: "list-a" }] },
      observe: async (side) => {
        const query = { filter: `name="${side.location()}/certificateMaps/${side.name("list-a")}"` };
        return side.make(method, { parent: side.location(), ...query, fields: "certificateMaps(description)" });
      },
    },
    {
      word: "fields-unknown",
      statement: "An unknown name in `fields` is refused with 400 INVALID_ARGUMENT.",
      source: "https://cloud.google.com/apis/docs/system-parameters",
      reliedOnBy: ["lib/discovery/field-selector.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => refusalOf(await side.call(method, { parent: side.location(), fields: "colour" })),
    },
  ],
});
