import type { CloudRequest, JsonObject } from "../cloud-api";
import { sameValue, textOf, type ValueObject } from "../value";
import type { Call } from "./kind";
import type { RestResource } from "./rest-resource";
import type { Setter } from "./rest-row";

/** One request of an update. */
export interface UpdateStep {
  /** Whether it has to be told what the service has, for a fingerprint. */
  readonly needsCurrent: boolean;
  request(current: JsonObject): Pick<CloudRequest, "httpMethod" | "target" | "body">;
}

/** The requests by which a resource becomes as planned: setters in their order, then what is left in one. */
export function updateSteps(
  resource: RestResource,
  prior: ValueObject,
  planned: ValueObject,
  call: Call,
): readonly UpdateStep[] {
  const { setters = [], update } = resource.row;
  const changed = changedAttributes(prior, planned, call);
  for (const name of resource.foreign) if (name !== "effective_labels") changed.delete(name);
  const steps: UpdateStep[] = [];
  for (const setter of setters) {
    const isNeeded = setter.attributes.some((name) => changed.has(name));
    for (const name of setter.attributes) changed.delete(name);
    if (isNeeded) steps.push(setterStep(resource, setter, planned, call));
  }
  if (changed.size > 0 && update !== undefined) steps.push(restStep(resource, update, changed, planned, call));
  return steps;
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

function memberOf({ memberName }: RestResource, attribute: string): string {
  return attribute === "effective_labels" ? "labels" : memberName(attribute);
}

/** The body of a setter has its attributes alone, and not those that are to be taken away. */
function setterStep(resource: RestResource, setter: Setter, planned: ValueObject, call: Call): UpdateStep {
  const { path, below, body } = resource;
  const target = `${setter.path === undefined ? path(planned) : below(setter.path, planned)}/${setter.action}`;
  const whole: JsonObject = { ...body(planned, call), labels: planned.effective_labels ?? {} };
  const members = setter.attributes.map((name) => memberOf(resource, name));
  const own = Object.fromEntries(members.map((name) => [name, whole[name]]));
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
  resource: RestResource,
  update: "mask" | "patch" | "put",
  changed: ReadonlySet<string>,
  planned: ValueObject,
  call: Call,
): UpdateStep {
  const whole: JsonObject = { ...resource.body(planned, call), labels: planned.effective_labels ?? undefined };
  const target = resource.path(planned);
  const members = [...changed].map((name) => memberOf(resource, name));
  if (update === "mask") {
    const own = Object.fromEntries(members.map((name) => [name, whole[name]]));
    return {
      needsCurrent: false,
      request: () => ({ httpMethod: "PATCH", target: `${target}?updateMask=${members.join(",")}`, body: own }),
    };
  }
  const body =
    update === "put"
      ? { ...whole, name: textOf(planned, "name") }
      : Object.fromEntries(members.map((member) => [member, whole[member] ?? null]));
  return {
    needsCurrent: true,
    request: ({ fingerprint }) => ({
      httpMethod: update === "put" ? "PUT" : "PATCH",
      target,
      body: fingerprint === undefined ? body : { ...body, fingerprint },
    }),
  };
}
