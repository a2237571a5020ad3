import { createHash } from "node:crypto";
import type { ApiDescription } from "../../discovery";
import { defined } from "../../json/defined";
import { projectIn, regionIn, writeComputeScope } from "../../resource-names";
import { foundOrThrow } from "../cloud-error";
import { type Call, type Handler, type Handlers, isJsonObject, type Json, textParameter } from "../front";
import type { Clock } from "../state";
import {
  aggregatedAnswer,
  computeErrors,
  computeListAnswer,
  invalidValue,
  requiredField,
  staleFingerprint,
  staleLabels,
} from "./answers";
import type { ComputeContext, Concept, ResourcePlace } from "./concept";
import { decimalId, linkTo, resourcePath, scopeOf } from "./links";
import type { Mutate } from "./mutations";
import { scopeOfCall } from "./operations";
import { type ComputeResource, compact, pathOfResource, textMember } from "./resources";

interface VerbsOptions {
  readonly description: ApiDescription;
  readonly clock: Clock;
  readonly context: ComputeContext;
  readonly mutate: Mutate;
}

export function handlersOf(concepts: readonly Concept[], options: VerbsOptions): Handlers {
  const verbs = concepts.map((concept) => ({ concept, handlers: verbsOf(concept, options) }));
  const entries = [...options.description.methods()].flatMap((method): [string, Handler][] => {
    const [resource = ""] = method.resourcePath;
    const found = verbs.find(
      ({ concept: { methods } }) => resource === methods.global || resource === methods.regional,
    );
    const handler = found?.handlers[method.name];
    return handler === undefined ? [] : [[method.id, handler]];
  });
  return Object.fromEntries(entries);
}

interface Changed {
  readonly before: ComputeResource;
  readonly after: ComputeResource;
}

/** Returns the handlers of one kind of resource by the names of its methods. */
function verbsOf(concept: Concept, options: VerbsOptions): Handlers {
  const { description, clock, context, mutate } = options;
  const { collection } = concept;
  const { resources } = context;

  /** Returns the resource in a call's path, by name or by id. */
  const find = (call: Call): ComputeResource => {
    const scope = scopeOfCall(call);
    const name = textParameter(call, call.method.parameterOrder.at(-1) ?? "");
    const path = resourcePath(scope, collection, name);
    const byId = () => resources.list(collection, scope).find(({ id }) => id === name);
    const found = resources.get(path) ?? (/^\d+$/.test(name) ? byId() : undefined);
    return foundOrThrow(found, () => computeErrors.notFound(path));
  };
  const present = (resource: ComputeResource): Json => concept.present?.(resource, context) ?? resource;
  const kindOf = (schema: string): string => description.schema(schema).properties?.kind?.default ?? "";
  const kindOfAnswer = ({ method }: Call): string => kindOf(method.response?.$ref ?? "");
  const complete = (before: ComputeResource, wanted: Json): Changed => {
    const path = pathOfResource(before);
    const place: ResourcePlace = { scope: scopeOf(projectIn(path) ?? "", regionIn(path)), path, before };
    const completed = concept.complete(wanted, place, context);
    const { kind, id, name, creationTimestamp, selfLink, region } = before;
    const head = { kind, id, name, creationTimestamp, selfLink, ...defined({ region }) };
    return { before, after: seal({ ...head, ...completed }, concept, options) };
  };
  const insert = (call: Call): ComputeResource => {
    const name = textMember(call.body, "name");
    if (name === "") throw requiredField("name");
    const scope = scopeOfCall(call);
    const path = resourcePath(scope, collection, name);
    if (resources.get(path) !== undefined) throw computeErrors.alreadyExists(path);
    checkLabels(call.body.labels);
    const completed = concept.complete(merge({}, withoutOwn(call.body)), { scope, path }, context);
    const head = {
      kind: kindOf(concept.schema),
      id: decimalId(context.ids.next()),
      creationTimestamp: clock.now().toISOString(),
      name,
      selfLink: linkTo(path),
      ...(scope.region === undefined ? {} : { region: linkTo(writeComputeScope(scope)) }),
    };
    return seal({ ...head, ...completed }, concept, options);
  };
  const remove = (call: Call): ComputeResource => {
    const resource = find(call);
    const path = pathOfResource(resource);
    const [user] = concept.usersOf?.(resource, context) ?? resources.usersOf(path);
    if (user !== undefined) throw computeErrors.inUse(concept.noun, path, pathOfResource(user));
    return resource;
  };
  const patch = (call: Call): Changed => {
    const before = find(call);
    checkName(before, call.body);
    checkFingerprint(before, call.body);
    const wanted = merge(before, withoutOwn(call.body));
    const frozen = Object.keys(wanted).find(
      (member) =>
        concept.changes?.patchable?.includes(member) === false &&
        JSON.stringify(wanted[member]) !== JSON.stringify(before[member]),
    );
    if (frozen !== undefined)
      throw invalidValue(frozen, wanted[frozen], `It can't be patched; ${concept.changes?.patchable?.join(", ")} can.`);
    return complete(before, wanted);
  };
  const update = (call: Call): Changed => {
    const before = find(call);
    checkName(before, call.body);
    if (concept.changes?.needsFingerprint === true && call.body.fingerprint === undefined)
      throw requiredField("fingerprint");
    checkFingerprint(before, call.body);
    return complete(before, merge({}, withoutOwn(call.body)));
  };
  const setLabels = (call: Call): Changed => {
    const before = find(call);
    const { labels, labelFingerprint } = call.body;
    if (labelFingerprint !== before.labelFingerprint) throw staleLabels();
    checkLabels(labels);
    return complete(before, { ...before, labels });
  };
  const actions = Object.entries(concept.changes?.actions ?? {}).map(([name, action]): [string, Handler] => [
    name,
    (call) =>
      mutate(call, () => {
        const before = find(call);
        return complete(before, action(before, call.body));
      }),
  ]);
  return {
    get: (call) => present(find(call)),
    list: (call) => {
      const scope = scopeOfCall(call);
      const items = resources.list(collection, scope).map(present);
      return computeListAnswer(call, kindOfAnswer(call), `${writeComputeScope(scope)}/${collection}`, items);
    },
    aggregatedList: (call) => {
      const items = resources.listOfProject(collection, textParameter(call, "project")).map(present);
      return aggregatedAnswer(call, kindOfAnswer(call), collection, items);
    },
    insert: (call) => mutate(call, () => ({ after: insert(call) })),
    delete: (call) => mutate(call, () => ({ before: remove(call) })),
    patch: (call) => mutate(call, () => patch(call)),
    update: (call) => mutate(call, () => update(call)),
    setLabels: (call) => mutate(call, () => setLabels(call)),
    testIamPermissions: (call) => {
      find(call);
      return { permissions: call.body.permissions ?? [] };
    },
    ...Object.fromEntries(actions),
  };
}

