import { description, methodOf } from "../support/descriptions";

test("reports everything that is deprecated, in the order of the document", () => {
  const old = { type: "string", deprecated: true };
  const api = description({
    labels: ["deprecated"],
    description: "Keeps animals. And more.",
    endpoints: [
      { endpointUrl: "https://a.example/" },
      { endpointUrl: "https://b.example/", deprecated: true, description: "Use a" },
    ],
    parameters: { fields: { ...old, description: "Use mask." } },
    methods: { old: methodOf({ id: "zoo.old", deprecated: true, description: "Use new\n instead. Soon." }) },
    resources: {
      "a/b": {
        deprecated: true,
        methods: {
          get: methodOf({
            id: "zoo.a.get",
            parameters: {
              sort: old,
              kind: {
                type: "string",
                enum: ["X", "Y"],
                enumDeprecated: [false, true],
                enumDescriptions: ["", "Use X."],
              },
            },
            request: { type: "object", properties: { inline: old } },
          }),
        },
      },
    },
    schemas: {
      Gone: { type: "object", deprecated: true },
      Kept: {
        type: "object",
        properties: {
          old,
          list: { type: "array", items: { type: "object", properties: { inner: old } } },
          map: { type: "object", additionalProperties: { type: "string", enum: ["P"], enumDeprecated: [true] } },
        },
      },
    },
  });

  expect(api.deprecations().map(({ kind, name, pointer, advice }) => [kind, name, pointer, advice])).toEqual([
    ["api", "zoo:v1", "/labels", "Keeps animals."],
    ["endpoint", "https://b.example/", "/endpoints/1", "Use a"],
    ["parameter", "zoo ?fields", "/parameters/fields", "Use mask."],
    ["method", "zoo.old", "/methods/old", "Use new instead."],
    ["resource", "zoo.a/b", "/resources/a~1b", ""],
    ["parameter", "zoo.a.get ?sort", "/resources/a~1b/methods/get/parameters/sort", ""],
    ["enum value", "zoo.a.get ?kind=Y", "/resources/a~1b/methods/get/parameters/kind/enum/1", "Use X."],
    ["property", "zoo.a.get request.inline", "/resources/a~1b/methods/get/request/properties/inline", ""],
    ["schema", "Gone", "/schemas/Gone", ""],
    ["property", "Kept.old", "/schemas/Kept/properties/old", ""],
    ["property", "Kept.list[].inner", "/schemas/Kept/properties/list/items/properties/inner", ""],
    ["enum value", "Kept.map.*=P", "/schemas/Kept/properties/map/additionalProperties/enum/0", ""],
  ]);
});

test("reports deprecations in inline schemas everywhere", () => {
  const old = { type: "string", deprecated: true };
  const api = description({
    methods: {
      get: methodOf({
        request: { type: "object", deprecated: true, description: "Send nothing." },
        response: { ...old },
        parameters: { mask: { type: "object", properties: { inner: old } } },
      }),
    },
    schemas: {
      List: { type: "array", items: old },
      Map: { type: "object", additionalProperties: old },
    },
  });

  expect(api.deprecations().map(({ kind, name, pointer, advice }) => [kind, name, pointer, advice])).toEqual([
    ["property", "zoo.get ?mask.inner", "/methods/get/parameters/mask/properties/inner", ""],
    ["schema", "zoo.get request", "/methods/get/request", "Send nothing."],
    ["schema", "zoo.get response", "/methods/get/response", ""],
    ["schema", "List[]", "/schemas/List/items", ""],
    ["schema", "Map.*", "/schemas/Map/additionalProperties", ""],
  ]);
});

test("reports nothing if nothing is deprecated", () => {
  expect(
    description({ labels: ["limited_availability"], methods: { get: methodOf({ deprecated: false }) } }).deprecations(),
  ).toEqual([]);
});

test("truncates very long advice", () => {
  const [found] = description({
    schemas: { Gone: { deprecated: true, description: "x".repeat(10_000) } },
  }).deprecations();

  expect(found?.advice).toBe("x".repeat(200));
});
