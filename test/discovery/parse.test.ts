import { ApiDescription } from "../../lib/discovery";
import { parseDirectory } from "../../lib/discovery/parse";
import { codesOf, description, documentOf, problemsOf } from "../support/descriptions";

const messagesOf = (input: unknown) => problemsOf(() => ApiDescription.parse(input)).map(({ message }) => message);

describe("parses a description", () => {
  test("from text and from parsed JSON", () => {
    const document = documentOf();

    expect(ApiDescription.parse(JSON.stringify(document)).document).toEqual(document);
    expect(ApiDescription.parse(document).document).toBe(document);
  });

  test("from text that begins with a byte order mark, as some editors write", () => {
    expect(ApiDescription.parse(`\ufeff${JSON.stringify(documentOf())}`).document).toEqual(documentOf());
    expect(codesOf(() => ApiDescription.parse(`\ufeff\ufeff${JSON.stringify(documentOf())}`))).toEqual([
      "description-not-json",
    ]);
  });

  test("with its name, its version and its ID", () => {
    const { id, name, version } = description({ id: "zoo:v2", name: "zoo", version: "v2" });

    expect({ id, name, version }).toEqual({ id: "zoo:v2", name: "zoo", version: "v2" });
  });

  test("with an ID of name and version if the ID is missing", () => {
    const { id: _, ...withoutId } = documentOf();

    expect(ApiDescription.parse(withoutId).id).toBe("zoo:v1");
  });

  test("and keeps undeclared fields", () => {
    const document = { ...documentOf(), mtlsRootUrl: "https://zoo.mtls.example/", later: { deep: [1, { x: null }] } };

    expect(ApiDescription.parse(JSON.stringify(document)).document).toEqual(document);
  });
});

describe("refuses an invalid description:", () => {
  test.each([
    ["text that is not JSON", "{", "description-not-json", /^the description is not JSON: /],
    ["nothing", undefined, "description-kind", /'kind' must be "discovery#restDescription", it has none$/],
    ["null", null, "description-kind", /it has none$/],
    ["a list", "[]", "description-kind", /it has none$/],
    ["a text", '"zoo"', "description-kind", /it has none$/],
    ["an object without kind", {}, "description-kind", /it has none$/],
    ["a list of APIs", { kind: "discovery#directoryList" }, "description-kind", /it is 'discovery#directoryList'$/],
    ["a kind that is not a text", { kind: 1n }, "description-kind", /it is bigint$/],
    ["an inherited kind", Object.create(documentOf()), "description-kind", /it has none$/],
  ])("%s", (_, input, code, message) => {
    expect(problemsOf(() => ApiDescription.parse(input))).toEqual([{ code, message: expect.stringMatching(message) }]);
  });

  test("a text far larger than any published description, before parsing", () => {
    expect(codesOf(() => ApiDescription.parse(" ".repeat(64 * 1024 * 1024 + 1)))).toEqual(["description-too-large"]);
  });

  test("all mistakes at once, each with its place and what is allowed", () => {
    const broken = {
      ...documentOf(),
      name: 7,
      labels: "deprecated",
      fullyEncodeReservedExpansion: "yes",
      schemas: { "a/b": { properties: { "c~d": { enum: ["x", 1] } } }, Bad: null },
      resources: { r: { methods: { get: { parameters: [], scopes: null } } } },
      endpoints: {},
    };

    expect(messagesOf(broken)).toEqual([
      "'/name' must be a text, got number",
      "'/fullyEncodeReservedExpansion' must be true or false, got string",
      "'/labels' must be a list of texts, got string",
      "'/schemas/Bad' must be an object, got null",
      "'/resources/r/methods/get/parameters' must be an object, got a list",
      "'/resources/r/methods/get/scopes' must be a list of texts, got null",
      "'/endpoints' must be a list, got object",
      "'/schemas/a~1b/properties/c~0d/enum' must be a list of texts, got a list",
    ]);
  });

  test("a missing name and version, reported together", () => {
    expect(messagesOf({ kind: "discovery#restDescription" })).toEqual([
      "'/name' is missing: a description names its API and the version",
      "'/version' is missing: a description names its API and the version",
    ]);
  });

  test("with at most 50 mistakes, however many there are", () => {
    const schemas = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`S${index}`, 0]));

    expect(messagesOf(documentOf({ schemas } as object))).toHaveLength(50);
  });
});

