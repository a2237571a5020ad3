import { cpuTimeOf } from "../../support/cpu-time";
import { description, methodOf, problemsOf, withMethod } from "../../support/descriptions";

const inQuery = { type: "string", location: "query" };

describe("the URL of a request", () => {
  test.each([
    ["rootUrl and path", {}, "https://zoo.example/v1/animals"],
    ["servicePath between them", { servicePath: "api/" }, "https://zoo.example/api/v1/animals"],
    ["one slash where there are two", { servicePath: "/api/" }, "https://zoo.example/api/v1/animals"],
    [
      "one slash if none exists",
      { servicePath: "api", rootUrl: "https://zoo.example" },
      "https://zoo.example/api/v1/animals",
    ],
    [
      "fixed text as URL parsers write it",
      { servicePath: "a?b#c\\d/é/%2F/" },
      "https://zoo.example/a%3Fb%23c%5Cd/%C3%A9/%2F/v1/animals",
    ],
    ["a rootUrl with a path", { rootUrl: "https://zoo.example/root/" }, "https://zoo.example/root/v1/animals"],
  ])("is built from %s", (_, fields, url) => {
    expect(withMethod({}, fields).request("zoo.get").url).toBe(url);
  });

  test("has the query in declared order, the API's own parameters last", () => {
    const api = withMethod(
      { parameters: { b: inQuery, a: { ...inQuery, repeated: true }, "c.d": inQuery } },
      { parameters: { alt: inQuery, "$.xgafv": inQuery } },
    );
    const parameters = { alt: "json", "$.xgafv": "1", "c.d": "3", a: ["2", "1"], b: "x" };

    expect(api.request("zoo.get", { parameters }).url).toBe(
      "https://zoo.example/v1/animals?b=x&a=2&a=1&c.d=3&alt=json&%24.xgafv=1",
    );
  });

  test("omits undefined, null and empty lists, and never sends a default", () => {
    const api = withMethod({
      parameters: { a: { ...inQuery, default: "d" }, b: { ...inQuery, repeated: true }, c: inQuery },
    });

    expect(api.request("zoo.get", { parameters: { a: undefined, b: [], c: null } }).url).toBe(
      "https://zoo.example/v1/animals",
    );
  });

  test("sends an empty text", () => {
    expect(withMethod({ parameters: { a: inQuery } }).request("zoo.get", { parameters: { a: "" } }).url).toBe(
      "https://zoo.example/v1/animals?a=",
    );
  });
});

const api = withMethod(
  {},
  {
    endpoints: [
      { location: "eu", endpointUrl: "https://old.eu.zoo.example/", deprecated: true },
      { location: "eu", endpointUrl: "https://eu.zoo.example/" },
      { location: "us", endpointUrl: "https://us.zoo.example" },
    ],
  },
);

test.each([
  ["is rootUrl", undefined, "https://zoo.example/v1/animals"],
  ["can be another base address", "http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x/v1/animals"],
  ["can be that of a location", { location: "us" }, "https://us.zoo.example/v1/animals"],
  ["is one that is not deprecated, if there is one", { location: "eu" }, "https://eu.zoo.example/v1/animals"],
])("the endpoint %s", (_, endpoint, url) => {
  expect(api.request("zoo.get", { ...(endpoint === undefined ? {} : { endpoint }) }).url).toBe(url);
});

test.each([
  [
    "a location that is not listed",
    { location: "mars" },
    "endpoint-unknown",
    "'mars' has no endpoint: use one of 'eu', 'us'",
  ],
  [
    "no address",
    "zoo",
    "endpoint-invalid",
    "the endpoint 'zoo' is not a base address: use https://HOST/ or http://HOST:PORT/",
  ],
  ["a backslash", "https://zoo.example\\evil/", "endpoint-invalid", expect.stringContaining("is not a base address")],
  ["a backslash in its path", "https://zoo.example/a\\b", "endpoint-invalid", expect.stringContaining("is not a base")],
  ["a way up", "https://zoo.example/a/../b", "endpoint-invalid", expect.stringContaining("is not a base address")],
  ["an encoded way up", "https://zoo.example/a/%2e%2E", "endpoint-invalid", expect.stringContaining("is not a base")],
  ["another scheme", "file:///etc/", "endpoint-invalid", expect.stringContaining("is not a base address")],
  ["a query", "https://zoo.example/?a=b", "endpoint-invalid", expect.stringContaining("is not a base address")],
  ["a user", "https://zoo.example@evil.example/", "endpoint-invalid", expect.stringContaining("is not a base address")],
])("the endpoint is refused if it is %s", (_, endpoint, code, message) => {
  expect(problemsOf(() => api.request("zoo.get", { endpoint }))).toEqual([{ code, message }]);
});

