import type { DescriptionDocument, MethodDocument, SchemaDocument } from "../../lib/discovery";
import { escapeUnsafe } from "../../lib/text/quote";
import { description, withMethod, withParameter } from "../support/descriptions";

const warningsOf = (api: ReturnType<typeof description>) =>
  api.warnings.map(({ code, pointer, message }) => [code, pointer, message]);

test.each<[string, Partial<DescriptionDocument>, string, string, string]>([
  ["another id", { id: "zoo:v2" }, "id", "/id", "the id is 'zoo:v2'; 'zoo:v1' is specified"],
  ["no id", { id: undefined } as object, "id", "/id", "the id is missing; 'zoo:v1' is specified"],
  ["another protocol", { protocol: "grpc" }, "protocol", "/protocol", "the protocol 'grpc' is not 'rest'"],
  ["labels of its own", { labels: ["labs"] }, "label", "/labels", "the label 'labs' is not specified"],
  [
    "no rootUrl",
    { rootUrl: undefined } as object,
    "root-url",
    "/rootUrl",
    "rootUrl is missing: requests need an endpoint",
  ],
  [
    "a rootUrl without slash",
    { rootUrl: "https://zoo.example" },
    "root-url",
    "/rootUrl",
    "'https://zoo.example' does not end with a slash",
  ],
  [
    "a servicePath with one too many",
    { servicePath: "/a/" },
    "service-path",
    "/servicePath",
    "'/a/' should end with a slash and not begin with one",
  ],
  [
    "another baseUrl",
    { baseUrl: "https://b.example/" },
    "base-url",
    "/baseUrl",
    "'https://b.example/' is not rootUrl and servicePath; it is deprecated and not used",
  ],
  [
    "another batchPath",
    { batchPath: "batch/zoo" },
    "batch-path",
    "/batchPath",
    "'batch/zoo' where 'batch' is specified; it is used as it is",
  ],
  [
    "an endpoint without address",
    { endpoints: [{ location: "eu" }] },
    "endpoint",
    "/endpoints/0",
    "the endpoint has no endpointUrl",
  ],
  [
    "an endpoint at no address",
    { endpoints: [{ endpointUrl: "ftp://eu.example/" }] },
    "endpoint",
    "/endpoints/0",
    "the endpoint 'ftp://eu.example/' is not a base address: use https://HOST/ or http://HOST:PORT/",
  ],
  ["a revision that is not a date", { revision: "0" }, "revision", "/revision", "'0' is not a date"],
  [
    "a schema under another name",
    { schemas: { A: { id: "B" } } },
    "schema-id",
    "/schemas/A",
    "the schema is filed under 'A' and has the id 'B'",
  ],
])("warns of a document with %s", (_, fields, code, pointer, message) => {
  expect(warningsOf(description(fields))).toEqual([[code, pointer, message]]);
});

const inPath = { type: "string", location: "path", required: true };

