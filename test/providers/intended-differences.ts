import { encodeSchema } from "../../lib/terraform-provider/protocol/messages";
import type { SchemaBlock as DerivedBlock, NestedBlock } from "../../lib/terraform-provider/schema";
import type { SentRequest } from "./recorder";
import type { SchemaBlock, SchemaEntry, SchemaNested } from "./schema";

/** An intended difference between the requests of the stand-in and of the provider. */
export interface IntendedDifference {
  readonly name: string;
  readonly reason: string;
  /** Removes the difference from a request of either of them. Returns the requests that are compared instead. */
  readonly without: (request: SentRequest) => SentRequest | readonly SentRequest[];
}

/** Changes the body of requests with a matching method and target. */
function inBody(
  httpMethod: string,
  target: RegExp,
  change: (body: Readonly<Record<string, unknown>>) => object,
): (request: SentRequest) => SentRequest {
  return (request) =>
    request.httpMethod === httpMethod && target.test(request.target) && request.body !== undefined
      ? { ...request, body: change(request.body as Readonly<Record<string, unknown>>) }
      : request;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]));
}

/** Removes the region from the bodies of regional Compute Engine resources. */
function withoutRegion(httpMethod: "POST" | "PUT"): (request: SentRequest) => SentRequest {
  return inBody(httpMethod, /^\/compute\/v1\/.*\/regions\/[^/]+\/\w+/, ({ region: _, ...body }) => body);
}

/** Each row is one difference. A row that no recording needs fails the conformance test. */
export const intendedDifferences: readonly IntendedDifference[] = [
  {
    name: "parameters of the answer's form",
    reason:
      "The provider adds alt=json, and prettyPrint=false in its clients of Cloud DNS; both are what the cloud answers anyway.",
    without: (request) => {
      const url = new URL(request.target, "http://127.0.0.1");
      for (const name of ["alt", "prettyPrint"]) url.searchParams.delete(name);
      return { ...request, target: decodeURIComponent(`${url.pathname}${url.search}`) };
    },
  },
  {
    name: "spelling of links to Compute Engine",
    reason:
      "The provider completes some links with its endpoint, and its state has them as the service answers them; the stand-in keeps the spelling of the configuration. Google takes all of them for the same resource.",
    without: (request) =>
      request.body === undefined
        ? request
        : {
            ...request,
            body: mapTexts(request.body, (text) =>
              text.replace(/^(?:\(endpoint\)\/|https:\/\/www\.googleapis\.com\/)compute\/v1\//, ""),
            ),
          },
  },
  {
    name: "region in the body of a regional resource",
    reason:
      "The provider sends a link to a region that the configuration or the state has, in a form that Compute Engine does not document; the service takes the region from the path.",
    without: (request) => withoutRegion("POST")(withoutRegion("PUT")(request)),
  },
  {
    name: "members of a zone that only the service sets",
    reason:
      "The provider sends the number, the time of creation and the name servers of a zone back when it changes one, and an empty cloudLoggingConfig. Cloud DNS ignores the first three, and nothing is configured by the last.",
    without: inBody(
      "PUT",
      /\/managedZones\/[^/]+$/,
      ({ id: _, creationTime: __, nameServers: ___, cloudLoggingConfig, ...body }) =>
        JSON.stringify(cloudLoggingConfig ?? {}) === "{}" ? body : { ...body, cloudLoggingConfig },
    ),
  },
  {
    name: "APIs enabled together",
    reason:
      "The provider collects the APIs that are enabled within three seconds in one batchEnable; the stand-in enables each as soon as Terraform asks for it. The same APIs are enabled by both.",
    without: (request) => {
      const { target, body } = request;
      if (!/\/services:batchEnable(?:\?|$)/.test(target)) return request;
      const { serviceIds } = body as { readonly serviceIds: readonly string[] };
      return serviceIds.map((id) => ({
        ...request,
        target: target.replace("/services:batchEnable", `/services/${id}:enable`),
        body: {},
      }));
    },
  },
  {
    name: "lists of the APIs of a project",
    reason:
      "The provider answers several reads of APIs with one list, if they come within three seconds; the stand-in lists them for each. A list changes nothing.",
    without: (request) => (request.httpMethod === "GET" && /\/services\?/.test(request.target) ? [] : request),
  },
];

/** Removes all intended differences from requests. */
export function withoutDifferences(requests: readonly SentRequest[]): readonly SentRequest[] {
  return intendedDifferences.reduce((current, { without }) => current.flatMap(without), requests);
}

/** Requests that recordings leave out, because they differ between runs of the same provider. */
interface Unrecorded {
  readonly name: string;
  readonly reason: string;
  readonly fits: (request: Pick<SentRequest, "httpMethod" | "target">) => boolean;
}

export const unrecorded: readonly Unrecorded[] = [
  {
    name: "polls of operations and of changes of zones",
    reason:
      "Their names are drawn by the service and their number follows the time that an operation takes. Each provider has intervals of its own; a poll changes nothing.",
    fits: ({ httpMethod, target }) =>
      httpMethod === "GET" && /\/(?:operations\/[^/?]+|changes\/\d+)(?:\?|$)/.test(target),
  },
];

/** A member of the provider's schema that the bindings lack, so that the comparison leaves it out. */
interface MissingMember {
  readonly member: string;
  readonly reason: string;
  /** Returns the values of the member in a schema that is read from the bindings. */
  readonly ofDerived: (block: DerivedBlock) => unknown;
  readonly ofRecorded: (entry: SchemaEntry) => unknown;
}

/** If the values of a row match for every type, the conformance test fails: the member has to be compared then. */
export const missingSchemaMembers: readonly MissingMember[] = [
  {
    member: "max_items",
    reason: "The bindings only distinguish one block from several.",
    ofDerived: (block) => limits(block, ({ maxItems }) => maxItems),
    ofRecorded: ({ block }) => recordedLimits(block, ({ max_items: most = 0 }) => most),
  },
  {
    member: "version",
    reason: "The bindings have no version of a type's schema, so the stand-in's schemas all have version 0.",
    ofDerived: (block) => encodeSchema(block).version,
    ofRecorded: ({ version = 0 }) => version,
  },
];

function limits({ blocks }: DerivedBlock, limitOf: (nested: NestedBlock) => number): unknown {
  return Object.fromEntries(
    [...blocks].map(([name, nested]) => [name, [limitOf(nested), limits(nested.block, limitOf)]]).sort(byName),
  );
}

function recordedLimits({ block_types: blocks = {} }: SchemaBlock, limitOf: (nested: SchemaNested) => number): unknown {
  return Object.fromEntries(
    Object.entries(blocks)
      .map(([name, nested]) => [name, [limitOf(nested), recordedLimits(nested.block, limitOf)]])
      .sort(byName),
  );
}

function byName([left]: readonly unknown[], [right]: readonly unknown[]): number {
  return String(left) < String(right) ? -1 : 1;
}
