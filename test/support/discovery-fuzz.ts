import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ApiDescription, decodeBatch, decodeBatchResponse, encodeBatch } from "../../lib/discovery";
import { patternMatcher } from "../../lib/discovery/patterns/pattern";
import { patternExamples } from "../../lib/discovery/patterns/pattern-example";
import { InputError } from "../../lib/errors";
import { escapeUnsafe } from "../../lib/text/quote";
import { anyText } from "./any-text";
import { pattern } from "./arbitrary-pattern";
import { documentOf, methodOf } from "./descriptions";

const folder = join(__dirname, "../../lib/discovery/descriptions");
/** The texts of the project's own descriptions, without the largest. */
const ownTexts = readdirSync(folder)
  .filter((file) => file.endsWith(".v1.json") && !file.startsWith("compute"))
  .map((file) => readFileSync(join(folder, file), "utf8"));
const own = ownTexts.map((text) => ApiDescription.parse(text));

const oddText = fc.oneof(
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "",
    ".",
    "..",
    "%",
    "%zz",
    "{x}",
    "{+x}",
    "{",
    "\u0000",
    "\ud800",
    "$ref",
    "🦁",
  ),
  anyText({ maxLength: 20 }),
  fc.constantFrom("a", "/", "%2F", "{+x}", "(a+)+", "\n--b").map((text) => text.repeat(2_000)),
);
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  withSparseArray: true,
  key: oddText,
  maxDepth: 3,
});
const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), oddText, fc.constantFrom(null, 0, -1, 1e308, true, {}, [], [[]]));

/** Returns the objects and lists of a tree, with a function for each that replaces a member. */
function placesOf(tree: unknown): readonly { readonly holder: Record<string, unknown>; readonly key: string }[] {
  if (typeof tree !== "object" || tree === null) return [];
  return Object.keys(tree).flatMap((key) => {
    const holder = tree as Record<string, unknown>;
    return [{ holder, key }, ...placesOf(holder[key])];
  });
}

/** One of the project's own descriptions, with some replaced members. */
const mutated = fc
  .tuple(
    fc.constantFrom(...ownTexts),
    fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.oneof(json, oddText), oddText), { minLength: 1, maxLength: 6 }),
  )
  .map(([text, changes]) => {
    const document = JSON.parse(text) as unknown;
    const places = placesOf(document);
    for (const [place, what, value, name] of changes) {
      const { holder, key } = places[place % places.length] ?? { holder: {}, key: "" };
      const other = places[(place * 7 + 1) % places.length];
      if (what === 0) delete holder[key];
      // JSON lists have no member names.
      else if (what === 1 && !Array.isArray(holder))
        Object.defineProperty(holder, name, {
          value: holder[key],
          enumerable: true,
          configurable: true,
          writable: true,
        });
      else if (what === 2 && other !== undefined) holder[key] = structuredClone(other.holder[other.key]);
      else holder[key] = value;
    }
    return document;
  });

const schemaField = fc.record(
  {
    type: fc.constantFrom("string", "integer", "number", "boolean", "object", "array", "any", "odd"),
    format: fc.constantFrom(
      "int32",
      "uint64",
      "double",
      "byte",
      "date",
      "google-datetime",
      "google-duration",
      "google-fieldmask",
      "google.protobuf.Any",
    ),
    pattern: fc.oneof(pattern, oddText),
    minimum: fc.oneof(fc.constantFrom("0", "1e5", "-99999999999999999999"), oddText),
    maximum: fc.constantFrom("10", "x"),
    enum: fc.array(oddText, { maxLength: 3 }),
    default: oddText,
    required: fc.boolean(),
    repeated: fc.boolean(),
    readOnly: fc.boolean(),
    $ref: fc.constantFrom("A", "B", "__proto__", "Nowhere"),
  },
  { requiredKeys: [] },
);
const oddName = fc.constantFrom("a", "b", "__proto__", "c/d~e", "");
const schemaOf = (levels: number): fc.Arbitrary<object> =>
  levels === 0
    ? schemaField
    : fc
        .tuple(
          schemaField,
          fc.option(fc.dictionary(oddName, schemaOf(levels - 1), { maxKeys: 2 })),
          fc.option(schemaOf(levels - 1), { freq: 1 }),
          fc.option(schemaOf(levels - 1), { freq: 1 }),
        )
        .map(([fields, properties, items, additionalProperties]) => ({
          ...fields,
          ...(properties === null ? {} : { properties }),
          ...(items === null ? {} : { items }),
          ...(additionalProperties === null ? {} : { additionalProperties }),
        }));
const schema = schemaOf(2);

