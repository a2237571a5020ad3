import type { SchemaDocument } from "../../lib/discovery";
import {
  codesOf,
  description,
  methodOf,
  problemsOf,
  withMethod,
  withParameter,
  withRoutes,
} from "../support/descriptions";

/** What published descriptions have that no specification tells, one test for each, on a description written for it. */

const path = (fields: SchemaDocument = {}) => ({ type: "string", location: "path", required: true, ...fields });
const query = (fields: SchemaDocument = {}) => ({ type: "string", location: "query", ...fields });
const warningsOf = (api: ReturnType<typeof description>) =>
  api.warnings.map(({ code, pointer }) => `${code} ${pointer}`);
const urlOf = (
  api: ReturnType<typeof description>,
  parameters: Record<string, string | number | readonly string[]>,
  id = "zoo.get",
) => api.request(id, { parameters }).url.replace("https://zoo.example/", "");

describe("paths and URLs", () => {
  const rows: Readonly<Record<string, () => void>> = {
    "`{+x}` stands together with further variables": () => {
      const api = withMethod({
        path: "v2/{+set}/creatives/{id}",
        parameters: { set: path({ pattern: "^a/[^/]+/b/[^/]+$" }), id: path() },
      });
      expect(urlOf(api, { set: "a/1/b/2", id: "x/y" })).toBe("v2/a/1/b/2/creatives/x%2Fy");
      expect(api.match("GET", "/v2/a/1/b/2/creatives/x%2Fy")?.parameters).toEqual({ set: "a/1/b/2", id: "x/y" });
    },
    "`{+x}` has no pattern and takes several segments": () => {
      const api = withMethod({
        path: "v1/{+endpoint}/invoke/{+rest}",
        parameters: { endpoint: path({ pattern: "^endpoints/[^/]+$" }), rest: path() },
      });
      expect(urlOf(api, { endpoint: "endpoints/1", rest: "a/b/c" })).toBe("v1/endpoints/1/invoke/a/b/c");
      expect(api.match("GET", "/v1/endpoints/1/invoke/a/b/c")?.parameters).toEqual({
        endpoint: "endpoints/1",
        rest: "a/b/c",
      });
    },
    "flatPath differs from path, and its variables are no parameters": () => {
      const api = withMethod({
        path: "v1/{+name}",
        flatPath: "v1/projects/{projectsId}",
        parameters: { name: path({ pattern: "^projects/[^/]+$" }) },
      });
      expect(api.match("GET", "/v1/projects/p")?.parameters).toEqual({ name: "projects/p" });
      expect(api.method("zoo.get").flatPath).toBe("v1/projects/{projectsId}");
      expect(api.parametersOf("zoo.get").map(({ name }) => name)).toEqual(["name"]);
      expect(warningsOf(api)).toEqual([]);
    },
    "flatPath says less than the pattern, which wants digits": () => {
      const api = withMethod({
        path: "v1/{+parent}/x",
        flatPath: "v1/folders/{f}/x",
        parameters: { parent: path({ pattern: "folders/[0-9]{0,20}" }) },
      });
      expect(api.match("GET", "/v1/folders/12/x")?.parameters).toEqual({ parent: "folders/12" });
      expect(api.match("GET", "/v1/folders/abc/x")).toBeUndefined();
    },
    "flatPath is missing": () => {
      const api = withMethod({ path: "v1/{x}", parameters: { x: path() } });
      expect(api.method("zoo.get").flatPath).toBe("v1/{x}");
      expect(api.match("GET", "/v1/a")?.method.id).toBe("zoo.get");
    },
    "a verb stands behind a variable": () => {
      const api = withRoutes(
        { get: "POST v1/{+name}", approve: "POST v1/{+name}:approve" },
        { name: path({ pattern: "^requests/[^/]+$" }) },
      );
      expect(urlOf(api, { name: "requests/1" }, "zoo.approve")).toBe("v1/requests/1:approve");
      expect(api.match("POST", "/v1/requests/1:approve")).toMatchObject({
        method: { id: "zoo.approve" },
        parameters: { name: "requests/1" },
      });
    },
    "a dollar sign stands in fixed text": () => {
      const api = withMethod({ path: "v1/{+name}/$export", parameters: { name: path({ pattern: "^stores/[^/]+$" }) } });
      expect(urlOf(api, { name: "stores/1" })).toBe("v1/stores/1/$export");
      for (const url of ["/v1/stores/1/$export", "/v1/stores/1/%24export"])
        expect(api.match("GET", url)?.parameters).toEqual({ name: "stores/1" });
    },
    "the URLs of two methods overlap": () => {
      const api = withRoutes(
        {
          get: "GET products/{id}",
          search: "GET products/search",
          any: "GET usage/{type}/{key}",
          user: "GET usage/users/{key}",
        },
        { id: path(), type: path(), key: path() },
      );
      const found = ["products/search", "products/1", "usage/users/1", "usage/apps/1"].map(
        (url) => api.match("GET", url)?.method.id,
      );
      expect(found).toEqual(["zoo.search", "zoo.get", "zoo.user", "zoo.any"]);
    },
    "a pattern is not anchored": () => {
      const api = withParameter(query({ pattern: "[a-z]+" }));
      expect(codesOf(() => urlOf(api, { x: "p;DROP" }))).toEqual(["parameter-pattern"]);
    },
    "a pattern has a choice at its top, so that anchors before and behind it mean something else": () => {
      const api = withParameter(query({ pattern: "C.+|my_customer" }));
      expect(
        ["C1", "my_customer", "xmy_customer", "my_customerx"].map((x) => codesOf(() => urlOf(api, { x })).length),
      ).toEqual([0, 0, 1, 1]);
    },
    "a variable of one segment has a pattern with a slash": () => {
      const api = withMethod({
        path: "v1/{policy}/add",
        parameters: { policy: path({ pattern: "(firewallPolicies/)?[0-9]{0,20}" }) },
      });
      expect(urlOf(api, { policy: "firewallPolicies/7" })).toBe("v1/firewallPolicies%2F7/add");
      expect(api.match("GET", "/v1/firewallPolicies%2F7/add")?.parameters).toEqual({ policy: "firewallPolicies/7" });
    },
    "a pattern in a path takes all that is left": () => {
      const api = withRoutes(
        { cancel: "POST v1/{+name}:cancel", get: "GET v1/{+name}" },
        { name: path({ pattern: "^operations/.*$" }) },
      );
      expect(api.match("POST", "/v1/operations/a/b:c:cancel")?.parameters).toEqual({ name: "operations/a/b:c" });
    },
    "a pattern has what JavaScript doesn't: `(?i)`": () => {
      const api = withParameter(query({ pattern: "(?i)(url:|origin:)?http(s)?://.*" }));
      expect(urlOf(api, { x: "HTTP://a" })).toBe("v1/animals?x=HTTP%3A%2F%2Fa");
      expect(codesOf(() => urlOf(api, { x: "ftp://a" }))).toEqual(["parameter-pattern"]);
    },
    "a pattern has what flag v refuses: `[^/]`": () => {
      expect(codesOf(() => urlOf(withParameter(query({ pattern: "^[^/]+$" })), { x: "a/b" }))).toEqual([
        "parameter-pattern",
      ]);
    },
    "a published pattern takes exponential time": () => {
      const api = withParameter(query({ pattern: "(.+[<,<=,==,>=,>,<>].+,)*(.+[<,<=,==,>=,>,<>].+)" }));
      const started = performance.now();
      expect(codesOf(() => urlOf(api, { x: `${"a,".repeat(200)}\n` }))).toEqual(["parameter-pattern"]);
      expect(urlOf(api, { x: "doc_id==1,owner<>a" })).toContain("doc_id");
      expect(performance.now() - started).toBeLessThan(200);
    },
    "rootUrl has a slash at its end, and upload paths at their beginning": () => {
      const api = withMethod({
        httpMethod: "POST",
        supportsMediaUpload: true,
        mediaUpload: { protocols: { simple: { path: "/upload/v1/o" } } },
      });
      expect(api.uploadUrl("zoo.get", "simple")).toBe("https://zoo.example/upload/v1/o?uploadType=media");
    },
    "servicePath is empty, or ends with a slash and has none before it": () => {
      for (const servicePath of ["", "compute/v1/"]) {
        const api = withMethod({ path: "projects" }, { servicePath });
        expect(urlOf(api, {})).toBe(`${servicePath}projects`);
        expect(warningsOf(api)).toEqual([]);
      }
    },
    "baseUrl is not rootUrl and servicePath": () => {
      const api = withMethod({}, { baseUrl: "https://other.example/zoo/" });
      expect(urlOf(api, {})).toBe("v1/animals");
      expect(warningsOf(api)).toEqual(["base-url /baseUrl"]);
    },
    "batchPath is another one than is specified": () => {
      const api = description({ batchPath: "batch/compute/v1" });
      expect(api.batchUrl()).toBe("https://zoo.example/batch/compute/v1");
      expect(warningsOf(api)).toEqual(["batch-path /batchPath"]);
    },
    "resumable uploads are described at one address and started at another": () => {
      const protocols = { simple: { path: "/upload/v1/o" }, resumable: { path: "/resumable/upload/v1/o" } };
      const api = withMethod({ httpMethod: "POST", supportsMediaUpload: true, mediaUpload: { protocols } });
      expect(api.uploadUrl("zoo.get", "resumable")).toBe(
        "https://zoo.example/resumable/upload/v1/o?uploadType=resumable",
      );
      expect(api.match("POST", "/upload/v1/o?uploadType=resumable")).toMatchObject({
        method: { id: "zoo.get" },
        upload: "resumable",
      });
      expect(api.match("POST", "/resumable/upload/v1/o")).toMatchObject({
        method: { id: "zoo.get" },
        upload: "resumable",
      });
    },
  };
  test.each(Object.entries(rows))("%s", (_, holds) => holds());
});

