/** Describes a configuration by its plan, as a stack that the other parts of a rehearsal can read. */

import { type Hostname, registrableDomain } from "../../hostnames";
import { type Fields, fieldsOf, listOf, textsOf } from "../../json/fields";
import { hostedRecordOf, hostedRecordTypes } from "../../terraform-provider";
import type { Block, StackJson } from "../stack";

export interface DescribedStack {
  /** Resources and data sources with known values, each instance as a block. */
  readonly stack: StackJson;
  /** Addresses in Terraform's state, by the addresses in the stack. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Names of records of other DNS hosts that are known before an apply. */
  readonly hostedNames: readonly string[];
  /** Number of such records whose names only an apply knows. */
  readonly pendingRecords: number;
}

interface Instance {
  readonly address: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly values: Fields;
}

/**
 * Returns the stack that a plan describes. Values are those that Terraform has evaluated, with modules, variables,
 * `count` and `for_each`. A value that only an apply knows becomes a reference, where the configuration has one.
 *
 * @param plan output of `terraform show -json` for a plan that creates everything
 */
export function describedStackOf(plan: Fields): DescribedStack {
  const instances = instancesIn(fieldsOf(plan.planned_values).root_module);
  const surveyed = instancesIn(fieldsOf(fieldsOf(plan.prior_state).values).root_module).filter(isData);
  const expressions = expressionsIn(fieldsOf(plan.configuration).root_module, "");
  const changes = listOf(plan.resource_changes).map(fieldsOf);
  const addresses = new Map<string, string>();
  const taken = new Map<string, string>();
  const idOf = ({ address, type, name, mode }: Instance): string => {
    const isFree = !addresses.has(keyOf(mode, type, name));
    const id = isFree ? name : address.replace(/[^A-Za-z0-9_-]+/g, "_");
    addresses.set(keyOf(mode, type, id), address);
    taken.set(address, id);
    return id;
  };
  const managed = instances.filter((instance) => !isData(instance));
  const hosted = managed.filter(({ type }) => Object.hasOwn(hostedRecordTypes, type));
  const records = hostedRecordBlocks(hosted);
  const resource = groupBlocks([
    ...managed
      .filter((instance) => !hosted.includes(instance))
      .map((instance) => [instance.type, idOf(instance), blockOf(instance, expressions)] as const),
    ...records.map(({ id, block }) => [recordSetType, id, block] as const),
  ]);
  const data = groupBlocks(surveyed.map((instance) => [instance.type, idOf(instance), lookedUpBy(instance)] as const));
  const imports = changes.flatMap(({ address, change, type }) => {
    const { id } = fieldsOf(fieldsOf(change).importing);
    const record = records.find((candidate) => candidate.addresses.includes(String(address)));
    if (record !== undefined) return typeof id === "string" ? [{ to: `${recordSetType}.${record.id}`, id }] : [];
    const to = taken.get(String(address));
    return typeof id === "string" && to !== undefined ? [{ to: `${type}.${to}`, id }] : [];
  });
  return {
    stack: {
      provider: { google: [providerOf(plan, instances)] },
      resource,
      ...(surveyed.length === 0 ? {} : { data }),
      ...(imports.length === 0 ? {} : { import: imports }),
      ...versionOf(plan),
    },
    addresses,
    hostedNames: records.map(({ block }) => `${String(block.name)} ${String(block.type)}`),
    pendingRecords: hosted.length - records.flatMap((record) => record.addresses).length,
  };
}

const recordSetType = "google_dns_record_set";

interface HostedSet {
  readonly id: string;
  readonly block: Block;
  /** Addresses of the resources of the set; a host may have one for each value. */
  readonly addresses: readonly string[];
}

/** Returns records of other DNS hosts as record sets of Cloud DNS, in zones for their registrable domains. */
function hostedRecordBlocks(instances: readonly Instance[]): readonly HostedSet[] {
  const sets = new Map<string, HostedSet>();
  for (const { address, type, values } of instances) {
    const record = hostedRecordOf(type, values);
    if (record === undefined) continue;
    const key = `${record.name} ${record.type}`;
    const domain = registrableDomain(record.name as Hostname) ?? record.name;
    const known = sets.get(key);
    const block: Block = {
      name: `${record.name}.`,
      type: record.type,
      ttl: record.ttlSeconds,
      rrdatas: [...(known === undefined ? [] : textsOf(known.block.rrdatas)), ...record.data],
      managed_zone: `today-${domain.replace(/[^a-z0-9]/g, "-")}`,
    };
    const id = `hosted_${key.replace(/[^A-Za-z0-9]+/g, "_")}`;
    sets.set(key, { id, block, addresses: [...(known?.addresses ?? []), address] });
  }
  return [...sets.values()];
}

