import type { ErrorObject } from "ajv";
import { InputError, type Problem } from "../../errors";
import { isFields } from "../../json/fields";
import type { ProjectInventory } from "../../project-inventory";
import { quote } from "../../text/quote";
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
  if (!isInventory(value)) {
    const message = `${subject} is not the output of 'cert-migration inventory --project ID --json'; pass that output`;
    throw new InputError("project-inventory-malformed", message);
  }
  const { Ajv } = require("ajv") as typeof import("ajv");
  const schema = require("./project-inventory.schema.json") as object;
  const validate = new Ajv({ allErrors: true, strictTypes: false, ownProperties: true }).compile(schema);
  const inventory = validate(value) ? withoutUnreadReferences(value as ProjectInventory) : undefined;
  const mistakes = inventory !== undefined ? referenceMistakes(inventory) : (validate.errors ?? []).map(mistakeOf);
  if (inventory === undefined || mistakes.length > 0) {
    throw new InputError(
      mistakes
        .slice(0, mostProblems)
        .map((what): Problem => ({ code: "project-inventory-malformed", message: `${subject}: ${what}` })),
    );
  }
  return inventory;
}

/** Returns whether a value is an inventory, possibly a changed one, and no other kind of file. */
function isInventory(value: unknown): boolean {
  return isFields(value) && ["project", "proxies", "certificates"].some((field) => Object.hasOwn(value, field));
}

const kindNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  object: "an object",
  string: "text",
};

/** Describes in the words of this program what the schema does not allow. */
function mistakeOf({ instancePath, keyword, params, message = "is not allowed" }: ErrorObject): string {
  const where = instancePath === "" ? "the inventory" : quote(instancePath);
  const { type, missingProperty, additionalProperty, allowedValue, allowedValues, limit, pattern } = params as Readonly<
    Record<string, unknown>
  >;
  const said: Readonly<Record<string, string>> = {
    type: `is not ${[type]
      .flat()
      .map((word) => kindNames[String(word)] ?? String(word))
      .join(" or ")}`,
    required: `lacks ${quote(String(missingProperty))}`,
    additionalProperties: `has an unknown field: ${quote(String(additionalProperty))}`,
    const: `is not ${JSON.stringify(allowedValue)}`,
    enum: `is not one of ${[allowedValues].flat().join(", ")}`,
    minItems: `has fewer than ${limit} items`,
    minLength: "is empty",
    pattern: `does not match ${pattern}`,
  };
  return `${where} ${said[keyword] ?? message}`;
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
