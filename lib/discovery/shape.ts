/** Checks the types of all declared fields of a description, at every level. */
import type { Problem } from "../errors";
import { pointerTo } from "../json/pointer";
import { quote } from "../text/quote";

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
  // The content of a schema is checked when it is requested, and most schemas are never requested.
  schemas: { each: new Map() },
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

/** Maximum depth, far deeper than any published description, but within the limits of the stack. */
const deepest = 200;
const mostProblems = 50;
/** Maximum number of objects. The largest published description has fewer than 50,000. A circular value never ends. */
const mostNodes = 500_000;
/** Maximum number of objects in one schema. The largest published schema has fewer than 2,000. */
const mostSchemaNodes = 50_000;

/** Returns every part of the wrong type. Schemas are checked only if another part has a problem. */
export function checkDocumentShape(value: unknown): readonly Problem[] {
  const problems = [...check(value, document)];
  if (problems.length === 0) return problems;
  const schemas = (value as { readonly schemas?: unknown }).schemas;
  if (typeof schemas !== "object" || schemas === null) return problems;
  for (const [name, inner] of Object.entries(schemas)) {
    if (problems.length >= mostProblems) break;
    if (typeof inner === "object" && inner !== null) problems.push(...checkSchemaShape(inner, name));
  }
  return problems.slice(0, mostProblems);
}

/** Returns every part of a schema with the wrong type. Pointers begin at the schema's place in the document. */
export function checkSchemaShape(value: unknown, name: string): readonly Problem[] {
  const schemas = { key: "schemas", parent: undefined, depth: 1 };
  return check(value, schema, mostSchemaNodes, { key: name, parent: schemas, depth: 2 });
}

export function checkDirectoryShape(value: unknown): readonly Problem[] {
  return check(value, directory);
}

/** Place of a value: its key, and the place of its parent. Used only for reporting problems. */
interface Place {
  readonly key: string;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/** State of a check: what was found, and how many values may still be read. */
interface ShapeCheck {
  readonly problems: Problem[];
  nodesLeft: number;
}

function check(value: unknown, shape: Shape, most = mostNodes, at?: Place): readonly Problem[] {
  if (fits(value, shape, at?.depth ?? 1, { nodesLeft: most })) return [];
  const shapeCheck: ShapeCheck = { problems: [], nodesLeft: most };
  checkObject(value, shape, at, shapeCheck);
  return shapeCheck.problems;
}

// Visits every node of megabytes, so it allocates and reports nothing. A value that does not fit is checked again.
function fits(value: unknown, shape: Shape, depth: number, budget: { nodesLeft: number }): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (depth > deepest || --budget.nodesLeft < 0) return false;
  for (const key in value) {
    const field = shape.get(key);
    if (field === undefined || field === "any") continue;
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof inner === field || inner === undefined) continue;
    if (field === "string" || field === "boolean") return false;
    if (!fitsField(inner, field, depth + 1, budget)) return false;
  }
  return true;
}

function fitsField(
  value: unknown,
  field: Exclude<Field, "string" | "boolean" | "any">,
  depth: number,
  budget: { nodesLeft: number },
): boolean {
  if (field === "strings" || field === "booleans") return isListOf(value, field);
  if (field instanceof Map) return fits(value, field, depth, budget);
  const { each, list } = field as Each;
  if (typeof value !== "object" || value === null || Array.isArray(value) !== (list === true)) return false;
  for (const key in value) {
    if (!fits((value as Readonly<Record<string, unknown>>)[key], each, depth + 1, budget)) return false;
  }
  return true;
}

/** A list that a program created may have holes, which `every` skips. */
function isListOf(value: unknown, field: "strings" | "booleans"): boolean {
  const type = field === "strings" ? "string" : "boolean";
  return Array.isArray(value) && !value.includes(undefined) && value.every((item) => typeof item === type);
}

function checkObject(value: unknown, shape: Shape, at: Place | undefined, shapeCheck: ShapeCheck): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse("an object", value, at, shapeCheck);
    return;
  }
  const depth = (at?.depth ?? 0) + 1;
  if (depth > deepest || --shapeCheck.nodesLeft < 0) {
    giveUp(depth, at, shapeCheck);
    return;
  }
  for (const key in value) {
    if (shapeCheck.nodesLeft < 0) return;
    const field = shape.get(key);
    if (field === undefined || field === "any") continue;
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    if (inner === undefined) continue;
    if (typeof field === "string") checkPlain(inner, field, key, at, shapeCheck);
    else if (field instanceof Map) checkObject(inner, field, { key, parent: at, depth }, shapeCheck);
    else checkEach(inner, field as Each, { key, parent: at, depth }, shapeCheck);
  }
}

function checkPlain(value: unknown, field: Plain, key: string, at: Place | undefined, shapeCheck: ShapeCheck): void {
  if (typeof value === field) return;
  if ((field === "strings" || field === "booleans") && isListOf(value, field)) return;
  refuse(typesInWords[field], value, { key, parent: at, depth: 0 }, shapeCheck);
}

const typesInWords: Readonly<Record<Plain, string>> = {
  string: "a text",
  boolean: "true or false",
  strings: "a list of texts",
  booleans: "a list of true and false",
};

function checkEach(value: unknown, { each, list }: Each, at: Place, shapeCheck: ShapeCheck): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) !== (list === true)) {
    refuse(list === true ? "a list" : "an object", value, at, shapeCheck);
    return;
  }
  for (const key in value) {
    if (shapeCheck.nodesLeft < 0) return;
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    checkObject(inner, each, { key, parent: at, depth: at.depth + 1 }, shapeCheck);
  }
}

function refuse(wanted: string, value: unknown, at: Place | undefined, shapeCheck: ShapeCheck): void {
  const got = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  report(at, `must be ${wanted}, got ${got}`, shapeCheck);
}

function report(at: Place | undefined, what: string, { problems }: ShapeCheck): void {
  if (problems.length >= mostProblems) return;
  let pointer = "";
  for (let place = at; place !== undefined; place = place.parent) pointer = `${pointerTo("", place.key)}${pointer}`;
  problems.push({
    code: "description-malformed",
    message: `${pointer === "" ? "the document" : quote(pointer)} ${what}`,
  });
}

function giveUp(depth: number, at: Place | undefined, shapeCheck: ShapeCheck): void {
  if (depth > deepest) report(at, `is nested too deep: at most ${deepest} levels are read`, shapeCheck);
  if (shapeCheck.nodesLeft !== -1) return;
  const message =
    "the document has more objects than any published description: it may hold itself, or others again and again";
  shapeCheck.problems.push({ code: "description-too-large", message });
}
