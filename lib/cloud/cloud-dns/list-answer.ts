import { type Call, type Json, listPage, listRequestOf } from "../front";

/**
 * The answer of a list call.
 *
 * @param kind as in `dns#managedZonesListResponse`
 * @param field that holds the items
 * @param keyOf in the order of which they are listed
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
