import { documentNames, readDocument } from "./documents";

/** The fields that specification 1 allows in a description, by place, each with the form of its value. */
const specified: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: {
    kind: "string",
    discoveryVersion: "string",
    id: "string",
    name: "string",
    canonicalName: "string",
    version: "string",
    revision: "string",
    title: "string",
    description: "string",
    icons: "icons",
    documentationLink: "string",
    labels: "list of string",
    protocol: "string",
    baseUrl: "string",
    basePath: "string",
    rootUrl: "string",
    servicePath: "string",
    batchPath: "string",
    endpoints: "list of endpoint",
    parameters: "map of parameter",
    auth: "auth",
    features: "list of string",
    schemas: "map of schema",
    methods: "map of method",
    resources: "map of resource",
  },
  icons: { x16: "string", x32: "string" },
  endpoint: { endpointUrl: "string", location: "string", description: "string", deprecated: "boolean" },
  auth: { oauth2: "oauth2" },
  oauth2: { scopes: "map of scope" },
  scope: { description: "string" },
  schema: {
    id: "string",
    type: "string",
    $ref: "string",
    description: "string",
    default: "string",
    deprecated: "boolean",
    format: "string",
    pattern: "string",
    minimum: "string",
    maximum: "string",
    enum: "list of string",
    enumDescriptions: "list of string",
    enumDeprecated: "list of boolean",
    properties: "map of schema",
    additionalProperties: "schema",
    items: "schema",
    annotations: "annotations",
  },
  parameter: {
    type: "string",
    description: "string",
    default: "string",
    required: "boolean",
    deprecated: "boolean",
    format: "string",
    pattern: "string",
    minimum: "string",
    maximum: "string",
    enum: "list of string",
    enumDescriptions: "list of string",
    enumDeprecated: "list of boolean",
    repeated: "boolean",
    location: "string",
  },
  annotations: { required: "list of string" },
  method: {
    id: "string",
    path: "string",
    flatPath: "string",
    httpMethod: "string",
    description: "string",
    deprecated: "boolean",
    parameters: "map of parameter",
    parameterOrder: "list of string",
    request: "request",
    response: "response",
    scopes: "list of string",
    supportsMediaDownload: "boolean",
    supportsMediaUpload: "boolean",
    mediaUpload: "mediaUpload",
    supportsSubscription: "boolean",
  },
  request: { $ref: "string", parameterName: "string" },
  response: { $ref: "string" },
  mediaUpload: { accept: "list of string", maxSize: "string", protocols: "protocols" },
  protocols: { simple: "protocol", resumable: "protocol" },
  protocol: { multipart: "boolean", path: "string" },
  resource: { methods: "map of method", deprecated: "boolean", resources: "map of resource" },
};

/** Fields of published descriptions that the specification lacks; these descriptions have them too. */
const beyond: typeof specified = {
  document: {
    fullyEncodeReservedExpansion: "boolean",
    mtlsRootUrl: "string",
    ownerDomain: "string",
    ownerName: "string",
    packagePath: "string",
    serviceVersion: "string",
    version_module: "boolean",
  },
  method: { apiVersion: "string" },
  schema: { readOnly: "boolean" },
};

/** Fields that the description service declares and no description here uses. */
const declaredOnly: typeof specified = {
  document: { etag: "string", exponentialBackoffDefault: "boolean" },
  method: { etagRequired: "boolean", useMediaDownloadService: "boolean" },
  schema: { variant: "variant" },
};

const required: Readonly<Record<string, readonly string[]>> = {
  document: Object.keys(specified.document ?? {}).filter(
    (field) => !["labels", "endpoints", "features", "methods", "auth"].includes(field),
  ),
  icons: ["x16", "x32"],
  scope: ["description"],
  parameter: ["type", "description", "location"],
  method: ["id", "path", "flatPath", "httpMethod", "description", "parameters", "parameterOrder"],
  request: ["$ref"],
  response: ["$ref"],
};

/** Returns every place of a document that differs from the tables. */
function departures(value: unknown, form: string, at: string): readonly string[] {
  if (form === "string" || form === "boolean") return typeof value === form ? [] : [`${at} is not a ${form}`];
  const [, container, inner] = /^(list|map) of (\w+)$/.exec(form) ?? [];
  if (container === "list") {
    if (!Array.isArray(value)) return [`${at} is not a list`];
    return value.flatMap((item, index) => departures(item, inner ?? "", `${at}/${index}`));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} is not an object`];
  if (container === "map") {
    return Object.entries(value).flatMap(([key, item]) => departures(item, inner ?? "", `${at}/${key}`));
  }
  const fields = { ...specified[form], ...beyond[form] };
  return [
    ...(required[form] ?? []).filter((field) => !Object.hasOwn(value, field)).map((field) => `${at} has no ${field}`),
    ...Object.entries(value).flatMap(([field, inside]) => {
      const known = fields[field];
      return known === undefined ? [`${at}/${field} is unknown`] : departures(inside, known, `${at}/${field}`);
    }),
  ];
}

describe.each(documentNames)("%s", (name) => {
  const document = readDocument(name);

  test("has the fields of specification 1 with the right types, and no others except those of published descriptions", () => {
    expect(departures(document, "document", "")).toEqual([]);
  });

  test("is identified as in specification 1", () => {
    expect(document).toMatchObject({
      kind: "discovery#restDescription",
      discoveryVersion: "v1",
      id: `${document.name}:${document.version}`,
      protocol: "rest",
      revision: "20261121",
    });
    expect(`${document.name}.${document.version}`).toBe(name);
  });

  test("has addresses that can be joined", () => {
    expect(document.rootUrl).toMatch(/^https:\/\/[a-z.]+\.googleapis\.com\/$/);
    expect(document.servicePath).toMatch(/^(?:[^/].*\/)?$/);
    expect(document.baseUrl).toBe(`${document.rootUrl}${document.servicePath}`);
    expect(document.basePath).toBe(document.servicePath === "" ? "" : `/${document.servicePath}`);
  });
});

test.each([
  ["RestDescription", "document"],
  ["JsonSchema", "schema", "parameter"],
  ["RestMethod", "method"],
  ["RestResource", "resource"],
])("the description service declares in %s every field that a %s can have", (schema, ...forms) => {
  const declared = Object.keys(readDocument("discovery.v1").schemas[schema]?.properties ?? {});
  const known = [specified, beyond, declaredOnly].flatMap((table) =>
    forms.flatMap((form) => Object.keys(table[form] ?? {})),
  );

  expect(declared.sort()).toEqual([...new Set(known)].sort());
});

test.each([
  ["a field of the wrong type", { kind: 1 }, "/kind is not a string"],
  ["an unknown field", { resource: {} }, "/resource is unknown"],
  ["an unknown field far down", { schemas: { A: { items: { ref: "B" } } } }, "/schemas/A/items/ref is unknown"],
  ["an invalid list", { methods: { get: { scopes: "a" } } }, "/methods/get/scopes is not a list"],
  ["a flag in words", { resources: { a: { deprecated: "true" } } }, "/resources/a/deprecated is not a boolean"],
])("would detect %s", (_, change, expected) => {
  expect(departures({ ...readDocument("dns.v1"), ...change }, "document", "")).toContain(expected);
});
