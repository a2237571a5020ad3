import { InputError } from "../../errors";
import type { CloudRequest, JsonObject } from "../cloud-api";
import { type Overlay, toldLabels } from "../planning";
import { isList, isObject, sameValue, textOf, unknown, type Value, type ValueObject } from "../value";
import { timeoutMs } from "./durations";
import { type Call, type DataKind, type ProviderSettings, type ResourceKind, UnreadError } from "./kind";
import { apiName, fromApi, type Mapping, toApi } from "./mapping";
import { fill, parseImportId, placesOf, type Template } from "./template";

/** One attribute, or several, that a method of their own changes. */
export interface Setter {
  /** As in `setUrlMap`. */
  readonly action: string;
  readonly attributes: readonly string[];
  /** Where the method is not below the resource's own path. */
  readonly path?: Template;
  /** The labels' fingerprint goes along. */
  readonly withLabelFingerprint?: true;
}

/** A resource type by its methods, all of which follow one pattern. */
export interface RestRow extends Overlay {
  readonly type: string;
  readonly service: "certificatemanager" | "compute" | "dns";
  /** Path of the collection below the service's own. */
  readonly collection: Template;
  /** Query parameter that names a new resource. @default - the name goes into the body */
  readonly nameParameter?: string;
  readonly apiNames?: Mapping["apiNames"];
  /** Attributes that the API does not know, beside those that place the resource. @default none */
  readonly foreign?: readonly string[];
  /** In the order in which they are called. @default none */
  readonly setters?: readonly Setter[];
  /**
   * How attributes without a setter are changed: by `PATCH` with a mask, by `PATCH` with the resource's fingerprint, or whole by `PUT`.
   *
   * @default - they aren't: all of them replace the resource
   */
  readonly update?: "mask" | "patch" | "put";
  /**
   * Attributes that refer to other resources, which may be given by name alone: the collection of what they refer to.
   *
   * @default none
   */
  readonly references?: Readonly<Record<string, Template>>;
  readonly finishPlan?: ResourceKind["finishPlan"];
  /** Last changes to a body before it is sent. @default none */
  readonly encode?: (body: JsonObject, planned: ValueObject) => JsonObject;
  /** First changes to an answer after it has been read. @default none */
  readonly decode?: (answer: JsonObject) => JsonObject;
}

const roots = { certificatemanager: "/v1/", compute: "/compute/v1/", dns: "/dns/v1/" } as const;

const alwaysForeign = ["id", "project", "timeouts", "labels", "terraform_labels", "effective_labels"];

export function restKind(row: RestRow): ResourceKind {
  const resource = createRestResource(row);
  return {
    type: row.type,
    overlay: row,
    keptOnly: false,
    ...(row.finishPlan === undefined ? {} : { finishPlan: row.finishPlan }),
    create: async (planned, call) => {
      const body = { ...resource.body(planned, call), ...resource.labels(planned) };
      const query =
        row.nameParameter === undefined ? "" : `?${row.nameParameter}=${encodeURIComponent(textOf(planned, "name"))}`;
      const request = { purpose: `creating ${resource.describe(planned)}`, signal: call.signal };
      const operation = await call.api.send({
        ...request,
        httpMethod: "POST",
        target: `${resource.collection(planned)}${query}`,
        body: row.nameParameter === undefined ? { ...body, name: textOf(planned, "name") } : body,
      });
      await resource.settle(operation, planned, "create", request, call);
      return resource.readBack(planned, request, call).catch((error: unknown) => {
        throw new UnreadError({ id: fill(resource.idTemplate, planned) }, error);
      });
    },
    read: async (state, call) =>
      resource.read(state, { purpose: `reading ${resource.describe(state)}`, signal: call.signal }, call),
    update: async (prior, planned, call) => {
      const request = { purpose: `updating ${resource.describe(planned)}`, signal: call.signal };
      for (const step of resource.updates(prior, planned, call)) {
        const before = step.needsCurrent
          ? await call.api.send({ ...request, httpMethod: "GET", target: resource.path(planned) })
          : {};
        const operation = await call.api.send({ ...request, ...step.request(before) });
        await resource.settle(operation, planned, "update", request, call);
      }
      return resource.readBack(planned, request, call);
    },
    delete: async (state, call) => {
      const request = { purpose: `deleting ${resource.describe(state)}`, signal: call.signal };
      const operation = await call.api.find({ ...request, httpMethod: "DELETE", target: resource.path(state) });
      if (operation !== undefined) await resource.settle(operation, state, "delete", request, call);
    },
    identify: (importId, settings) => {
      const values = parseImportId(row.type, resource.idTemplate, importId, given(settings));
      return { ...values, id: fill(resource.idTemplate, values) };
    },
  };
}

