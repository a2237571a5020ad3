import type { SchemaDocument } from "../../lib/discovery";
import { codesOf, description, methodOf, problemsOf, withMethod } from "../support/descriptions";
import { path, urlOf, warningsOf } from "./oddities";

/** Properties of published descriptions that no specification documents, one test for each. */

const namesAndPlaces: Readonly<Record<string, () => void>> = {
  "methods and resources have names that are reserved words or not identifiers": () => {
    const get = (id: string) => ({ "getOpenid-configuration": methodOf({ id }) });
    const api = description({
      resources: {
        "well-known": { methods: get("zoo.a") },
        debugger: { methods: { delete: methodOf({ id: "zoo.debugger.delete" }) } },
      },
    });
    expect([...api.methods()].map(({ id, resourcePath }) => [id, resourcePath])).toEqual([
      ["zoo.a", ["well-known"]],
      ["zoo.debugger.delete", ["debugger"]],
    ]);
  },
  "names are those of Object.prototype": () => {
    const api = description({
      resources: { constructor: { methods: { toString: methodOf({ id: "zoo.x" }) } } },
      schemas: { valueOf: { type: "string" } },
    });
    expect(api.method("zoo.x").resourcePath).toEqual(["constructor"]);
    expect(api.validate("valueOf", 1).map(({ code }) => code)).toEqual(["type"]);
    expect(codesOf(() => api.schema("hasOwnProperty"))).toEqual(["schema-unknown"]);
    expect(api.hasMethod("toString")).toBe(false);
  },
  "schemas are named as globals are": () => {
    const api = description({
      schemas: { Date: { type: "object", properties: { year: { type: "integer" } } }, Map: { $ref: "Date" } },
    });
    expect(api.validate("Map", { year: "x" }).map(({ subject }) => subject)).toEqual(["/year"]);
  },
  "a method and a resource in one resource have one name": () => {
    const responses = { methods: { get: methodOf({ id: "zoo.v1.responses.get", path: "v1/b" }) } };
    const api = description({
      resources: {
        v1: { methods: { responses: methodOf({ id: "zoo.v1.responses", path: "v1/a" }) }, resources: { responses } },
      },
    });
    expect([...api.methods()].map(({ id }) => id)).toEqual(["zoo.v1.responses", "zoo.v1.responses.get"]);
    expect(api.match("GET", "/v1/b")?.method.id).toBe("zoo.v1.responses.get");
  },
  "resources are ten levels deep": () => {
    let resource = { methods: { get: methodOf({ id: "zoo.deep" }) } } as object;
    for (let level = 0; level < 10; level++) resource = { resources: { [`r${level}`]: resource } };
    expect(description(resource).method("zoo.deep").resourcePath).toHaveLength(10);
  },
  "there is a method of the API itself": () => {
    const api = description({ methods: { tokeninfo: methodOf({ id: "oauth2.tokeninfo" }) } });
    expect(api.method("oauth2.tokeninfo").resourcePath).toEqual([]);
  },
  "a method's id begins with another name than the API's, or leaves its resource out": () => {
    const api = description({
      name: "admin",
      id: "admin:v1",
      resources: { v1: { methods: { validate: methodOf({ id: "v1.validate" }) } } },
    });
    expect(api.request("v1.validate").url).toBe("https://zoo.example/v1/animals");
    expect(warningsOf(api)).toEqual([]);
  },
  "a method's ID is in two documents": () => {
    const apis = ["v1", "v2"].map((version) => withMethod({ path: `${version}/x` }, { version, id: `zoo:${version}` }));
    expect(apis.map((api) => `${api.id} ${urlOf(api, {})}`)).toEqual(["zoo:v1 v1/x", "zoo:v2 v2/x"]);
  },
  "a method's id stands twice in one document": () => {
    const api = description({ methods: { a: methodOf({ path: "a" }), b: methodOf({ path: "b" }) } });
    expect(urlOf(api, {})).toBe("a");
    expect(warningsOf(api)).toEqual(["method-id-twice "]);
  },
  "schemas differ in their case alone": () => {
    const api = description({
      schemas: { HttpHealthCheck: { type: "string" }, HTTPHealthCheck: { type: "boolean" } },
    });
    expect([api.schema("HttpHealthCheck").type, api.schema("HTTPHealthCheck").type]).toEqual(["string", "boolean"]);
    expect(problemsOf(() => api.schema("httphealthcheck"))).toMatchObject([
      { message: expect.stringContaining("did you mean 'HttpHealthCheck'?") },
    ]);
  },
  "two documents of a directory share an ID": () => {
    const [a, b] = ["a", "b"].map((revision) =>
      description({ id: "admin:directory_v1", name: "admin", version: "directory_v1", revision }),
    );
    expect([a?.id, a?.document.revision, b?.id, b?.document.revision]).toEqual([
      "admin:directory_v1",
      "a",
      "admin:directory_v1",
      "b",
    ]);
  },
  "texts are not ASCII": () => {
    const api = withMethod({
      description: "Löwen – 🦁",
      path: "v1/{x}",
      parameters: { x: path({ description: "’" }) },
    });
    expect(api.method("zoo.get").description).toBe("Löwen – 🦁");
  },
};
test.each(Object.entries(namesAndPlaces))("%s", (_, holds) => holds());

