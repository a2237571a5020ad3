import type { Description, Schema } from "./documents";

/** Members of a body that its schema does not have, as JSON pointers. */
export function unknownMembers(document: Description, schema: Schema, body: unknown, at = ""): readonly string[] {
  if (schema.$ref !== undefined) return unknownMembers(document, document.schemas[schema.$ref] ?? {}, body, at);
  if (Array.isArray(body)) {
    return body.flatMap((item, index) => unknownMembers(document, schema.items ?? {}, item, `${at}/${index}`));
  }
  if (typeof body !== "object" || body === null || schema.type === "any") return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const member = schema.properties?.[name] ?? schema.additionalProperties;
    return member === undefined ? [`${at}/${name}`] : unknownMembers(document, member, value, `${at}/${name}`);
  });
}
