import type { DescriptionDocument, MethodDocument, SchemaDocument } from "../lib/discovery";

// As in the published description of Compute: patterns without anchors, and texts of about 200 characters.
const projectPattern =
  "(?:(?:[-a-z0-9]{1,63}\\.)*(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?):)?(?:[0-9]{1,19}|(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?))";
const namePattern = "[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?|[1-9][0-9]{0,19}";
const text = (about: string) =>
  `${about}. It describes in one or two sentences what the field is for, what the service does with it, which values it has and what happens if it is omitted, at about the length of published texts.`;

const verbs = { create: "POST", get: "GET", list: "GET", delete: "DELETE", patch: "PATCH" } as const;
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** Generates a description with this many methods, and schemas and texts in proportion to published descriptions. */
export function generateDescription(methodCount: number): DescriptionDocument {
  const resourceCount = Math.ceil(methodCount / 5);
  const numbers = Array.from({ length: resourceCount }, (_, number) => number);
  return {
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id: "library:v1",
    name: "library",
    version: "v1",
    revision: "20261121",
    protocol: "rest",
    rootUrl: "https://library.example.com/",
    servicePath: "library/v1/",
    batchPath: "batch",
    parameters: {
      alt: { type: "string", enum: ["json", "media", "proto"], default: "json", location: "query" },
      fields: { type: "string", location: "query", description: text("Fields to answer") },
    },
    auth: { oauth2: { scopes: { [scope]: { description: "Everything" } } } },
    schemas: Object.fromEntries(
      Array.from({ length: methodCount }, (_, number) => [`Schema${number}`, schemaOf(number, methodCount)]),
    ),
    resources: Object.fromEntries(numbers.map((number) => [`things${number}`, { methods: methodsOf(number) }])),
  };
}

function schemaOf(number: number, count: number): SchemaDocument {
  const properties: Record<string, SchemaDocument> = {};
  for (let field = 0; field < 10; field += 1) {
    const description = text(`Field ${field} of schema ${number}`);
    properties[`field${field}`] = [
      { type: "string", description },
      { $ref: `Schema${(number * 7 + field) % count}`, description, readOnly: true },
      { type: "array", items: { type: "string" }, description },
      { type: "string", format: "int64", description },
      {
        type: "string",
        enum: ["ON", "OFF"],
        enumDescriptions: [text("Switched on"), text("Switched off")],
        description,
      },
    ][field % 5] as SchemaDocument;
  }
  return { id: `Schema${number}`, type: "object", description: text(`Schema ${number}`), properties };
}

function methodsOf(number: number): Readonly<Record<string, MethodDocument>> {
  return Object.fromEntries(
    Object.entries(verbs).map(([verb, httpMethod]) => {
      const isCollection = verb === "create" || verb === "list";
      const path = `projects/{project}/things${number}${isCollection ? "" : "/{thing}"}`;
      const method: MethodDocument = {
        id: `library.things${number}.${verb}`,
        path,
        flatPath: path,
        httpMethod,
        description: text(`Method ${verb} of thing ${number}`),
        parameters: {
          project: {
            type: "string",
            location: "path",
            required: true,
            pattern: projectPattern,
            description: text("Project"),
          },
          ...(isCollection
            ? {}
            : {
                thing: {
                  type: "string",
                  location: "path",
                  required: true,
                  pattern: namePattern,
                  description: text("Thing"),
                },
              }),
          ...(verb === "list"
            ? listParameters
            : { requestId: { type: "string", location: "query", description: text("Id") } }),
        },
        parameterOrder: isCollection ? ["project"] : ["project", "thing"],
        ...(verb === "create" || verb === "patch" ? { request: { $ref: `Schema${number}` } } : {}),
        response: { $ref: `Schema${number}` },
        scopes: [scope],
      };
      return [verb, method];
    }),
  );
}

const listParameters: Readonly<Record<string, SchemaDocument>> = {
  filter: { type: "string", location: "query", description: text("Filter") },
  maxResults: {
    type: "integer",
    format: "uint32",
    minimum: "0",
    default: "500",
    location: "query",
    description: text("Most"),
  },
  orderBy: { type: "string", location: "query", description: text("Order") },
  pageToken: { type: "string", location: "query", description: text("Page") },
  returnPartialSuccess: { type: "boolean", location: "query", description: text("Partial") },
};