test.each<[string, Partial<MethodDocument>, string, string, string]>([
  [
    "a path with more than {x} and {+x}",
    { path: "v1/{?q}" },
    "path",
    "zoo.get",
    "the path 'v1/{?q}' can't be filled: only {x} and {+x} are understood",
  ],
  [
    "no httpMethod",
    { httpMethod: undefined } as object,
    "http-method",
    "zoo.get",
    "the method has no httpMethod; GET is taken",
  ],
  [
    "an invalid httpMethod",
    { httpMethod: "FETCH ME" },
    "http-method",
    "zoo.get",
    "the httpMethod 'FETCH ME' is invalid; the method can't be requested",
  ],
  [
    "an httpMethod of more than 100 characters",
    { httpMethod: "G".repeat(101) },
    "http-method",
    "zoo.get",
    `the httpMethod '${"G".repeat(101)}' is invalid; the method can't be requested`,
  ],
  [
    "an apiVersion with a line feed",
    { apiVersion: "1\n2" },
    "api-version",
    "zoo.get",
    "no header can carry the apiVersion '1\\u{a}2'; it is not sent",
  ],
  [
    "a flatPath of another path",
    { path: "v1/{+x}", flatPath: "v2/animals/{animalsId}", parameters: { x: inPath } },
    "flat-path",
    "zoo.get",
    "the flatPath 'v2/animals/{animalsId}' does not match 'v1/{+x}'; the path is used",
  ],
  [
    "too many variables in a segment",
    { path: "{a}-{b}-{c}-{d}", parameters: { a: inPath, b: inPath, c: inPath, d: inPath } },
    "path-segment",
    "zoo.get",
    "a segment of the path has more than 3 variables; no URL is matched to the method",
  ],
  [
    "a repeated parameter in its path",
    { path: "v1/{x}", parameters: { x: { ...inPath, repeated: true } } },
    "path-repeated",
    "zoo.get/parameters/x",
    "'x' is repeated and in the path; one value is taken",
  ],
  [
    "a variable that is not a parameter",
    { path: "v1/{x}" },
    "path-variable",
    "zoo.get",
    "the path's variable 'x' is not a declared parameter; any text is accepted",
  ],
  [
    "a path parameter that is not in its path",
    { parameters: { x: inPath } },
    "path-parameter",
    "zoo.get/parameters/x",
    "'x' is not in the path; it goes to the query",
  ],
  [
    "a parameterOrder that is not what it requires",
    { parameterOrder: ["a", "b"], parameters: { a: { required: true } } },
    "parameter-order",
    "zoo.get",
    "parameterOrder is 'a, b', required are 'a'",
  ],
  [
    "a scope that is not declared",
    { scopes: ["s"] },
    "scope-undeclared",
    "zoo.get",
    "the scope 's' is not declared in auth",
  ],
  [
    "an invalid upload",
    { supportsMediaUpload: true },
    "media-upload",
    "zoo.get",
    "supportsMediaUpload and mediaUpload contradict each other; mediaUpload counts",
  ],
  [
    "a size that can't be read",
    { supportsMediaUpload: true, mediaUpload: { maxSize: "big" } },
    "max-size",
    "zoo.get",
    "maxSize 'big' can't be read; no limit is checked",
  ],
  [
    "a size without unit",
    { supportsMediaUpload: true, mediaUpload: { maxSize: "5" } },
    "max-size",
    "zoo.get",
    "maxSize '5' has no unit; it is taken as bytes",
  ],
  [
    "a body of a schema that is not there",
    { request: { $ref: "Z" } },
    "reference",
    "zoo.get/request",
    "the schema 'Z' does not exist",
  ],
])("warns of a method with %s", (_, fields, code, pointer, message) => {
  expect(warningsOf(withMethod(fields))).toEqual([[code, pointer, message]]);
});

test("warns of a method with no ID", () => {
  expect(warningsOf(description({ resources: { r: { methods: { m: { httpMethod: "GET", path: "a" } } } } }))).toEqual([
    ["method-id", "zoo.r.m", "the method has no id; it is called by its place"],
  ]);
});

test("warns of a method with the ID of another method", () => {
  const method = { id: "zoo.get", httpMethod: "GET", path: "a" };

  expect(warningsOf(description({ methods: { a: method, b: method, c: method } }))).toEqual([
    ["method-id-twice", "", "2 methods have the id of another one and can't be called"],
  ]);
});

test("warns of a method with the address of another method", () => {
  const variable = (pattern: string) => ({ type: "string", location: "path", required: true, pattern });
  const method = (id: string, name: string, pattern: string, httpMethod = "GET") => ({
    id,
    httpMethod,
    path: `v1/{+${name}}`,
    parameters: { [name]: variable(pattern) },
  });
  const methods = {
    a: method("zoo.a", "a", "^animals/.+$"),
    b: method("zoo.b", "b", "^animals/.+$"),
    c: method("zoo.c", "c", "^cages/.+$"),
    d: method("zoo.d", "a", "^animals/.+$", "PUT"),
  };

  expect(warningsOf(description({ methods }))).toEqual([
    ["same-address", "zoo.b", "the method has the HTTP method and the addresses of 'zoo.a'"],
  ]);
});