/** The data source that reads a resource of the same kind. @param type without `google_` where it is the resource's own */
export function restData(row: RestRow, type: string = row.type): DataKind {
  const resource = createRestResource(row);
  return {
    type,
    read: async (config, call) => {
      const labels = { labels: unknown, terraform_labels: unknown, effective_labels: unknown };
      const values: ValueObject = { ...given(call.settings), ...dropNull(config), ...labels };
      const request = { purpose: `reading ${resource.describe(values)}`, signal: call.signal };
      const told = await resource.read(values, request, call);
      if (told === undefined) {
        throw new InputError("not-found", `${type}: ${fill(resource.idTemplate, values)} is not there`);
      }
      const { project, region } = values;
      return { ...(project === undefined ? {} : { project }), ...(region === undefined ? {} : { region }), ...told };
    },
  };
}

interface UpdateStep {
  readonly needsCurrent: boolean;
  request(current: JsonObject): Pick<CloudRequest, "httpMethod" | "target" | "body">;
}

type Purpose = Pick<CloudRequest, "purpose" | "signal">;

function createRestResource(row: RestRow) {
  const idTemplate = `${row.collection}/{name}`;
  const places = placesOf(row.collection);
  const mapping: Mapping = {
    ...(row.apiNames === undefined ? {} : { apiNames: row.apiNames }),
    foreign: [...alwaysForeign, ...places, ...(row.foreign ?? []), ...(row.untold ?? [])],
    defaults: row.defaults,
  };
  // What the service never tells is sent all the same.
  const sending: Mapping = { ...mapping, foreign: [...alwaysForeign, ...places, ...(row.foreign ?? [])] };
  const memberName = (attribute: string) => apiName(sending, attribute).split(".")[0] ?? "";
  const root = roots[row.service];
  const path = (values: ValueObject) => `${root}${fill(idTemplate, values)}`;
  const body = (values: ValueObject, { schema }: Call): JsonObject => {
    const { name: _, ...rest } = toApi(schema, sending, withWholeReferences(row, values));
    return row.encode?.(rest, values) ?? rest;
  };
  const labels = (values: ValueObject): JsonObject => {
    const effective = values.effective_labels;
    return isObject(effective) && Object.keys(effective).length > 0 ? { labels: effective } : {};
  };

  const told = (values: ValueObject, answer: JsonObject, { schema }: Call): ValueObject => {
    const decoded = row.decode?.(answer) ?? answer;
    const attributes = fromApi(schema, mapping, decoded);
    const ownLabels = schema.attributes.has("labels") ? toldLabels(values, (decoded.labels ?? {}) as ValueObject) : {};
    return { ...attributes, ...ownLabels, name: textOf(values, "name"), id: fill(idTemplate, values) };
  };

  const read = async (values: ValueObject, request: Purpose, call: Call) => {
    const answer = await call.api.find({ ...request, httpMethod: "GET", target: path(values) });
    return answer === undefined ? undefined : told(values, answer, call);
  };

  return {
    idTemplate,
    path,
    body,
    labels,
    read,
    collection: (values: ValueObject) => `${root}${fill(row.collection, values)}`,
    describe: (values: ValueObject) => `${row.type} '${fill(idTemplate, values)}'`,

    readBack: async (values: ValueObject, request: Purpose, call: Call): Promise<ValueObject> => {
      const answer = await call.api.send({ ...request, httpMethod: "GET", target: path(values) });
      return told(values, answer, call);
    },

    settle: async (
      operation: JsonObject,
      values: ValueObject,
      verb: "create" | "update" | "delete",
      request: Purpose,
      { api }: Call,
    ): Promise<void> => {
      const target = operationTarget(operation, path(values));
      if (target === undefined) return;
      await api.settle(operation, target, { ...request, httpMethod: "GET", target }, timeoutMs(values, verb));
    },

    updates: (prior: ValueObject, planned: ValueObject, call: Call): readonly UpdateStep[] => {
      const changed = changedAttributes(prior, planned, call);
      for (const name of sending.foreign) if (name !== "effective_labels") changed.delete(name);
      const steps: UpdateStep[] = [];
      for (const setter of row.setters ?? []) {
        if (!setter.attributes.some((name) => changed.delete(name))) continue;
        for (const name of setter.attributes) changed.delete(name);
        steps.push(setterStep(setter, planned, call));
      }
      if (changed.size > 0 && row.update !== undefined) steps.push(restStep(row.update, changed, planned, call));
      return steps;
    },
  };

  /** The body of a setter has its attributes alone, and not those that are to be taken away. */
  function setterStep(setter: Setter, planned: ValueObject, call: Call): UpdateStep {
    const target = `${setter.path === undefined ? path(planned) : `${root}${fill(setter.path, planned)}`}/${setter.action}`;
    const whole = { ...body(planned, call), labels: planned.effective_labels ?? {} };
    const members = setter.attributes.map((name) => (name === "effective_labels" ? "labels" : memberName(name)));
    const own = Object.fromEntries(members.map((name) => [name, whole[name as keyof typeof whole]]));
    return {
      needsCurrent: setter.withLabelFingerprint === true,
      request: ({ labelFingerprint }) => ({
        httpMethod: "POST",
        target,
        body: setter.withLabelFingerprint === true ? { ...own, labelFingerprint } : own,
      }),
    };
  }

  function restStep(
    update: "mask" | "patch" | "put",
    changed: ReadonlySet<string>,
    planned: ValueObject,
    call: Call,
  ): UpdateStep {
    const whole: JsonObject = { ...body(planned, call), labels: planned.effective_labels ?? undefined };
    const target = path(planned);
    const members = [...changed].map((name) => (name === "effective_labels" ? "labels" : memberName(name)));
    if (update === "mask") {
      const own = Object.fromEntries(members.map((name) => [name, whole[name]]));
      return {
        needsCurrent: false,
        request: () => ({ httpMethod: "PATCH", target: `${target}?updateMask=${members.join(",")}`, body: own }),
      };
    }
    const name = textOf(planned, "name");
    if (update === "put") {
      return {
        needsCurrent: true,
        request: ({ fingerprint }) => ({
          httpMethod: "PUT",
          target,
          body: { ...whole, name, ...(fingerprint === undefined ? {} : { fingerprint }) },
        }),
      };
    }
    const own = Object.fromEntries(members.map((member) => [member, whole[member] ?? null]));
    return {
      needsCurrent: true,
      request: ({ fingerprint }) => ({
        httpMethod: "PATCH",
        target,
        body: { ...own, ...(fingerprint === undefined ? {} : { fingerprint }) },
      }),
    };
  }
}

