import { createHash, randomUUID } from "node:crypto";
import {
  decodeValue,
  diagnose,
  encodePath,
  encodeSchema,
  encodeValue,
  type Message,
  startPluginServer,
} from "../protocol";
import type { Attribute, AttributeType, SchemaBlock } from "../schema";
import { shapeBlock } from "../schema";
import { isValueObject, membersOf, sameValue, textValue, unknown, type Value, type ValueObject } from "../value";
import {
  type HostedRecord,
  type HostedRecordType,
  hostedRecordTypes,
  recordProviderSources,
  zoneLookups,
} from "./record-types";

/** Where the records of these providers are served. */
export interface RecordHost {
  /**
   * Publishes a record that does not exist yet.
   *
   * @param isOneValue whether other resources have further values of the record set
   * @throws InputError `record-exists`
   */
  create(record: HostedRecord, isOneValue: boolean): Promise<void>;
  /** Publishes a record in place of a former one of the same resource. @param former undefined after an import */
  update(record: HostedRecord, former: HostedRecord | undefined, isOneValue: boolean): Promise<void>;
  withdraw(record: HostedRecord, isOneValue: boolean): Promise<void>;
}

export interface RecordProviders {
  /** Value of `TF_REATTACH_PROVIDERS`, to be merged with that of the google provider. */
  readonly reattachConfig: string;
  close(): Promise<void>;
}

/**
 * Starts stand-ins for the providers of other DNS hosts. Their record resources become records of a host; all other
 * resources of these providers are unknown to Terraform.
 *
 * @param host undefined for a survey, which only plans
 */
export async function startRecordProviders(host: RecordHost | undefined): Promise<RecordProviders> {
  const servers = await Promise.all(
    Object.entries(recordProviderSources).map(async ([prefix, source]) => ({
      source,
      server: await startPluginServer(handlersOf(prefix, host)),
    })),
  );
  const attached = servers.flatMap(({ source, server }) => {
    const address = { Network: "tcp", String: `127.0.0.1:${server.port}` };
    const reattach = { Protocol: "grpc", ProtocolVersion: 5, Pid: process.pid, Test: true, Addr: address };
    return ["registry.terraform.io", "registry.opentofu.org"].map((registry) => [`${registry}/${source}`, reattach]);
  });
  return {
    reattachConfig: JSON.stringify(Object.fromEntries(attached)),
    close: async () => void (await Promise.all(servers.map(({ server }) => server.close()))),
  };
}

function handlersOf(prefix: string, host: RecordHost | undefined) {
  const isOwn = ([type]: readonly [string, unknown]) => type.startsWith(`${prefix}_`);
  const resources = new Map(Object.entries(hostedRecordTypes).filter(isOwn));
  const schemas = new Map([...resources].map(([type, row]) => [type, schemaOf(row)]));
  const lookups = new Map(
    Object.entries(zoneLookups)
      .filter(isOwn)
      .map(([type, all]) => [type, lookupSchema(all)]),
  );
  const rowOf = (typeName: unknown) => resources.get(String(typeName)) ?? fail(typeName);
  const shaped = (typeName: unknown, values: ValueObject) =>
    shapeBlock(schemas.get(String(typeName)) ?? fail(typeName), values);
  return {
    GetSchema: () => ({
      // The copy of a rehearsed folder has no arguments in the blocks of these providers.
      provider: encodeSchema(emptySchema),
      resourceSchemas: encodeAll(schemas),
      dataSourceSchemas: encodeAll(lookups),
    }),
    PrepareProviderConfig: ({ config }: Message) => ({ preparedConfig: config }),
    Configure: () => ({}),
    ValidateResourceTypeConfig: () => ({}),
    ValidateDataSourceConfig: () => ({}),
    UpgradeResourceState: ({ typeName, rawState }: Message) => {
      const { json } = rawState as { readonly json: Buffer };
      return { upgradedState: encodeValue(shaped(typeName, JSON.parse(json.toString("utf8")) as ValueObject)) };
    },
    ReadResource: ({ currentState }: Message) => ({ newState: currentState }),
    PlanResourceChange: ({ typeName, priorState, proposedNewState }: Message) => {
      const [prior, proposed] = [decodeValue(priorState), decodeValue(proposedNewState)];
      if (!isValueObject(proposed)) return { plannedState: encodeValue(null) };
      const { planned, replaced } = planRecord(rowOf(typeName), isValueObject(prior) ? prior : undefined, proposed);
      return { plannedState: encodeValue(planned), requiresReplace: replaced.map((name) => encodePath([name])) };
    },
    ApplyResourceChange: async ({ typeName, priorState, plannedState }: Message) => {
      const row = rowOf(typeName);
      const [prior, planned] = [membersOf(decodeValue(priorState)), decodeValue(plannedState)];
      try {
        return { newState: encodeValue(await applyRecord(row, prior, planned, host)), diagnostics: [] };
      } catch (error) {
        return { newState: priorState, diagnostics: diagnose(error) };
      }
    },
    ImportResourceState: ({ typeName, id }: Message) => {
      const state = shaped(typeName, { ...rowOf(typeName).identify(String(id)), id: String(id) });
      return { importedResources: [{ typeName, state: encodeValue(state) }] };
    },
    ReadDataSource: ({ typeName, config }: Message) => {
      const schema = lookups.get(String(typeName)) ?? fail(typeName);
      return { state: encodeValue(shapeBlock(schema, zoneFor(membersOf(decodeValue(config))))) };
    },
    Stop: () => ({}),
  };
}

