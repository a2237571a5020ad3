import { InputError } from "../../errors";
import { isNameOrLink, lastPart } from "../../resource-names";
import type { Attempt } from "../cloud-api";
import { isValueObject, textValue, type Value, type ValueObject, withoutNull } from "../value";
import type { ProviderCall, ProviderSettings, ResourceKind } from "./kind";

/** A path with placeholders for attributes, for example `projects/{project}/global/urlMaps/{name}`. */
export type Template = string;

/** Returns the attributes of a template's placeholders, in order. */
export function placesOf(template: Template): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Fills a template. If an attribute contains a link, only its last part is used. */
export function fill(template: Template, values: ValueObject): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => nameOfLink(textValue(values, name)));
}

function nameOfLink(text: string): string {
  return isNameOrLink(text) ? lastPart(text) : text;
}

/**
 * Reads an import id in each format that the provider accepts: the whole id, or the values of its placeholders joined
 * by slashes. Leading values that the provider block has may be omitted.
 *
 * @param given values of the provider block, for example `{ project }`
 * @throws InputError if the id has none of these formats
 */
export function parseImportId(type: string, template: Template, id: string, given: ValueObject): ValueObject {
  const places = placesOf(template);
  const whole = new RegExp(`^${template.replace(/\{\w+\}/g, "([^/]+)")}$`).exec(id);
  if (whole !== null) return valuesOf(places, whole.slice(1));
  const parts = id.split("/");
  const left = places.slice(0, places.length - parts.length);
  const isWhole = parts.every((part) => part !== "");
  if (isWhole && parts.length <= places.length && left.every((name) => textValue(given, name) !== "")) {
    return { ...pick(given, left), ...valuesOf(places.slice(left.length), parts) };
  }
  const short = places.map((name) => `{${name}}`).join("/");
  throw new InputError("import-id-invalid", `'${id}' is not a valid id of ${type}: use ${template} or ${short}`);
}

function valuesOf(names: readonly string[], values: readonly string[]): ValueObject {
  return Object.fromEntries(names.map((name, index): [string, Value] => [name, values[index] ?? ""]));
}

function pick(values: ValueObject, names: readonly string[]): ValueObject {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

/** Returns the provider block's values for attributes that a resource omits. */
export function given({ project, region, zone }: ProviderSettings): ValueObject {
  return withoutNull({ project: project ?? null, region: region ?? null, zone: zone ?? null });
}

/** Returns the function that reads the import ids of a type. */
export function identifyBy(type: string, idTemplate: Template): ResourceKind["identify"] {
  return (importId, settings) => {
    const values = parseImportId(type, idTemplate, importId, given(settings));
    return { ...values, id: fill(idTemplate, values) };
  };
}

type Verb = "create" | "update" | "delete";

/**
 * Returns the purpose and the time limit of requests that change a resource.
 *
 * @param description for example `google_compute_url_map 'projects/p/global/urlMaps/web'`
 * @param limit operation in `timeouts` that limits the requests. @default - the verb
 */
export function attemptTo(
  verb: Verb,
  description: string,
  values: ValueObject,
  { signal }: ProviderCall,
  limit: Verb = verb,
): Attempt & { readonly timeoutMs: number } {
  return { purpose: `${verb.slice(0, -1)}ing ${description}`, signal, timeoutMs: timeoutMs(values, limit) };
}

/** Time limit of the provider for an operation without `timeouts`, in milliseconds. */
const defaultTimeoutMs = 20 * 60_000;

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/**
 * Returns the time limit of an operation in milliseconds, from the resource's `timeouts`, written for example as
 * `1h30m`.
 */
export function timeoutMs({ timeouts }: ValueObject, verb: Verb): number {
  const text = isValueObject(timeouts) ? textValue(timeouts, verb) : "";
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) return defaultTimeoutMs;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g))
    sum += Number(amount) * (unitsMs[unit ?? ""] ?? 0);
  return sum;
}
