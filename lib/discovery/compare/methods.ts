import { groupBy } from "../../json/group-by";
import { quote } from "../../text/quote";
import type { ApiDescription } from "../api-description";
import type { DescriptionDocument, SchemaDocument } from "../document";
import type { Method } from "../method";
import { isFlatPathOf, pathBelowRoot } from "../paths";
import { resolveReference, type Schemas } from "../schemas";
import { requiredProperties } from "../validate";
import { changeOf, type Direction, type ReportChange, type ReportOfSubject, reportsOf } from "./changes";
import { missingFrom, reportOtherFields } from "./fields";
import { compareMedia } from "./media";
import type { Pair, Start } from "./pairs";
import { compareParameters } from "./parameters";
import type { SchemaPairs } from "./schema-pairs";

export type CommonMethod = readonly [old: Method, now: Method];

interface Surroundings {
  readonly old: DescriptionDocument;
  readonly now: DescriptionDocument;
  readonly schemas: Schemas;
  readonly pairs: SchemaPairs;
  readonly report: ReportChange;
}

interface MethodPlaces {
  readonly starts: readonly Start<Pair>[];
  readonly parameters: readonly Pair[];
}

/**
 * Returns the methods of both descriptions, and reports the methods of only one. Methods are matched by id; a method
 * whose id was removed is matched with the only new method at the same address.
 */
export function matchMethods(old: ApiDescription, now: ApiDescription, report: ReportChange): readonly CommonMethod[] {
  const common: CommonMethod[] = [];
  const added = groupBy(
    [...now.methods()].filter(({ id }) => !old.hasMethod(id)),
    (method) => addressOf(method, now.document),
  );
  const removed = groupBy(
    [...old.methods()].filter(({ id }) => !now.hasMethod(id)),
    (method) => addressOf(method, old.document),
  );
  const moved = new Set<string>();
  for (const method of old.methods()) {
    const address = addressOf(method, old.document);
    const successors = added.get(address) ?? [];
    const [successor] = successors;
    if (now.hasMethod(method.id)) common.push([method, now.method(method.id)]);
    else if (successor !== undefined && successors.length === 1 && removed.get(address)?.length === 1) {
      common.push([method, successor]);
      moved.add(successor.id);
    } else report(changeOf({ kind: "method-removed", class: "breaking", subject: method.id, text: "was removed" }));
  }
  for (const { id } of now.methods()) {
    if (!old.hasMethod(id) && !moved.has(id)) {
      report(changeOf({ kind: "method-added", class: "compatible", subject: id, text: "is new" }));
    }
  }
  return common;
}

function addressOf({ httpMethod, path }: Method, document: DescriptionDocument): string {
  return `${httpMethod} ${addressShape(document, path)}`;
}

export function compareMethod([old, now]: CommonMethod, around: Surroundings): MethodPlaces {
  const { pairs, report } = around;
  const say = reportsOf(old.id, report);
  compareAddress(old, now, around, say);
  compareTexts(old, now, say);
  compareScopes(old.scopes, now.scopes, say);
  compareParameterOrder(old.parameterOrder, now.parameterOrder, say);
  compareMedia(old, now, say);
  reportOtherFields(old.document, now.document, comparedFields, old.id, report);
  const parameters = compareParameters(
    old.id,
    { own: old.parameters, ofApi: around.old.parameters },
    { own: now.parameters, ofApi: around.now.parameters },
    pairs,
    report,
  );
  const bodies = (["request", "response"] as const).flatMap((direction) =>
    compareBody(direction, old, now, around, say),
  );
  const parameterStarts = parameters.map((node): Start<Pair> => ({ methodId: old.id, direction: "request", node }));
  return { starts: [...bodies, ...parameterStarts], parameters };
}

const comparedFields: ReadonlySet<string> = new Set(
  (
    "id path flatPath httpMethod description apiVersion deprecated parameters parameterOrder request response scopes " +
    "supportsMediaDownload supportsMediaUpload mediaUpload supportsSubscription"
  ).split(" "),
);

function compareAddress(old: Method, now: Method, around: Surroundings, say: ReportOfSubject): void {
  if (old.httpMethod !== now.httpMethod) {
    const text = `is called with ${quote(now.httpMethod)} instead of ${quote(old.httpMethod)}`;
    say("http-method-changed", "breaking", text, old.httpMethod, now.httpMethod);
  }
  const isMoved = hasMoved({ method: old, document: around.old }, { method: now, document: around.now });
  const inClass = isMoved ? "breaking" : "noise";
  if (old.path !== now.path) {
    const text = `has the path ${quote(now.path)} instead of ${quote(old.path)}`;
    say("path-changed", inClass, text, old.path, now.path);
  }
  const [before, after] = [old.document.flatPath, now.document.flatPath];
  if (before !== after) {
    const text = `has the flat path ${quote(after ?? "")} instead of ${quote(before ?? "")}`;
    // With only one flat path, the method is at its path, and a change of the path is already reported.
    const isReported = before === undefined || after === undefined || old.path !== now.path;
    say("flat-path-changed", isReported ? "noise" : inClass, text, before, after);
  }
  const [oldPlace, newPlace] = [placeOf(old), placeOf(now)];
  if (old.id !== now.id) {
    const text = `is called ${quote(now.id)} now, at the same address`;
    say("resource-changed", "breaking", text, old.id, now.id);
  } else if (oldPlace !== newPlace) {
    const text = `is at ${quote(newPlace)} among the resources instead of ${quote(oldPlace)}`;
    say("resource-changed", isMoved ? "noise" : "breaking", text, oldPlace, newPlace);
  }
}

function placeOf({ resourcePath, name }: Method): string {
  return [...resourcePath, name].join(".");
}

