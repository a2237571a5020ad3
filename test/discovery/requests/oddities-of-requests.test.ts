import { cpuTimeOf } from "../../support/cpu-time";
import { codesOf, description, problemsOf, withMethod, withParameter, withRoutes } from "../../support/descriptions";
import { path, query, urlOf, warningsOf } from "../oddities";

/** Properties of paths and parameters that no specification documents, one test for each. */

const pathsAndUrls: Readonly<Record<string, () => void>> = {
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
  "flatPath differs from path, and its variables are not parameters": () => {
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
  "flatPath is less strict than the pattern, which requires digits": () => {
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
  "a verb follows a variable": () => {
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
  "fixed text contains a dollar sign": () => {
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
    const takenMs = cpuTimeOf(() => {
      expect(codesOf(() => urlOf(api, { x: `${"a,".repeat(200)}\n` }))).toEqual(["parameter-pattern"]);
      expect(urlOf(api, { x: "doc_id==1,owner<>a" })).toContain("doc_id");
    });
    expect(takenMs).toBeLessThan(200);
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
test.each(Object.entries(pathsAndUrls))("%s", (_, holds) => holds());

const parameters: Readonly<Record<string, () => void>> = {
  "a pattern applies to query parameters and to parameters other than text too": () => {
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
      codesOf(() => urlOf(withMethod({ path: "v1/{x}", parameters: { x: { type: "string", location: "path" } } }), {})),
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
test.each(Object.entries(parameters))("%s", (_, holds) => holds());
