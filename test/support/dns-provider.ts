import { randomUUID } from "node:crypto";
import {
  decodeValue,
  encodeSchema,
  encodeValue,
  type Message,
  startPluginServer,
} from "../../lib/terraform-provider/protocol";
import type { Attribute, AttributeType, SchemaBlock } from "../../lib/terraform-provider/schema/model";
import { membersOf, unknown, type Value, type ValueObject } from "../../lib/terraform-provider/value";

/** Attributes of the record resources that the examples set, as the providers' documentation names them. */
const recordTypes: Readonly<Record<string, Readonly<Record<string, AttributeType>>>> = {
  aws_route53_record: { zone_id: "string", name: "string", type: "string", ttl: "number", records: ["set", "string"] },
  cloudflare_dns_record: {
    zone_id: "string",
    name: "string",
    type: "string",
    ttl: "number",
    content: "string",
    proxied: "bool",
  },
  azurerm_dns_a_record: azure({ records: ["set", "string"] }),
  azurerm_dns_aaaa_record: azure({ records: ["set", "string"] }),
  azurerm_dns_cname_record: azure({ record: "string" }),
};

function azure(data: Readonly<Record<string, AttributeType>>): Readonly<Record<string, AttributeType>> {
  return { resource_group_name: "string", zone_name: "string", name: "string", ttl: "number", ...data };
}

/** Source addresses of the providers, and the arguments of their blocks. */
const providers: Readonly<Record<string, readonly string[]>> = {
  "hashicorp/aws": ["region"],
  "cloudflare/cloudflare": [],
  "hashicorp/azurerm": ["subscription_id"],
};

export interface DnsProvider extends AsyncDisposable {
  /** Value of `TF_REATTACH_PROVIDERS` for the providers aws, cloudflare and azurerm. */
  readonly reattachConfig: string;
  /** Changes in the order in which Terraform made them, for example `create www.example.com A`. */
  readonly changes: string[];
}

/** Starts a provider that keeps the records of several DNS providers in Terraform's state alone. */
export async function startDnsProvider(): Promise<DnsProvider> {
  const changes: string[] = [];
  const servers = await Promise.all(
    Object.entries(providers).map(async ([source, settings]) => {
      const server = await startPluginServer(handlersOf(source, settings, changes));
      return { source, server };
    }),
  );
  const attached = servers.flatMap(({ source, server }) => {
    const address = { Network: "tcp", String: `127.0.0.1:${server.port}` };
    const reattach = { Protocol: "grpc", ProtocolVersion: 5, Pid: process.pid, Test: true, Addr: address };
    return ["registry.terraform.io", "registry.opentofu.org"].map((registry) => [`${registry}/${source}`, reattach]);
  });
  return {
    reattachConfig: JSON.stringify(Object.fromEntries(attached)),
    changes,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(({ server }) => server.close()));
    },
  };
}

function handlersOf(source: string, settings: readonly string[], changes: string[]) {
  const prefix = `${source.replace(/^.*\//, "")}_`;
  const types = Object.entries(recordTypes).filter(([type]) => type.startsWith(prefix));
  const schemas = new Map(types.map(([type, attributes]) => [type, schemaOf(attributes, ["id"])]));
  const featuresBlock = { nesting: "list", block: schemaOf({}), minItems: 0, maxItems: 1 } as const;
  const provider = {
    attributes: schemaOf(Object.fromEntries(settings.map((name) => [name, "string"]))).attributes,
    blocks: new Map(prefix === "azurerm_" ? [["features", featuresBlock]] : []),
  };
  return {
    GetSchema: () => ({
      provider: encodeSchema(provider),
      resourceSchemas: Object.fromEntries([...schemas].map(([type, schema]) => [type, encodeSchema(schema)])),
      dataSourceSchemas: {},
    }),
    PrepareProviderConfig: ({ config }: Message) => ({ preparedConfig: config }),
    Configure: () => ({}),
    ValidateResourceTypeConfig: () => ({}),
    UpgradeResourceState: ({ rawState }: Message) => {
      const { json } = rawState as { readonly json: Buffer };
      return { upgradedState: encodeValue(JSON.parse(json.toString("utf8"))) };
    },
    ReadResource: ({ currentState }: Message) => ({ newState: currentState }),
    PlanResourceChange: ({ priorState, proposedNewState }: Message) => {
      const proposed = decodeValue(proposedNewState);
      if (proposed === null || decodeValue(priorState) !== null) return { plannedState: encodeValue(proposed) };
      return { plannedState: encodeValue({ ...membersOf(proposed), id: unknown }) };
    },
    ApplyResourceChange: ({ priorState, plannedState }: Message) => {
      const [prior, planned] = [decodeValue(priorState), decodeValue(plannedState)];
      const action = prior === null ? "create" : planned === null ? "delete" : "update";
      changes.push(`${action} ${describe(membersOf(planned ?? prior))}`);
      if (planned === null) return { newState: encodeValue(null) };
      const values = membersOf(planned);
      return { newState: encodeValue({ ...values, id: values.id === unknown ? randomUUID() : (values.id ?? null) }) };
    },
    ImportResourceState: ({ typeName, id }: Message) => {
      const absent = Object.keys(recordTypes[String(typeName)] ?? {}).map((name): [string, Value] => [name, null]);
      const state = { ...Object.fromEntries(absent), id: String(id) };
      return { importedResources: [{ typeName, state: encodeValue(state) }] };
    },
    Stop: () => ({}),
  };
}

function schemaOf(attributes: Readonly<Record<string, AttributeType>>, computed: readonly string[] = []): SchemaBlock {
  const common = { required: false, sensitive: false, writeOnly: false };
  const all = new Map<string, Attribute>();
  for (const [name, type] of Object.entries(attributes)) {
    all.set(name, { ...common, type, optional: true, computed: false });
  }
  for (const name of computed) all.set(name, { ...common, type: "string", optional: false, computed: true });
  return { attributes: all, blocks: new Map() };
}

function describe({ name, records, record, content }: ValueObject): string {
  const data = [records, record, content].find((value) => value !== null && value !== undefined);
  return `${String(name)} ${Array.isArray(data) ? data.join(",") : String(data)}`;
}
