import fc from "fast-check";
import type { SchemaDocument } from "../../lib/discovery";
import { ApiDescription } from "../../lib/discovery";
import { anyText } from "./any-text";
import { documentOf, methodOf } from "./descriptions";

/** A method with values for its parameters, which can be parsed back unambiguously. */
export interface Call {
  readonly api: ApiDescription;
  readonly methodId: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

type ParameterValue = string | number | boolean | readonly (string | number | boolean)[];

/** A piece of a path, with its parameter and a value. */
interface Piece {
  readonly path: (name: string) => string;
  readonly schema?: SchemaDocument;
  readonly value?: string | number;
}

const fixed: fc.Arbitrary<Piece> = fc
  .constantFrom("v1", "projects", "$export", "well-known", "a.b", "x:y", "été", "zoo~1")
  .map((text) => ({ path: () => text }));

/** Any text without lone surrogates; characters with a meaning in URLs are frequent. */
const text = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(..."abz019-_~.") },
    { weight: 3, arbitrary: fc.constantFrom(..."%?#+: &=/\\;@!$'()*,[]{}|^`\"<>") },
    { weight: 1, arbitrary: fc.constantFrom("%2F", "%25", "%zz", "..", "é", "🦁", "\u0000", "\n", "\u2028") },
    { weight: 1, arbitrary: anyText({ minLength: 1, maxLength: 1 }) },
  ),
  minLength: 1,
  maxLength: 12,
});

const isDirection = (value: string) => value.split("/").some((segment) => segment === "." || segment === "..");
const one = text.filter((value) => value !== "." && value !== "..");
const segments = fc
  .array(
    text.map((value) => value.replaceAll("/", "|")),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.join("/"));
const several = fc.oneof(segments, text).filter((value) => !isDirection(value));

const inPath = { type: "string", location: "path", required: true };

const single: fc.Arbitrary<Piece> = fc.oneof(
  one.map((value) => ({ path: (name: string) => `{${name}}`, schema: inPath, value })),
  fc.integer().map((value) => ({
    path: (name: string) => `{${name}}`,
    schema: { ...inPath, type: "integer", format: "int32" },
    value,
  })),
);

/**
 * A parameter with fixed text in one segment. Text that could also occur in the value is at the edge of the value, so
 * that it is parsed as text.
 */
const mixed: fc.Arbitrary<Piece> = fc
  .tuple(one, fc.constantFrom("", "zoo-", "@"), fc.constantFrom(":cancel", ":a:b", ".json", "~", "-x"))
  .map(([value, before, after]) => ({ path: (name) => `${before}{${name}}${after}`, schema: inPath, value }));

/** A parameter of several segments, with a pattern that defines its end. */
const patterned: fc.Arbitrary<Piece> = fc
  .tuple(fc.array(one, { minLength: 1, maxLength: 3 }), fc.constantFrom("", ":cancel"), fc.boolean())
  .map(([values, after, anchored]) => {
    const names = ["animals", "cages", "keepers"];
    const whole = values.map((value, at) => `${names[at]}/${value.replaceAll("/", "|")}`).join("/");
    const pattern = values.map((_, at) => `${names[at]}/[^/]+`).join("/");
    return {
      path: (name: string) => `{+${name}}${after}`,
      schema: { ...inPath, pattern: anchored ? `^${pattern}$` : pattern },
      value: whole,
    };
  })
  .filter(({ value }) => !isDirection(value));

/** A parameter of several segments without a defined end: a path contains at most one. */
const open: fc.Arbitrary<Piece> = fc
  .tuple(several, fc.constantFrom("", ":cancel"))
  .map(([value, after]) => ({ path: (name) => `{+${name}}${after}`, schema: inPath, value }));

const queryValue = (type: string, format: string | undefined, value: fc.Arbitrary<string | number | boolean>) =>
  fc.oneof(
    value.map((given) => ({ schema: schemaOf(type, format), value: given as ParameterValue })),
    fc
      .array(value, { minLength: 1, maxLength: 4 })
      .map((given) => ({ schema: { ...schemaOf(type, format), repeated: true }, value: given as ParameterValue })),
  );
const schemaOf = (type: string, format: string | undefined): SchemaDocument => ({
  type,
  location: "query",
  ...(format === undefined ? {} : { format }),
});
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const queryParameter = fc.oneof(
  queryValue("string", undefined, fc.oneof(text, fc.constant(""))),
  queryValue("integer", "int32", fc.integer()),
  queryValue("integer", "uint32", fc.nat(2 ** 31)),
  queryValue(
    "integer",
    undefined,
    fc.maxSafeInteger().map((value) => value + 0),
  ),
  queryValue("string", "int64", fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  queryValue("string", "uint64", fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)),
  queryValue("number", "double", finite),
  queryValue("boolean", undefined, fc.boolean()),
  queryValue(
    "string",
    "google-datetime",
    fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  queryValue("string", "google-fieldmask", fc.constantFrom("labels,description", "a.b", "*")),
  queryValue("string", undefined, fc.constantFrom("A", "B", "C-D")),
);

const oddNames = [
  "x",
  "$.xgafv",
  "born.year",
  "continue",
  "constructor",
  "end-date",
  "toString",
  "z_1",
  "__proto__",
  "hasOwnProperty",
];

/** A method in its own description, with valid values. */
export const call: fc.Arbitrary<Call> = fc
  .record({
    pieces: fc.array(fc.oneof(fixed, single, mixed, patterned), { minLength: 1, maxLength: 4 }),
    openAt: fc.option(fc.tuple(fc.nat(4), open)),
    query: fc.array(queryParameter, { maxLength: 4 }),
    apiQuery: fc.array(queryParameter, { maxLength: 2 }),
    fullyEncodeReservedExpansion: fc.boolean(),
    servicePath: fc.constantFrom("", "api/", "compute/v1/projects/"),
    rootPath: fc.constantFrom("", "root/"),
    httpMethod: fc.constantFrom("GET", "POST", "DELETE"),
    names: fc.shuffledSubarray(oddNames, { minLength: oddNames.length }),
  })
  .map(
    ({ pieces, openAt, query, apiQuery, servicePath, rootPath, httpMethod, names, fullyEncodeReservedExpansion }) => {
      const all = openAt === null ? pieces : [...pieces.slice(0, openAt[0]), openAt[1], ...pieces.slice(openAt[0])];
      const values: [string, ParameterValue][] = [];
      const declared: [string, SchemaDocument][] = [];
      const nameOf = (at: number) => (at < names.length ? (names[at] ?? "") : `p${at}`);
      const path = all.map((piece, at) => {
        // The name of a path variable can only contain the characters of its expression, as these names do.
        if (piece.schema !== undefined) declared.push([nameOf(at), piece.schema]);
        if (piece.value !== undefined) values.push([nameOf(at), piece.value]);
        return piece.path(nameOf(at));
      });
      const inQuery = (given: typeof query, from: number) =>
        given.map(({ schema, value }, at) => {
          values.push([nameOf(from + at), value]);
          return [nameOf(from + at), schema] as const;
        });
      const parameters = Object.fromEntries([...declared, ...inQuery(query, all.length)]);
      const method = methodOf({ httpMethod, path: path.join("/"), parameters });
      const api = ApiDescription.parse(
        documentOf({
          methods: { get: method },
          parameters: Object.fromEntries(inQuery(apiQuery, all.length + query.length)),
          rootUrl: `https://zoo.example/${rootPath}`,
          servicePath,
          fullyEncodeReservedExpansion,
        }),
      );
      return { api, methodId: "zoo.get", parameters: Object.fromEntries(values) };
    },
  );