const check = (schemas: Record<string, SchemaDocument>, value: unknown, id = "A") =>
  description({ schemas })
    .validate(id, value)
    .map(({ code, subject }) => `${code} ${subject}`);

const bodiesAndSchemas: Readonly<Record<string, () => void>> = {
  "a POST takes no body": () => {
    const api = withMethod({ httpMethod: "POST" });
    expect(api.request("zoo.get")).toMatchObject({ method: "POST", body: undefined });
    expect(codesOf(() => api.request("zoo.get", { body: {} }))).toEqual(["body-unexpected"]);
    expect(warningsOf(api)).toEqual([]);
  },
  "a method answers nothing": () => {
    expect(withMethod({}).method("zoo.get").response).toBeUndefined();
  },
  "request and response are schemas in place": () => {
    const api = withMethod({
      httpMethod: "POST",
      request: { type: "object", additionalProperties: { type: "any" } },
      response: { type: "object" },
    });
    expect(api.request("zoo.get", { body: { x: [1] } }).body).toBe('{"x":[1]}');
    expect(codesOf(() => api.request("zoo.get", { body: [] }))).toEqual(["body-type"]);
  },
  "request has a deprecated parameterName": () => {
    const api = withMethod(
      { httpMethod: "POST", request: { $ref: "A", parameterName: "resource" } },
      { schemas: { A: { type: "object", properties: {} } } },
    );
    expect(api.request("zoo.get", { body: {} }).body).toBe("{}");
  },
  "beside a `$ref` stand description, readOnly, deprecated and annotations": () => {
    const schemas = {
      A: {
        type: "object",
        properties: {
          ro: { $ref: "B", readOnly: true },
          old: { $ref: "B", deprecated: true },
          need: { $ref: "B", annotations: { required: ["zoo.get"] } },
        },
      },
      B: { type: "string" },
    };
    const found = description({ schemas }).validate("A", { ro: "", old: "" }, { as: "request", methodId: "zoo.get" });
    expect(found.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      "read-only /ro",
      "deprecated /old",
      "required /need",
    ]);
  },
  "schemas hold themselves": () => {
    const schemas = {
      A: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "A" } }, name: { type: "string" } },
      },
    };
    expect(check(schemas, { children: [{ children: [{ name: 1 }] }] })).toEqual(["type /children/0/children/0/name"]);
    expect(description({ schemas }).example("A", { properties: "writable" })).toEqual({ children: [], name: "text" });
  },
  "schemas hold each other": () => {
    const schemas = {
      A: { type: "object", properties: { fields: { type: "object", additionalProperties: { $ref: "V" } } } },
      V: { type: "object", properties: { struct: { $ref: "A" }, list: { $ref: "L" }, number: { type: "number" } } },
      L: { type: "object", properties: { values: { type: "array", items: { $ref: "V" } } } },
    };
    expect(
      check(schemas, { fields: { a: { list: { values: [{ struct: { fields: { "b/c": { number: "x" } } } }] } } } }),
    ).toEqual(["type /fields/a/list/values/0/struct/fields/b~1c/number"]);
  },
  "additionalProperties are of any type, of one, lists, objects and references": () => {
    const A = (additionalProperties: SchemaDocument) => ({
      A: { type: "object", additionalProperties },
      B: { type: "boolean" },
    });
    expect(check(A({ type: "any" }), { x: [null, { y: 1 }] })).toEqual([]);
    expect(check(A({ type: "integer" }), { x: 1.5 })).toEqual(["type /x"]);
    expect(check(A({ type: "array", items: { type: "number" } }), { x: [1, "y"] })).toEqual(["type /x/1"]);
    expect(check(A({ type: "object", additionalProperties: { $ref: "B" } }), { x: { y: 1 } })).toEqual(["type /x/y"]);
  },
  "properties are declared, and none are": () => {
    expect(check({ A: { type: "object", properties: {} } }, {})).toEqual([]);
    expect(check({ A: { type: "object", properties: {} } }, { a: 1 })).toEqual(["unknown-property /a"]);
  },
  "an object has neither properties nor additionalProperties, and takes any": () => {
    expect(check({ A: { type: "object" } }, { a: { b: 1 } })).toEqual([]);
  },
  "a top-level schema is not an object": () => {
    expect(check({ A: { type: "any" } }, "x")).toEqual([]);
    expect(check({ A: { type: "array", items: { type: "string" } } }, ["x", 1])).toEqual(["type /1"]);
  },
  "lists contain lists, and objects are inline": () => {
    const A = {
      type: "array",
      items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
    };
    expect(check({ A }, [[{ n: 1 }, { n: "x" }]])).toEqual(["type /0/1/n"]);
  },
  "properties have names that are not identifiers": () => {
    const A = {
      type: "object",
      properties: { "end-date": { type: "string", format: "date" }, "@type": { type: "string" } },
    };
    expect(check({ A }, { "end-date": "2026-13-01", "@type": "x" })).toEqual(["format /end-date"]);
  },
  "google.protobuf.Any is an object that states its type; google.protobuf.Value is any value": () => {
    const any = { type: "object", format: "google.protobuf.Any", additionalProperties: { type: "any" } };
    expect(check({ A: any }, { x: 1 })).toEqual(["required /@type"]);
    expect(check({ A: any }, { "@type": "t", x: 1 })).toEqual([]);
    expect(check({ A: { type: "any", format: "google.protobuf.Value" } }, [1])).toEqual([]);
  },
  "a body's schema has a pattern and a minimum": () => {
    const A = {
      type: "object",
      properties: { id: { type: "string", pattern: "[a-z]+" }, n: { type: "integer", minimum: "1" } },
    };
    expect(check({ A }, { id: "a1", n: 0 })).toEqual(["pattern /id", "minimum /n"]);
  },
  "variant and other unused fields are kept": () => {
    const A = { type: "object", variant: { discriminant: "kind", map: [{ type_value: "b", $ref: "B" }] } };
    expect(description({ schemas: { A } }).schema("A")).toEqual(A);
  },
};
test.each(Object.entries(bodiesAndSchemas))("%s", (_, holds) => holds());