/** An unrealistic description: any schemas, any parameters, any path. */
const strange = fc
  .record({
    schemas: fc.dictionary(fc.constantFrom("A", "B", "C", "__proto__"), schema, { maxKeys: 3 }),
    parameters: fc.dictionary(fc.oneof(fc.constantFrom("x", "y"), oddText), schema, { maxKeys: 4 }),
    path: fc
      .array(fc.oneof(fc.constantFrom("{x}", "{+x}", "{y}", "{+y}", ":v", "/", "a", "{x}-{y}"), oddText), {
        maxLength: 6,
      })
      .map((all) => all.join("")),
    body: fc.option(schema),
    uploadPath: fc.option(fc.constantFrom("/upload/{x}", "u/{+y}", "{z}", "{")),
    rootUrl: fc.constantFrom("https://zoo.example/", "https://zoo.example/a/b", "odd", ""),
    servicePath: fc.constantFrom("", "s/", "//", "{x}/"),
    flag: fc.boolean(),
  })
  .map(({ schemas, parameters, path, body, uploadPath, rootUrl, servicePath, flag }) => {
    const mediaUpload =
      uploadPath === null
        ? {}
        : { mediaUpload: { protocols: { simple: { path: uploadPath }, resumable: { path: uploadPath } } } };
    const method = methodOf({ path, parameters, ...(body === null ? {} : { request: body }), ...mediaUpload });
    return documentOf({ schemas, methods: { get: method }, rootUrl, servicePath, fullyEncodeReservedExpansion: flag });
  });

/** Calls every function of a description with arbitrary values. */
function useAll(document: unknown, values: readonly unknown[], url: string): void {
  const api = ApiDescription.parse(document);
  const methods = [...api.methods()];
  const count = methods.length;
  const some = [methods[0], methods[Math.floor(count / 2)], methods[count - 1]].filter(
    (method) => method !== undefined,
  );
  mayRefuse(() => api.warnings);
  mayRefuse(() => api.deprecations());
  mayRefuse(() => api.smallestScopes(methods.map(({ id }) => id)));
  mayRefuse(() => api.batchUrl());
  for (const { id, httpMethod, parameters, path } of some) {
    const names = [...Object.keys(parameters), "other"];
    const given = Object.fromEntries(names.map((name, at) => [name, values[at % values.length] as string]));
    const media = { contentType: String(typeof values[0] === "string" ? values[0] : "a/b"), content: "x" };
    mayRefuse(() => api.request(id, { parameters: given }));
    mayRefuse(() => api.request(id, { parameters: given, body: values[0] }));
    mayRefuse(() => api.request(id, { parameters: given, media }));
    mayRefuse(() => api.uploadUrl(id, "resumable", given));
    mayRefuse(() => api.match(httpMethod, `/${path}`));
    mayRefuse(() => api.match(httpMethod, url));
  }
  for (const name of [...api.schemas().keys()].slice(0, 5)) {
    mayRefuse(() => api.example(name, { properties: "writable" }));
    for (const value of values.slice(0, 3))
      mayRefuse(() => api.validate(name, value, { as: "request", methodId: "zoo.get" }));
  }
}

/** Ignores refusals of the module and rethrows other errors. */
function mayRefuse(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const { code, message } of error.problems) {
      if (!/^[a-z][a-z0-9-]*$/.test(code) || message !== escapeUnsafe(message) || /\.$|^$/.test(message)) {
        throw new Error(`a problem has to be one line with a code: ${JSON.stringify({ code, message })}`);
      }
    }
  }
}

const url = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "v1",
        "projects",
        "a",
        "%2F",
        "%",
        "..",
        ":cancel",
        "?a=b",
        "#",
        "locations",
        "global",
        "https://h",
      ),
      oddText,
    ),
    { maxLength: 12 },
  )
  .map((parts) => `/${parts.join("/")}`);

const headerLine = fc.constantFrom(
  "Content-Type: application/http",
  "Content-ID: <1>",
  "Content-Length: 3",
  ": ",
  "x",
  "GET /a HTTP/1.1",
  "HTTP/1.1 200 OK",
  "--b",
  "--b--",
  "--bc",
  "",
);
const batchBody = fc.oneof(
  fc
    .array(
      fc.tuple(headerLine, fc.constantFrom("\n", "\r\n", "\r")).map((all) => all.join("")),
      { maxLength: 30 },
    )
    .map((lines) => `--b\n${lines.join("")}\n--b--`),
  oddText,
);
const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("multipart/mixed; boundary=b", 'multipart/mixed; x=y; boundary="b"') },
  { weight: 1, arbitrary: oddText },
);

interface Part {
  readonly share: number;
  readonly property: (numRuns: number, seed: number) => void;
}

/** Maximum CPU time of one input, in milliseconds: much more than any input needs; detects endless loops. */
const slowest = 3_000;