function compareTexts(old: Method, now: Method, say: ReportOfSubject): void {
  if (old.description !== now.description) {
    say("description-changed", "noise", "is described in other words", old.description, now.description);
  }
  const [before, after] = [old.document.apiVersion, now.document.apiVersion];
  if (before !== after) {
    const text = after === undefined ? "has no API version any longer" : `has the API version ${quote(after)}`;
    say("api-version-changed", "noise", text, before, after);
  }
  if (old.deprecated !== now.deprecated) {
    if (now.deprecated) say("deprecation-gained", "compatible", "is deprecated now");
    else say("deprecation-lost", "compatible", "is not deprecated any longer");
  }
  const [had, has] = [old.document.supportsSubscription === true, now.document.supportsSubscription === true];
  if (had && !has) say("subscription-removed", "breaking", "supports no subscription any longer");
  if (has && !had) say("subscription-added", "compatible", "supports subscription now");
}

/** Compares scopes. Any scope of a method is enough, and a method without scopes needs none. */
function compareScopes(old: readonly string[], now: readonly string[], say: ReportOfSubject): void {
  for (const scope of missingFrom(old, now)) {
    const [inClass, text] =
      now.length === 0 ? (["compatible", "doesn't need"] as const) : (["breaking", "can't be called with"] as const);
    say("scope-removed", inClass, `${text} the scope ${quote(scope)} any longer`, scope);
  }
  for (const scope of missingFrom(now, old)) {
    const [inClass, text] =
      old.length === 0 ? (["breaking", "needs"] as const) : (["compatible", "can be called with"] as const);
    say("scope-added", inClass, `${text} the scope ${quote(scope)} now`, undefined, scope);
  }
}

/** Compares the order of the parameters that both methods have. Other parameters are reported separately. */
function compareParameterOrder(old: readonly string[], now: readonly string[], say: ReportOfSubject): void {
  const [inOld, inNew] = [new Set(old), new Set(now)];
  const before = old.filter((name) => inNew.has(name));
  const after = now.filter((name) => inOld.has(name));
  if (before.length === after.length && before.every((name, at) => name === after[at])) return;
  const text = "takes its parameters in another order, where a client takes them in order";
  say("parameter-order-changed", "compatible", text, old, now);
}

function compareBody(
  direction: Direction,
  oldMethod: Method,
  newMethod: Method,
  { schemas, pairs }: Surroundings,
  say: ReportOfSubject,
): readonly Start<Pair>[] {
  const { id } = oldMethod;
  const [old, now] = [oldMethod[direction], newMethod[direction]];
  const verb = direction === "request" ? "takes" : "gives";
  if (old === undefined || now === undefined) {
    if (old !== undefined) {
      say(`${direction}-removed`, "breaking", `${verb} no ${bodies[direction]} any longer`, describe(old));
    } else if (now !== undefined) {
      const needed = direction === "request" && hasRequired(now, id, schemas);
      const text = `${verb} ${needed ? "and needs " : ""}a ${bodies[direction]} now`;
      say(`${direction}-added`, needed ? "breaking" : "compatible", text, undefined, describe(now));
    }
    return [];
  }
  const node = pairs.addPlace({ old, now, subject: id, path: `${id} ${direction}`, kind: `${direction}-changed` });
  return node === undefined ? [] : [{ methodId: id, direction, node }];
}

const bodies: Readonly<Record<Direction, string>> = { request: "request body", response: "response body" };

function describe({ $ref }: SchemaDocument): string {
  return $ref ?? "a schema in place";
}

function hasRequired(body: SchemaDocument, methodId: string, schemas: Schemas): boolean {
  return requiredProperties(resolveReference(body, schemas), methodId).length > 0;
}

interface Placed {
  readonly method: Method;
  readonly document: DescriptionDocument;
}

/**
 * Returns whether a method has another URL, or takes a value from another part of the URL. Names of variables matter
 * only if a name is at another position. If the flat paths match and are the same, the way that variables divide the
 * path does not matter.
 */
function hasMoved(old: Placed, now: Placed): boolean {
  const [before, after] = [flatAddress(old), flatAddress(now)];
  const isFlat = before !== undefined && after !== undefined;
  const isSame = isFlat
    ? addressShape(old.document, before) === addressShape(now.document, after)
    : addressShape(old.document, old.method.path) === addressShape(now.document, now.method.path);
  return !isSame || hasSwapped(old, now);
}

export function addressShape(document: DescriptionDocument, path: string): string {
  return pathBelowRoot(document, path).replace(variable, "{$1}");
}

const variable = /\{(\+?)[^{}]*\}/g;

/** Returns the address with one variable per segment; undefined if it is unknown. */
function flatAddress({ method: { path, document } }: Placed): string | undefined {
  if (!path.includes("{+")) return path;
  const { flatPath } = document;
  return flatPath !== undefined && isFlatPathOf(path, flatPath) ? flatPath : undefined;
}

function hasSwapped(old: Placed, now: Placed): boolean {
  const [before, after] = [variablesOf(old.method), variablesOf(now.method)];
  const isSameForm = addressShape(old.document, old.method.path) === addressShape(now.document, now.method.path);
  if (isSameForm) return before.some((name, at) => after.includes(name) && after[at] !== name);
  // A variable of several segments replaces several positions, so only the order can be compared.
  const inOrder = before.filter((name) => after.includes(name));
  return after.filter((name) => before.includes(name)).some((name, at) => name !== inOrder[at]);
}

function variablesOf({ path }: Method): readonly string[] {
  return [...path.matchAll(/\{\+?([^{}]*)\}/g)].map((match) => match[1] ?? "");
}
