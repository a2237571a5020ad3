import { CloudError, foundOrThrow } from "../cloud-error";
import { applyMask, type Call, type Handlers, type Json, listNamed, textParameter } from "../front";
import type { ServiceOptions } from "../operations";
import type { Collection } from "../state";
import {
  type CollectionName,
  checkLocationUnlessAny,
  checkResourceLabels,
  newResourceName,
  resourceErrors,
} from "./names";
import type { LocatedOperations, LocatedService } from "./operations";

type Named = Json & { readonly name: string };

/** A collection of the API, and its stored resources. */
interface ManagedCollection<Item extends Named> {
  readonly collection: CollectionName;
  readonly schema: string;
  /** Part of the method ids between `SERVICE.projects.locations` and the verb. @default - the collection */
  readonly path?: string;
  readonly items: Collection<Item>;
  /** Service of the methods. @default "certificatemanager" */
  readonly service?: LocatedService;
}

/** What the methods of a kind of resource do. */
interface ManagedResourceKind<Item extends Named> {
  /** Checks a create call. @returns a function that stores the resource */
  create(call: Call, name: string): (stamp: Stamp) => void;
  /** Converts an item to its API form. @default - as stored */
  serve?(item: Item): Json;
  /** Rejects a list call for a parent that does not exist. @default - checks the location */
  checkParent?(parent: string): void;
  readonly mutable: readonly string[];
  /** Checks a patched resource. @default - every patch of mutable fields is allowed */
  patch?(after: Item, before: Item): { readonly after: Item; readonly afterwards?: () => void };
  /** Returns the names of the referring resources; a resource in use can't be deleted. @default - none */
  usersOf?(name: string, call: Call): readonly string[];
  deleted?(name: string): void;
}

export interface ResourceContext extends Pick<ServiceOptions, "clock" | "failOperation"> {
  readonly operations: LocatedOperations;
  /** Called when data that load balancers serve have changed. */
  readonly onChange: () => void;
}

interface Stamp {
  readonly createTime: string;
  readonly updateTime: string;
}

/** Returns the handlers of `create`, `get`, `list`, `patch` and `delete`. */
export function resourceHandlers<Item extends Named>(
  { clock, operations, failOperation, onChange }: ResourceContext,
  { service = "certificatemanager", collection, schema, path = collection, items }: ManagedCollection<Item>,
  kind: ManagedResourceKind<Item>,
): Handlers {
  const serve = (item: Item) => kind.serve?.(item) ?? item;
  const find = (call: Call): Item => {
    const name = textParameter(call, "name");
    return foundOrThrow(items.get(name), () => resourceErrors.notFound(name));
  };
  /** Performs a checked change as an operation, unless a fault makes it fail. */
  const perform = (call: Call, name: string, change: () => Json | undefined): Json => {
    const { id } = call.method;
    const failure = failOperation?.(id, call);
    if (failure !== undefined) return operations.fail(id, name, failure);
    const result = change();
    onChange();
    return operations.start(id, name, schema, result);
  };
  const prefix = `${service}.projects.locations.${path}`;
  return {
    [`${prefix}.create`]: (call) => {
      // For example `dnsAuthorizationId` for the schema `DnsAuthorization`.
      const name = newResourceName(call, collection, `${schema.charAt(0).toLowerCase()}${schema.slice(1)}Id`);
      checkResourceLabels(call.body.labels);
      if (items.has(name)) throw resourceErrors.alreadyExists(name);
      const store = kind.create(call, name);
      return perform(call, name, () => {
        const now = clock.now().toISOString();
        store({ createTime: now, updateTime: now });
        return items.get(name);
      });
    },
    [`${prefix}.get`]: (call) => serve(find(call)),
    [`${prefix}.list`]: (call) => {
      const parent = textParameter(call, "parent");
      if (kind.checkParent === undefined) checkLocationUnlessAny(parent);
      else kind.checkParent(parent);
      const start = `${parent.replace(/\/-$/, "")}/`;
      const isBelow = ({ name }: Item) =>
        name.startsWith(start) && (parent.endsWith("/-") || name.startsWith(`${parent}/${collection}/`));
      return listNamed(call, collection, [...items.values()].filter(isBelow).map(serve), 500);
    },
    [`${prefix}.patch`]: (call) => {
      const before = find(call);
      checkEtag(before, call.body.etag);
      checkResourceLabels(call.body.labels);
      const shape = { description: call.description, schema: call.method.request ?? {} };
      const patched = applyMask(before, call.body, textParameter(call, "updateMask"), kind.mutable, shape) as Item;
      const { after: checked, afterwards } = kind.patch?.(patched, before) ?? { after: patched };
      return perform(call, before.name, () => {
        const after = { ...checked, updateTime: clock.now().toISOString() };
        items.set(before.name, after);
        afterwards?.();
        return after;
      });
    },
    [`${prefix}.delete`]: (call) => {
      const item = find(call);
      checkEtag(item, call.parameters.etag);
      const users = kind.usersOf?.(item.name, call) ?? [];
      if (users.length > 0) throw resourceErrors.inUse(item.name, users);
      return perform(call, item.name, () => {
        items.delete(item.name);
        kind.deleted?.(item.name);
        return undefined;
      });
    },
  };
}

/** Checks the etag of a change, if the caller sends one. @throws CloudError 409 if the resource has changed since */
function checkEtag({ name, etag }: Named, given: unknown): void {
  if (given === undefined || given === null || given === "" || etag === undefined || given === etag) return;
  throw new CloudError("ABORTED", `The etag does not match: '${name}' has been changed since it was read`);
}
