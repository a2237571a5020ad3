import { createHash } from "node:crypto";
import type { SchemaDocument } from "../../discovery";
import { followFieldPath, type Shape } from "./field-path";
import { parseFilter } from "./filter";
import { type Call, countParameter, invalidField, type Json, textParameter } from "./service";

export interface ListRequest {
  /** How many at most; 0 takes the default. */
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
  /** AIP-160, as far as {@link parseFilter} reads it. */
  readonly filter?: string | undefined;
  /** `field`, `field desc`, comma-separated. @default - in order of name */
  readonly orderBy?: string | undefined;
  /** What tells this list from others: a token of one is good for no other. @default "" */
  readonly identity?: string;
  /** What items have: no filter and no order names anything else. @default - they may have any field */
  readonly itemShape?: (() => Shape | undefined) | undefined;
}

const paging = new Set(["pageSize", "maxResults", "pageToken"]);

/**
 * What a list call asks for. As with the services, a token of its is only good for the same call: method, parent, filter, order and whatever else
 * chooses among items.
 *
 * @param sizeParameter the name that the API has for the size of pages
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

/** The items of a list call's answer: those of its first list of objects, also where lists are told by scope, as Compute's are. */
function itemShapeOf({ description, method }: Call): Shape | undefined {
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

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

/**
 * One page of a collection. A token holds the place after the last item, so that items which come or go between pages move nothing else; it
 * is only good for the same list, filter and order.
 *
 * @throws CloudError for a filter, order or token that can't be read
 */
export function listPage<Item extends Json>(
  all: Iterable<Item>,
  request: ListRequest,
  {
    defaultSize,
    mostSize,
    keyOf,
  }: { readonly defaultSize: number; readonly mostSize: number; readonly keyOf: (item: Item) => string },
): Page<Item> {
  const { filter = "", orderBy = "", pageToken = "", identity = "", itemShape } = request;
  const size = Math.min(
    mostSize,
    request.pageSize === undefined || request.pageSize === 0 ? defaultSize : request.pageSize,
  );
  if (size < 0) throw invalidField("page_size", "must not be negative");
  const matches = parseFilter(filter, (path) => void fieldNames("filter", path, itemShape?.(), true));
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

/** @returns the names of a path, as items spell them */
function fieldNames(
  parameter: string,
  path: string,
  shape: Shape | undefined,
  throughLists: boolean,
): readonly string[] {
  if (shape === undefined) return path.split(".");
  const reading = followFieldPath(path, shape, { throughLists });
  if ("problem" in reading) throw invalidField(parameter, `can't be used: ${reading.problem}`);
  return reading.names;
}

interface Order {
  readonly names: readonly string[];
  readonly descending: boolean;
}

/** Where something stands in a list. */
interface Place {
  readonly key: string;
  /** What the list is ordered by, before the key. */
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
      const names = fieldNames("order_by", match[1] ?? "", itemShape?.(), false);
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
  if (last === undefined || last.c !== check) {
    throw invalidField("page_token", "is not one that this list, with this filter and order, has given out");
  }
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