describe("parameters", () => {
  const rows: Readonly<Record<string, () => void>> = {
    "a pattern holds for query parameters and for those that are no text, too": () => {
      expect(
        codesOf(() => urlOf(withParameter(query({ type: "integer", pattern: "^[0-9]{1,3}$" })), { x: 1234 })),
      ).toEqual(["parameter-pattern"]);
    },
    "a default breaks the parameter's own pattern, and is never sent": () => {
      const api = withParameter(query({ default: "", pattern: "(id:[a-z0-9]+(,id:[a-z0-9]+)*)" }));
      expect(urlOf(api, {})).toBe("v1/animals");
      expect(warningsOf(api)).toEqual(["default zoo.get/parameters/x"]);
    },
    "a required parameter has a default, and has to be given all the same": () => {
      const api = withMethod({ path: "v1/{location}", parameters: { location: path({ default: "global" }) } });
      expect(problemsOf(() => urlOf(api, {}))).toMatchObject([
        { code: "parameter-required", rule: expect.stringContaining("'global'") },
      ]);
    },
    "a repeated parameter is an enum and has a default": () => {
      const api = withParameter(query({ repeated: true, enum: ["LIVE", "DRAFT"], default: "LIVE" }));
      expect(urlOf(api, { x: ["DRAFT", "LIVE"] })).toBe("v1/animals?x=DRAFT&x=LIVE");
      expect(codesOf(() => urlOf(api, { x: ["DRAFT", "OLD"] }))).toEqual(["parameter-enum"]);
    },
    "a parameter in the path is not marked required, and has to be given": () => {
      expect(
        codesOf(() =>
          urlOf(withMethod({ path: "v1/{x}", parameters: { x: { type: "string", location: "path" } } }), {}),
        ),
      ).toEqual(["parameter-required"]);
    },
    "a parameter in the query is required": () => {
      expect(codesOf(() => urlOf(withParameter(query({ required: true })), {}))).toEqual(["parameter-required"]);
    },
    "bounds are texts": () => {
      const api = withParameter(query({ type: "integer", format: "uint32", minimum: "1", maximum: "1000" }));
      expect(codesOf(() => urlOf(api, { x: 5000 }))).toEqual(["parameter-maximum"]);
      expect(codesOf(() => urlOf(api, { x: 0 }))).toEqual(["parameter-minimum"]);
    },
    "a path parameter is a whole number, or one of 64 bits as text": () => {
      const api = withMethod({
        path: "v1/{a}/{b}",
        parameters: { a: path({ type: "integer", format: "int32" }), b: path({ format: "int64" }) },
      });
      expect(urlOf(api, { a: 7, b: "9223372036854775807" })).toBe("v1/7/9223372036854775807");
      expect(api.match("GET", "/v1/7/9223372036854775807")?.parameters).toEqual({ a: 7, b: "9223372036854775807" });
      expect(codesOf(() => urlOf(api, { a: 7, b: "9223372036854775808" }))).toEqual(["parameter-format"]);
    },
    "a query parameter is an object": () => {
      const api = withParameter(query({ type: "object", additionalProperties: { type: "string" } }));
      expect(api.request("zoo.get", { parameters: { x: { a: "b" } } }).url).toContain("?x=%7B%22a%22%3A%22b%22%7D");
    },
    "names have dots and dollar signs": () => {
      const api = withMethod(
        { parameters: { "endDate.day": query({ type: "integer" }) } },
        { parameters: { "$.xgafv": query({ enum: ["1", "2"] }) } },
      );
      expect(urlOf(api, { "endDate.day": 21, "$.xgafv": "2" })).toBe("v1/animals?endDate.day=21&%24.xgafv=2");
      expect(api.match("GET", "/v1/animals?endDate.day=21&$.xgafv=2")?.parameters).toEqual({
        "endDate.day": 21,
        "$.xgafv": "2",
      });
    },
    "a name is a reserved word": () => {
      const api = withMethod({ parameters: { continue: query(), default: query() } });
      expect(urlOf(api, { continue: "a", default: "b" })).toBe("v1/animals?continue=a&default=b");
    },
    "a method's parameter shadows one of the API": () => {
      const api = withMethod(
        { parameters: { alt: query({ enum: ["media"] }) } },
        { parameters: { alt: query({ enum: ["json"] }) } },
      );
      expect(urlOf(api, { alt: "media" })).toBe("v1/animals?alt=media");
      expect(codesOf(() => urlOf(api, { alt: "json" }))).toEqual(["parameter-enum"]);
      expect(warningsOf(api)).toEqual(["parameter-shadows zoo.get/parameters/alt"]);
    },
    "two names differ in their case alone": () => {
      const api = withMethod({ parameters: { userIp: query() } }, { parameters: { userip: query() } });
      expect(urlOf(api, { userip: "1", userIp: "2" })).toBe("v1/animals?userIp=2&userip=1");
    },
    "parameterOrder lacks a required parameter": () => {
      const api = withMethod({
        path: "v1/{a}",
        parameterOrder: ["a"],
        parameters: { a: path(), contextKey: query({ required: true }) },
      });
      expect(warningsOf(api)).toEqual(["parameter-order zoo.get"]);
      expect(codesOf(() => urlOf(api, { a: "1" }))).toEqual(["parameter-required"]);
    },
    "parameterOrder is missing": () => {
      const api = withMethod({ parameters: { a: query() } });
      expect(api.method("zoo.get").parameterOrder).toEqual([]);
      expect(warningsOf(api)).toEqual([]);
    },
    "enumDeprecated marks values of a parameter": () => {
      const api = withParameter(
        query({ enum: ["NEW", "OLD"], enumDescriptions: ["", "Use NEW. Really."], enumDeprecated: [false, true] }),
      );
      expect(urlOf(api, { x: "OLD" })).toBe("v1/animals?x=OLD");
      expect(api.deprecations()).toEqual([
        { kind: "enum value", name: "zoo.get ?x=OLD", pointer: "/methods/get/parameters/x/enum/1", advice: "Use NEW." },
      ]);
    },
    "enum values are digits, and descriptions of them are missing": () => {
      const api = withParameter(query({ enum: ["1", "2"] }));
      expect(urlOf(api, { x: "2" })).toBe("v1/animals?x=2");
      expect(warningsOf(api)).toEqual([]);
    },
  };
  test.each(Object.entries(rows))("%s", (_, holds) => holds());
});

