import { ownDescription, type SchemaDocument } from "../../../lib/discovery";
import { cpuTimeOf } from "../../support/cpu-time";
import { codesOf, problemsOf, withMethod, withParameter } from "../../support/descriptions";

const queryOf = (schema: SchemaDocument, value: unknown) =>
  withParameter(schema)
    .request("zoo.get", { parameters: { x: value as string } })
    .url.replace("https://zoo.example/v1/animals", "");

const refusalOf = (schema: SchemaDocument, value: unknown) =>
  problemsOf(() => queryOf(schema, value)).map((problem) => ({ rule: "", ...problem }));

describe("writes a value according to its type:", () => {
  test.each([
    ["string", undefined, "a b&c=d/é+%", "a%20b%26c%3Dd%2F%C3%A9%2B%25"],
    ["integer", "int32", 5, "5"],
    ["integer", "int32", "-5", "-5"],
    ["integer", "uint32", 4_294_967_295, "4294967295"],
    ["integer", undefined, 12_345_678_901_234_567_890n, "12345678901234567890"],
    ["string", "int64", 5, "5"],
    ["string", "int64", -9_223_372_036_854_775_808n, "-9223372036854775808"],
    ["string", "uint64", "18446744073709551615", "18446744073709551615"],
    ["number", "double", 1.5e300, "1.5e%2B300"],
    ["number", "float", "-.5", "-.5"],
    ["number", "double", Number.NaN, "NaN"],
    ["number", "double", Number.NEGATIVE_INFINITY, "-Infinity"],
    ["boolean", undefined, true, "true"],
    ["boolean", undefined, "false", "false"],
    ["string", "google-datetime", "2026-11-21T08:00:00Z", "2026-11-21T08%3A00%3A00Z"],
    ["object", undefined, { a: [1] }, "%7B%22a%22%3A%5B1%5D%7D"],
    ["any", undefined, "x", "x"],
    [undefined, undefined, "x", "x"],
  ])("%s %s, %p", (type, format, value, written) => {
    const schema = { ...(type === undefined ? {} : { type }), ...(format === undefined ? {} : { format }) };

    expect(queryOf(schema, value)).toBe(`?x=${written}`);
  });
});

describe("refuses a value of another type:", () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;

  test.each([
    ["string", undefined, 5, "a text"],
    ["string", undefined, true, "a text"],
    ["string", undefined, {}, "a text"],
    ["integer", "int32", 1.5, "a whole number"],
    ["integer", "int32", "1.0", "a whole number"],
    ["integer", "int32", " 1", "a whole number"],
    ["integer", "int32", "", "a whole number"],
    ["integer", "int32", 2 ** 53, "a whole number"],
    ["integer", "int32", Number.NaN, "a whole number"],
    ["string", "int64", 2 ** 53, "a text, or a whole number below 2^53"],
    ["string", "int64", 0.5, "a text, or a whole number below 2^53"],
    ["number", "double", "1,5", "a number"],
    ["number", "double", "0x10", "a number"],
    ["number", "double", true, "a number"],
    ["boolean", undefined, 1, "true or false"],
    ["boolean", undefined, "TRUE", "true or false"],
    ["object", undefined, "{}", "an object that can be written as JSON"],
    ["object", undefined, loop, "an object that can be written as JSON"],
    ["object", undefined, { n: 1n }, "an object that can be written as JSON"],
    ["string", undefined, Symbol("s"), "a text"],
    ["string", undefined, () => 1, "a text"],
  ])("%s %s, %p", (type, format, value, rule) => {
    const schema = { type, ...(format === undefined ? {} : { format }) };

    expect(refusalOf(schema, value)).toMatchObject([{ code: "parameter-type", parameter: "x", value, rule }]);
  });
});

