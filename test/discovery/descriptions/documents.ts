import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads descriptions as plain JSON, so that checks against the specification do not use the library's reader. */

export interface Schema {
  readonly id?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly enumDeprecated?: readonly boolean[];
  readonly repeated?: boolean;
  readonly location?: "path" | "query";
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly annotations?: { readonly required?: readonly string[] };
}

export interface Method {
  readonly id: string;
  readonly path: string;
  readonly flatPath: string;
  readonly httpMethod: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly parameterOrder: readonly string[];
  readonly request?: { readonly $ref: string };
  readonly response?: { readonly $ref: string };
  readonly scopes?: readonly string[];
}

interface Endpoint {
  readonly location: string;
  readonly endpointUrl: string;
  readonly description?: string;
}

export interface Resource {
  readonly methods?: Readonly<Record<string, Method>>;
  readonly resources?: Readonly<Record<string, Resource>>;
}

export interface Description extends Resource {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly revision: string;
  readonly description: string;
  readonly rootUrl: string;
  readonly servicePath: string;
  readonly basePath: string;
  readonly baseUrl: string;
  readonly batchPath: string;
  readonly fullyEncodeReservedExpansion?: boolean;
  readonly endpoints?: readonly Endpoint[];
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly auth?: { readonly oauth2: { readonly scopes: Readonly<Record<string, { readonly description: string }>> } };
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface PlacedMethod extends Method {
  /** Names of the parent resources of the method, and its own name. */
  readonly place: readonly string[];
}

export interface PlacedSchema {
  /** As in `Activity.events[].name`; a map's values are `{}`. */
  readonly at: string;
  readonly schema: Schema;
}

/** A request that a client library was observed to send. */
export interface ClientRequest {
  readonly client: string;
  /** Verb and request target, as on the wire. */
  readonly request: string;
  /** Id of the method that it is for. */
  readonly method: string;
  /** Values of the path's variables. */
  readonly path: Readonly<Record<string, string>>;
  /** Values of the query, `$alt` left out. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Body members with enum numbers, which descriptions do not have. */
  readonly enumNumbers?: readonly string[];
}

const folder = join(__dirname, "../../../lib/discovery/descriptions");
const fixtures = join(__dirname, "../../fixtures/api-surface");

export const documentNames = [
  "admin.reports_v1",
  "certificatemanager.v1",
  "cloudbilling.v1",
  "cloudresourcemanager.v1",
  "cloudresourcemanager.v3",
  "compute.v1",
  "discovery.v1",
  "dns.v1",
  "logging.v2",
  "monitoring.v1",
  "monitoring.v3",
  "networksecurity.v1",
  "privateca.v1",
  "serviceusage.v1",
  "storage.v1",
];

export function documentFile(name: string): string {
  return join(folder, `${name}.json`);
}

export function readDocument(name: string): Description {
  return JSON.parse(readFileSync(documentFile(name), "utf8"));
}

export function readFixture<Fixture>(name: string): Fixture {
  return JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8"));
}

export function readClientRequests(): readonly ClientRequest[] {
  return readFixture("client-requests");
}

/** Returns every method of a resource and of its nested resources. */
export function methodsOf(resource: Resource, place: readonly string[] = []): readonly PlacedMethod[] {
  return [
    ...Object.entries(resource.methods ?? {}).map(([name, method]) => ({ ...method, place: [...place, name] })),
    ...Object.entries(resource.resources ?? {}).flatMap(([name, inner]) => methodsOf(inner, [...place, name])),
  ];
}

/** Returns a schema and its nested schemas. */
export function nodesOf(at: string, schema: Schema): readonly PlacedSchema[] {
  return [
    { at, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => nodesOf(`${at}.${name}`, inner)),
    ...(schema.items === undefined ? [] : nodesOf(`${at}[]`, schema.items)),
    ...(schema.additionalProperties === undefined ? [] : nodesOf(`${at}{}`, schema.additionalProperties)),
  ];
}

/** Returns every schema node of a document. */
export function schemaNodes(document: Description): readonly PlacedSchema[] {
  return Object.entries(document.schemas).flatMap(([id, schema]) => nodesOf(id, schema));
}
