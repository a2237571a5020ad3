import type { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import type { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { Annotations, Lazy, TerraformOutput } from "cdktf";
import { Construct } from "constructs";
import { InputError } from "../errors";
import { type MigrationPlan, type MigrationSpec, planMigration, withRemedy } from "../plan";
import { type RehearsalContext, rehearsalContextKey, rehearsedSpec } from "../rehearsed";
import { checkAppProxies } from "./app-proxies";
import { DnsPublication } from "./dns-publication";
import type { CommandGate } from "./gate";
import { isOfOwnEntry, ownStackOf, requireOwnKit } from "./kit";
import { LoadBalancer } from "./load-balancer";
import { describeMigration, recordsToPublish } from "./migration-output";
import { MigrationResources } from "./migration-resources";
import { addressOf, defined, identityIn, inSameStack, referTo } from "./reference";
import { SharedResources } from "./shared-resources";
import { isZoneUnused } from "./stack-checks";
import { providerVersionFor } from "./stack-provider";
import { withoutStackTraces } from "./stack-traces";
import { type ForwardingRule, TargetProxies, type TargetProxy } from "./target-proxies";
import { TrafficRecords } from "./traffic-records";

/** A migration in TypeScript: the fields of {@link MigrationSpec}, with constructs instead of some strings. */
export interface ManagedCertMigrationProps
  extends Omit<MigrationSpec, "name" | "dns" | "loadBalancer" | "existingCertificateMap"> {
  /**
   * Name of the migration, in the names of its certificates and map. A changed name replaces these resources.
   *
   * @default - the construct's path
   */
  readonly name?: string;

  /** Publication of the CNAME records of DNS authorizations, and of the address records of step 8. */
  readonly dns: DnsPublication;

  /**
   * Load balancer that serves the certificates.
   *
   * @default - a global external load balancer without attachment: the map is created, no target proxy is changed
   */
  readonly loadBalancer?: LoadBalancer;

  /** An existing certificate map: its id, or a map of this app. @default - the migration creates a map */
  readonly existingCertificateMap?: string | CertificateManagerCertificateMap;
}

/**
 * Migrates third-party certificates to a Google Cloud load balancer. It creates a DNS authorization and a CNAME
 * record per domain, a certificate for each item of `certificates`, a map with an entry per hostname, and attaches
 * the map to target proxies. No map entry refers to a certificate that is not ACTIVE.
 *
 * You publish the CNAME records with {@link DnsPublication.external}, and move traffic with `traffic.to` after
 * `cert-migration verify`.
 *
 * @throws InputError in the constructor, with all errors of the spec; warnings become annotations
 *
 * @example
 * ```ts
 * new ManagedCertMigration(stack, "shop", {
 *   certificates: [{ domains: ["example.com", "*.example.com"] }, { name: "pay", domains: ["pay.example.net"] }],
 *   dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com", "example.net": "example-net" } }),
 *   loadBalancer: LoadBalancer.globalExternal({
 *     newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
 *   }),
 * });
 * ```
 */
export class ManagedCertMigration extends Construct {
  /** The plan; its findings are warnings only. */
  readonly plan: MigrationPlan;
  /** Authorizations by domain, with the suffix ` in PROJECT` for a certificate with its own project. */
  readonly authorizations: ReadonlyMap<string, CertificateManagerDnsAuthorization>;
  /** CNAME records of this stack, by the keys of `authorizations`. */
  readonly records: ReadonlyMap<string, DnsRecordSet>;
  /** Certificates by name, or by their shortest domain. */
  readonly certificates: ReadonlyMap<string, CertificateManagerCertificate>;
  /** Gates of kind `wait`, by the keys of `certificates`. */
  readonly gates: ReadonlyMap<string, CommandGate>;
  /**
   * The created map; undefined in phase `issue`, with an existing map, and for certificates that are attached
   * directly.
   */
  readonly map: CertificateManagerCertificateMap | undefined;
  /** Map entries by hostname, or `PRIMARY`. */
  readonly entries: ReadonlyMap<string, CertificateManagerCertificateMapEntry>;
  /**
   * Target proxies: new proxies as `https` and `ssl`, imported proxies by name, proxies of the app by construct path.
   */
  readonly targetProxies: ReadonlyMap<string, TargetProxy>;
  /** Forwarding rules by proxy and address family, for example `https-ipv4`. */
  readonly forwardingRules: ReadonlyMap<string, ForwardingRule>;
  /** Address records of step 8 by hostname and type, for example `www.example.com A`. */
  readonly trafficRecords: ReadonlyMap<string, DnsRecordSet>;
  /** The gate that verifies the load balancer before traffic moves. */
  readonly verification: CommandGate | undefined;
  /**
   * The map in the form of the proxy field `certificate_map`, `//certificatemanager.googleapis.com/projects/…`;
   * undefined without a map.
   */
  readonly certificateMapReference: string | undefined;

  constructor(scope: Construct, id: string, props: ManagedCertMigrationProps) {
    super(scope, id);
    const stack = ownStackOf(this);
    const spec = specForRehearsal(this, this.#specOf(props));
    this.plan = planMigration(spec, {
      now: new Date(),
      identityOf: (reference) => identityIn(stack, reference),
      providerVersion: providerVersionFor(this),
    });
    const appProxies = props.loadBalancer?.appProxies ?? [];
    this.#report([...this.plan.findings, ...checkAppProxies(this, this.plan, appProxies)]);

    const shared = SharedResources.of(this);
    shared.zones.add(this, spec, this.plan.findings);
    shared.certificates.add(this, this.plan);
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

  /**
   * Creates a migration from data, for example from `migration.yaml`.
   *
   * @throws InputError with all errors of the spec
   *
   * @example
   * ```ts
   * ManagedCertMigration.fromSpec(stack, "migration", {
   *   name: "shop",
   *   certificates: [{ domains: ["shop.example.com"] }],
   *   dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
   * });
   * ```
   */
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
    if (!isOfOwnEntry(dns, "DnsPublication", `${this.node.path}: 'dns'`)) {
      const message = `${this.node.path}: 'dns' is not a DnsPublication; use DnsPublication.cloudDns or DnsPublication.external`;
      throw new InputError("dns-missing", message);
    }
    if (loadBalancer !== undefined) isOfOwnEntry(loadBalancer, "LoadBalancer", `${this.node.path}: 'loadBalancer'`);
    if (typeof map === "object") requireOwnKit(map, `${this.node.path}: 'existingCertificateMap'`);
    return defined<MigrationSpec>({
      ...rest,
      name,
      dns: dns.spec,
      loadBalancer: loadBalancer?.spec,
      existingCertificateMap:
        map === undefined || typeof map === "string" ? map : inSameStack(this, map) ? referTo(map, "id") : map.id,
    });
  }

  /** Throws the errors of a plan, and adds its warnings as annotations. */
  #report(findings: MigrationPlan["findings"]): void {
    const errors = findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
      throw new InputError(
        errors.map((error) => ({ code: error.code, message: `${this.node.path}: ${withRemedy(error)}` })),
      );
    }
    for (const finding of findings.filter((one) => !isZoneUnused(one))) {
      Annotations.of(this).addWarning(`${withRemedy(finding)} [${finding.code}]`);
    }
  }
}

/**
 * Returns the spec with the phase, traffic and gate command of `cert-migration rehearse --app`, which are in the
 * context of the app. Without this context, returns the spec unchanged.
 *
 * This is in the constructs, because `rehearse --app` runs the user's own app: only the constructs can change its spec.
 *
 * @throws InputError `rehearsal-context-unknown` if the command is from another release
 */
function specForRehearsal(scope: Construct, spec: MigrationSpec): MigrationSpec {
  const context = scope.node.tryGetContext(rehearsalContextKey) as RehearsalContext | undefined;
  if (context === undefined) return spec;
  const { version, variant, gateCommand, rotating } = context;
  if (version !== 1) {
    const advice = "rehearse with the cert-migration command of the release that the app uses";
    const message = `${scope.node.path}: '${rehearsalContextKey}' is not understood; ${advice}`;
    throw new InputError("rehearsal-context-unknown", message);
  }
  Annotations.of(scope).addWarning("this synthesis is for a rehearsal; never deploy it [rehearsal]");
  const rotated = variant.rotated && rotating === scope.node.path;
  return rehearsedSpec(spec, { ...variant, rotated }, gateCommand);
}
