import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import type { Construct } from "constructs";
import type { MigrationPlan, MigrationSpec, PlannedTrafficRecord } from "../plan";
import { CommandGate, defaultGateCommand } from "./gate";
import { addDependencies, addDependency, addressOf, defined } from "./reference";
import type { SharedResources } from "./shared-resources";

/** Step 8: the address records of the hostnames. Terraform updates them in place, after the load balancer. */
export class TrafficRecords {
  /** By name and type, for example `www.example.com A`. */
  readonly records: ReadonlyMap<string, DnsRecordSet>;
  /** With the gate `wait`: verifies the load balancer before traffic moves. */
  readonly verification: CommandGate | undefined;

  /** @param attached Terraform addresses of the proxies and forwarding rules that must exist before traffic moves */
  constructor(
    scope: Construct,
    spec: MigrationSpec,
    plan: MigrationPlan,
    shared: SharedResources,
    attached: readonly string[],
  ) {
    const { traffic } = plan;
    const moved = traffic?.to === "loadBalancer" && spec.dns.kind === "cloudDns";
    this.verification = moved && plan.gate === "wait" ? makeVerification(scope, spec, plan, attached) : undefined;
    const records = new Map<string, DnsRecordSet>();
    for (const planned of traffic?.records ?? []) {
      if (planned.zone === undefined) continue;
      const resource = makeRecord(scope, planned, traffic?.ttlSeconds ?? 0);
      if (planned.adopt) shared.import(resource, importId(planned));
      if (moved) {
        addDependencies(resource, this.verification === undefined ? attached : [addressOf(this.verification)]);
      }
      records.set(`${planned.hostname} ${planned.type}`, resource);
    }
    orderAliases(records, traffic?.records ?? []);
    this.records = records;
  }
}

function makeRecord(scope: Construct, planned: PlannedTrafficRecord, ttlSeconds: number): DnsRecordSet {
  return new DnsRecordSet(
    scope,
    `traffic-${planned.hostname}-${planned.type}`,
    defined<ConstructorParameters<typeof DnsRecordSet>[2]>({
      managedZone: planned.zone?.name ?? "",
      name: `${planned.hostname}.`,
      type: planned.type,
      ttl: ttlSeconds,
      rrdatas: [...planned.data],
      project: planned.zone?.project,
    }),
  );
}

function importId({ hostname, type, zone }: PlannedTrafficRecord): string {
  const place = zone?.project === undefined ? zone?.name : `${zone.project}/${zone.name}`;
  return `${place}/${hostname}./${type}`;
}

/** Makes aliases depend on the addresses of their target name. */
function orderAliases(records: ReadonlyMap<string, DnsRecordSet>, planned: readonly PlannedTrafficRecord[]): void {
  const made = new Map(planned.map((record) => [`${record.hostname}.`, record.hostname]));
  for (const record of planned) {
    const target = record.type === "CNAME" ? made.get(record.data[0] ?? "") : undefined;
    const alias = records.get(`${record.hostname} ${record.type}`);
    if (target === undefined || alias === undefined) continue;
    for (const type of ["A", "AAAA"]) {
      const address = records.get(`${target} ${type}`);
      if (address !== undefined) addDependency(alias, addressOf(address));
    }
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
  const words = [
    spec.gateCommand ?? defaultGateCommand,
    "verify",
    "--stack .",
    // Quoted for the shells of Linux, macOS and Windows alike; other characters would need each shell's own rules.
    ...(/^[A-Za-z0-9 _.*/-]+$/.test(scope.node.path) ? [`--migration "${scope.node.path}"`] : []),
    ...addresses.map((address) => `--address ${address}`),
  ];
  return new CommandGate(scope, "verification", {
    command: words.join(" "),
    triggers: [...hostnames, ...addresses],
    dependsOn: attached,
  });
}
