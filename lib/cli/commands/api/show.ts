import type { ApiDescription, Method } from "../../../discovery";
import { InputError, type Problem } from "../../../errors";
import { defineCommand, optionalArgument, value } from "../../declare";
import * as load from "../../load";
import { columnsOf, type Fold, foldTo } from "../../style";
import { jsonDocument, safe, writeNote } from "../../text";
import { formatTable } from "../../text-table";
import { checked } from "../../value-types";
import {
  allowedValues,
  apiSections,
  describeType,
  firstSentence,
  limits,
  mediaText,
  ownParameters,
  type ShownParameter,
  schemaTree,
} from "./describe";
import { apiArgument, descriptionOptions, readApi } from "./source";

const depthType = checked(
  "depth-malformed",
  (given) => (Number.isInteger(Number(given)) && Number(given) >= 1 ? Number(given) : undefined),
  "is not a whole number from 1",
);

export const command = defineCommand({
  description:
    "Shows a part of a description. For an API: addresses, resources, common parameters, scopes and endpoints. For a method: URL, signature, parameters, uploads, scopes, request and response. For a schema: its properties as a tree.",
  arguments: {
    api: apiArgument,
    what: optionalArgument({ description: "id of a method, or of a schema" }),
  },
  options: { "--depth <levels>": value(depthType, "how deep trees are opened up", "3"), ...descriptionOptions },
  examples: {
    "cert-migration api show certificatemanager:v1": "the API",
    "cert-migration api show dns:v1 dns.changes.create": "a method",
    "cert-migration api show certificatemanager:v1 Certificate --depth 2": "a schema",
  },
  run: async ({ arguments: { api: source, what }, options }, io) => {
    const { depth } = options;
    const api = await readApi(source, options, io);
    for (const { code, message } of api.warnings.slice(0, what === undefined ? 20 : 0)) {
      writeNote(code, `note: ${message}`, io);
    }
    const write = (facts: () => object, text: () => string) =>
      io.stdout.write(options.json ? jsonDocument(facts()) : text());
    if (what === undefined) {
      write(
        () => overview(api),
        () => apiText(api, columnsOf(io, "stdout")),
      );
    } else if (api.hasMethod(what)) {
      const method = api.method(what);
      write(
        () => methodFacts(api, method),
        () => methodText(api, method, { depth, columns: columnsOf(io, "stdout") }),
      );
    } else if (api.schemas().has(what)) {
      write(
        () => ({ schema: api.schema(what) }),
        () => schemaText(api, what, { depth, columns: columnsOf(io, "stdout") }),
      );
    } else throw neither(api, what);
    return 0;
  },
});

/** Returns the problems of both look-ups: neither a method nor a schema has the name. */
function neither(api: ApiDescription, what: string): InputError {
  const problems = [() => api.method(what), () => api.schema(what)].flatMap((find): readonly Problem[] => {
    try {
      find();
      return [];
    } catch (error) {
      if (error instanceof InputError) return error.problems;
      throw error;
    }
  });
  return new InputError(problems);
}

function overview({ document, id, name, version }: ApiDescription): object {
  const { schemas, resources, methods, ...rest } = document;
  return { ...rest, id, name, version, resources: Object.keys(resources ?? {}), schemas: Object.keys(schemas ?? {}) };
}

function apiText(api: ApiDescription, columns: number | undefined): string {
  const { document } = api;
  const fold = foldWithin(columns);
  const lines = [
    `${api.id}  ${document.title ?? ""}`,
    firstSentence(document.description),
    `revision   ${document.revision ?? "not in the description"}`,
    `address    ${hasRoot(api) ? addressOf(api, "") : "not in the description"}`,
    `batches    ${hasRoot(api) ? api.batchUrl() : "not in the description"}`,
    ...(document.labels?.length ? [`labels     ${document.labels.join(", ")}`] : []),
  ];
  const counts = new Map<string, number>();
  for (const { resourcePath } of api.methods()) {
    const resource = resourcePath.join(".") || "(the API itself)";
    counts.set(resource, (counts.get(resource) ?? 0) + 1);
  }
  const rows = [...counts].map(([resource, count]) => [resource, String(count)]);
  const sections = [
    `${lines.map((line) => `${fold(safe(line), 2)}\n`).join("")}\n${formatTable(["RESOURCE", "METHODS"], rows, undefined, columns)}`,
    ...apiSections(document, columns),
  ];
  return sections.join("\n");
}

