import { lastPart, projectIn, withoutLastParts, writeComputeScope, writeProject } from "../../resource-names";
import type { Json } from "../front";
import { indexBy, type Collection as Kept, type Store } from "../state";
import { type ComputeCollection, collections, pathOfLink, type Scope } from "./links";
import { referencesOf } from "./references";

/** Members that every resource has, in addition to its own. Links are full. */
export interface ComputeResource extends Json {
  readonly kind: string;
  /** Decimal. */
  readonly id: string;
  readonly name: string;
  readonly creationTimestamp: string;
  readonly selfLink: string;
}

export interface Resources {
  get(path: string): ComputeResource | undefined;
  set(path: string, resource: ComputeResource): void;
  delete(path: string): void;
  /** Returns the resources of one scope, in order of creation. */
  list(collection: ComputeCollection, scope: Scope): readonly ComputeResource[];
  listOfProject(collection: ComputeCollection, project: string): readonly ComputeResource[];
  all(collection: ComputeCollection): Iterable<ComputeResource>;
  /** Returns the resources that refer to a resource (by path) or to a map, certificate or policy (by name). */
  usersOf(path: string): readonly ComputeResource[];
  readonly addresses: AddressUsers;
}

/** The resources that use an IP address. */
interface AddressUsers {
  rulesAt(ipAddress: string): readonly ComputeResource[];
  /** Returns the reservations of an address: at most one, unless the journal was written by another program. */
  reservationsOf(ipAddress: string): readonly ComputeResource[];
  isTaken(ipAddress: string): boolean;
}

export function createResources(store: Store): Resources {
  const kept = new Map<string, Kept<ComputeResource>>(
    collections.map((name) => [name, store.collection(`compute.${name}`)]),
  );
  const named = (collection: string) => kept.get(collection);
  const at = (path: string) => named(lastPart(withoutLastParts(path, 1)));
  const group = (
    collection: ComputeCollection,
    groupsOf: (resource: ComputeResource, path: string) => readonly string[],
  ) => indexBy(kept.get(collection) as Kept<ComputeResource>, groupsOf);
  const byScope = new Map(
    collections.map((name) => [
      name,
      group(name, (_, path) => [withoutLastParts(path, 2), writeProject(projectIn(path) ?? "")]),
    ]),
  );
  const users = collections.map((name) => group(name, (resource) => [...new Set(referencesOf(name, resource))]));
  const rulesAt = group("forwardingRules", (rule) => [textMember(rule, "IPAddress")]);
  const reservationsOf = group("addresses", (address) => [textMember(address, "address")]);
  return {
    get: (path) => at(path)?.get(path),
    set: (path, resource) => at(path)?.set(path, resource),
    delete: (path) => void at(path)?.delete(path),
    list: (collection, scope) => byScope.get(collection)?.(writeComputeScope(scope)) ?? [],
    listOfProject: (collection, project) => byScope.get(collection)?.(writeProject(project)) ?? [],
    all: (collection) => named(collection)?.values() ?? [],
    usersOf: (path) => users.flatMap((find) => find(path)),
    addresses: {
      rulesAt,
      reservationsOf,
      isTaken: (ipAddress) => reservationsOf(ipAddress).length > 0 || rulesAt(ipAddress).length > 0,
    },
  };
}

export function pathOfResource({ selfLink }: ComputeResource): string {
  return pathOfLink(selfLink);
}

export function textMember(resource: Json, member: string): string {
  const value = resource[member];
  return typeof value === "string" ? value : "";
}

export function textMembers(resource: Json, member: string): readonly string[] {
  const value = resource[member];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Returns the members that are defined, so that answers have no empty members. */
export function compact(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
