import { asText, type Fields, fieldsOf, listOf } from "../json/fields";
import type { OriginOf } from "./record-readers";

/** Zones whose records have only the id of their zone: the attribute with the domain, by type. */
const domainAttributes: Readonly<Record<string, string>> = {
  hcloud_zone: "name",
  hetznerdns_zone: "name",
  linode_domain: "domain",
};

/** Returns a function that finds the domain of a zone by its id, among the resources and data sources of a plan. */
export function zoneOrigins(plan: Fields): OriginOf {
  const origins = new Map<string, string>();
  const keep = (type: unknown, values: unknown) => {
    const attribute = domainAttributes[asText(type)];
    if (attribute === undefined) return;
    const { id, [attribute]: domain } = fieldsOf(values);
    if (id !== undefined && typeof domain === "string") origins.set(keyOf(providerOf(asText(type)), id), domain);
  };
  for (const { type, change } of listOf(plan.resource_changes).map(fieldsOf)) {
    const { before, after } = fieldsOf(change);
    keep(type, before);
    keep(type, after);
  }
  const readModule = (module: Fields) => {
    for (const { type, values } of listOf(module.resources).map(fieldsOf)) keep(type, values);
    for (const child of listOf(module.child_modules)) readModule(fieldsOf(child));
  };
  readModule(fieldsOf(fieldsOf(fieldsOf(plan.prior_state).values).root_module));
  return (provider, id) => origins.get(keyOf(provider, id));
}

function providerOf(type: string): string {
  return type.replace(/_.*$/, "");
}

function keyOf(provider: string, id: unknown): string {
  return `${provider} ${asText(id)}`;
}
