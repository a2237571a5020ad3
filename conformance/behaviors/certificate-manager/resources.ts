import type { Answer, Json, Side } from "../../side";

const service = "certificatemanager.projects.locations";

/** Collections of Certificate Manager, with the parameter of an id. */
const idParameters = {
  certificates: "certificateId",
  certificateMaps: "certificateMapId",
  dnsAuthorizations: "dnsAuthorizationId",
  trustConfigs: "trustConfigId",
} as const;

export type ManagerCollection = keyof typeof idParameters;

/** Returns the name of a resource of the run. */
export function nameOf(side: Side, collection: ManagerCollection, word: string, location = "global"): string {
  return `${side.location(location)}/${collection}/${side.name(word)}`;
}

/** Returns the name of a map entry of the run. */
export function entryNameOf(side: Side, map: string, word: string): string {
  return `${map}/certificateMapEntries/${side.name(word)}`;
}

/** Sends the creation of a resource. */
export function tryCreate(
  side: Side,
  collection: ManagerCollection,
  word: string,
  body: object,
  location = "global",
): Promise<Answer> {
  const parameters = { parent: side.location(location), [idParameters[collection]]: side.name(word) };
  return side.call(`${service}.${collection}.create`, parameters, body);
}

/** Creates a resource, waits for the operation, and returns the name of the resource. */
export async function create(
  side: Side,
  collection: ManagerCollection,
  word: string,
  body: object,
  location = "global",
): Promise<string> {
  const parameters = { parent: side.location(location), [idParameters[collection]]: side.name(word) };
  await side.run(`${service}.${collection}.create`, parameters, body);
  return nameOf(side, collection, word, location);
}

const entries = `${service}.certificateMaps.certificateMapEntries`;

/** Sends the creation of a map entry. */
export function tryCreateEntry(side: Side, map: string, word: string, body: object): Promise<Answer> {
  return side.call(`${entries}.create`, { parent: map, certificateMapEntryId: side.name(word) }, body);
}

export async function createEntry(side: Side, map: string, word: string, body: object): Promise<string> {
  await side.run(`${entries}.create`, { parent: map, certificateMapEntryId: side.name(word) }, body);
  return entryNameOf(side, map, word);
}

/** Returns the method of a resource, by its name. @param verb for example `get` */
function methodOf(name: string, verb: string): string {
  const path = name.includes("/certificateMapEntries/")
    ? "certificateMaps.certificateMapEntries"
    : (name.split("/").at(-2) ?? "");
  return `${service}.${path}.${verb}`;
}

export function get(side: Side, name: string): Promise<Json> {
  return side.make(methodOf(name, "get"), { name });
}

export function patch(side: Side, name: string, updateMask: string, body: object): Promise<Json> {
  return side.run(methodOf(name, "patch"), { name, updateMask }, body);
}

export function tryPatch(side: Side, name: string, updateMask: string, body: object): Promise<Answer> {
  return side.call(methodOf(name, "patch"), { name, updateMask }, body);
}

export function tryRemove(side: Side, name: string): Promise<Answer> {
  return side.call(methodOf(name, "delete"), { name });
}
