import { lastPart, projectIn, withoutLastParts, writeComputeScope, writeProject } from "../../resource-names";
import type { Json } from "../front";
import { groupBy, type Collection as Kept, type Store } from "../state";
import { type Collection, collections, pathOfLink, type Scope } from "./links";
import { referencesOf } from "./references";

/** Members that every resource has, in addition to its own. Links are full. */
export interface Resource extends Json {
  readonly kind: string;
  /** Decimal. */
  readonly id: string;
  readonly name: string;
  readonly creationTimestamp: string;
  readonly selfLink: string;
}

export interface Resources {
  get(path: string): Resource | undefined;
  set(path: string, resource: Resource): void;
  delete(path: string): void;
  /** Returns the resources of one scope, in order of creation. */
  list(collection: Collection, scope: Scope): readonly Resource[];
  listOfProject(collection: Collection, project: string): readonly Resource[];
  all(collection: Collection): Iterable<Resource>;
  /** Returns the resources that refer to a resource (by path) or to a map, certificate or policy (by name). */
  usersOf(path: string): readonly Resource[];
  rulesAt(ipAddress: string): readonly Resource[];
  /** Returns the reservations of an address: at most one, unless the journal was written by another program. */
  reservationsOf(ipAddress: string): readonly Resource[];
  isTaken(ipAddress: string): boolean;
}

export function createResources(store: Store): Resources {
  const kept = new Map<string, Kept<Resource>>(collections.map((name) => [name, store.collection(`compute.${name}`)]));
  const named = (collection: string) => kept.get(collection);
  const at = (path: string) => named(lastPart(withoutLastParts(path, 1)));
  const group = (collection: Collection, groupsOf: (resource: Resource, path: string) => readonly string[]) =>
    groupBy(kept.get(collection) as Kept<Resource>, groupsOf);
  const byScope = new Map(
    collections.map((name) => [
      name,
      group(name, (_, path) => [withoutLastParts(path, 2), writeProject(projectIn(path) ?? "")]),
    ]),
  );
  const users = collections.map((name) => group(name, (resource) => [...new Set(referencesOf(name, resource))]));
  const rulesAt = group("forwardingRules", (rule) => [textOf(rule, "IPAddress")]);
  const reservationsOf = group("addresses", (address) => [textOf(address, "address")]);
  return {
    get: (path) => at(path)?.get(path),
    set: (path, resource) => at(path)?.set(path, resource),
    delete: (path) => void at(path)?.delete(path),
    list: (collection, scope) => byScope.get(collection)?.(writeComputeScope(scope)) ?? [],
    listOfProject: (collection, project) => byScope.get(collection)?.(writeProject(project)) ?? [],
    all: (collection) => named(collection)?.values() ?? [],
    usersOf: (path) => users.flatMap((find) => find(path)),
    rulesAt,
    reservationsOf,
    isTaken: (ipAddress) => reservationsOf(ipAddress).length > 0 || rulesAt(ipAddress).length > 0,
  };
}

export function pathOfResource({ selfLink }: Resource): string {
  return pathOfLink(selfLink);
}

export function textOf(resource: Json, member: string): string {
  const value = resource[member];
  return typeof value === "string" ? value : "";
}

export function textsOf(resource: Json, member: string): readonly string[] {
  const value = resource[member];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Returns the members that are defined, so that answers have no empty members. */
export function compact(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
