import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import type { TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { hasTemplate, verifyEnvironment } from "../gate-call";
import { moduleContextKey } from "../kits";
import type { MigrationPlan, MigrationSpec, PlannedTrafficRecord } from "../plan";
import { CommandGate, gateProps } from "./gate";
import { migrationPath } from "./migration-path";
import type { MigrationProviders } from "./migration-providers";
import { publishWith } from "./published-records";
import { RecordToPublish } from "./record-publisher";
import { addDependencies, addressOf, definedArguments } from "./reference";
import type { SharedResources } from "./shared-resources";

interface TrafficOptions {
  /** Terraform addresses of the proxies and forwarding rules that must exist before traffic moves. */
  readonly attached: readonly string[];
  readonly providers: MigrationProviders;
}

/** Resources of a record set, by its name and type. */
type ResourcesByRecord = ReadonlyMap<string, readonly TerraformResource[]>;

/** Step 8: the address records of the hostnames. Terraform updates them in place, after the load balancer. */
export class TrafficRecords {
  /** Records in Cloud DNS by name and type, for example `www.example.com A`. */
  readonly records: ReadonlyMap<string, DnsRecordSet>;
  readonly #makeVerification: () => CommandGate | undefined;
  #verification: CommandGate | undefined;

  constructor(
    scope: Construct,
    spec: MigrationSpec,
    plan: MigrationPlan,
    shared: SharedResources,
    { attached, providers }: TrafficOptions,
  ) {
    const { traffic } = plan;
    const isVerified = traffic?.to === "loadBalancer" && plan.gate === "wait";
    this.#makeVerification = () => (isVerified ? makeVerification(scope, spec, plan, attached) : undefined);
    const isWritten = spec.dns.kind !== "external" || scope.node.tryGetContext(moduleContextKey) === true;
    const moved = traffic?.to === "loadBalancer" && isWritten;
    const verification = moved ? this.verify() : undefined;
    const all = new Map<string, readonly TerraformResource[]>();
    for (const planned of traffic?.records ?? []) {
      const resources = makeRecord(scope, planned, traffic?.ttlSeconds ?? 0, { shared, providers });
      if (moved) {
        const before = verification === undefined ? attached : [addressOf(verification)];
        for (const resource of resources) addDependencies(resource, before);
      }
      all.set(`${planned.hostname} ${planned.type}`, resources);
    }
    orderAliases(all, traffic?.records ?? []);
    this.records = new Map(
      [...all].flatMap(([key, [resource]]) => (resource instanceof DnsRecordSet ? [[key, resource] as const] : [])),
    );
  }

  /** With the gate `wait`: verifies the load balancer before traffic moves. */
  get verification(): CommandGate | undefined {
    return this.#verification;
  }

  /**
   * Returns the verification, also for records that are published elsewhere, which then wait for it; undefined if no
   * traffic moves, or with another gate than `wait`.
   */
  verify(): CommandGate | undefined {
    this.#verification ??= this.#makeVerification();
    return this.#verification;
  }
}

function makeRecord(
  scope: Construct,
  planned: PlannedTrafficRecord,
  ttlSeconds: number,
  { shared, providers }: { readonly shared: SharedResources; readonly providers: MigrationProviders },
): readonly TerraformResource[] {
  const { hostname, type, zone } = planned;
  const id = `traffic-${hostname}-${type}`;
  if (zone === undefined) {
    const addImport = (resource: TerraformResource, resourceId: string) => shared.import(resource, resourceId);
    const record = recordToPublish(planned, ttlSeconds);
    return publishWith(providers.publisher, { parent: scope, id, addImport }, record);
  }
  const resource = new DnsRecordSet(
    scope,
    id,
    definedArguments<ConstructorParameters<typeof DnsRecordSet>[2]>({
      managedZone: zone.name,
      name: `${hostname}.`,
      type,
      ttl: ttlSeconds,
      rrdatas: [...planned.data],
      project: zone.project,
      provider: providers.ofZone(zone),
    }),
  );
  if (planned.adopt) shared.import(resource, importId(planned));
  return [resource];
}

function recordToPublish({ hostname, type, data, adopt }: PlannedTrafficRecord, ttlSeconds: number): RecordToPublish {
  return new RecordToPublish({
    purpose: "traffic",
    hostname,
    name: hostname,
    type,
    data: type === "CNAME" ? data.map((target) => target.replace(/\.$/, "")) : [...data],
    ttlSeconds,
    exists: adopt,
  });
}

function importId({ hostname, type, zone }: PlannedTrafficRecord): string {
  const place = zone?.project === undefined ? zone?.name : `${zone.project}/${zone.name}`;
  return `${place}/${hostname}./${type}`;
}

/** Makes aliases depend on the addresses of their target name. */
function orderAliases(resources: ResourcesByRecord, planned: readonly PlannedTrafficRecord[]): void {
  const made = new Map(planned.map((record) => [`${record.hostname}.`, record.hostname]));
  for (const record of planned) {
    const target = record.type === "CNAME" ? made.get(record.data[0] ?? "") : undefined;
    if (target === undefined) continue;
    const addresses = ["A", "AAAA"].flatMap((type) => (resources.get(`${target} ${type}`) ?? []).map(addressOf));
    for (const alias of resources.get(`${record.hostname} ${record.type}`) ?? []) addDependencies(alias, addresses);
  }
}

function makeVerification(
  scope: Construct,
  spec: MigrationSpec,
  plan: MigrationPlan,
  attached: readonly string[],
): CommandGate {
  const addresses = [...plan.attachment.addresses.ipv4, ...plan.attachment.addresses.ipv6];
  const hostnames = plan.traffic?.hostnames ?? [];
  const path = migrationPath(scope);
  // Terraform would evaluate a part of the name. Without a name, the command verifies all migrations of the stack.
  const migration = hasTemplate(path) ? undefined : path;
  return new CommandGate(scope, "verification", {
    ...gateProps(spec.gateCommand, verifyEnvironment({ stack: ".", migration, addresses })),
    triggers: [...hostnames, ...addresses],
    dependsOn: attached,
  });
}