test("warns of a method with a parameter of the API's name", () => {
  const api = withParameter({ type: "string" }, { parameters: { x: { type: "string" } } });

  expect(warningsOf(api)).toEqual([
    ["parameter-shadows", "zoo.get/parameters/x", "'x' is a parameter of the API, too; the method's counts"],
  ]);
});

test.each<[string, SchemaDocument, string, string]>([
  ["an invalid type", { type: "text" }, "type", "the type 'text' is unknown; any value is taken"],
  ["an invalid format", { type: "string", format: "uuid" }, "format", "the format 'uuid' is unknown and not checked"],
  ["a reference to nothing", { $ref: "Z" }, "reference", "the schema 'Z' does not exist"],
  ["a list of nothing", { type: "array" }, "items", "the array does not describe its items; any items are accepted"],
  [
    "a default that breaks its pattern",
    { default: "", pattern: "a+" },
    "default",
    "the default '' does not match the pattern; it is never sent",
  ],
  [
    "a default that is not in its enum",
    { default: "c", enum: ["a"] },
    "default",
    "the default 'c' is not in enum; it is never sent",
  ],
  ["a minimum that is not a number", { minimum: "abc" }, "bound", "the minimum 'abc' is not a number"],
  [
    "bounds that leave nothing",
    { minimum: "10", maximum: "9" },
    "bound",
    "the minimum '10' is above the maximum '9'; no value is allowed",
  ],
  [
    "a default beyond its bounds",
    { default: "10", minimum: "1", maximum: "9" },
    "default",
    "the default '10' is not at most 9; it is never sent",
  ],
  [
    "a method that requires it and is not there",
    { annotations: { required: ["zoo.gone"] } },
    "required-method",
    "it is required by 'zoo.gone', a method that does not exist",
  ],
  [
    "a pattern that can't be evaluated",
    { pattern: "(" },
    "pattern",
    "the pattern '(' can't be evaluated and is not checked",
  ],
  [
    "descriptions for other values",
    { enum: ["a"], enumDescriptions: [] },
    "enum",
    "enumDescriptions is not as long as enum",
  ],
  [
    "deprecations for other values",
    { enum: ["a"], enumDeprecated: [true, true] },
    "enum",
    "enumDeprecated is not as long as enum",
  ],
])("warns of a schema with %s, at any depth", (_, schema, code, message) => {
  const schemas = {
    A: {
      type: "object",
      properties: { "b/c": { type: "array", items: { type: "object", additionalProperties: schema } } },
    },
  };

  expect(warningsOf(description({ schemas }))).toEqual([
    [code, "/schemas/A/properties/b~1c/items/additionalProperties", message],
  ]);
  expect(warningsOf(withParameter(schema))).toEqual([[code, "zoo.get/parameters/x", message]]);
  expect(warningsOf(description({ parameters: { x: schema } }))).toEqual([[code, "/parameters/x", message]]);
});

test("does not warn of a correct description", () => {
  const api = withMethod(
    {
      path: "v1/{+name}:feed",
      parameters: {
        name: { type: "string", location: "path", required: true, pattern: "^animals/[^/]+$" },
        n: { type: "integer", format: "int32" },
      },
      parameterOrder: ["name"],
      scopes: ["https://zoo.example/auth"],
      request: { $ref: "Animal" },
      response: { $ref: "Animal" },
    },
    {
      labels: ["limited_availability"],
      auth: { oauth2: { scopes: { "https://zoo.example/auth": { description: "All." } } } },
      schemas: { Animal: { id: "Animal", type: "object", properties: { self: { $ref: "Animal" } } } },
    },
  );

  expect(warningsOf(api)).toEqual([]);
});

test("returns warnings once, without control characters", () => {
  const api = description({ labels: ["\u001b[2J"], revision: "a\nb", schemas: { "\u001b": { id: "\u202e" } } });

  expect(api.warnings).toHaveLength(3);
  expect(api.warnings).toBe(api.warnings);
  for (const { message } of api.warnings) expect(message).toBe(escapeUnsafe(message));
});
