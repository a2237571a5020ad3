import {
  ApiDescription,
  type Comparison,
  compareDescriptions,
  type DescriptionDocument,
  type MethodDocument,
  type NameMap,
  type SchemaDocument,
} from "../../../lib/discovery";

/** A description with nothing in it but what is given. */
export function description(parts: Partial<DescriptionDocument> = {}): ApiDescription {
  return ApiDescription.parse({ kind: "discovery#restDescription", name: "shop", version: "v1", ...parts });
}

/** One with a single method, `shop.carts.get`. */
export function withMethod(method: MethodDocument, parts: Partial<DescriptionDocument> = {}): ApiDescription {
  const get = { id: "shop.carts.get", path: "carts", httpMethod: "GET", ...method };
  return description({ resources: { carts: { methods: { get } } }, ...parts });
}

/**
 * One whose schemas are sent by `shop.carts.put` and received from `shop.carts.get`, as far as they hang on `Sent` and
 * `Received`.
 */
export function withSchemas(schemas: NameMap<SchemaDocument>): ApiDescription {
  const put = { id: "shop.carts.put", path: "carts", httpMethod: "PUT", request: { $ref: "Sent" } };
  const get = { id: "shop.carts.get", path: "carts", httpMethod: "GET", response: { $ref: "Received" } };
  return description({ resources: { carts: { methods: { get, put } } }, schemas });
}

/** Each change as `class kind subject`, in order. */
export function outline({ changes }: Comparison): readonly string[] {
  return changes.map((change) => `${change.class} ${change.kind} ${change.subject}`);
}

/** The outline of what is different between two descriptions. */
export function differences(before: ApiDescription, after: ApiDescription): readonly string[] {
  return outline(compareDescriptions(before, after));
}

/** A copy with the keys of every object the other way round. */
export function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}