/** Returns the values after a change, and the attributes that cause a replacement. */
function planRecord(row: HostedRecordType, before: ValueObject | undefined, proposed: ValueObject) {
  const replaced = before === undefined ? [] : row.forceNew.filter((name) => isChanged(name, before, proposed));
  const isNew = before === undefined || replaced.length > 0;
  const computed = Object.keys(row.computed).map((name): [string, Value] => [
    name,
    isNew ? unknown : (before[name] ?? null),
  ]);
  return { planned: { ...proposed, ...Object.fromEntries(computed) }, replaced };
}

/** Publishes, updates or withdraws a record. @returns the values after the change; null after a deletion */
async function applyRecord(
  row: HostedRecordType,
  prior: ValueObject,
  planned: Value,
  host: RecordHost | undefined,
): Promise<Value> {
  const before = row.recordOf(prior);
  const isOneValue = row.isOneValue === true;
  if (!isValueObject(planned)) {
    if (before !== undefined) await host?.withdraw(before, isOneValue);
    return null;
  }
  const record = row.recordOf(planned);
  const isNew = Object.keys(prior).length === 0;
  if (record !== undefined && isNew) await host?.create(record, isOneValue);
  else if (record !== undefined) await host?.update(record, before, isOneValue);
  return { ...planned, ...computedOf(row, prior, planned) };
}

/** Returns the zone that a look-up finds: every zone exists, with an id that depends on its name. */
function zoneFor(given: ValueObject): ValueObject {
  const { name = given.name } = membersOf(given.filter);
  const id = `Z${createHash("sha256").update(String(name)).digest("hex").slice(0, 20).toUpperCase()}`;
  const found = { zone_id: id, id, arn: `arn:aws:route53:::hostedzone/${id}`, name: name ?? null };
  return { ...found, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) };
}

function fail(typeName: unknown): never {
  throw new Error(`the stand-in has no ${String(typeName)}`);
}

/** An imported resource has no values yet, so that the first apply only completes its state. */
function isChanged(name: string, before: ValueObject, proposed: ValueObject): boolean {
  return (before[name] ?? null) !== null && !sameValue(before[name], proposed[name]);
}

function computedOf({ computed, recordOf }: HostedRecordType, prior: ValueObject, planned: ValueObject): ValueObject {
  const { name = "" } = recordOf(planned) ?? {};
  const values: ValueObject = { id: textValue(prior, "id") || randomUUID(), fqdn: name, hostname: name };
  return Object.fromEntries(
    Object.keys(computed).map((key) => [
      key,
      planned[key] === unknown ? (values[key] ?? null) : (planned[key] ?? null),
    ]),
  );
}

const flags = { required: false, sensitive: false, writeOnly: false } as const;

function attributesOf(types: Readonly<Record<string, AttributeType>>, kind: "optional" | "computed" | "both") {
  return Object.entries(types).map(([name, type]): [string, Attribute] => [
    name,
    { ...flags, type, optional: kind !== "computed", computed: kind !== "optional" },
  ]);
}

function schemaOf({ attributes, computed, blocks = {} }: HostedRecordType): SchemaBlock {
  const nested = Object.entries(blocks).map(([name, types]) => {
    const block: SchemaBlock = { attributes: new Map(attributesOf(types, "optional")), blocks: new Map() };
    return [name, { nesting: "list", block, minItems: 0, maxItems: 0 }] as const;
  });
  return {
    attributes: new Map([...attributesOf(attributes, "optional"), ...attributesOf(computed, "computed")]),
    blocks: new Map(nested),
  };
}

function lookupSchema(types: Readonly<Record<string, AttributeType>>): SchemaBlock {
  return { attributes: new Map(attributesOf(types, "both")), blocks: new Map() };
}

const emptySchema: SchemaBlock = { attributes: new Map(), blocks: new Map() };
function encodeAll(schemas: ReadonlyMap<string, SchemaBlock>): Message {
  return Object.fromEntries([...schemas].map(([type, schema]) => [type, encodeSchema(schema)]));
}
