import type { SchemaDocument } from "../../../lib/discovery";
import { cpuTimeOf } from "../../support/cpu-time";
import { codesOf, problemsOf, withMethod } from "../../support/descriptions";

const inPath = { type: "string", location: "path", required: true };
const inQuery = { type: "string", location: "query" };

const schemas = {
  Animal: {
    id: "Animal",
    type: "object",
    properties: {
      name: { type: "string", annotations: { required: ["zoo.get"] } },
      weight: { type: "number" },
      born: { type: "string", format: "int64" },
      id: { type: "string", readOnly: true },
      any: { type: "any" },
    },
  },
};
const api = withMethod({ httpMethod: "POST", request: { $ref: "Animal" } }, { schemas });

test("a request contains the verb in upper case", () => {
  expect(withMethod({ httpMethod: "patch" }).request("zoo.get").method).toBe("PATCH");
});

test("a request contains headers and a body in JSON", () => {
  expect(api.request("zoo.get", { body: { name: "lion" } })).toEqual({
    method: "POST",
    url: "https://zoo.example/v1/animals",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: '{"name":"lion"}',
    findings: [],
  });
});

test("a request contains no body by default", () => {
  const optional = withMethod({ httpMethod: "POST", id: "zoo.insert", request: { $ref: "Animal" } }, { schemas });

  expect(optional.request("zoo.insert")).toMatchObject({ headers: { accept: "application/json" }, body: undefined });
  expect(optional.request("zoo.insert").headers).not.toHaveProperty("content-type");
});

test("a request contains a body if the method requires a member of it", () => {
  const missing = { code: "body-required", message: "the body is missing: zoo.get requires 'name'" };
  const upload = { protocols: { simple: { path: "/u", multipart: true } } };
  const withMedia = withMethod({ httpMethod: "POST", request: { $ref: "Animal" }, mediaUpload: upload }, { schemas });
  const media = { contentType: "text/plain", content: "x" };

  expect(problemsOf(() => api.request("zoo.get"))).toEqual([missing]);
  expect(problemsOf(() => api.request("zoo.get", { body: null }))).toEqual([missing]);
  expect(codesOf(() => withMedia.request("zoo.get", { media: { ...media, kind: "multipart" } }))).toEqual([]);
  expect(codesOf(() => withMedia.request("zoo.get", { media, body: { name: 1 } }))).toEqual(["body-type"]);
  expect(withMedia.request("zoo.get", { media }).body).toBe("x");
});

test("a request contains no null body, unless any value is allowed", () => {
  const takes = (request: SchemaDocument) =>
    withMethod({ httpMethod: "POST", request }, { schemas: { B: { type: "object" } } });

  expect(codesOf(() => takes({ $ref: "B" }).request("zoo.get", { body: null }))).toEqual(["body-type"]);
  expect(takes({ type: "any" }).request("zoo.get", { body: null }).body).toBe("null");
});

test("a request contains the version of the API as a header, if a header can contain it", () => {
  const headersFor = (apiVersion: string) => withMethod({ apiVersion }).request("zoo.get").headers;

  expect(headersFor("2026-11-01")).toEqual({ accept: "application/json", "x-goog-api-version": "2026-11-01" });
  expect(headersFor("1\r\nx-evil: 1")).toEqual({ accept: "application/json" });
});

test("a request contains headers that can't be changed for the next request", () => {
  expect(Object.isFrozen(api.request("zoo.get", { body: { name: "lion" } }).headers)).toBe(true);
});

test("a request contains integers beyond 2^53 as text", () => {
  expect(api.request("zoo.get", { body: { name: "a", born: 9_007_199_254_740_993n } }).body).toBe(
    '{"name":"a","born":"9007199254740993"}',
  );
});

test("a request contains findings about what the service ignores", () => {
  expect(api.request("zoo.get", { body: { name: "a", id: "1" } }).findings).toEqual([
    {
      code: "read-only",
      severity: "warning",
      subject: "/id",
      remedy: "remove the property",
      meaning: "the service ignores the property, because it is output only",
      message: "'/id' is set by the service alone and ignored in requests",
    },
  ]);
});

