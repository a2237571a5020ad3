import type { CloudRequest, JsonObject } from "../cloud-api";
import { sameValue, textOf, type ValueObject } from "../value";
import type { Call } from "./kind";
import type { RestResource } from "./rest-resource";
import type { Patch, Setter } from "./rest-row";

/** One request of an update. */
export interface UpdateStep {
  /** Whether the request needs the current resource, for its fingerprint. */
  readonly needsCurrent: boolean;
  request(current: JsonObject): Pick<CloudRequest, "httpMethod" | "target" | "body">;
}

/** Returns the requests of an update: setters in their order, then patches, then one request for all other changes. */
export function updateSteps(
  resource: RestResource,
  prior: ValueObject,
  planned: ValueObject,
  call: Call,
): readonly UpdateStep[] {
  const { setters = [], patches = [], update } = resource.row;
  const changed = changedAttributes(prior, planned, call);
  // A `PUT` also follows a change of the place, to the path of the new place.
  const isSent = (name: string) => name === "effective_labels" || (update === "put" && name === "region");
  for (const name of resource.foreign) if (!isSent(name)) changed.delete(name);
  const take = (attributes: readonly string[]): boolean => {
    const isNeeded = attributes.some((name) => changed.has(name));
    for (const name of attributes) changed.delete(name);
    return isNeeded;
  };
  const steps: UpdateStep[] = [];
  for (const setter of setters) {
    if (take(setter.attributes)) steps.push(setterStep(resource, setter, prior, planned, call));
  }
  for (const patch of patches) {
    if (take(patch.attributes)) steps.push(patchStep(resource, patch, planned, call));
  }
  if (changed.size > 0 && update === "mask") steps.push(maskStep(resource, changed, planned, call));
  if (changed.size > 0 && update === "maskless") steps.push(masklessStep(resource, prior, planned, call));
  if (changed.size > 0 && update === "patch") steps.push(wholePatchStep(resource, prior, planned, call));
  if (changed.size > 0 && update === "put") steps.push(putStep(resource, prior, planned, call));
  return steps;
}

/** Returns the request that sends the labels of a new resource, with the fingerprint from the service. */
export function labelsStep(resource: RestResource, planned: ValueObject, current: ValueObject): UpdateStep {
  return {
    needsCurrent: false,
    request: () => ({
      httpMethod: "POST",
      target: `${resource.path(planned)}/setLabels`,
      body: { ...resource.labels(planned), labelFingerprint: current.label_fingerprint },
    }),
  };
}

/** Returns the changed attributes and blocks that the API receives. */
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

function memberOf({ memberName }: RestResource, attribute: string): string {
  return attribute === "effective_labels" ? "labels" : memberName(attribute);
}

/** Returns the members of the given attributes that are set. Members to be removed are omitted. */
function membersSet(
  resource: RestResource,
  attributes: readonly string[],
  planned: ValueObject,
  call: Call,
): JsonObject {
  const whole: JsonObject = { ...resource.body(planned, call), ...resource.labels(planned) };
  const members = attributes.map((name) => memberOf(resource, name));
  return Object.fromEntries(members.filter((name) => whole[name] !== undefined).map((name) => [name, whole[name]]));
}

function setterStep(
  resource: RestResource,
  setter: Setter,
  prior: ValueObject,
  planned: ValueObject,
  call: Call,
): UpdateStep {
  const { path, below, row } = resource;
  const target = `${setter.path === undefined ? path(planned) : below(setter.path, planned)}/${setter.action}`;
  const own = membersSet(resource, setter.attributes, planned, call);
  const encoded = row.encodeUpdate?.(own) ?? own;
  const body =
    setter.withLabelFingerprint === true ? { ...encoded, labelFingerprint: prior.label_fingerprint } : encoded;
  return { needsCurrent: false, request: () => ({ httpMethod: "POST", target, body }) };
}

function patchStep(resource: RestResource, patch: Patch, planned: ValueObject, call: Call): UpdateStep {
  const own = membersSet(resource, patch.attributes, planned, call);
  const body = resource.row.encodeUpdate?.(own) ?? own;
  const withFingerprint = patch.withFingerprint === true;
  return {
    needsCurrent: withFingerprint,
    request: ({ fingerprint }) => ({
      httpMethod: "PATCH",
      target: resource.path(planned),
      body: withFingerprint ? { ...body, fingerprint } : body,
    }),
  };
}

function mutableAttributes({ row, foreign }: RestResource, { schema }: Call): readonly string[] {
  return [...schema.attributes.keys(), ...schema.blocks.keys()].filter(
    (name) => name === "effective_labels" || !(row.forceNew.includes(name) || foreign.includes(name)),
  );
}

function wholePatchStep(resource: RestResource, prior: ValueObject, planned: ValueObject, call: Call): UpdateStep {
  const own = membersSet(resource, mutableAttributes(resource, call), planned, call);
  const body = { ...(resource.row.encodeUpdate?.(own) ?? own), fingerprint: textOf(prior, "fingerprint") };
  return { needsCurrent: false, request: () => ({ httpMethod: "PATCH", target: resource.path(planned), body }) };
}

function maskStep(resource: RestResource, changed: ReadonlySet<string>, planned: ValueObject, call: Call): UpdateStep {
  const mutable = mutableAttributes(resource, call);
  const mask = [...changed].map((name) => memberOf(resource, name)).join(",");
  const body = membersSet(resource, mutable, planned, call);
  const target = `${resource.path(planned)}?updateMask=${encodeURIComponent(mask)}`;
  return { needsCurrent: false, request: () => ({ httpMethod: "PATCH", target, body }) };
}

function masklessStep(resource: RestResource, prior: ValueObject, planned: ValueObject, call: Call): UpdateStep {
  const mutable = mutableAttributes(resource, call);
  const before = membersSet(resource, mutable, prior, call);
  const emptied = Object.entries(before).map(([name, value]) => [name, emptyOf(value)]);
  const body = { ...Object.fromEntries(emptied), ...membersSet(resource, mutable, planned, call) };
  return { needsCurrent: false, request: () => ({ httpMethod: "PATCH", target: resource.path(planned), body }) };
}

/** Returns the empty value of the same type, by which a member is removed without a mask. */
function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === "object" ? {} : "";
}

function putStep(resource: RestResource, prior: ValueObject, planned: ValueObject, call: Call): UpdateStep {
  const fingerprint = textOf(prior, "fingerprint");
  const body = {
    ...resource.body(planned, call),
    ...resource.labels(planned),
    name: textOf(planned, "name"),
    ...(fingerprint === "" ? {} : { fingerprint }),
  };
  const encoded = resource.row.encodeUpdate?.(body) ?? body;
  return { needsCurrent: false, request: () => ({ httpMethod: "PUT", target: resource.path(planned), body: encoded }) };
}
