import { defined } from "../../json/defined";
import { isComputePath, isNameOrLink, writeProject } from "../../resource-names";
import type { ApiObject, Attempt } from "../cloud-api";
import { labelAttributes } from "../planning";
import type { SchemaBlock } from "../schema";
import { isList, isValueObject, itemsOf, textValue, type Value, type ValueObject } from "../value";
import type { ProviderCall } from "./kind";
import { apiName, fromApi, labelsOf, type Mapping, toApi } from "./mapping";
import { fill, placesOf, type Template } from "./resource-id";
import type { RestRow } from "./rest-row";

const roots = {
  certificatemanager: "/v1/",
  compute: "/compute/v1/",
  dns: "/dns/v1/",
  networksecurity: "/v1/",
  privateca: "/v1/",
} as const;

const alwaysForeign = [
  ...["id", "project", "timeouts", "labels", "terraform_labels", "effective_labels", "deletion_policy"],
];

/** Paths, bodies and answers of a resource. */
export type RestResource = ReturnType<typeof createRestResource>;

export function createRestResource(row: RestRow) {
  const idTemplate = `${row.collection}/{name}`;
  const foreign = [...alwaysForeign, ...placesOf(row.collection), ...(row.foreign ?? [])];
  const sending: Mapping = { ...defined({ apiNames: row.apiNames }), foreign };
  // Attributes that the service never returns are sent, but not read.
  const { neverReturned = [] } = row.answers ?? {};
  const reading: Mapping = { ...sending, foreign: [...foreign, ...neverReturned], defaults: row.defaults };
  /** Fills a template below the service's root. */
  const below = (template: Template, values: ValueObject) => `${roots[row.service]}${fill(template, values)}`;
  const path = (values: ValueObject) => below(idTemplate, values);

  const attributesOf = (values: ValueObject, answer: ApiObject, { schema }: ProviderCall): ValueObject => {
    const decoded = row.decode?.(answer) ?? answer;
    const attributes = { ...fromApi(schema, reading, decoded), ...ownLabelsOf(decoded, values, schema) };
    return { ...attributes, name: textValue(values, "name"), id: fill(idTemplate, values) };
  };

  return {
    row,
    idTemplate,
    /** Attributes that are not members of the API, other than the labels. */
    foreign,
    path,
    below,
    /** Returns a description for messages. */
    describe: (values: ValueObject) => `${row.type} '${fill(idTemplate, values)}'`,
    /** Returns the member of a body that contains an attribute. */
    memberOf: (attribute: string) =>
      attribute === "effective_labels" ? "labels" : (apiName(sending, attribute).split(".")[0] ?? ""),

    /** Returns the body without the name. */
    body: (values: ValueObject, { schema, config }: ProviderCall): ApiObject => {
      const sent = withoutDefaults(row.unsentDefaults ?? {}, withWholeReferences(row.references ?? {}, values));
      const { name: _, ...rest } = toApi(schema, sending, withWriteOnly(schema, sent, config));
      return { ...(row.encode?.(rest, values) ?? rest), ...labelsOf(values) };
    },

    /** Reads the resource. @returns undefined if it does not exist */
    read: async (values: ValueObject, attempt: Attempt, call: ProviderCall): Promise<ValueObject | undefined> => {
      const answer = await call.api.find({ ...attempt, httpMethod: "GET", target: path(values) });
      return answer === undefined ? undefined : attributesOf(values, answer, call);
    },

    /** Reads the resource. @throws ServiceError if it does not exist */
    readBack: async (values: ValueObject, attempt: Attempt, call: ProviderCall): Promise<ValueObject> =>
      attributesOf(values, await call.api.send({ ...attempt, httpMethod: "GET", target: path(values) }), call),

    /** Waits for an operation, if the answer is an operation. */
    settle: async (
      answer: ApiObject,
      values: ValueObject,
      attempt: Attempt & { readonly timeoutMs: number },
      { api }: ProviderCall,
    ): Promise<void> => {
      const target = operationTarget(answer, path(values));
      if (target !== undefined) await api.settle(answer, target, attempt, attempt.timeoutMs);
    },
  };
}

/** Returns the attributes of the labels in an answer; none for a resource without labels. */
function ownLabelsOf(answer: ApiObject, values: ValueObject, { attributes }: SchemaBlock): ValueObject {
  return attributes.has("labels") ? labelAttributes(values, (answer.labels ?? {}) as ValueObject) : {};
}

function withoutDefaults(defaults: Readonly<Record<string, string>>, values: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => defaults[name] !== value));
}

/** Returns the path at which an operation is polled; undefined if the answer is the resource itself. */
function operationTarget(operation: ApiObject, path: string): string | undefined {
  if (operation.kind === "dns#operation") return `${path}/operations/${String(operation.id)}`;
  if (operation.kind === "compute#operation") return new URL(String(operation.selfLink)).pathname;
  const name = String(operation.name ?? "");
  return /\/operations\/[^/]+$/.test(name) ? `/v1/${name}` : undefined;
}

/**
 * Replaces names by paths in attributes where the provider accepts names and the API requires paths.
 *
 * @param references collection of the referenced resources, by attribute
 */
function withWholeReferences(references: Readonly<Record<string, Template>>, values: ValueObject): ValueObject {
  const whole: Record<string, Value> = { ...values };
  for (const [name, collection] of Object.entries(references)) {
    const complete = (value: Value): Value =>
      typeof value === "string" ? completeLink(value, collection, values) : value;
    const value = values[name] ?? null;
    whole[name] = isList(value) ? value.map(complete) : complete(value);
  }
  return whole;
}

function completeLink(link: string, collection: Template, values: ValueObject): string {
  if (isComputePath(link)) return `${writeProject(textValue(values, "project"))}/${link}`;
  const isName = link !== "" && !link.includes("/") && !isNameOrLink(link);
  return isName ? `${fill(collection, values)}/${link}` : link;
}

/**
 * Adds the values of write-only attributes, which only the configuration of an apply contains, to planned values.
 *
 * @param config configuration of the same block. @default none: nothing is added
 */
function withWriteOnly(schema: SchemaBlock, values: ValueObject, config: ValueObject = {}): ValueObject {
  const completed: Record<string, Value> = { ...values };
  for (const [name, { writeOnly }] of schema.attributes) {
    if (writeOnly) completed[name] = config[name] ?? null;
  }
  for (const [name, { block }] of schema.blocks) {
    const items = values[name];
    const configured = itemsOf(config[name]);
    if (!isList(items)) continue;
    completed[name] = items.map((item, index) => {
      const configuredItem = configured[index];
      return isValueObject(item)
        ? withWriteOnly(block, item, isValueObject(configuredItem) ? configuredItem : {})
        : item;
    });
  }
  return completed;
}