test("the endpoint is required if the description has none", () => {
  const { rootUrl: _, ...document } = withMethod({}).document;
  const without = description({ ...document, rootUrl: undefined } as object);

  expect(problemsOf(() => without.request("zoo.get"))).toEqual([
    { code: "endpoint-missing", message: "the description of 'zoo' has no rootUrl: pass the endpoint" },
  ]);
  expect(without.request("zoo.get", { endpoint: "https://a.example/" }).url).toBe("https://a.example/v1/animals");
});

test.each<[string, string | undefined, string, string]>([
  ["https://zoo.example/zoo/v1/", undefined, "animals", "https://zoo.example/zoo/v1/animals"],
  ["https://zoo.example/zoo/v1", undefined, "animals", "https://zoo.example/zoo/v1/animals"],
  ["https://zoo.example/zoo/v1/", "zoo/v1/", "animals", "https://zoo.example/zoo/v1/animals"],
  ["https://zoo.example/zoo/", "", "v1/animals", "https://zoo.example/zoo/v1/animals"],
  ["https://zoo.example/", undefined, "v1/animals", "https://zoo.example/v1/animals"],
])("the endpoint is only the baseUrl, %s with the servicePath %s", (baseUrl, servicePath, path, url) => {
  const api = description({
    rootUrl: undefined,
    baseUrl,
    servicePath,
    methods: { get: methodOf({ path }) },
  } as object);

  expect(api.request("zoo.get").url).toBe(url);
  expect(api.match("GET", url)?.method.id).toBe("zoo.get");
});

describe("a method that can't be called", () => {
  test("is unknown, and a similar method is suggested", () => {
    expect(problemsOf(() => withMethod({ id: "zoo.animals.get" }).request("zoo.animals.gte"))).toEqual([
      { code: "method-unknown", message: "zoo:v1 has no method 'zoo.animals.gte'; did you mean 'zoo.animals.get'?" },
    ]);
    expect(problemsOf(() => withMethod({}).request("__proto__"))).toEqual([
      { code: "method-unknown", message: "zoo:v1 has no method '__proto__'; it has 1, none with a name like it" },
    ]);
  });

  test.each(["FETCH ME", "GET\u001b[2J", "", "GET\r\nx: 1"])("has the verb %j", (httpMethod) => {
    const api = withMethod({ httpMethod, path: "v1/{x}" });
    const [problem, ...others] = problemsOf(() => api.request("zoo.get"));

    expect(problem?.code).toBe("http-method-invalid");
    expect(problem?.message).toMatch(/^'zoo.get' can't be called: its httpMethod '[ -~]*' is no HTTP method$/);
    expect(others.map(({ code }) => code)).toEqual(["parameter-required"]);
    expect(api.match(httpMethod, "/v1/lion")?.parameters).toEqual({ x: "lion" });
  });

  test.each([
    ["its path", { path: "v1/../{x}" }, {}, "v1/../{x}"],
    ["an encoded one in its path", { path: "v1/%2E/{x}" }, {}, "v1/%2E/{x}"],
    ["servicePath", { path: "v1/{x}" }, { servicePath: "../../x/" }, "../../x/v1/{x}"],
  ])("has a parent path segment in %s, whatever the values", (_, method, fields, path) => {
    expect(problemsOf(() => withMethod(method, fields).request("zoo.get", { parameters: { x: "lion" } }))).toEqual([
      {
        code: "path-unsupported",
        message: `the path '${path}' of 'zoo.get' can't be filled: '.' and '..' as segments are taken for directions`,
      },
    ]);
  });

  test.each(["v1/{?q}", "v1/{x*}", "v1/{x:3}", "v1/{#x}", "v1/{x", "v1/x}", "v1/{}", "v1/{{x}}"])(
    "has the path %s",
    (path) => {
      expect(problemsOf(() => withMethod({ path }).request("zoo.get"))).toEqual([
        {
          code: "path-unsupported",
          message: `the path '${path}' of 'zoo.get' can't be filled: only {x} and {+x} are understood`,
        },
      ]);
      expect(withMethod({ path }).match("GET", "/v1/x")).toBeUndefined();
    },
  );
});

test("refuses to fill a path that repeats a variable without end", () => {
  const api = withMethod({ path: "{+x}/".repeat(10_000), parameters: { x: { type: "string", location: "path" } } });
  const value = "lion".repeat(4_000);
  const takenMs = cpuTimeOf(() => {
    expect(problemsOf(() => api.request("zoo.get", { parameters: { x: value } }))).toMatchObject([
      {
        code: "parameter-too-long",
        parameter: "x",
        value,
        rule: "a shorter value, the path would get longer than 262144 characters",
      },
    ]);
  });

  expect(takenMs).toBeLessThan(500);
});
