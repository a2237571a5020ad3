import { CloudError } from "../cloud-error";
import { applyMask, type Call, type Handler, type Json, listPage, listRequestOf, textParameter } from "../front";
import type { Clock, Collection } from "../state";
import {
  alreadyExists,
  type CollectionName,
  checkLabels,
  checkLocationUnlessAny,
  inUse,
  newName,
  notFound,
} from "./names";
import type { LocatedService, Operations } from "./operations";

type Named = Json & { readonly name: string };
type Route = readonly [methodId: string, handler: Handler];

/** A collection of resources, with the parameters of all its methods. */
interface ResourceKind<Item extends Named> {
  readonly collection: CollectionName;
  /** Name of the resource's schema in the description. */
  readonly schema: string;
  /** Part of the method ids between `SERVICE.projects.locations` and the verb. */
  readonly path: string;
  readonly items: Collection<Item>;
  /** Service of the methods. @default "certificatemanager" */
  readonly service?: LocatedService;
}

export interface ResourceContext {
  readonly clock: Clock;
  readonly operations: Operations;
  /** Returns an error that makes an operation fail; nothing changes then. */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
  /** Called when data that load balancers serve have changed. */
  readonly onChange: () => void;
}

/** Fields that the service sets at the creation. */
interface Stamp {
  readonly createTime: string;
  readonly updateTime: string;
}

export const methodPrefix = "certificatemanager.projects.locations";

function methodId(
  { service = "certificatemanager", path }: Pick<ResourceKind<Named>, "service" | "path">,
  verb: string,
) {
  return `${service}.projects.locations.${path}.${verb}`;
}

function stampOf(clock: Clock): Stamp {
  const now = clock.now().toISOString();
  return { createTime: now, updateTime: now };
}

/** Returns the handler of `create`. @param make checks the call and returns a function that performs it */
export function createHandler<Item extends Named>(
  kind: ResourceKind<Item>,
  { clock, operations, failOperation, onChange }: ResourceContext,
  idParameter: string,
  make: (call: Call, name: string) => (stamp: Stamp) => void,
): Route {
  const { collection, schema, items } = kind;
  const id = methodId(kind, "create");
  return [
    id,
    (call) => {
      const name = newName(call, collection, idParameter);
      checkLabels(call.body.labels);
      if (items.has(name)) throw alreadyExists(name);
      const carryOut = make(call, name);
      const failure = failOperation?.(id, call);
      if (failure !== undefined) return operations.fail(id, name, failure);
      carryOut(stampOf(clock));
      onChange();
      return operations.start(id, name, schema, items.get(name));
    },
  ];
}

/**
 * Returns the handlers of `get` and `list`.
 *
 * @param serve converts an item to its API form
 * @param checkParent rejects a parent that does not exist
 */
export function readHandlers<Item extends Named>(
  kind: ResourceKind<Item>,
  serve: (item: Item) => Json = (item) => item,
  checkParent: (parent: string) => void = checkLocationUnlessAny,
): readonly Route[] {
  const { collection, items } = kind;
  return [
    [
      methodId(kind, "get"),
      (call) => {
        const name = textParameter(call, "name");
        const item = items.get(name);
        if (item === undefined) throw notFound(name);
        return serve(item);
      },
    ],
    [
      methodId(kind, "list"),
      (call) => {
        const parent = textParameter(call, "parent");
        checkParent(parent);
        const start = `${parent.replace(/\/-$/, "")}/`;
        const isBelow = ({ name }: Item) =>
          name.startsWith(start) && (parent.endsWith("/-") || name.startsWith(`${parent}/${collection}/`));
        const { items: page, ...next } = listPage(
          [...items.values()].filter(isBelow).map(serve),
          listRequestOf(call, "pageSize"),
          { defaultSize: 500, mostSize: 1_000, keyOf: ({ name }) => String(name) },
        );
        return { [collection]: page, ...next };
      },
    ],
  ];
}

/** The patched resource and further changes. */
interface Patched<Item> {
  readonly after: Item;
  readonly afterwards?: () => void;
}

/**
 * Returns the handler of `patch`.
 *
 * @param mutable fields that a patch may name
 * @param finish checks the patched resource
 */
export function patchHandler<Item extends Named>(
  kind: ResourceKind<Item>,
  { clock, operations, failOperation, onChange }: ResourceContext,
  mutable: readonly string[],
  finish: (after: Item, before: Item) => Patched<Item> = (after) => ({ after }),
): Route {
  const { schema, items } = kind;
  const id = methodId(kind, "patch");
  return [
    id,
    (call) => {
      const name = textParameter(call, "name");
      const before = items.get(name);
      if (before === undefined) throw notFound(name);
      checkEtag(before, call.body.etag);
      checkLabels(call.body.labels);
      const shape = { description: call.description, schema: call.method.request ?? {} };
      const patched = applyMask(before, call.body, textParameter(call, "updateMask"), mutable, shape) as Item;
      const { after: finished, afterwards } = finish(patched, before);
      const failure = failOperation?.(id, call);
      if (failure !== undefined) return operations.fail(id, name, failure);
      const after = { ...finished, updateTime: clock.now().toISOString() };
      items.set(name, after);
      afterwards?.();
      onChange();
      return operations.start(id, name, schema, after);
    },
  ];
}

/**
 * Returns the handler of `delete`.
 *
 * @param usersOf returns the names of the referring resources; a resource in use can't be deleted
 */
export function deleteHandler<Item extends Named>(
  kind: ResourceKind<Item>,
  { operations, failOperation, onChange }: ResourceContext,
  usersOf: (name: string) => readonly string[],
  afterwards?: (name: string) => unknown,
): Route {
  const { items } = kind;
  const id = methodId(kind, "delete");
  return [
    id,
    (call) => {
      const name = textParameter(call, "name");
      const item = items.get(name);
      if (item === undefined) throw notFound(name);
      checkEtag(item, call.parameters.etag);
      const users = usersOf(name);
      if (users.length > 0) throw inUse(name, users);
      const failure = failOperation?.(id, call);
      if (failure !== undefined) return operations.fail(id, name, failure);
      items.delete(name);
      afterwards?.(name);
      onChange();
      return operations.start(id, name, "Empty", undefined);
    },
  ];
}

/** Checks the etag of a change, if the caller sends one. @throws CloudError 409 if the resource has changed since */
function checkEtag({ name, etag }: Named, given: unknown): void {
  if (given === undefined || given === null || given === "" || etag === undefined || given === etag) return;
  throw new CloudError("ABORTED", `The etag does not match: '${name}' has been changed since it was read`);
}