describe("refuses input that can't be traversed in reasonable time:", () => {
  const nested = (levels: number) => `${'{"items":'.repeat(levels)}{}${"}".repeat(levels)}`;
  const textWith = (schema: string) =>
    JSON.stringify(documentOf({ schemas: { Deep: {} } })).replace('"Deep":{}', `"Deep":${schema}`);

  test("schemas nested more than 200 levels deep", () => {
    const use = (levels: number) => () => ApiDescription.parse(textWith(nested(levels))).schema("Deep");
    expect(codesOf(use(190))).toEqual([]);
    expect(problemsOf(use(250))).toEqual([
      {
        code: "description-malformed",
        message: expect.stringMatching(/ is nested too deep: at most 200 levels are read$/),
      },
    ]);
    expect(codesOf(use(100_000))).toEqual(["description-malformed"]);
  });

  test("an object that contains itself", () => {
    const schema: Record<string, unknown> = {};
    schema.properties = { a: schema, b: schema };

    expect(codesOf(() => description({ schemas: { Loop: schema } }).schema("Loop"))).not.toEqual([]);
  });

  test("an object that contains others twice, repeatedly", () => {
    let schema: object = {};
    for (let level = 0; level < 60; level++) schema = { properties: { a: schema, b: schema } };

    expect(codesOf(() => description({ schemas: { Bomb: schema } }).schema("Bomb"))).toEqual(["description-too-large"]);
  });

  test("but not unknown fields, whatever they contain", () => {
    const text = JSON.stringify(documentOf()).replace("{", `{"later":${"[".repeat(50_000)}${"]".repeat(50_000)},`);

    expect(ApiDescription.parse(text).name).toBe("zoo");
  });
});

describe("reports a malformed schema", () => {
  const broken = () => description({ schemas: { Good: { type: "object" }, Bad: { items: 1 } as object } });
  const problem = { code: "description-malformed", message: "'/schemas/Bad/items' must be an object, got number" };

  test("to each caller that uses it, each time, and to no other", () => {
    const api = broken();
    expect(api.schema("Good")).toEqual({ type: "object" });
    expect(problemsOf(() => api.schema("Bad"))).toEqual([problem]);
    expect(problemsOf(() => api.validate({ $ref: "Bad" }, {}))).toEqual([problem]);
  });

  test.each([
    ["lists the deprecations", (api: ApiDescription) => api.deprecations()],
    ["goes through all schemas", (api: ApiDescription) => [...api.schemas()]],
    ["goes through their values", (api: ApiDescription) => [...api.schemas().values()]],
    ["goes through them one by one", (api: ApiDescription) => api.schemas().forEach(() => {})],
  ])("to a caller that %s", (_, use) => {
    expect(problemsOf(() => use(broken()))).toEqual([problem]);
  });

  test("with the warnings, after which other warnings follow", () => {
    expect(broken().warnings).toContainEqual({
      ...problem,
      pointer: "/schemas/Bad",
      message: `${problem.message}; it can't be used`,
    });
  });
});

test("treats names such as __proto__ and constructor like any other name", () => {
  const text = `{"kind":"discovery#restDescription","name":"zoo","version":"v1",
    "schemas":{"__proto__":{"id":"__proto__","type":"string"},"constructor":{"type":"object"}},
    "resources":{"__proto__":{"methods":{"toString":{"path":"a","parameters":{"__proto__":{"type":"string","location":"query"}}}}}}}`;
  const api = ApiDescription.parse(text);

  expect([...api.schemas().keys()]).toEqual(["__proto__", "constructor"]);
  expect(api.schema("__proto__")).toEqual({ id: "__proto__", type: "string" });
  expect([...api.methods()].map(({ id }) => id)).toEqual(["zoo.__proto__.toString"]);
  expect(codesOf(() => api.schema("toString"))).toEqual(["schema-unknown"]);
  expect(({} as Record<string, unknown>).type).toBeUndefined();
});

describe("a list of APIs", () => {
  const item = { name: "zoo", version: "v1", discoveryRestUrl: "https://zoo.example/$discovery/rest?version=v1" };

  test("is read, with an ID of name and version if the ID is missing", () => {
    const list = { kind: "discovery#directoryList", items: [item, { ...item, id: "zoo:other", preferred: true }] };

    expect(parseDirectory(JSON.stringify(list)).items).toEqual([
      { ...item, id: "zoo:v1" },
      { ...item, id: "zoo:other", preferred: true },
    ]);
  });

  test("may be empty", () => {
    expect(parseDirectory({ kind: "discovery#directoryList" }).items).toEqual([]);
  });

  test("is refused with everything that is missing or of the wrong type", () => {
    const list = { kind: "discovery#directoryList", items: [{ name: "zoo" }, item] };

    expect(problemsOf(() => parseDirectory(list)).map(({ message }) => message)).toEqual([
      "'/items/0/version' is missing: an entry names its API, the version, and where the description is",
      "'/items/0/discoveryRestUrl' is missing: an entry names its API, the version, and where the description is",
    ]);
    expect(
      problemsOf(() => parseDirectory({ ...list, items: [{ preferred: 1 }, 7] })).map(({ message }) => message),
    ).toEqual(["'/items/0/preferred' must be true or false, got number", "'/items/1' must be an object, got number"]);
    expect(codesOf(() => parseDirectory(documentOf()))).toEqual(["description-kind"]);
  });
});
