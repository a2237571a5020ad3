import { createHash } from "node:crypto";
import type { ApiDescription, Method } from "../../discovery";
import { defined } from "../../json/defined";
import { projectIn, regionIn, writeComputeScope } from "../../resource-names";
import { type Call, type Handler, type Handlers, isObject, type Json, textParameter } from "../front";
import type { Clock } from "../state";
import {
  aggregatedAnswer,
  alreadyExists,
  inUse,
  invalidValue,
  listAnswer,
  notFound,
  requiredField,
  staleFingerprint,
  staleLabels,
} from "./answers";
import type { Concept, Place, Surroundings } from "./concept";
import { decimalId, linkTo, pathOf, scopeOf } from "./links";
import type { Mutate } from "./mutations";
import { scopeOfCall } from "./operations";
import { compact, pathOfResource, type Resource, textOf } from "./resources";

interface VerbsOptions {
  readonly description: ApiDescription;
  readonly clock: Clock;
  readonly surroundings: Surroundings;
  readonly mutate: Mutate;
}

export function handlersOf(concepts: readonly Concept[], options: VerbsOptions): Handlers {
  const entries = [...options.description.methods()].flatMap((method): [string, Handler][] => {
    const [resource = ""] = method.resourcePath;
    const concept = concepts.find(({ global, regional }) => resource === global || resource === regional);
    const handler = concept && handlerOf(method, concept, options);
    return handler === undefined ? [] : [[method.id, handler]];
  });
  return Object.fromEntries(entries);
}

function handlerOf(method: Method, concept: Concept, options: VerbsOptions): Handler | undefined {
  const action = concept.actions?.[method.name];
  if (action !== undefined) return (call) => act(call, concept, options, action);
  switch (method.name) {
    case "get":
      return (call) => present(find(call, concept, options), concept, options);
    case "list":
      return (call) => list(call, concept, options);
    case "aggregatedList":
      return (call) => aggregatedList(call, concept, options);
    case "insert":
      return (call) => options.mutate(call, () => ({ after: insert(call, concept, options) }));
    case "delete":
      return (call) => options.mutate(call, () => ({ before: remove(call, concept, options) }));
    case "patch":
      return (call) => options.mutate(call, () => patch(call, concept, options));
    case "update":
      return (call) => options.mutate(call, () => update(call, concept, options));
    case "setLabels":
      return (call) => options.mutate(call, () => setLabels(call, concept, options));
    case "testIamPermissions":
      return (call) => {
        find(call, concept, options);
        return { permissions: call.body.permissions ?? [] };
      };
    default:
      return undefined;
  }
}

interface Changed {
  readonly before: Resource;
  readonly after: Resource;
}

function find(call: Call, { collection }: Concept, { surroundings: { resources } }: VerbsOptions): Resource {
  const scope = scopeOfCall(call);
  const name = textParameter(call, call.method.parameterOrder.at(-1) ?? "");
  const path = pathOf(scope, collection, name);
  const named = resources.get(path);
  const found =
    named ?? (/^\d+$/.test(name) ? resources.list(collection, scope).find(({ id }) => id === name) : undefined);
  if (found === undefined) throw notFound(path);
  return found;
}

function present(resource: Resource, concept: Concept, { surroundings }: VerbsOptions): Json {
  return concept.present === undefined ? resource : concept.present(resource, surroundings);
}

function list(call: Call, concept: Concept, options: VerbsOptions): Json {
  const scope = scopeOfCall(call);
  const all = options.surroundings.resources.list(concept.collection, scope);
  const items = all.map((resource) => present(resource, concept, options));
  return listAnswer(call, kindOf(call.method, options), `${writeComputeScope(scope)}/${concept.collection}`, items);
}

function aggregatedList(call: Call, concept: Concept, options: VerbsOptions): Json {
  const all = options.surroundings.resources.listOfProject(concept.collection, textParameter(call, "project"));
  const items = all.map((resource) => present(resource, concept, options));
  return aggregatedAnswer(call, kindOf(call.method, options), concept.collection, items);
}

/** Returns the `kind` of a method's answer according to the description. */
function kindOf({ response }: Method, { description }: VerbsOptions): string {
  return kindOfSchema(response?.$ref ?? "", description);
}

function kindOfSchema(schema: string, description: ApiDescription): string {
  return description.schema(schema).properties?.kind?.default ?? "";
}