test.each([
  ["an enum", { enum: ["a", "b"] }, "a", "c", "parameter-enum", "one of 'a', 'b'"],
  ["an enum to the letter", { enum: ["A"] }, "A", "a", "parameter-enum", "one of 'A'"],
  [
    "a pattern as a whole",
    { pattern: "p[0-9]+" },
    "p1",
    "p1;DROP",
    "parameter-pattern",
    "text that matches 'p[0-9]+' as a whole",
  ],
  ["a minimum", { type: "integer", minimum: "1" }, 1, 0, "parameter-minimum", "at least 1"],
  ["a maximum", { type: "integer", maximum: "1000" }, 1000, 5000, "parameter-maximum", "at most 1000"],
  ["a minimum of zero", { type: "integer", minimum: "0" }, 0, -1, "parameter-minimum", "at least 0"],
  [
    "bounds beyond 2^53",
    { format: "uint64", maximum: "18446744073709551614" },
    "18446744073709551614",
    "18446744073709551615",
    "parameter-maximum",
    "at most 18446744073709551614",
  ],
  [
    "a maximum, which no number is not",
    { type: "number", maximum: "0.5" },
    0.5,
    Number.NaN,
    "parameter-maximum",
    "at most 0.5",
  ],
  ["a minimum, too", { type: "number", minimum: "-9" }, "-9", "NaN", "parameter-minimum", "at least -9"],
  ["bounds with fractions", { type: "number", maximum: "0.5" }, 0.5, 0.51, "parameter-maximum", "at most 0.5"],
  [
    "the range of int32",
    { type: "integer", format: "int32" },
    2_147_483_647,
    2_147_483_648,
    "parameter-format",
    "a whole number from -2147483648 to 2147483647",
  ],
  [
    "the range of uint32",
    { type: "integer", format: "uint32" },
    0,
    -1,
    "parameter-format",
    "a whole number from 0 to 4294967295",
  ],
  ["a format", { format: "google-duration" }, "3.5s", "3.5", "parameter-format", "a duration in seconds as in 3.5s"],
])("checks a value against %s", (_, schema, good, bad, code, rule) => {
  const whole = { type: "string", ...schema };

  expect(refusalOf(whole, good)).toEqual([]);
  expect(refusalOf(whole, bad)).toMatchObject([{ code, parameter: "x", value: bad, rule }]);
});

test("checks a value against the length that servers accept", () => {
  expect(refusalOf({ type: "string" }, "a".repeat(16_384))).toEqual([]);
  expect(refusalOf({ type: "string" }, "a".repeat(16_385))).toMatchObject([
    { code: "parameter-too-long", rule: "at most 16384 characters, got 16385" },
  ]);
});

test("checks a value against its length before checks whose time grows with the length", () => {
  const takenMs = cpuTimeOf(() => {
    for (const type of ["number", "integer", "string"]) {
      expect(refusalOf({ type, format: type === "string" ? "double" : "" }, `${"1".repeat(5_000_000)}x`)).toHaveLength(
        1,
      );
    }
  });

  expect(takenMs).toBeLessThan(500);
});

test("checks a value against the rule that it is Unicode text", () => {
  expect(refusalOf({ type: "string" }, "half \ud800")).toMatchObject([
    { code: "parameter-encoding", rule: "Unicode text" },
  ]);
});

test("checks a value against no bound that is not a number", () => {
  expect(refusalOf({ type: "integer", minimum: "many" }, 0)).toEqual([]);
  expect(refusalOf({ type: "number", maximum: "many" }, "NaN")).toEqual([]);
});

describe("a pattern that is slow or can't be evaluated:", () => {
  const project = ownDescription("compute:v1").method("compute.backendServices.get").parameters.project?.pattern ?? "";
  const hostile = `(${Array.from({ length: 30 }, (_, at) => `[a-z/]{${at + 1}}`).join("|")})+!`;

  test("refuses a value that is too long to check", () => {
    const value = "A;DROP".repeat(2_000);

    expect(refusalOf({ type: "string", pattern: project }, "my-project")).toEqual([]);
    expect(refusalOf({ type: "string", pattern: project }, value)).toMatchObject([
      {
        code: "parameter-too-long",
        parameter: "x",
        value,
        rule: expect.stringMatching(/^fewer characters, 12000 are too many/),
      },
    ]);
  });

  test("accepts any value for a pattern that can't be evaluated, and reports that in the request", () => {
    const request = withParameter({ type: "string", pattern: "(?=a)a", repeated: true }).request("zoo.get", {
      parameters: { x: ["b", "c"] },
    });

    expect(request).toMatchObject({ url: "https://zoo.example/v1/animals?x=b&x=c" });
    expect(request.findings).toEqual([
      {
        code: "pattern-unchecked",
        severity: "warning",
        subject: "x",
        remedy: "check the value manually",
        meaning: "the pattern takes too long to check",
        message: "parameter 'x' could not be checked against '(?=a)a'",
      },
    ]);
  });

  test("shares one budget among all values of a request", () => {
    const api = withParameter({ type: "string", repeated: true, pattern: `(?:x|${hostile})` });
    const takenMs = cpuTimeOf(() => {
      const values = Array.from({ length: 500 }, () => "a".repeat(800));

      const codes = codesOf(() => api.request("zoo.get", { parameters: { x: values } }));

      expect(codes[0]).toBe("parameter-pattern");
      expect(codes.length).toBeLessThan(100);
    });

    expect(takenMs).toBeLessThan(3_000);
  });
});

