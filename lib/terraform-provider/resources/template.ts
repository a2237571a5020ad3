import { InputError } from "../../errors";
import { textOf, type Value, type ValueObject } from "../value";

/** A path with places for attributes, as in `projects/{project}/global/urlMaps/{name}`. */
export type Template = string;

/** The attributes that a template has places for, in order. */
export function placesOf(template: Template): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Fills a template. Of an attribute that holds a link only the last part counts. */
export function fill(template: Template, values: ValueObject): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => lastPart(textOf(values, name)));
}

function lastPart(text: string): string {
  return /^(?:https?:|\/\/|projects\/|global\/|regions\/)/.test(text) ? text.slice(text.lastIndexOf("/") + 1) : text;
}

/**
 * Reads an import id in the ways that the provider takes: the whole id, the values of its places joined by slashes, and those without the leading
 * ones that the provider block gives.
 *
 * @param given what the provider block gives, as in `{ project }`
 * @throws InputError if the id fits none of them
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
  throw new InputError("import-id-invalid", `'${id}' is no id of ${type}: import it by ${template} or ${short}`);
}

function valuesOf(names: readonly string[], values: readonly string[]): ValueObject {
  return Object.fromEntries(names.map((name, index): [string, Value] => [name, values[index] ?? ""]));
}

function pick(values: ValueObject, names: readonly string[]): ValueObject {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}
