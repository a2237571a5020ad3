import { type Call, type Json, listPage, listRequestOf } from "../front";

/**
 * Returns the answer of a list call.
 *
 * @param kind for example `dns#managedZonesListResponse`
 * @param field field that contains the items
 * @param keyOf returns the sort key of an item
 */
export function listAnswer<Item extends Json>(
  call: Call,
  kind: string,
  field: string,
  all: readonly Item[],
  keyOf: (item: Item) => string,
): Json {
  const sizes = { defaultSize: 100, mostSize: 1_000, keyOf };
  const { items, ...next } = listPage(all, listRequestOf(call, "maxResults"), sizes);
  return { kind, [field]: items, ...next };
}
