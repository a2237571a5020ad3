import fc from "fast-check";
import { CloudError } from "../../../lib/cloud/cloud-error";
import { type ListRequest, listPage } from "../../../lib/cloud/front";
import { ownDescription } from "../../../lib/discovery";

interface Item {
  readonly [field: string]: unknown;
  readonly name: string;
}

const sizes = { defaultSize: 3, mostSize: 4, keyOf: ({ name }: Item) => name };
const items: readonly Item[] = ["e", "b", "a", "d", "c"].map((name, index) => ({
  name,
  rank: index % 2,
  at: { x: name },
}));

function pages(all: readonly Item[], request: ListRequest): readonly string[] {
  const read: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = listPage(all, { ...request, pageToken }, sizes);
    read.push(page.items.map(({ name }) => name).join(""));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return read;
}

test.each<[what: string, request: ListRequest, pages: readonly string[]]>([
  ["no parameters", {}, ["abc", "de"]],
  ["a page size", { pageSize: 2 }, ["ab", "cd", "e"]],
  ["a page size of 0", { pageSize: 0 }, ["abc", "de"]],
  ["a page size beyond the largest", { pageSize: 1_000 }, ["abcd", "e"]],
  ["a page size that fits", { pageSize: 4, filter: "name != e" }, ["abcd"]],
  ["descending order", { orderBy: "name desc" }, ["edc", "ba"]],
  ["ascending order, said", { orderBy: "name asc" }, ["abc", "de"]],
  ["two orders", { orderBy: "rank desc, name desc", pageSize: 2 }, ["db", "ec", "a"]],
  ["an order that many share", { orderBy: "rank", pageSize: 2 }, ["ac", "eb", "d"]],
  ["an order of something within", { orderBy: "at.x desc" }, ["edc", "ba"]],
  ["a filter", { filter: "rank = 1" }, ["bd"]],
  ["a filter that nothing passes", { filter: "rank = 7" }, [""]],
])("a list with %s has the expected pages", (_what, request, expected) => {
  expect(pages(items, request)).toEqual(expected);
});

test.each(["create_time desc", "createTime desc"])(
  "a list in the order '%s' accepts fields in either spelling",
  (orderBy) => {
    const description = ownDescription("certificatemanager:v1");
    const itemShape = () => ({ description, schema: { $ref: "CertificateMap" } });
    const maps = ["a", "b", "c"].map((name, index) => ({ name, createTime: `2026-11-2${index}T00:00:00Z` }));
    expect(pages(maps, { orderBy, itemShape })).toEqual(["cba"]);
  },
);

it("a list neither loses nor repeats items if other items are added and deleted between pages", () => {
  const { nextPageToken: pageToken } = listPage(items, { pageSize: 2 }, sizes);
  const others = [...items.filter(({ name }) => name !== "b" && name !== "c"), { name: "aa" }, { name: "cc" }];
  expect(listPage(others, { pageSize: 4, pageToken }, sizes).items.map(({ name }) => name)).toEqual(["cc", "d", "e"]);
});

test.each<[what: string, request: ListRequest, why: string]>([
  ["a negative page size", { pageSize: -1 }, "page_size: must not be negative"],
  ["an unknown token", { pageToken: "abc" }, "page_token: is not one"],
  ["a token of binary data", { pageToken: "\u0000\uffff" }, "page_token: is not one"],
  ["a token of other JSON", { pageToken: Buffer.from("null").toString("base64url") }, "page_token"],
  ["a token for another filter", { pageToken: tokenOf({ filter: "rank != 9" }) }, "page_token"],
  ["a token for another order", { pageToken: tokenOf({ orderBy: "name desc" }) }, "page_token"],
  ["a modified token", { pageToken: tokenOf({}).slice(4) }, "page_token"],
  ["a malformed order", { orderBy: "name upwards" }, "'name upwards' is not a field"],
  ["a malformed filter", { filter: "name" }, "filter: can't be read"],
])("a list fails for %s", (_what, request, why) => {
  expect(() => listPage(items, request, sizes)).toThrow(CloudError);
  expect(() => listPage(items, request, sizes)).toThrow(why);
});

it("a list has every item once, for all items, sizes and orders", () => {
  const anyItems = fc.uniqueArray(fc.record({ name: fc.string(), rank: fc.integer({ min: 0, max: 3 }) }), {
    selector: ({ name }) => name,
  });
  const orders = fc.constantFrom("", "rank", "rank desc", "rank desc, name", "name desc");
  fc.assert(
    fc.property(anyItems, fc.integer({ min: 1, max: 4 }), orders, (all, pageSize, orderBy) => {
      const read: string[] = [];
      let pageToken: string | undefined;
      do {
        const page = listPage(all as readonly Item[], { pageSize, orderBy, pageToken }, sizes);
        read.push(...page.items.map(({ name }) => name));
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined);
      expect([...read].sort()).toEqual(all.map(({ name }) => name).sort());
    }),
  );
});

function tokenOf(request: ListRequest): string {
  return listPage(items, { pageSize: 1, ...request }, sizes).nextPageToken ?? "";
}