function checkName(before: ComputeResource, { name }: Json): void {
  if (name !== undefined && name !== before.name) throw invalidValue("name", name, "A resource can't be renamed.");
}

function checkFingerprint(before: ComputeResource, { fingerprint }: Json): void {
  if (fingerprint !== undefined && fingerprint !== before.fingerprint) throw staleFingerprint();
}

export function seal(
  resource: ComputeResource,
  { schema }: Pick<Concept, "schema">,
  { description }: Pick<VerbsOptions, "description">,
): ComputeResource {
  const members = description.schema(schema).properties ?? {};
  const whole = compact(resource) as ComputeResource;
  return {
    ...whole,
    ...(members.labelFingerprint === undefined ? {} : { labelFingerprint: labelFingerprintOf(whole.labels) }),
    ...(members.fingerprint === undefined ? {} : { fingerprint: resourceFingerprint(whole) }),
  };
}

const ownMembers = ["kind", "id", "creationTimestamp", "selfLink", "region", "fingerprint", "labelFingerprint", "name"];

/** Returns a body without the members that the service sets, because clients send them back. */
function withoutOwn(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !ownMembers.includes(member)));
}

/** Applies a merge patch (RFC 7396): merges objects, replaces all other values, and removes a member for null. */
function merge(before: Json, changes: Json): Json {
  const merged = new Map(Object.entries(before));
  for (const [member, value] of Object.entries(changes)) {
    const earlier = merged.get(member);
    if (value === null) merged.delete(member);
    else merged.set(member, isJsonObject(value) ? merge(isJsonObject(earlier) ? earlier : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

/** Returns a hash of a resource in Base64, the API's format. Labels have a hash of their own. */
export function resourceFingerprint(resource: Json): string {
  const { fingerprint: _, labels: __, labelFingerprint: ___, ...rest } = resource;
  return hash(rest);
}

export function labelFingerprintOf(labels: unknown): string {
  return hash(labels ?? {});
}

function hash(value: unknown): string {
  const sorted = (object: Json) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify(value, (_, inner) => (isJsonObject(inner) ? sorted(inner) : inner));
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}

const mostLabels = 64;
const key = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const value = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

function checkLabels(labels: unknown): void {
  const entries = Object.entries((labels ?? {}) as Readonly<Record<string, unknown>>);
  if (entries.length > mostLabels)
    throw invalidValue("labels", `${entries.length} labels`, `At most ${mostLabels} are allowed.`);
  const bad = entries.find(([name, text]) => !key.test(name) || !value.test(String(text)));
  if (bad !== undefined)
    throw invalidValue(
      `labels.${bad[0].slice(0, 100)}`,
      String(bad[1]),
      "Labels are lower-case letters, digits, '_' and '-', at most 63; a key begins with a letter.",
    );
}
