import { codesOf, description, methodOf, problemsOf, withMethod } from "../support/descriptions";

const nested = description({
  methods: { top: methodOf({ id: "zoo.top" }) },
  resources: {
    animals: {
      methods: { list: methodOf({ id: "zoo.animals.list" }), get: methodOf({ id: "zoo.animals.get" }) },
      resources: { cages: { methods: { get: methodOf({ id: "zoo.animals.cages.get" }) } } },
    },
    plants: { methods: { get: methodOf({ id: "zoo.plants.get" }) } },
  },
});

test("lists methods in order: those of the API, then those of its resources, outermost first", () => {
  expect([...nested.methods()].map(({ id, name, resourcePath }) => [id, name, resourcePath.join(".")])).toEqual([
    ["zoo.top", "top", ""],
    ["zoo.animals.list", "list", "animals"],
    ["zoo.animals.get", "get", "animals"],
    ["zoo.animals.cages.get", "get", "animals.cages"],
    ["zoo.plants.get", "get", "plants"],
  ]);
});

test("returns every member of a method, and defaults for missing members", () => {
  const full = {
    id: "zoo.get",
    httpMethod: "post",
    path: "v1/{+x}",
    flatPath: "v1/animals/{a}",
    description: "Gets.",
    parameters: { x: { type: "string" } },
    parameterOrder: ["x"],
    scopes: ["s"],
    request: { $ref: "A" },
    response: { $ref: "B" },
    deprecated: true,
  };
  const api = description({ methods: { full, bare: { path: "v1/bare" } } });

  expect(api.method("zoo.get")).toEqual({
    ...full,
    name: "full",
    resourcePath: [],
    httpMethod: "POST",
    document: full,
  });
  expect(api.method("zoo.bare")).toEqual({
    id: "zoo.bare",
    name: "bare",
    resourcePath: [],
    httpMethod: "GET",
    path: "v1/bare",
    flatPath: "v1/bare",
    parameters: {},
    parameterOrder: [],
    scopes: [],
    deprecated: false,
    description: "",
    request: undefined,
    response: undefined,
    document: { path: "v1/bare" },
  });
});

test("calls a method without path by its flatPath", () => {
  const api = description({ methods: { get: { id: "zoo.get", flatPath: "v1/animals" } } });

  expect(api.request("zoo.get").url).toBe("https://zoo.example/v1/animals");
});

test("marks a method as deprecated if a resource around it is deprecated", () => {
  const inner = { methods: { get: methodOf({ id: "zoo.a.b.get" }) } };

  expect(
    description({ resources: { a: { deprecated: true, resources: { b: inner } } } }).method("zoo.a.b.get").deprecated,
  ).toBe(true);
});

describe("an unknown ID", () => {
  test.each([
    ["zoo.animals.gte", "did you mean 'zoo.animals.get'?"],
    ["zoo.cages.animals.get", "did you mean 'zoo.animals.cages.get'?"],
    ["ZOO.PLANTS.GET", "did you mean 'zoo.plants.get'?"],
    ["other", "it has 5, none with a name like it"],
    ["", "it has 5, none with a name like it"],
    ["constructor", "it has 5, none with a name like it"],
  ])("%p is reported, with a similar ID", (id, hint) => {
    expect(problemsOf(() => nested.method(id))).toEqual([
      { code: "method-unknown", message: `zoo:v1 has no method '${id}'; ${hint}` },
    ]);
    expect(nested.hasMethod(id)).toBe(false);
  });

  test("never controls a terminal", () => {
    expect(problemsOf(() => nested.method("\u001b[2J"))[0]?.message).toBe(
      "zoo:v1 has no method '\\u{1b}[2J'; it has 5, none with a name like it",
    );
  });
});

test("finds schemas by ID, and suggests an ID in another case", () => {
  const api = description({ schemas: { Animal: { type: "object" } } });

  expect(api.schema("Animal")).toEqual({ type: "object" });
  expect([...api.schemas().keys()]).toEqual(["Animal"]);
  expect(problemsOf(() => api.schema("animal"))).toEqual([
    { code: "schema-unknown", message: "zoo:v1 has no schema 'animal'; did you mean 'Animal'?" },
  ]);
  expect(problemsOf(() => api.schema("Plant"))).toEqual([
    { code: "schema-unknown", message: "zoo:v1 has no schema 'Plant'; it has 1, none with a name like it" },
  ]);
});

test.each([
  [undefined, "https://zoo.example/batch"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/batch"],
])("sends batches for %p to %s", (endpoint, url) => {
  expect(withMethod({}).batchUrl(endpoint)).toBe(url);
});

test("sends batches to one address by default, with and without a slash", () => {
  expect(description({ batchPath: "/batch/zoo/v1" }).batchUrl()).toBe("https://zoo.example/batch/zoo/v1");
  expect(description({ batchPath: undefined } as object).batchUrl()).toBe("https://zoo.example/batch");
  expect(codesOf(() => description({}).batchUrl({ location: "eu" }))).toEqual(["endpoint-unknown"]);
});