function insert(call: Call, concept: Concept, options: VerbsOptions): Resource {
  const { surroundings, description, clock } = options;
  const name = textOf(call.body, "name");
  if (name === "") throw requiredField("name");
  const scope = scopeOfCall(call);
  const path = pathOf(scope, concept.collection, name);
  if (surroundings.resources.get(path) !== undefined) throw alreadyExists(path);
  checkLabels(call.body.labels);
  const completed = concept.complete(merge({}, withoutOwn(call.body)), { scope, path }, surroundings);
  return seal(
    {
      kind: kindOfSchema(concept.schema, description),
      id: decimalId(surroundings.ids.next()),
      creationTimestamp: clock.now().toISOString(),
      name,
      selfLink: linkTo(path),
      ...(scope.region === undefined ? {} : { region: linkTo(writeComputeScope(scope)) }),
      ...completed,
    },
    concept,
    options,
  );
}

function remove(call: Call, concept: Concept, options: VerbsOptions): Resource {
  const { surroundings } = options;
  const resource = find(call, concept, options);
  const path = pathOfResource(resource);
  const [user] = concept.usersOf?.(resource, surroundings) ?? surroundings.resources.usersOf(path);
  if (user !== undefined) throw inUse(concept.noun, path, pathOfResource(user));
  return resource;
}

function act(
  call: Call,
  concept: Concept,
  options: VerbsOptions,
  action: (before: Resource, body: Json) => Json,
): Json {
  return options.mutate(call, () => {
    const before = find(call, concept, options);
    return complete(before, action(before, call.body), concept, options);
  });
}

function patch(call: Call, concept: Concept, options: VerbsOptions): Changed {
  const before = find(call, concept, options);
  checkName(before, call.body);
  checkFingerprint(before, call.body, false);
  const wanted = merge(before, withoutOwn(call.body));
  const frozen = Object.keys(wanted).find(
    (member) => concept.patchable?.includes(member) === false && !isSame(wanted[member], before[member]),
  );
  if (frozen !== undefined)
    throw invalidValue(frozen, wanted[frozen], `It can't be patched; ${concept.patchable?.join(", ")} can.`);
  return complete(before, wanted, concept, options);
}

function update(call: Call, concept: Concept, options: VerbsOptions): Changed {
  const before = find(call, concept, options);
  checkName(before, call.body);
  checkFingerprint(before, call.body, concept.needsFingerprint === true);
  return complete(before, merge({}, withoutOwn(call.body)), concept, options);
}

function setLabels(call: Call, concept: Concept, options: VerbsOptions): Changed {
  const before = find(call, concept, options);
  const { labels, labelFingerprint } = call.body;
  if (labelFingerprint !== before.labelFingerprint) throw staleLabels();
  checkLabels(labels);
  return complete(before, { ...before, labels }, concept, options);
}

function checkName(before: Resource, { name }: Json): void {
  if (name !== undefined && name !== before.name) throw invalidValue("name", name, "A resource can't be renamed.");
}

/** Checks the fingerprint of a request. @param isNeeded whether a missing fingerprint is rejected */
function checkFingerprint(before: Resource, body: Json, isNeeded: boolean): void {
  const given = body.fingerprint;
  if (given === undefined ? isNeeded : given !== before.fingerprint) throw staleFingerprint();
}

function complete(before: Resource, wanted: Json, concept: Concept, options: VerbsOptions): Changed {
  const path = pathOfResource(before);
  const place: Place = { scope: scopeOfResource(before), path, before };
  const completed = concept.complete(wanted, place, options.surroundings);
  const { kind, id, name, creationTimestamp, selfLink, region } = before;
  const own = { kind, id, name, creationTimestamp, selfLink, ...defined({ region }) };
  return { before, after: seal({ ...own, ...completed }, concept, options) };
}

function scopeOfResource(resource: Resource): Place["scope"] {
  const path = pathOfResource(resource);
  return scopeOf(projectIn(path) ?? "", regionIn(path));
}

export function seal(
  resource: Resource,
  { schema }: Pick<Concept, "schema">,
  { description }: Pick<VerbsOptions, "description">,
): Resource {
  const members = description.schema(schema).properties ?? {};
  const whole = compact(resource) as Resource;
  return {
    ...whole,
    ...(members.labelFingerprint === undefined ? {} : { labelFingerprint: labelFingerprintOf(whole.labels) }),
    ...(members.fingerprint === undefined ? {} : { fingerprint: fingerprintOf(whole) }),
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
    const old = merged.get(member);
    if (value === null) merged.delete(member);
    else merged.set(member, isObject(value) ? merge(isObject(old) ? old : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns a hash of a resource in Base64, the API's format. Labels have a hash of their own. */
export function fingerprintOf(resource: Json): string {
  const { fingerprint: _, labels: __, labelFingerprint: ___, ...rest } = resource;
  return hash(rest);
}

export function labelFingerprintOf(labels: unknown): string {
  return hash(labels ?? {});
}

function hash(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (isObject(inner) ? sorted(inner) : inner));
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}

function sorted(object: Json): Json {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const mostLabels = 64;
const key = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const value = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;

/** Checks labels. @throws CloudError for labels that the service rejects */
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