const otherParts: Readonly<Record<string, () => void>> = {
  "the revision is not a date": () => {
    expect(warningsOf(description({ revision: "0" }))).toEqual(["revision /revision"]);
  },
  "labels are others than those of the specification": () => {
    const api = description({ labels: ["labs", "deprecated"] });
    expect(warningsOf(api)).toEqual(["label /labels"]);
    expect(api.deprecations().map(({ kind }) => kind)).toEqual(["api"]);
  },
  "auth is missing, and methods have no scopes": () => {
    const api = withMethod({});
    expect([api.scopes("zoo.get"), api.smallestScopes(["zoo.get"]), warningsOf(api)]).toEqual([[], [], []]);
  },
  "a scope of a method is not declared": () => {
    expect(warningsOf(withMethod({ scopes: ["https://zoo.example/auth"] }))).toEqual(["scope-undeclared zoo.get"]);
  },
  "endpoints list one location twice": () => {
    const endpoints = [1, 2].map((n) => ({ location: "eu", endpointUrl: `https://eu${n}.zoo.example/` }));
    expect(withMethod({}, { endpoints }).rootUrl({ location: "eu" })).toBe("https://eu1.zoo.example/");
  },
  "maxSize is a number of bytes, or has a unit": () => {
    const sizes = ["5", "1KB", undefined].map((maxSize) => {
      const mediaUpload = {
        ...(maxSize === undefined ? {} : { maxSize }),
        accept: ["*/*"],
        protocols: { simple: { path: "/u" } },
      };
      const api = withMethod({ httpMethod: "POST", supportsMediaUpload: true, mediaUpload });
      return [5, 6, 1024, 1025].map(
        (bytes) =>
          codesOf(() => api.request("zoo.get", { media: { contentType: "a/b", content: "x".repeat(bytes) } })).length,
      );
    });
    expect(sizes).toEqual([
      [0, 1, 1, 1],
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ]);
  },
  "an upload has no metadata": () => {
    const api = withMethod({
      httpMethod: "POST",
      supportsMediaUpload: true,
      mediaUpload: { protocols: { simple: { path: "/u", multipart: true } } },
    });
    const media = { contentType: "text/plain", content: "lion" };
    expect(api.request("zoo.get", { media })).toMatchObject({
      url: "https://zoo.example/u?uploadType=media",
      body: "lion",
    });
    expect(codesOf(() => api.request("zoo.get", { media, body: {} }))).toEqual(["body-unexpected"]);
  },
  "an API has versions of its own, sent as a header": () => {
    expect(withMethod({ apiVersion: "2026-11-01" }).request("zoo.get").headers).toMatchObject({
      "x-goog-api-version": "2026-11-01",
    });
  },
  "fields of documents and methods are not in the specification": () => {
    const fields = {
      mtlsRootUrl: "https://zoo.mtls.example/",
      version_module: true,
      packagePath: "p",
      ownerName: "o",
      etag: "e",
      serviceVersion: "1",
    };
    const api = withMethod({ useMediaDownloadService: true, etagRequired: false }, fields);
    expect(api.document).toMatchObject(fields);
    expect(api.method("zoo.get").document).toMatchObject({ useMediaDownloadService: true, etagRequired: false });
    expect(warningsOf(api)).toEqual([]);
  },
};
test.each(Object.entries(otherParts))("%s", (_, holds) => holds());
