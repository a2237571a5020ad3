import { pointerTo } from "../json/pointer";
import type { DescriptionDocument, NameMap, ResourceDocument, SchemaDocument } from "./document";
import type { Method } from "./method";

/** A deprecated element of a description. */
export interface Deprecation {
  readonly kind: "api" | "endpoint" | "resource" | "method" | "parameter" | "schema" | "property" | "enum value";
  /**
   * Common name of the element: a method's id, `dns.changes.list ?sortBy`, `Certificate.scope`,
   * `Certificate.scope=EDGE_CACHE`.
   */
  readonly name: string;
  /** JSON Pointer into the description. */
  readonly pointer: string;
  /** First sentence of the element's text, which usually names the replacement; empty without a text. */
  readonly advice: string;
}

export function findDeprecations(document: DescriptionDocument, methods: Iterable<Method>): readonly Deprecation[] {
  const found: Deprecation[] = [];
  const ids = new Map([...methods].map((method) => [method.document, method.id]));
  if (document.labels?.includes("deprecated") === true)
    add("api", `${document.name}:${document.version}`, "/labels", document.description);
  for (const [index, endpoint] of (document.endpoints ?? []).entries()) {
    if (endpoint.deprecated) add("endpoint", endpoint.endpointUrl ?? "", `/endpoints/${index}`, endpoint.description);
  }
  parameters(document.parameters, "/parameters", document.name);
  resource(document, "", document.name);
  for (const [name, schema] of Object.entries(document.schemas ?? {})) {
    inPlace(schema, name, pointerTo("/schemas", name));
  }
  return found;

  function add(kind: Deprecation["kind"], name: string, pointer: string, description = ""): void {
    found.push({ kind, name, pointer, advice: firstSentence(description) });
  }

  function resource(from: ResourceDocument, pointer: string, path: string): void {
    for (const [name, method] of Object.entries(from.methods ?? {})) {
      const at = pointerTo(`${pointer}/methods`, name);
      const id = ids.get(method) ?? method.id ?? `${path}.${name}`;
      if (method.deprecated) add("method", id, at, method.description);
      parameters(method.parameters, `${at}/parameters`, id);
      if (method.request !== undefined) inPlace(method.request, `${id} request`, `${at}/request`);
      if (method.response !== undefined) inPlace(method.response, `${id} response`, `${at}/response`);
    }
    for (const [name, inner] of Object.entries(from.resources ?? {})) {
      const at = pointerTo(`${pointer}/resources`, name);
      if (inner.deprecated) add("resource", `${path}.${name}`, at);
      resource(inner, at, `${path}.${name}`);
    }
  }

  function parameters(from: NameMap<SchemaDocument> | undefined, pointer: string, owner: string): void {
    for (const [name, schema] of Object.entries(from ?? {})) {
      const at = pointerTo(pointer, name);
      if (schema.deprecated) add("parameter", `${owner} ?${name}`, at, schema.description);
      schemaParts(schema, `${owner} ?${name}`, at);
    }
  }

  function inPlace(schema: SchemaDocument, name: string, pointer: string): void {
    if (schema.deprecated) add("schema", name, pointer, schema.description);
    schemaParts(schema, name, pointer);
  }

  function schemaParts(schema: SchemaDocument, name: string, pointer: string): void {
    enumValues(schema, name, pointer);
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const at = pointerTo(`${pointer}/properties`, key);
      if (property.deprecated) add("property", `${name}.${key}`, at, property.description);
      schemaParts(property, `${name}.${key}`, at);
    }
    if (schema.items !== undefined) inPlace(schema.items, `${name}[]`, `${pointer}/items`);
    if (schema.additionalProperties !== undefined)
      inPlace(schema.additionalProperties, `${name}.*`, `${pointer}/additionalProperties`);
  }

  function enumValues(schema: SchemaDocument, name: string, pointer: string): void {
    for (const [index, value] of (schema.enum ?? []).entries()) {
      if (schema.enumDeprecated?.[index] !== true) continue;
      add("enum value", `${name}=${value}`, `${pointer}/enum/${index}`, schema.enumDescriptions?.[index]);
    }
  }
}

function firstSentence(text: string): string {
  return /^.{0,200}?\.(?=\s|$)/s.exec(text)?.[0]?.replace(/\s+/g, " ") ?? text.slice(0, 200).replace(/\s+/g, " ");
}