test.each([
  ["that its schema doesn't allow", { name: "a", weight: "heavy" }, "body-type"],
  ["without what the method requires", {}, "body-required"],
  ["with undeclared fields", { name: "a", colour: "red" }, "body-unknown-property"],
  ["with a number that JSON doesn't have", { name: "a", weight: Number.NaN }, "body-type"],
  ["that is a function", { name: "a", any: undefined, weight: () => 1 }, "body-type"],
])("a request contains no body %s", (_, body, code) => {
  expect(problemsOf(() => api.request("zoo.get", { body }))).toEqual([
    expect.objectContaining({ code, severity: "error", message: expect.stringMatching(/^body: '\//) }),
  ]);
});

test("a request contains no cyclic or endless body", () => {
  const loop: Record<string, unknown> = { name: "a" };
  loop.any = loop;
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];

  for (const body of [loop, { name: "a", any: deep }]) {
    expect(problemsOf(() => api.request("zoo.get", { body }))).toEqual([
      {
        code: "body-not-json",
        message: "the body can't be written as JSON: it refers to itself, or is nested too deep",
      },
    ]);
  }
});

test("a request contains no body if the request is refused anyway, because the body may be too large", () => {
  let large: unknown = "";
  for (let level = 0; level < 50; level++) large = [large, large];
  const takenMs = cpuTimeOf(() => {
    expect(
      problemsOf(() => api.request("zoo.get", { parameters: { x: 1 }, body: { name: "a", any: large } })),
    ).toMatchObject([{ code: "parameter-unknown" }]);
  });

  expect(takenMs).toBeLessThan(500);
});

test("a request contains no body for a method that accepts none", () => {
  expect(problemsOf(() => withMethod({}).request("zoo.get", { body: {} }))).toEqual([
    { code: "body-unexpected", message: "'zoo.get' takes no body: leave it out" },
  ]);
});

const checking = withMethod(
  {
    httpMethod: "POST",
    path: "v1/{kind}/{+name}",
    request: { $ref: "Animal" },
    parameters: {
      kind: { ...inPath, enum: ["lions", "bears"] },
      name: inPath,
      size: { ...inQuery, type: "integer", maximum: "10" },
      since: { ...inQuery, required: true, default: "2026" },
      on: { ...inQuery, type: "boolean" },
    },
  },
  { schemas: { Animal: { type: "object", properties: { legs: { type: "integer" } } } } },
);

const everyMistake = [
  {
    code: "parameter-enum",
    parameter: "kind",
    value: "fish",
    rule: "one of 'lions', 'bears'",
    message: "parameter 'kind' can't be 'fish': give one of 'lions', 'bears'",
  },
  {
    code: "parameter-maximum",
    parameter: "size",
    value: 11,
    rule: "at most 10",
    message: "parameter 'size' can't be '11': give at most 10",
  },
  {
    code: "parameter-type",
    parameter: "on",
    value: "yes",
    rule: "true or false",
    message: "parameter 'on' can't be 'yes': give true or false",
  },
  {
    code: "parameter-unknown",
    parameter: "onn",
    value: 1,
    rule: "one of 'kind', 'name', 'size', 'since', 'on'",
    message: "'zoo.get' has no parameter 'onn': give one of 'kind', 'name', 'size', 'since', 'on'",
  },
  {
    code: "parameter-required",
    parameter: "since",
    value: undefined,
    rule: "a value, it is required; the service's own default is '2026'",
    message: "parameter 'since' is missing: give a value, it is required; the service's own default is '2026'",
  },
  {
    code: "endpoint-unknown",
    message: "'mars' has no endpoint: the description lists no regional endpoints",
  },
  {
    code: "parameter-dot-segment",
    parameter: "name",
    value: "a/../b",
    rule: "a value without '.' and '..' as segments, which URL parsers take for directions",
    message:
      "parameter 'name' can't be 'a/../b': give a value without '.' and '..' as segments, which URL parsers take for directions",
  },
  {
    code: "body-type",
    severity: "error",
    subject: "/legs",
    message: "body: '/legs' must be a whole number, got the text 'four'",
    remedy: "use the type of the description",
    meaning: "the value has another type",
  },
];

test("reports all mistakes at once, each with parameter, value and rule", () => {
  const input = {
    parameters: { kind: "fish", name: "a/../b", size: 11, on: "yes", onn: 1 },
    body: { legs: "four" },
    endpoint: { location: "mars" },
  };

  expect(problemsOf(() => checking.request("zoo.get", input))).toEqual(everyMistake);
});
