import type { DescriptionDocument } from "../../../lib/discovery";

/** A small description: one method to read a thing, one to make it. */
export function sampleDescription(id: string, more: Partial<DescriptionDocument> = {}): DescriptionDocument {
  const [name = "", version = ""] = id.split(":");
  return {
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id,
    name,
    version,
    revision: "20261121",
    title: `The ${name} API`,
    description: "Keeps things.",
    protocol: "rest",
    rootUrl: `https://${name}.example.com/`,
    servicePath: `${name}/${version}/`,
    baseUrl: `https://${name}.example.com/${name}/${version}/`,
    basePath: `/${name}/${version}/`,
    batchPath: "batch",
    parameters: { alt: { type: "string", location: "query" } },
    schemas: { Thing: { id: "Thing", type: "object", properties: { name: { type: "string" } } } },
    resources: {
      things: {
        methods: {
          get: {
            id: `${name}.things.get`,
            path: "things/{thing}",
            flatPath: "things/{thing}",
            httpMethod: "GET",
            parameters: { thing: { type: "string", location: "path", required: true } },
            parameterOrder: ["thing"],
            response: { $ref: "Thing" },
          },
          insert: {
            id: `${name}.things.insert`,
            path: "things",
            flatPath: "things",
            httpMethod: "POST",
            parameters: { dryRun: { type: "boolean", location: "query" } },
            request: { $ref: "Thing" },
            response: { $ref: "Thing" },
          },
        },
      },
    },
    ...more,
  };
}
