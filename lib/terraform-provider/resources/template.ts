import { InputError } from "../../errors";
import { lastPart } from "../../resource-names";
import { textOf, type Value, type ValueObject } from "../value";

/** A path with placeholders for attributes, for example `projects/{project}/global/urlMaps/{name}`. */
export type Template = string;

/** Returns the attributes of a template's placeholders, in order. */
export function placesOf(template: Template): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Fills a template. If an attribute contains a link, only its last part is used. */
export function fill(template: Template, values: ValueObject): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => nameOfLink(textOf(values, name)));
}

function nameOfLink(text: string): string {
  return /^(?:https?:|\/\/|projects\/|global\/|regions\/)/.test(text) ? lastPart(text) : text;
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
  if (isWhole && parts.length <= places.length && left.every((name) => textOf(given, name) !== "")) {
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