/** Describes a failure without its input, because printing some inputs throws. */
function tell<Input>({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<Input>): void {
  if (!failed) return;
  const error = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  throw new Error(`seed ${seed}, path ${counterexamplePath}: ${error}`);
}

function part<Input extends readonly unknown[]>(
  share: number,
  input: fc.Arbitrary<Input>,
  use: (...given: Input) => void,
): Part {
  return {
    share,
    property: (numRuns, seed) =>
      fc.assert(
        fc.property(input, (given) => {
          const started = process.cpuUsage();
          mayRefuse(() => use(...given));
          const { user, system } = process.cpuUsage(started);
          const took = (user + system) / 1000;
          if (took > slowest) throw new Error(`it took ${took} ms of the processor`);
        }),
        { numRuns, seed, reporter: tell },
      ),
  };
}

const values = fc.array(fc.oneof(anything, oddText, json), { minLength: 1, maxLength: 4 });

/** The fuzzed parts, each with its share of all inputs. */
export const parts: Readonly<Record<string, Part>> = {
  "random values as descriptions": part(
    2,
    fc.tuple(
      fc.oneof(
        anything,
        json.map((value) => JSON.stringify(value)),
        oddText,
      ),
    ),
    (input) => {
      ApiDescription.parse(input);
    },
  ),
  "random fields of descriptions": part(
    3,
    fc.tuple(
      fc.dictionary(
        fc.constantFrom(...Object.keys(documentOf()), "schemas", "resources", "methods", "auth", "endpoints"),
        json,
      ),
      values,
      url,
    ),
    (fields, given, at) => useAll({ ...documentOf(), ...fields }, given, at),
  ),
  "own descriptions, mutated": part(1, fc.tuple(mutated, values, url), useAll),
  "descriptions that nobody would write": part(2, fc.tuple(strange, values, url), useAll),
  "deep nesting": part(
    1,
    fc.tuple(
      fc.constantFrom("items", "properties", "additionalProperties", "resources", "methods"),
      fc.nat(3_000),
      url,
    ),
    (field, levels, at) => {
      const named = field !== "items" && field !== "additionalProperties";
      const [open, close] = named ? [`{"${field}":{"a":`, "}}"] : [`{"${field}":`, "}"];
      const text = `${open.repeat(levels)}{}${close.repeat(levels)}`;
      const asSchema = JSON.stringify(documentOf()).replace("{", `{"schemas":{"A":${text}},`);
      const asResource = JSON.stringify(documentOf()).replace("{", `{"resources":{"A":${text}},`);
      mayRefuse(() => useAll(asSchema, [JSON.parse(text)], at));
      mayRefuse(() => useAll(asResource, [JSON.parse(text)], at));
    },
  ),
  "requests of own methods with random values": part(
    4,
    fc.tuple(fc.constantFrom(...own), fc.nat(), values),
    (api, which, given) => {
      const methods = [...api.methods()];
      const { id, parameters } = methods[which % methods.length] ?? { id: "", parameters: {} };
      const names = [...Object.keys(parameters), "__proto__"];
      const input = Object.fromEntries(names.map((name, at) => [name, given[at % given.length] as string]));
      mayRefuse(() => api.request(id, { parameters: input, body: given[0], endpoint: "https://zoo.example/" }));
      mayRefuse(() => api.checkParameters(id, input));
    },
  ),
  URLs: part(
    6,
    fc.tuple(fc.constantFrom(...own), fc.constantFrom("GET", "POST", "DELETE", "__proto__"), fc.oneof(url, oddText)),
    (api, verb, at) => {
      api.match(verb, at);
    },
  ),
  "bodies against own schemas": part(
    4,
    fc.tuple(fc.constantFrom(...own), fc.nat(), fc.oneof(anything, json)),
    (api, which, value) => {
      const ids = [...api.schemas().keys()];
      const id = ids[which % ids.length] ?? "";
      api.validate(id, value);
      const example = api.example(id, { properties: "writable" });
      api.validate(
        id,
        typeof example === "object" && example !== null ? { ...example, [String(which)]: value } : value,
        { as: "response" },
      );
    },
  ),
  batches: part(8, fc.tuple(contentType, batchBody), (type, body) => {
    mayRefuse(() => decodeBatch(type, body));
    mayRefuse(() => decodeBatchResponse(type, body));
    const request = {
      method: "POST",
      url: `https://zoo.example/${body.length}`,
      headers: {},
      body,
      findings: [],
    };
    mayRefuse(() => encodeBatch([request]));
  }),
  patterns: part(
    6,
    fc.tuple(
      fc.oneof(pattern, oddText, fc.string()),
      fc.oneof(oddText, fc.string({ unit: fc.constantFrom("a", "b", "/", "\n"), maxLength: 3_000, size: "max" })),
    ),
    (source, value) => {
      patternMatcher(source)(value);
      patternExamples(source);
    },
  ),
};

export const allShares = Object.values(parts).reduce((sum, { share }) => sum + share, 0);
