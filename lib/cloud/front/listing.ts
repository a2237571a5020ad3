import { createHash } from "node:crypto";
import type { SchemaDocument } from "../../discovery";
import { type FieldPathOptions, followFieldPath, type MaskShape } from "./field-mask";
import { parseFilter } from "./filter";
import { type Call, countParameter, invalidField, type Json, textParameter } from "./service";

export interface ListRequest {
  /** Maximum number of items; 0 means the default. */
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
  /** Filter in the part of AIP-160 that {@link parseFilter} supports. */
  readonly filter?: string | undefined;
  /** Order: `field`, `field desc`, comma-separated. @default - by name */
  readonly orderBy?: string | undefined;
  /** Identity of the list: a token is valid only for the same list. @default "" */
  readonly identity?: string;
  /** Returns the fields of the items; others are rejected in filters and orders. @default - any field is allowed */
  readonly itemShape?: (() => MaskShape | undefined) | undefined;
}

const paging = new Set(["pageSize", "maxResults", "pageToken"]);

/**
 * Returns the parameters of a list call. As in the services, a page token is valid only for the same call: method,
 * parent, filter, order and all other parameters that select items.
 *
 * @param sizeParameter the API's parameter for the page size
 */
export function listRequestOf(call: Call, sizeParameter: "pageSize" | "maxResults"): ListRequest {
  const { method, parameters } = call;
  const choosing = Object.keys(method.parameters).filter((name) => !paging.has(name));
  return {
    pageSize: countParameter(call, sizeParameter),
    pageToken: textParameter(call, "pageToken"),
    filter: textParameter(call, "filter"),
    orderBy: textParameter(call, "orderBy"),
    identity: JSON.stringify([method.id, ...choosing.map((name) => parameters[name] ?? null)]),
    itemShape: () => itemShapeOf(call),
  };
}

/** Returns the fields of the items: of the first list of objects in the answer, or in Compute's lists by scope. */
function itemShapeOf({ description, method }: Call): MaskShape | undefined {
  const itemsIn = (property: SchemaDocument): SchemaDocument | undefined => {
    const { type, items, additionalProperties } = description.resolve(property) ?? {};
    if (type !== "array") return additionalProperties && firstList(additionalProperties);
    return description.resolve(items ?? {})?.properties === undefined ? undefined : items;
  };
  const firstList = (answer: SchemaDocument): SchemaDocument | undefined => {
    for (const property of Object.values(description.resolve(answer)?.properties ?? {})) {
      const items = itemsIn(property);
      if (items !== undefined) return items;
    }
    return undefined;
  };
  const schema = method.response && firstList(method.response);
  return schema && { description, schema };
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Token of the next page; absent on the last page. */
  readonly nextPageToken?: string;
}

/**
 * Returns one page of a collection. A token contains the position after the last item, so that created or deleted items
 * do not shift other items. A token is valid only for the same list, filter and order.
 *
 * @throws CloudError for an invalid filter, order or token
 */
export function listPage<Item extends Json>(
  all: Iterable<Item>,
  request: ListRequest,
  {
    defaultSize,
    mostSize,
    keyOf,
  }: { readonly defaultSize: number; readonly mostSize: number; readonly keyOf: (item: Item) => string },
): ListPage<Item> {
  const { filter = "", orderBy = "", pageToken = "", identity = "", itemShape } = request;
  const size = Math.min(
    mostSize,
    request.pageSize === undefined || request.pageSize === 0 ? defaultSize : request.pageSize,
  );
  if (size < 0) throw invalidField("page_size", "must not be negative");
  const matches = parseFilter(filter, (path) => void fieldNames("filter", path, itemShape?.(), { throughLists: true }));
  const orders = parseOrder(orderBy, itemShape);
  const places: Placed<Item>[] = [];
  for (const item of all) {
    if (matches(item)) places.push({ item, key: keyOf(item), values: orders.map(({ names }) => valueAt(item, names)) });
  }
  places.sort((a, b) => comparePlaces(a, b, orders));
  const check = createHash("sha256").update(`${identity}\n${filter}\n${orderBy}`).digest("base64url").slice(0, 8);
  const start = pageToken === "" ? 0 : startAfter(pageToken, check, places, orders);
  const page = places.slice(start, start + size);
  const items = page.map(({ item }) => item);
  const last = page.at(-1);
  if (last === undefined || start + size >= places.length) return { items };
  const place = { c: check, k: last.key, o: last.values };
  return { items, nextPageToken: Buffer.from(JSON.stringify(place)).toString("base64url") };
}

/** Returns the answer of a list call with items that are sorted by name, under a field of the answer. */
export function listNamed(call: Call, field: string, all: Iterable<Json>, defaultSize = 100): Json {
  const sizes = { defaultSize, mostSize: 1_000, keyOf: ({ name }: Json) => String(name) };
  const { items, ...next } = listPage(all, listRequestOf(call, "pageSize"), sizes);
  return { [field]: items, ...next };
}

/** Checks a field path. @returns the field names in the spelling of the items */
function fieldNames(
  parameter: string,
  path: string,
  shape: MaskShape | undefined,
  options: FieldPathOptions = {},
): readonly string[] {
  if (shape === undefined) return path.split(".");
  const reading = followFieldPath(path, shape, options);
  if ("problem" in reading) throw invalidField(parameter, `can't be used: ${reading.problem}`);
  return reading.names;
}

interface Order {
  readonly names: readonly string[];
  readonly descending: boolean;
}

interface Place {
  readonly key: string;
  readonly values: readonly string[];
}

interface Placed<Item> extends Place {
  readonly item: Item;
}

function parseOrder(orderBy: string, itemShape: ListRequest["itemShape"]): readonly Order[] {
  return orderBy
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const match = /^\s*([\w.]+)(?:\s+(asc|desc))?\s*$/i.exec(part);
      if (match === null) throw invalidField("order_by", `'${part.trim()}' is not a field with 'desc' or without`);
      const names = fieldNames("order_by", match[1] ?? "", itemShape?.());
      return { names, descending: match[2]?.toLowerCase() === "desc" };
    });
}

function comparePlaces(a: Place, b: Place, orders: readonly Order[]): number {
  for (const [index, { descending }] of orders.entries()) {
    const order = compareText(a.values[index] ?? "", b.values[index] ?? "");
    if (order !== 0) return descending ? -order : order;
  }
  return compareText(a.key, b.key);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function valueAt(item: Json, names: readonly string[]): string {
  let value: unknown = item;
  for (const name of names) value = typeof value === "object" && value !== null ? (value as Json)[name] : undefined;
  return value === undefined ? "" : String(value);
}

function startAfter(token: string, check: string, places: readonly Place[], orders: readonly Order[]): number {
  const last = readToken(token);
  if (last === undefined || last.c !== check)
    throw invalidField("page_token", "is not one that this list, with this filter and order, has given out");
  const start = places.findIndex((place) => comparePlaces(place, { key: last.k, values: last.o }, orders) > 0);
  return start === -1 ? places.length : start;
}

function readToken(
  token: string,
): { readonly c: string; readonly k: string; readonly o: readonly string[] } | undefined {
  try {
    const place = JSON.parse(Buffer.from(token, "base64url").toString());
    const isPlace = typeof place?.c === "string" && typeof place.k === "string" && Array.isArray(place.o);
    return isPlace ? place : undefined;
  } catch {
    return undefined;
  }
}