function hasRoot(api: ApiDescription): boolean {
  return rootOf(api) !== undefined;
}

/** Returns the base address of requests; undefined if the description has none that can be used. */
function rootOf(api: ApiDescription): string | undefined {
  try {
    return api.rootUrl();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function methodFacts(api: ApiDescription, method: Method): object {
  return { ...method.document, id: method.id, url: urlOf(api, method), signature: signature(api, method) };
}

function urlOf(api: ApiDescription, { path }: Method): string {
  return addressOf(api, path);
}

/** Returns the URL as requests use it, with the slashes that the description lacks. */
function addressOf(api: ApiDescription, path: string): string {
  const { pathBelowRoot } = load.discovery();
  return `${rootOf(api) ?? ""}${pathBelowRoot(api.document, path)}`;
}

/**
 * Formats the signature of a method as in a client library: required parameters in the order of the method, the others
 * in brackets.
 */
function signature(api: ApiDescription, method: Method): string {
  const parameters = ownParameters(api, method);
  const required = parameters.filter((parameter) => parameter.required);
  const ordered = [...required].sort((a, b) => place(method, a) - place(method, b));
  const names = [
    ...ordered.map(({ name }) => name),
    ...(method.request === undefined ? [] : [`body: ${describeType(method.request)}`]),
    ...(parameters.length > required.length ? ["{…}"] : []),
  ];
  const answer = method.response === undefined ? "nothing" : describeType(method.response);
  return `${[...method.resourcePath, method.name].join(".")}(${names.join(", ")}) → ${answer}`;
}

function place({ parameterOrder }: Method, { name }: ShownParameter): number {
  const at = parameterOrder.indexOf(name);
  return at === -1 ? Number.MAX_SAFE_INTEGER : at;
}

interface TreeLook {
  /** Number of levels of a tree. */
  readonly depth: number;
  /** Width of the terminal; undefined for any width. */
  readonly columns: number | undefined;
}

function foldWithin(columns: number | undefined): Fold {
  return columns === undefined ? (line) => line : foldTo(columns);
}

function methodText(api: ApiDescription, method: Method, { depth, columns }: TreeLook): string {
  const fold = foldWithin(columns);
  const rows = ownParameters(api, method).map(({ name, location, required, repeated, schema }) => [
    `${name}${repeated ? "[]" : ""}`,
    location,
    [required ? "required" : "", schema.deprecated ? "deprecated" : ""].filter((word) => word !== "").join(", "),
    describeType(schema),
    [limits(schema), firstSentence(schema.description), allowedValues(schema)].filter((part) => part !== "").join("; "),
  ]);
  const sections = [
    `${safe(method.id)}${method.deprecated ? "  (deprecated)" : ""}\n${fold(firstSentence(method.description), 0)}\n\n`.replace(
      "\n\n\n",
      "\n\n",
    ),
    `${fold(safe(`${method.httpMethod} ${urlOf(api, method)}`), 2)}\n${fold(safe(signature(api, method)), 2)}\n`,
    rows.length === 0 ? "" : `\n${formatTable(["PARAMETER", "IN", "", "TYPE", ""], rows, undefined, columns)}`,
    mediaText(api, method, fold),
    method.scopes.length === 0
      ? ""
      : `\nscopes, one of:\n${method.scopes.map((scope) => `  ${safe(scope)}\n`).join("")}`,
    body(api, "request", method, { depth, columns }),
    body(api, "response", method, { depth, columns }),
  ];
  return sections.join("");
}

function body(api: ApiDescription, side: "request" | "response", method: Method, look: TreeLook): string {
  const schema = method[side];
  if (schema === undefined) return `\n${side}: nothing\n`;
  const requiredMark = (ids: readonly string[]) => (side === "request" && ids.includes(method.id) ? "required" : "");
  return `\n${side}: ${describeType(schema)}\n${schemaTree(api, schema, look.depth, requiredMark, look.columns)}`;
}

function schemaText(api: ApiDescription, id: string, { depth, columns }: TreeLook): string {
  const schema = api.schema(id);
  const description = foldWithin(columns)(firstSentence(schema.description), 0);
  return `${safe(id)}: ${describeType(schema)}\n${description}\n${schemaTree(api, schema, depth, requiredBy, columns)}`;
}

function requiredBy(methodIds: readonly string[]): string {
  return methodIds.length === 0
    ? ""
    : `required by ${methodIds.slice(0, 3).join(", ")}${methodIds.length > 3 ? ", …" : ""}`;
}
