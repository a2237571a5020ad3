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

test("methods are told in order: those of the API, then those of its resources, outermost first", () => {
  expect([...nested.methods()].map(({ id, name, resourcePath }) => [id, name, resourcePath.join(".")])).toEqual([
    ["zoo.top", "top", ""],
    ["zoo.animals.list", "list", "animals"],
    ["zoo.animals.get", "get", "animals"],
    ["zoo.animals.cages.get", "get", "animals.cages"],
    ["zoo.plants.get", "get", "plants"],
  ]);
});

test("a method has all that is said of it, and something in the place of what isn't", () => {
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

test("a method without path is called by its flatPath", () => {
  const api = description({ methods: { get: { id: "zoo.get", flatPath: "v1/animals" } } });

  expect(api.request("zoo.get").url).toBe("https://zoo.example/v1/animals");
});

test("a method is deprecated where a resource around it is", () => {
  const inner = { methods: { get: methodOf({ id: "zoo.a.b.get" }) } };

  expect(
    description({ resources: { a: { deprecated: true, resources: { b: inner } } } }).method("zoo.a.b.get").deprecated,
  ).toBe(true);
});

describe("an id that is unknown", () => {
  test.each([
    ["zoo.animals.gte", "did you mean 'zoo.animals.get'?"],
    ["zoo.cages.animals.get", "did you mean 'zoo.animals.cages.get'?"],
    ["ZOO.PLANTS.GET", "did you mean 'zoo.plants.get'?"],
    ["other", "it has 5, none with a name like it"],
    ["", "it has 5, none with a name like it"],
    ["constructor", "it has 5, none with a name like it"],
  ])("%p is told, with one that is near", (id, hint) => {
    expect(problemsOf(() => nested.method(id))).toEqual([
      { code: "method-unknown", message: `zoo:v1 has no method '${id}'; ${hint}` },
    ]);
    expect(nested.hasMethod(id)).toBe(false);
  });

  test("never steers a terminal", () => {
    expect(problemsOf(() => nested.method("\u001b[2J"))[0]?.message).toBe(
      "zoo:v1 has no method '\\u{1b}[2J'; it has 5, none with a name like it",
    );
  });
});

test("schemas are found by id, and one of other case is named", () => {
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
])("batches to %p go to %s", (endpoint, url) => {
  expect(withMethod({}).batchUrl(endpoint)).toBe(url);
});

test("batches go to one address by default, slash or no slash", () => {
  expect(description({ batchPath: "/batch/zoo/v1" }).batchUrl()).toBe("https://zoo.example/batch/zoo/v1");
  expect(description({ batchPath: undefined } as object).batchUrl()).toBe("https://zoo.example/batch");
  expect(codesOf(() => description({}).batchUrl({ location: "eu" }))).toEqual(["endpoint-unknown"]);
});
