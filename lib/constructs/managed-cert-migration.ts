import type { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import type { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { Annotations, Lazy, TerraformOutput, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { InputError } from "../errors";
import { type Finding, type MigrationPlan, type MigrationSpec, planMigration } from "../plan";
import { checkAppProxies } from "./app-proxies";
import { DnsPublication } from "./dns-publication";
import type { CommandGate } from "./gate";
import { LoadBalancer } from "./load-balancer";
import { describeMigration, recordsToPublish } from "./migration-output";
import { MigrationResources } from "./migration-resources";
import { addressOf, defined, identityIn, inSameStack, referTo } from "./reference";
import { asRehearsed } from "./rehearsal-context";
import { SharedResources } from "./shared-resources";
import { withoutStackTraces } from "./stack-traces";
import { type ForwardingRule, TargetProxies, type TargetProxy } from "./target-proxies";
import { TrafficRecords } from "./traffic-records";

/** A migration as code: the same fields as {@link MigrationSpec}, with constructs where they are handier than strings. */
export interface ManagedCertMigrationProps
  extends Omit<MigrationSpec, "name" | "dns" | "loadBalancer" | "existingCertificateMap"> {
  /**
   * Identity of the migration in the names of its certificates and map; changing it replaces all of them.
   *
   * @default - the construct's path
   */
  readonly name?: string;

  /** Where the CNAME records of the authorizations are published, and the address records of step 8. */
  readonly dns: DnsPublication;

  /**
   * What presents the certificates.
   *
   * @default - a global external load balancer that is attached elsewhere: the map is made, no proxy is touched
   */
  readonly loadBalancer?: LoadBalancer;

  /**
   * A certificate map that exists already: its id, or the map of this app.
   *
   * @default - a map is made
   */
  readonly existingCertificateMap?: string | CertificateManagerCertificateMap;
}

/**
 * Moves third-party certificates onto a Google Cloud load balancer: one DNS authorization and CNAME per domain, a certificate for each
 * one that is replaced, a map with one entry per hostname, and its attachment to target proxies; in an order that never puts an
 * unissued certificate before traffic.
 *
 * By hand remain: with {@link DnsPublication.external} the publication of the CNAMEs, and moving the traffic (`traffic.to`) once the
 * load balancer is verified.
 *
 * @throws InputError in the constructor, with every mistake that can be seen at synth; warnings become annotations
 */
export class ManagedCertMigration extends Construct {
  /** What was decided; its findings are warnings only. */
  readonly plan: MigrationPlan;
  /** By domain; with ` in PROJECT` after it where a certificate has a project of its own. */
  readonly authorizations: ReadonlyMap<string, CertificateManagerDnsAuthorization>;
  /** The CNAMEs that this stack writes, by the same keys. */
  readonly records: ReadonlyMap<string, DnsRecordSet>;
  /** By the certificate's name, or its shortest domain. */
  readonly certificates: ReadonlyMap<string, CertificateManagerCertificate>;
  /** The waits of the gate `wait`, by the same keys. */
  readonly gates: ReadonlyMap<string, CommandGate>;
  /** The map that was made; nothing in phase `issue`, with an existing map, or where certificates are attached directly. */
  readonly map: CertificateManagerCertificateMap | undefined;
  /** By hostname, or `PRIMARY`. */
  readonly entries: ReadonlyMap<string, CertificateManagerCertificateMapEntry>;
  /** New ones as `https` and `ssl`, adopted ones by name, those of the app by construct path. */
  readonly targetProxies: ReadonlyMap<string, TargetProxy>;
  /** As in `https-ipv4`. */
  readonly forwardingRules: ReadonlyMap<string, ForwardingRule>;
  /** The address records of step 8, as in `www.example.com A`. */
  readonly trafficRecords: ReadonlyMap<string, DnsRecordSet>;
  /** What verifies the load balancer before traffic moves. */
  readonly verification: CommandGate | undefined;
  /**
   * The map as `certificate_map` of a target proxy takes it, `//certificatemanager.googleapis.com/projects/…`; nothing where there is
   * no map.
   */
  readonly certificateMapReference: string | undefined;

  constructor(scope: Construct, id: string, props: ManagedCertMigrationProps) {
    super(scope, id);
    const stack = TerraformStack.of(this);
    const spec = asRehearsed(this, this.#specOf(props));
    this.plan = planMigration(spec, { now: new Date(), identityOf: (reference) => identityIn(stack, reference) });
    const appProxies = props.loadBalancer?.appProxies ?? [];
    this.#speak([...this.plan.findings, ...checkAppProxies(this, this.plan, appProxies)]);

    const shared = SharedResources.of(this);
    const { resources, attachment, traffic } = withoutStackTraces(() => {
      const resources = new MigrationResources(this, spec, this.plan, shared);
      const attachment = new TargetProxies(this, spec, this.plan, resources, shared, appProxies);
      const attached = [...attachment.proxies.values(), ...attachment.forwardingRules.values()].map(addressOf);
      const traffic = new TrafficRecords(this, spec, this.plan, shared, attached);
      return { resources, attachment, traffic };
    });
    this.authorizations = resources.authorizations;
    this.records = resources.records;
    this.certificates = resources.certificates;
    this.gates = resources.gates;
    this.map = resources.map;
    this.entries = resources.entries;
    this.targetProxies = attachment.proxies;
    this.forwardingRules = attachment.forwardingRules;
    this.trafficRecords = traffic.records;
    this.verification = traffic.verification;
    this.certificateMapReference = resources.mapReference;
    shared.addOutput(this, () => describeMigration(this.plan, resources, attachment, shared));
    if (spec.dns.kind === "external" && this.plan.records.length > 0) {
      new TerraformOutput(this, "records_to_publish", {
        description: "CNAME records to publish before the certificates can be issued",
        value: Lazy.anyValue({ produce: () => recordsToPublish(this.plan, resources, shared) }),
      });
    }
    if (resources.map !== undefined) {
      new TerraformOutput(this, "certificate_map_id", {
        description: "Id of the certificate map",
        value: referTo(resources.map, "id"),
      });
    }
  }

  /** A migration from data, as `migration.yaml` holds it. */
  static fromSpec(scope: Construct, id: string, spec: MigrationSpec): ManagedCertMigration {
    const { dns, loadBalancer, ...rest } = spec;
    return new ManagedCertMigration(scope, id, {
      ...rest,
      dns: DnsPublication.fromSpec(dns),
      ...(loadBalancer === undefined ? {} : { loadBalancer: LoadBalancer.fromSpec(loadBalancer) }),
    });
  }

  #specOf(props: ManagedCertMigrationProps): MigrationSpec {
    const { name = this.node.path, dns, loadBalancer, existingCertificateMap: map, ...rest } = props;
    if (!(dns instanceof DnsPublication)) {
      throw new InputError(
        "dns-missing",
        `${this.node.path}: 'dns' is not a DnsPublication; use DnsPublication.cloudDns or DnsPublication.external`,
      );
    }
    return defined<MigrationSpec>({
      ...rest,
      name,
      dns: dns.spec,
      loadBalancer: loadBalancer?.spec,
      existingCertificateMap:
        map === undefined || typeof map === "string" ? map : inSameStack(this, map) ? referTo(map, "id") : map.id,
    });
  }

  #speak(findings: readonly Finding[]): void {
    const errors = findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
      throw new InputError(errors.map(({ code, message }) => ({ code, message: `${this.node.path}: ${message}` })));
    }
    for (const { code, message } of findings) Annotations.of(this).addWarning(`${message} [${code}]`);
  }
}
