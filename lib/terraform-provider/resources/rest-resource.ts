import { defined } from "../../json/defined";
import type { Attempt, JsonObject } from "../cloud-api";
import { labelAttributes } from "../planning";
import { isObject, textOf, type ValueObject } from "../value";
import { timeoutMs } from "./durations";
import type { Call } from "./kind";
import { apiName, fromApi, type Mapping, toApi } from "./mapping";
import { withWholeReferences } from "./references";
import type { RestRow } from "./rest-row";
import { fill, placesOf, type Template } from "./template";
import { withWriteOnly } from "./write-only";

/** Paths, bodies and answers of a resource, as its row describes them. */
export interface RestResource {
  readonly row: RestRow;
  readonly idTemplate: Template;
  /** Attributes that are not members of the API, other than the labels. */
  readonly foreign: readonly string[];
  path(values: ValueObject): string;
  collection(values: ValueObject): string;
  /** Fills a template below the service's root. */
  below(template: Template, values: ValueObject): string;
  /** Returns a description for messages. */
  describe(values: ValueObject): string;
  /** Returns the member of a body that contains an attribute. */
  memberName(attribute: string): string;
  /** Returns the body without name and labels. */
  body(values: ValueObject, call: Call): JsonObject;
  labels(values: ValueObject): JsonObject;
  /** Reads the resource. @returns undefined if it does not exist */
  read(values: ValueObject, attempt: Attempt, call: Call): Promise<ValueObject | undefined>;
  /** Reads the resource. @throws ServiceError if it does not exist */
  readBack(values: ValueObject, attempt: Attempt, call: Call): Promise<ValueObject>;
  /** Waits for an operation, if the answer is an operation. */
  settle(
    answer: JsonObject,
    values: ValueObject,
    verb: "create" | "update" | "delete",
    attempt: Attempt,
    call: Call,
  ): Promise<void>;
}

const roots = {
  certificatemanager: "/v1/",
  compute: "/compute/v1/",
  dns: "/dns/v1/",
  networksecurity: "/v1/",
  privateca: "/v1/",
} as const;

const alwaysForeign = [
  "id",
  "project",
  "timeouts",
  "labels",
  "terraform_labels",
  "effective_labels",
  "deletion_policy",
];

export function createRestResource(row: RestRow): RestResource {
  const idTemplate = `${row.collection}/{name}`;
  const foreign = [...alwaysForeign, ...placesOf(row.collection), ...(row.foreign ?? [])];
  const sending: Mapping = { ...defined({ apiNames: row.apiNames }), foreign };
  // Attributes that the service never returns are sent, but not read.
  const reading: Mapping = { ...sending, foreign: [...foreign, ...(row.neverReturned ?? [])], defaults: row.defaults };
  const below = (template: Template, values: ValueObject) => `${roots[row.service]}${fill(template, values)}`;
  const path = (values: ValueObject) => below(idTemplate, values);

  const attributesOf = (values: ValueObject, answer: JsonObject, { schema }: Call): ValueObject => {
    const decoded = row.decode?.(answer) ?? answer;
    const attributes = fromApi(schema, reading, decoded);
    const ownLabels = schema.attributes.has("labels")
      ? labelAttributes(values, (decoded.labels ?? {}) as ValueObject)
      : {};
    return { ...attributes, ...ownLabels, name: textOf(values, "name"), id: fill(idTemplate, values) };
  };

  return {
    row,
    idTemplate,
    foreign,
    path,
    below,
    collection: (values) => below(row.collection, values),
    describe: (values) => `${row.type} '${fill(idTemplate, values)}'`,
    memberName: (attribute) => apiName(sending, attribute).split(".")[0] ?? "",

    body: (values, { schema, config }) => {
      const sent = withoutDefaults(row.unsentDefaults ?? {}, withWholeReferences(row.references ?? {}, values));
      const { name: _, ...rest } = toApi(schema, sending, withWriteOnly(schema, sent, config));
      return row.encode?.(rest, values) ?? rest;
    },

    labels: ({ effective_labels: labels }) => (isObject(labels) && Object.keys(labels).length > 0 ? { labels } : {}),

    read: async (values, attempt, call) => {
      const answer = await call.api.find({ ...attempt, httpMethod: "GET", target: path(values) });
      return answer === undefined ? undefined : attributesOf(values, answer, call);
    },

    readBack: async (values, attempt, call) => {
      const answer = await call.api.send({ ...attempt, httpMethod: "GET", target: path(values) });
      return attributesOf(values, answer, call);
    },

    settle: async (answer, values, verb, attempt, { api }) => {
      const target = operationTarget(answer, path(values));
      if (target === undefined) return;
      await api.settle(answer, target, attempt, timeoutMs(values, verb));
    },
  };
}

function withoutDefaults(defaults: Readonly<Record<string, string>>, values: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => defaults[name] !== value));
}

/** Returns the path at which an operation is polled; undefined if the answer is the resource itself. */
function operationTarget(operation: JsonObject, path: string): string | undefined {
  if (operation.kind === "dns#operation") return `${path}/operations/${String(operation.id)}`;
  if (operation.kind === "compute#operation") return new URL(String(operation.selfLink)).pathname;
  const name = String(operation.name ?? "");
  return /\/operations\/[^/]+$/.test(name) ? `/v1/${name}` : undefined;
}
