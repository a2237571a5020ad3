import { writeProject } from "../../resource-names";
import { isList, textOf, type Value, type ValueObject } from "../value";
import { fill, type Template } from "./template";

/**
 * Replaces names by paths in attributes where the provider accepts names and the API requires paths.
 *
 * @param references collection of the referenced resources, by attribute
 */
export function withWholeReferences(references: Readonly<Record<string, Template>>, values: ValueObject): ValueObject {
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
  return /^(?:global|regions)\//.test(link) ? `${writeProject(textOf(values, "project"))}/${link}` : link;
}