/** The API wants paths where the provider takes names. */
function withWholeReferences({ references = {} }: RestRow, values: ValueObject): ValueObject {
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
  if (link === "" || /^(?:https?:|\/|projects\/)/.test(link)) return link;
  if (!link.includes("/")) return `${fill(collection, values)}/${link}`;
  return /^(?:global|regions)\//.test(link) ? `projects/${textOf(values, "project")}/${link}` : link;
}

/** The attributes and blocks that the API is told of when they change. */
function changedAttributes(prior: ValueObject, planned: ValueObject, { schema }: Call): Set<string> {
  const changed = new Set<string>();
  for (const [name, { computed, optional, required }] of schema.attributes) {
    const isOutput = computed && !optional && !required;
    if ((!isOutput || name === "effective_labels") && !sameValue(prior[name], planned[name])) changed.add(name);
  }
  for (const name of schema.blocks.keys()) {
    if (!sameValue(prior[name], planned[name])) changed.add(name);
  }
  return changed;
}

/** Where an operation is asked for; undefined where the answer is the resource itself. */
function operationTarget(operation: JsonObject, path: string): string | undefined {
  if (operation.kind === "dns#operation") return `${path}/operations/${String(operation.id)}`;
  if (operation.kind === "compute#operation") return new URL(String(operation.selfLink)).pathname;
  const name = String(operation.name ?? "");
  return /\/operations\/[^/]+$/.test(name) ? `/v1/${name}` : undefined;
}

/** What the provider block gives to a resource that doesn't say it itself. */
export function given({ project, region, zone }: ProviderSettings): ValueObject {
  return dropNull({ project: project ?? null, region: region ?? null, zone: zone ?? null });
}

function dropNull(values: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
