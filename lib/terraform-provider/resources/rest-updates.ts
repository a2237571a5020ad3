import type { ApiObject, CloudRequest } from "../cloud-api";
import { sameValue, textValue, type ValueObject } from "../value";
import type { ProviderCall } from "./kind";
import { isOutput } from "./mapping";
import type { RestResource } from "./rest-resource";

/** One request of an update. */
interface UpdateRequest extends Pick<CloudRequest, "httpMethod" | "target"> {
  readonly body: ApiObject;
  /** Whether the resource is read before, and its fingerprint is sent as well. */
  readonly withFingerprint?: true | undefined;
}

/** Returns the requests of an update: setters in their order, then patches, then one request for all other changes. */
export function updateRequests(
  resource: RestResource,
  prior: ValueObject,
  planned: ValueObject,
  call: ProviderCall,
): readonly UpdateRequest[] {
  const { setters = [], patches = [], update, encodeUpdate = (body) => body } = resource.row;
  const changed = changedAttributes(resource, prior, planned, call);
  const take = (attributes: readonly string[]): boolean => {
    const isNeeded = attributes.some((name) => changed.has(name));
    for (const name of attributes) changed.delete(name);
    return isNeeded;
  };
  const bodyOf = (attributes: readonly string[]) => encodeUpdate(membersSet(resource, attributes, planned, call));
  const requests: UpdateRequest[] = [];
  for (const { attributes, action, path, withLabelFingerprint } of setters) {
    if (!take(attributes)) continue;
    const place = path === undefined ? resource.path(planned) : resource.below(path, planned);
    const fingerprint = withLabelFingerprint === true ? { labelFingerprint: prior.label_fingerprint } : {};
    requests.push({
      httpMethod: "POST",
      target: `${place}/${action}`,
      body: { ...bodyOf(attributes), ...fingerprint },
    });
  }
  for (const { attributes, withFingerprint } of patches) {
    if (!take(attributes)) continue;
    const target = resource.path(planned);
    requests.push({ httpMethod: "PATCH", target, body: bodyOf(attributes), withFingerprint });
  }
  if (changed.size > 0 && update !== undefined) requests.push(restRequest(resource, changed, prior, planned, call));
  return requests;
}

/** Returns the changed attributes and blocks that the API receives. */
function changedAttributes(
  { foreign, row }: RestResource,
  prior: ValueObject,
  planned: ValueObject,
  { schema }: ProviderCall,
): Set<string> {
  // A `PUT` also follows a change of the place, to the path of the new place.
  const isSent = (name: string) =>
    name === "effective_labels" || (row.update === "put" && name === "region") || !foreign.includes(name);
  const attributes = [...schema.attributes].filter(
    ([name, attribute]) => !isOutput(attribute) || name === "effective_labels",
  );
  const names = [...attributes.map(([name]) => name), ...schema.blocks.keys()];
  return new Set(names.filter((name) => isSent(name) && !sameValue(prior[name], planned[name])));
}

/** Returns the members of the given attributes that are set. Members to be removed are omitted. */
function membersSet(
  resource: RestResource,
  attributes: readonly string[],
  planned: ValueObject,
  call: ProviderCall,
): ApiObject {
  const whole = resource.body(planned, call);
  const members = attributes.map(resource.memberOf);
  return Object.fromEntries(members.filter((name) => whole[name] !== undefined).map((name) => [name, whole[name]]));
}

/** Returns the request for changes with neither a setter nor a patch, as the row's `update` says. */
function restRequest(
  resource: RestResource,
  changed: ReadonlySet<string>,
  prior: ValueObject,
  planned: ValueObject,
  call: ProviderCall,
): UpdateRequest {
  const { row, foreign } = resource;
  const { encodeUpdate = (body) => body } = row;
  const target = resource.path(planned);
  const fingerprint = textValue(prior, "fingerprint");
  if (row.update === "put") {
    const whole = { ...resource.body(planned, call), name: textValue(planned, "name") };
    const body = encodeUpdate(fingerprint === "" ? whole : { ...whole, fingerprint });
    return { httpMethod: "PUT", target, body };
  }
  const mutable = [...call.schema.attributes.keys(), ...call.schema.blocks.keys()].filter(
    (name) => name === "effective_labels" || !(row.forceNew.includes(name) || foreign.includes(name)),
  );
  const body = membersSet(resource, mutable, planned, call);
  if (row.update === "patch") {
    return { httpMethod: "PATCH", target, body: { ...encodeUpdate(body), fingerprint } };
  }
  if (row.update === "mask") {
    const mask = [...changed].map(resource.memberOf).join(",");
    return { httpMethod: "PATCH", target: `${target}?updateMask=${encodeURIComponent(mask)}`, body };
  }
  const before = membersSet(resource, mutable, prior, call);
  const emptied = Object.entries(before).map(([name, value]) => [name, emptyOf(value)]);
  return { httpMethod: "PATCH", target, body: { ...Object.fromEntries(emptied), ...body } };
}

/** Returns the empty value of the same type, by which a member is removed without a mask. */
function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === "object" ? {} : "";
}