describe("names and places", () => {
  const rows: Readonly<Record<string, () => void>> = {
    "methods and resources have names that are no identifiers, or reserved words": () => {
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
      expect(api.validate("Map", { year: "x" }).map(({ pointer }) => pointer)).toEqual(["/year"]);
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
    "a method's id stands in two documents": () => {
      const apis = ["v1", "v2"].map((version) =>
        withMethod({ path: `${version}/x` }, { version, id: `zoo:${version}` }),
      );
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
    "the id of a document is no id: two of a directory share it": () => {
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
  test.each(Object.entries(rows))("%s", (_, holds) => holds());
});

describe("bodies and schemas", () => {
  const check = (schemas: Record<string, SchemaDocument>, value: unknown, id = "A") =>
    description({ schemas })
      .validate(id, value)
      .map(({ code, pointer }) => `${code} ${pointer}`);

  const rows: Readonly<Record<string, () => void>> = {
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
      expect(found.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
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
    "a schema at the top is no object": () => {
      expect(check({ A: { type: "any" } }, "x")).toEqual([]);
      expect(check({ A: { type: "array", items: { type: "string" } } }, ["x", 1])).toEqual(["type /1"]);
    },
    "lists are in lists, and objects stand in place": () => {
      const A = {
        type: "array",
        items: { type: "array", items: { type: "object", properties: { n: { type: "integer" } } } },
      };
      expect(check({ A }, [[{ n: 1 }, { n: "x" }]])).toEqual(["type /0/1/n"]);
    },
    "properties have names that are no identifiers": () => {
      const A = {
        type: "object",
        properties: { "end-date": { type: "string", format: "date" }, "@type": { type: "string" } },
      };
      expect(check({ A }, { "end-date": "2026-13-01", "@type": "x" })).toEqual(["format /end-date"]);
    },
    "google.protobuf.Any is an object that says its type; google.protobuf.Value is anything": () => {
      const any = { type: "object", format: "google.protobuf.Any", additionalProperties: { type: "any" } };
      expect(check({ A: any }, { x: 1 })).toEqual(["required /@type"]);
      expect(check({ A: any }, { "@type": "t", x: 1 })).toEqual([]);
      expect(check({ A: { type: "any", format: "google.protobuf.Value" } }, [1])).toEqual([]);
    },
    "a pattern stands in a body's schema, and a minimum": () => {
      const A = {
        type: "object",
        properties: { id: { type: "string", pattern: "[a-z]+" }, n: { type: "integer", minimum: "1" } },
      };
      expect(check({ A }, { id: "a1", n: 0 })).toEqual(["pattern /id", "minimum /n"]);
    },
    "variant and other fields that nobody uses are kept": () => {
      const A = { type: "object", variant: { discriminant: "kind", map: [{ type_value: "b", $ref: "B" }] } };
      expect(description({ schemas: { A } }).schema("A")).toEqual(A);
    },
  };
  test.each(Object.entries(rows))("%s", (_, holds) => holds());
});

describe("the rest of a description", () => {
  const rows: Readonly<Record<string, () => void>> = {
    "the revision is no date": () => {
      expect(warningsOf(description({ revision: "0" }))).toEqual(["revision /revision"]);
    },
    "labels are others than those of the specification": () => {
      const api = description({ labels: ["labs", "deprecated"] });
      expect(warningsOf(api)).toEqual(["label /labels"]);
      expect(api.deprecations().map(({ kind }) => kind)).toEqual(["api"]);
    },
    "there is no auth, and methods have no scopes": () => {
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
  test.each(Object.entries(rows))("%s", (_, holds) => holds());
});
