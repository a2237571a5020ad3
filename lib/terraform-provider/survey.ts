import { BugError } from "../errors";
import { writeComputeScope } from "../resource-names";
import type { ResourceCatalogue } from "./catalogue";
import { type AttributeType, shapeBlock } from "./schema";
import type { Session, StandIn } from "./stand-in";
import { membersOf, type Value, type ValueObject } from "./value";

/**
 * Returns a stand-in that needs no cloud and can only plan: look-ups and imports succeed, whatever they name. Its plans
 * show which resources a configuration presupposes.
 */
export function surveyingStandIn(standIn: StandIn, catalogue: ResourceCatalogue): StandIn {
  const addresses = new Map<string, string>();
  const addressOf = (key: string): string => {
    const known = addresses.get(key) ?? `203.0.113.${100 + addresses.size}`;
    addresses.set(key, known);
    return known;
  };
  return {
    ...standIn,
    read: async (_type, state) => state,
    apply: () => Promise.reject(new BugError("a survey applies nothing")),
    readData: async (type, config, session) => {
      const schema = catalogue.data.get(type)?.schema;
      // These read no cloud either.
      if (schema === undefined || ownData.test(type)) return standIn.readData(type, config, session);
      const configured = membersOf(config);
      const key = JSON.stringify([type, ...["name", "project", "region"].map((name) => configured[name] ?? null)]);
      const values = [...schema.attributes].map(([name, attribute]): [string, Value] => [
        name,
        configured[name] ?? madeUp(name, attribute.type, configured, session, () => addressOf(key)),
      ]);
      return shapeBlock(schema, Object.fromEntries(values));
    },
  };
}

const ownData = /^google_(?:client_config|compute_(?:network|subnetwork))$/;

function madeUp(
  name: string,
  type: AttributeType,
  { name: resource }: ValueObject,
  { settings }: Session,
  address: () => string,
): Value {
  if (name === "rrdatas") return ["198.51.100.1"];
  if (type === "number") return 0;
  if (type === "bool") return false;
  if (type !== "string") return null;
  if (name === "project" || name === "region" || name === "zone") return settings[name] ?? null;
  if (name === "address" || name === "ip_address") return address();
  const text = typeof resource === "string" ? resource : "";
  if (name === "dns_name") return `${text.replaceAll("-", ".")}.`;
  const isId = name === "id" || name === "self_link";
  return isId ? `${writeComputeScope({ project: settings.project ?? "p" })}/${text}` : text;
}