describe("a repeated parameter", () => {
  const repeated = { type: "string", repeated: true, enum: ["a", "b"] };

  test("accepts a list or a single value", () => {
    expect(queryOf(repeated, ["b", "a", "b"])).toBe("?x=b&x=a&x=b");
    expect(queryOf(repeated, "a")).toBe("?x=a");
  });

  test("is checked value by value, with each mistake reported", () => {
    expect(refusalOf(repeated, ["c", "a", 5, null])).toMatchObject([
      { code: "parameter-enum", value: "c" },
      { code: "parameter-type", value: 5 },
      { code: "parameter-type", value: null },
    ]);
  });

  test("is missing if it is required and the list is empty", () => {
    expect(codesOf(() => queryOf({ ...repeated, required: true }, []))).toEqual(["parameter-required"]);
    expect(codesOf(() => queryOf({ ...repeated, required: true }, ["c"]))).toEqual(["parameter-enum"]);
  });

  test("accepts no list unless it is repeated", () => {
    expect(refusalOf({ type: "string" }, ["a"])).toMatchObject([
      { code: "parameter-repeated", value: ["a"], rule: "one value, it can't be repeated" },
    ]);
  });

  test("in the path accepts no list", () => {
    const api = withMethod({ path: "v1/{x}", parameters: { x: { type: "string", repeated: true, location: "path" } } });

    expect(codesOf(() => api.request("zoo.get", { parameters: { x: ["a"] } }))).toEqual(["parameter-repeated"]);
  });
});

describe("a missing parameter", () => {
  test.each([
    ["undefined", undefined],
    ["null", null],
  ])("may be %s", (_, value) => {
    expect(refusalOf({ required: true }, value)).toMatchObject([
      {
        code: "parameter-required",
        parameter: "x",
        value: undefined,
        message: "parameter 'x' is missing: give a value, it is required",
      },
    ]);
  });

  test("may not be a path parameter, required or not", () => {
    const api = withMethod({ path: "v1/{x}", parameters: { x: { type: "string", location: "path" } } });

    expect(codesOf(() => api.request("zoo.get"))).toEqual(["parameter-required"]);
    expect(problemsOf(() => api.request("zoo.get", { parameters: { x: "" } }))).toMatchObject([
      { code: "parameter-required", value: "", rule: "a value that is not empty, as it is part of the path" },
    ]);
  });

  test("may be empty in the query", () => {
    expect(queryOf({ type: "string", required: true }, "")).toBe("?x=");
  });
});

describe("an undeclared parameter", () => {
  test.each([
    ["X", "'x' instead"],
    ["page_token", "'pageToken' instead"],
    ["y", "one of 'x', 'pageToken'"],
    ["__proto__", "one of 'x', 'pageToken'"],
    ["toString", "one of 'x', 'pageToken'"],
  ])("%s is refused, with the available names", (name, rule) => {
    const api = withMethod({ parameters: { x: {}, pageToken: {} } });
    const parameters = JSON.parse(`{"${name}":"v"}`);

    expect(problemsOf(() => api.request("zoo.get", { parameters }))).toMatchObject([
      { code: "parameter-unknown", parameter: name, value: "v", rule },
    ]);
  });
});

test("escapes and shortens values in messages", () => {
  const [problem] = problemsOf(() => queryOf({ enum: ["a\u001b[2J"] }, `\u001b[31m${"b".repeat(5_000)}`));

  expect(problem?.message).toMatch(
    /^parameter 'x' can't be '\\u\{1b\}\[31m.*' \(5005 characters\): give one of 'a\\u\{1b\}\[2J'$/,
  );
  expect(problem?.message.length).toBeLessThan(300);
});

test("checks parameters without building a request", () => {
  const api = withParameter({ type: "integer", required: true });

  expect(api.checkParameters("zoo.get", { x: 1 })).toEqual([]);
  expect(api.checkParameters("zoo.get", { x: "one", z: 1 }).map(({ code }) => code)).toEqual([
    "parameter-type",
    "parameter-unknown",
  ]);
});

test("lists parameters in order: the method's own, then those of the API that it doesn't redeclare", () => {
  const api = withMethod(
    {
      path: "v1/{b}",
      parameters: { z: { type: "integer" }, b: { type: "string", location: "path" }, alt: { type: "boolean" } },
    },
    { parameters: { alt: { type: "string" }, key: { type: "string" } } },
  );

  expect(
    api.parametersOf("zoo.get").map(({ name, location, required, schema }) => [name, location, required, schema.type]),
  ).toEqual([
    ["z", "query", false, "integer"],
    ["b", "path", true, "string"],
    ["alt", "query", false, "boolean"],
    ["key", "query", false, "string"],
  ]);
});