function keyOf(mode: string, type: string, id: string): string {
  return `${mode === "data" ? "data." : ""}${type}.${id}`;
}

function isData({ mode }: Instance): boolean {
  return mode === "data";
}

function instancesIn(module: unknown): readonly Instance[] {
  const { resources, child_modules: children } = fieldsOf(module);
  const instances = listOf(resources).map((resource): Instance => {
    const { address, mode, type, name, values } = fieldsOf(resource);
    return {
      address: String(address),
      mode: String(mode),
      type: String(type),
      name: String(name),
      values: fieldsOf(values),
    };
  });
  return [...instances, ...listOf(children).flatMap(instancesIn)];
}

/** Returns the expressions of all resources, by their addresses without keys. */
function expressionsIn(module: unknown, prefix: string): ReadonlyMap<string, Fields> {
  const { resources, module_calls: calls } = fieldsOf(module);
  const ofResources = listOf(resources).map((resource): [string, Fields] => {
    const { address, expressions } = fieldsOf(resource);
    return [`${prefix}${String(address)}`, fieldsOf(expressions)];
  });
  const inner = Object.entries(fieldsOf(calls)).flatMap(([name, call]) => [
    ...expressionsIn(fieldsOf(call).module, `${prefix}module.${name}.`),
  ]);
  return new Map([...ofResources, ...inner]);
}

function blockOf({ address, values }: Instance, expressions: ReadonlyMap<string, Fields>): Block {
  const known = Object.entries(values).filter(([, value]) => value !== null);
  const configured = expressions.get(address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, "")) ?? {};
  const open = Object.entries(configured).flatMap(([name, expression]) => {
    if (values[name] !== undefined) return [];
    const [reference] = textsOf(fieldsOf(expression).references);
    return reference === undefined ? [] : [[name, `\${${reference}}`] as const];
  });
  return Object.fromEntries([...known, ...open]);
}

/** Arguments by which a data source finds a resource, and the address that the survey gave it. */
const lookupArguments = ["name", "project", "region", "managed_zone", "type", "address", "ip_address"];

function lookedUpBy({ values }: Instance): Block {
  return Object.fromEntries(lookupArguments.flatMap((name) => (values[name] == null ? [] : [[name, values[name]]])));
}

function groupBlocks(all: readonly (readonly [type: string, id: string, block: Block])[]): object {
  const grouped: Record<string, Record<string, Block>> = {};
  for (const [type, id, block] of all) grouped[type] = { ...grouped[type], [id]: block };
  return grouped;
}

/** Returns project and region of the provider block, from the block or from a resource that has none of its own. */
function providerOf(plan: Fields, instances: readonly Instance[]): Block {
  const { google } = fieldsOf(fieldsOf(plan.configuration).provider_config);
  const { expressions } = fieldsOf(google);
  const place = ["project", "region"].flatMap((name) => {
    const { constant_value: constant, references } = fieldsOf(fieldsOf(expressions)[name]);
    const [, variable] = /^var\.([\w-]+)$/.exec(textsOf(references)[0] ?? "") ?? [];
    const named = constant ?? (variable === undefined ? undefined : fieldsOf(fieldsOf(plan.variables)[variable]).value);
    const first = instances.find(({ values }) => typeof values[name] === "string")?.values[name];
    const value = named ?? (name === "project" ? first : undefined);
    return typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(place);
}

function versionOf(plan: Fields): { readonly terraform?: object } {
  const { google } = fieldsOf(fieldsOf(plan.configuration).provider_config);
  const { version_constraint: version } = fieldsOf(google);
  if (typeof version !== "string") return {};
  return { terraform: { required_providers: { google: { source: "hashicorp/google", version } } } };
}
