/**
 * Whether a value has the shape of a description: every field that is declared has its type, at every level. Fields that nobody
 * declared are left alone.
 */
import type { Problem } from "../errors";
import { quote } from "../quote";
import { pointerTo } from "./findings";

type Plain = "string" | "boolean" | "strings" | "booleans";
type Each = { readonly each: Shape; readonly list?: true };
type Field = Plain | "any" | Shape | Each;
type Shape = ReadonlyMap<string, Field>;

const schema: Shape = new Map<string, Field>();
const method: Shape = new Map<string, Field>();
const resource: Shape = new Map<string, Field>();

const fill = (shape: Shape, fields: Readonly<Record<string, Field>>) => {
  for (const [name, field] of Object.entries(fields)) (shape as Map<string, Field>).set(name, field);
  return shape;
};
const shapeOf = (fields: Readonly<Record<string, Field>>) => fill(new Map(), fields);
const strings = (names: string): Readonly<Record<string, Field>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, "string"]));

fill(schema, {
  ...strings("id type $ref description format pattern minimum maximum location"),
  required: "boolean",
  deprecated: "boolean",
  repeated: "boolean",
  readOnly: "boolean",
  default: "any",
  enum: "strings",
  enumDescriptions: "strings",
  enumDeprecated: "booleans",
  properties: { each: schema },
  additionalProperties: schema,
  items: schema,
  annotations: shapeOf({ required: "strings" }),
});
const uploadProtocol = shapeOf({ multipart: "boolean", path: "string" });
fill(method, {
  ...strings("id path flatPath httpMethod description apiVersion"),
  deprecated: "boolean",
  parameters: { each: schema },
  parameterOrder: "strings",
  request: schema,
  response: schema,
  scopes: "strings",
  supportsMediaDownload: "boolean",
  supportsMediaUpload: "boolean",
  supportsSubscription: "boolean",
  mediaUpload: shapeOf({
    accept: "strings",
    maxSize: "string",
    protocols: shapeOf({ simple: uploadProtocol, resumable: uploadProtocol }),
  }),
});
fill(resource, { methods: { each: method }, deprecated: "boolean", resources: { each: resource } });
const icons = shapeOf(strings("x16 x32"));
const document = shapeOf({
  ...strings(
    "kind discoveryVersion id name canonicalName version revision title description documentationLink protocol",
  ),
  ...strings("baseUrl basePath rootUrl servicePath batchPath mtlsRootUrl ownerDomain ownerName packagePath etag"),
  icons,
  labels: "strings",
  features: "strings",
  fullyEncodeReservedExpansion: "boolean",
  endpoints: { each: shapeOf({ ...strings("endpointUrl location description"), deprecated: "boolean" }), list: true },
  parameters: { each: schema },
  auth: shapeOf({ oauth2: shapeOf({ scopes: { each: shapeOf({ description: "string" }) } }) }),
  schemas: { each: schema },
  methods: { each: method },
  resources: { each: resource },
});
const directory = shapeOf({
  ...strings("kind discoveryVersion"),
  items: {
    each: shapeOf({
      ...strings("kind id name version title description discoveryRestUrl discoveryLink documentationLink"),
      icons,
      labels: "strings",
      preferred: "boolean",
    }),
    list: true,
  },
});

/** Deeper than any published description by far, and shallow enough for the stack. */
const deepest = 200;
/** Enough to see what kind of mistake it is. */
const mostProblems = 50;

/** Everything about a description that has the wrong type; empty when it has the shape of one. */
export function checkDocumentShape(value: unknown): readonly Problem[] {
  return check(value, document);
}

/** The same for an answer of `apis.list`. */
export function checkDirectoryShape(value: unknown): readonly Problem[] {
  return check(value, directory);
}

/** Where a value stands: its key, and where its parent stands. Only read where something is wrong. */
interface Place {
  readonly key: string;
  readonly parent: Place | undefined;
  readonly depth: number;
}

function check(value: unknown, shape: Shape): readonly Problem[] {
  const problems: Problem[] = [];
  checkObject(value, shape, undefined, problems);
  return problems;
}

// This sees every node of documents of several megabytes, so it makes nothing but the chain of places.
function checkObject(value: unknown, shape: Shape, at: Place | undefined, problems: Problem[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("an object", value, at, problems);
  const depth = (at?.depth ?? 0) + 1;
  if (depth > deepest) return refuse(`nested at most ${deepest} levels deep`, value, at, problems);
  for (const key in value) {
    const field = shape.get(key);
    if (field === undefined || field === "any") continue;
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof field === "string") checkPlain(inner, field, key, at, problems);
    else if (field instanceof Map) checkObject(inner, field, { key, parent: at, depth }, problems);
    else checkEach(inner, field as Each, { key, parent: at, depth }, problems);
  }
}

function checkPlain(value: unknown, field: Plain, key: string, at: Place | undefined, problems: Problem[]): void {
  if (typeof value === field) return;
  const place = { key, parent: at, depth: 0 };
  if (field === "strings" || field === "booleans") {
    const type = field === "strings" ? "string" : "boolean";
    if (Array.isArray(value) && value.every((item) => typeof item === type)) return;
    refuse(field === "strings" ? "a list of texts" : "a list of true and false", value, place, problems);
  } else {
    refuse(field === "string" ? "a text" : "true or false", value, place, problems);
  }
}

function checkEach(value: unknown, { each, list }: Each, at: Place, problems: Problem[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) !== (list === true)) {
    return refuse(list === true ? "a list" : "an object", value, at, problems);
  }
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    checkObject(inner, each, { key, parent: at, depth: at.depth + 1 }, problems);
  }
}

function refuse(wanted: string, value: unknown, at: Place | undefined, problems: Problem[]): void {
  if (problems.length >= mostProblems) return;
  let pointer = "";
  for (let place = at; place !== undefined; place = place.parent) pointer = `${pointerTo("", place.key)}${pointer}`;
  const where = pointer === "" ? "the document" : quote(pointer);
  const got = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  problems.push({ code: "description-malformed", message: `${where} must be ${wanted}, got ${got}` });
}
