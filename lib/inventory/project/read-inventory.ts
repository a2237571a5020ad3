import { InputError, type Problem } from "../../errors";
import { quote } from "../../text/quote";
import type { ProjectInventory } from "./model";
import { withoutUnreadReferences } from "./unread";

const mostProblems = 20;

/**
 * Reads the JSON of an inventory, as `inventory --project --json` prints it. What refers to a list that could not be
 * read is left out.
 *
 * @param subject what the JSON is, or its option, as in `--world`
 * @throws InputError `project-inventory-malformed` with the mistakes: a value that the schema does not allow, two
 * resources with one id, or an id of a resource that is not in the inventory
 */
export function readProjectInventory(value: unknown, subject: string): ProjectInventory {
  const { Ajv } = require("ajv") as typeof import("ajv");
  const schema = require("./project-inventory.schema.json") as object;
  const validate = new Ajv({ allErrors: true, strictTypes: false, ownProperties: true }).compile(schema);
  const inventory = validate(value) ? withoutUnreadReferences(value as ProjectInventory) : undefined;
  const mistakes =
    inventory !== undefined
      ? referenceMistakes(inventory)
      : (validate.errors ?? []).map(({ instancePath, message, params }) => {
          const { additionalProperty: unknown } = params as { readonly additionalProperty?: string };
          return `${instancePath === "" ? "the JSON" : quote(instancePath)} ${message}${unknown === undefined ? "" : `: ${quote(unknown)}`}`;
        });
  if (inventory === undefined || mistakes.length > 0) {
    throw new InputError(
      mistakes
        .slice(0, mostProblems)
        .map((what): Problem => ({ code: "project-inventory-malformed", message: `${subject}: ${what}` })),
    );
  }
  return inventory;
}

function referenceMistakes(inventory: ProjectInventory): readonly string[] {
  const { forwardingRules, addresses, proxies, urlMaps, certificates, maps, zones } = inventory;
  const mistakes: string[] = [];
  const idsOf = (list: string, items: readonly { readonly id: string }[]): ReadonlySet<string> => {
    const ids = new Set<string>();
    for (const [index, { id }] of items.entries()) {
      if (ids.has(id)) mistakes.push(`${quote(`/${list}/${index}/id`)} is the id of an earlier item: ${quote(id)}`);
      ids.add(id);
    }
    return ids;
  };
  const known = {
    proxy: idsOf("proxies", proxies),
    address: idsOf("addresses", addresses),
    "URL map": idsOf("urlMaps", urlMaps),
    certificate: idsOf("certificates", certificates),
    map: idsOf("maps", maps),
  };
  idsOf("forwardingRules", forwardingRules);
  idsOf("zones", zones);
  const check = (place: string, kind: keyof typeof known, id: string | undefined) => {
    if (id !== undefined && !known[kind].has(id))
      mistakes.push(`${quote(place)} is not the id of a ${kind} in it: ${quote(id)}`);
  };
  for (const [index, { proxyId, addressId }] of forwardingRules.entries()) {
    check(`/forwardingRules/${index}/proxyId`, "proxy", proxyId);
    check(`/forwardingRules/${index}/addressId`, "address", addressId);
  }
  for (const [index, { urlMapId, mapId, certificateIds }] of proxies.entries()) {
    check(`/proxies/${index}/urlMapId`, "URL map", urlMapId);
    check(`/proxies/${index}/mapId`, "map", mapId);
    for (const [at, id] of certificateIds.entries()) check(`/proxies/${index}/certificateIds/${at}`, "certificate", id);
  }
  for (const [index, { entries }] of maps.entries()) {
    for (const [at, { certificateIds }] of entries.entries()) {
      for (const [n, id] of certificateIds.entries())
        check(`/maps/${index}/entries/${at}/certificateIds/${n}`, "certificate", id);
    }
  }
  return mistakes;
}
