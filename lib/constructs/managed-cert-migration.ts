import type { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import type { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import type { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import type { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import type { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { Annotations, type TerraformOutput, type TerraformProvider, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { InputError, type Problem } from "../errors";
import type { Code } from "../findings/codes";
import type { CodedFinding } from "../findings/finding";
import { defined } from "../json/defined";
import {
  describeReplacement,
  type MigrationPlan,
  type MigrationSpec,
  planMigration,
  uploadedReplacements,
  withRemedy,
} from "../plan";
import { checkAppProxies } from "./app-proxies";
import { Certificate } from "./certificate";
import { CertificateAlerts } from "./certificate-alerts/certificate-alerts";
import type { IWatchedMigration } from "./certificate-alerts/props";
import { timeOf } from "./clock";
import { DnsPublication } from "./dns-publication";
import type { CommandGate } from "./gate";
import { nameClass, ownStackOf } from "./kit";
import { LoadBalancer } from "./load-balancer";
import { lookUp } from "./look-up";
import { migrationPath } from "./migration-path";
import type { ManagedCertMigrationProps } from "./migration-props";
import { authorizationKey, MigrationResources } from "./migration-resources";
import type { MigrationMilestone } from "./milestone";
import { Milestones } from "./milestones";
import { plainOf } from "./plain";
import { readProps, refuseTokens, withProblems } from "./read-props";
import { acrossStacks, addressOf, identityIn, tokenReader } from "./reference";
import { isRehearsal, publicRootsFor, specForRehearsal } from "./rehearsal-spec";
import { SharedResources } from "./shared-resources";
import { isZoneUnused } from "./stack-checks";
import { createOutputs } from "./stack-outputs";
import { providerVersionFor } from "./stack-provider";
import { withoutStackTraces } from "./stack-traces";
import { type ForwardingRule, TargetProxies, type TargetProxy } from "./target-proxies";
import { TrafficRecords } from "./traffic-records";

/**
 * Migrates third-party certificates to a Google Cloud load balancer. It creates a DNS authorization and a CNAME
 * record per domain, a certificate for each item of `certificates`, a map with an entry per hostname, and attaches
 * the map to target proxies. No map entry refers to a certificate that is not ACTIVE.
 *
 * With {@link DnsPublication.custom}, resources of another DNS provider publish the records; with
 * {@link DnsPublication.external}, you publish them. You move traffic with `traffic.to` after
 * `cert-migration verify`.
 *
 * Methods return single resources by their names, as in `migration.certificate("pay")`; an unknown name is an error
 * that lists the known names. Properties contain all resources by name.
 *
 * Tests set the time with which the dates of uploaded certificates are compared in the context of the app:
 * `Testing.app({ context: { "cert-migration:now": "2026-11-21T00:00:00Z" } })`.
 *
 * @throws InputError in the constructor, with all errors of the spec; warnings become annotations
 *
 * @example
 * ```ts
 * new ManagedCertMigration(stack, "shop", {
 *   certificates: [
 *     Certificate.managed({ domains: ["example.com", "*.example.com"] }),
 *     Certificate.managed({ name: "pay", domains: ["pay.example.net"] }),
 *   ],
 *   dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com", "example.net": "example-net" } }),
 *   loadBalancer: LoadBalancer.globalExternal({
 *     newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } },
 *   }),
 * });
 * ```
 */
export class ManagedCertMigration extends Construct implements IWatchedMigration {
  /** The plan; its findings are warnings only. */
  readonly plan: MigrationPlan;
  /** Authorizations by domain, with the suffix ` in PROJECT` for a certificate with its own project. */
  readonly authorizations: { readonly [name: string]: CertificateManagerDnsAuthorization };
  /** CNAME records of this stack in Cloud DNS, by the names of `authorizations`. */
  readonly records: { readonly [name: string]: DnsRecordSet };
  /** Certificates by name, or by their shortest domain. */
  readonly certificates: { readonly [name: string]: CertificateManagerCertificate };
  /** Gates of kind `wait`, by the names of `certificates`. */
  readonly gates: { readonly [name: string]: CommandGate };
  /**
   * The created map; undefined in phase `issue`, with an existing map, and for certificates that are attached
   * directly.
   */
  readonly map: CertificateManagerCertificateMap | undefined;
  /** Map entries by hostname, or `PRIMARY`. */
  readonly entries: { readonly [hostname: string]: CertificateManagerCertificateMapEntry };
  /**
   * Target proxies: new proxies as `https` and `ssl`, imported proxies by name, proxies of the app by construct path.
   */
  readonly targetProxies: { readonly [name: string]: TargetProxy };
  /** Forwarding rules by proxy and address family, for example `https-ipv4`. */
  readonly forwardingRules: { readonly [name: string]: ForwardingRule };
  /** Address records of step 8 in Cloud DNS, by hostname and type, for example `www.example.com A`. */
  readonly trafficRecords: { readonly [name: string]: DnsRecordSet };
  /**
   * Outputs by name, `certificate_map_id` and `records_to_publish`; none with `outputs: false`. The stack's output
   * `cert_migration` belongs to all its migrations.
   */
  readonly outputs: { readonly [name: string]: TerraformOutput };
  /** The alerts of the prop `alerts`; undefined without it. */
  readonly alerts: CertificateAlerts | undefined;
  readonly #traffic: TrafficRecords;
  readonly #milestones: Milestones;
  readonly #mapReference: string | undefined;

  /**
   * @param scope construct that gets the resources
   * @param id unique in its scope
   * @param props the properties
   */
  constructor(scope: Construct, id: string, props: ManagedCertMigrationProps) {
    super(scope, id);
    const stack = ownStackOf(this);
    const { given, problems, mistakesOfProviders, providers, appProxies, hasOutputs, naming } = readProps(this, props);
    const readToken = tokenReader(stack);
    const spec = specForRehearsal(this, given, readToken);
    this.plan = planMigration(spec, {
      now: timeOf(this),
      identityOf: (reference) => identityIn(stack, reference),
      providerVersion: providerVersionFor(this),
      readToken,
      refused: problems.map(({ subject }) => subject),
      naming,
      publicRoots: publicRootsFor(this),
    });
    const shared = SharedResources.of(this);
    const ofProxies = checkAppProxies(this, this.plan, appProxies);
    const findings = [...problems, ...mistakesOfProviders, ...this.plan.findings, ...ofProxies];
    const mapId = this.plan.map?.kind === "existing" ? this.plan.map.existingId : undefined;
    const hasNaming = naming !== undefined;
    const nameUser = { owner: this, plan: this.plan, mapId, provider: providers.provider, hasNaming };
    const collisions = [...shared.collisions(this, this.plan, providers), ...shared.names.collisions(nameUser)];
    this.#report(findings, collisions);

    shared.zones.add(this, spec, this.plan.findings);
    shared.certificates.add(this, this.plan);
    shared.add(this, providers);
    const { resources, attachment, traffic } = withoutStackTraces(() => {
      const resources = new MigrationResources(this, spec, this.plan, shared, providers);
      const attachment = new TargetProxies(this, spec, this.plan, resources, shared, appProxies);
      const attached = [...attachment.proxies.values(), ...attachment.forwardingRules.values()].map(addressOf);
      const traffic = new TrafficRecords(this, spec, this.plan, shared, { attached, providers });
      return { resources, attachment, traffic };
    });
    shared.names.add({ ...nameUser, mapId: resources.mapId });
    this.authorizations = Object.fromEntries(resources.authorizations);
    this.records = Object.fromEntries(resources.records);
    this.certificates = Object.fromEntries(resources.certificates);
    this.gates = Object.fromEntries(resources.gates);
    this.map = resources.map;
    this.entries = Object.fromEntries(resources.entries);
    this.targetProxies = Object.fromEntries(attachment.proxies);
    this.forwardingRules = Object.fromEntries(attachment.forwardingRules);
    this.trafficRecords = Object.fromEntries(traffic.records);
    this.#traffic = traffic;
    this.#milestones = new Milestones(this, this.plan, resources, attachment, traffic);
    this.#mapReference = resources.mapReference;
    this.alerts = this.plan.alerts && this.#makeAlerts(spec, providers.provider);
    this.outputs =
      hasOutputs || isRehearsal(this) ? createOutputs(this, spec, this.plan, resources, attachment, shared) : {};
  }

  /**
   * Creates a migration from data, for example from `migration.yaml`.
   *
   * @param scope construct that gets the migration
   * @param id unique in its scope
   * @param spec the fields of `migration.yaml`; see `MigrationSpec`
   * @param provider google provider of the stack that creates the resources. @default - the provider without alias
   * @throws InputError with all errors of the spec
   *
   * @example
   * ```ts
   * ManagedCertMigration.fromSpec(stack, "migration", {
   *   name: "shop",
   *   certificates: [{ kind: "managed", domains: ["shop.example.com"] }],
   *   dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
   * });
   * ```
   */
  static fromSpec(
    scope: Construct,
    id: string,
    spec: MigrationSpec,
    provider?: TerraformProvider,
  ): ManagedCertMigration {
    refuseTokens(spec, id);
    const { certificates, dns, loadBalancer, ...rest } = plainOf(Object(spec) as MigrationSpec);
    const props: ManagedCertMigrationProps = {
      ...rest,
      certificates: certificatesOf(certificates),
      dns: DnsPublication.fromSpec(dns),
      ...(provider === undefined ? {} : { provider }),
      ...(loadBalancer === undefined ? {} : { loadBalancer: LoadBalancer.fromSpec(loadBalancer) }),
    };
    return new ManagedCertMigration(scope, id, "outputs" in rest ? withProblems(props, [outputsInData]) : props);
  }

  /**
   * Returns the authorization of a domain, which also covers its wildcard.
   *
   * @param domain the domain, without `*.`
   * @param project the certificate's own project, if it has one. @default - the migration's project
   * @throws InputError `lookup-name-unknown`
   */
  authorization(domain: string, project?: string): CertificateManagerDnsAuthorization {
    return lookUp(this, "authorization", this.authorizations, authorizationKey(domain, project));
  }

  /**
   * Returns the CNAME record of a domain's authorization, which this stack writes.
   *
   * @param domain the domain, without `*.`
   * @param project the certificate's own project, if it has one. @default - the migration's project
   * @throws InputError `lookup-name-unknown`
   */
  record(domain: string, project?: string): DnsRecordSet {
    return lookUp(this, "CNAME record", this.records, authorizationKey(domain, project));
  }

  /**
   * Returns a certificate that the migration creates: by its name, or by its shortest domain if it has no name.
   *
   * @param name name of the certificate, or its shortest domain
   * @throws InputError `lookup-name-unknown`
   */
  certificate(name: string): CertificateManagerCertificate {
    return lookUp(this, "certificate", this.certificates, name);
  }

  /**
   * Returns the gate `wait` of a certificate, by the certificate's name.
   *
   * @param certificate name of the certificate
   * @throws InputError `lookup-name-unknown`
   */
  gate(certificate: string): CommandGate {
    return lookUp(this, "gate", this.gates, certificate);
  }

  /**
   * Returns the map entry of a hostname, or of `PRIMARY`.
   *
   * @param hostname a hostname of the migration, a wildcard, or `PRIMARY`
   * @throws InputError `lookup-name-unknown`
   */
  entry(hostname: string): CertificateManagerCertificateMapEntry {
    return lookUp(this, "map entry", this.entries, hostname);
  }

  /**
   * Returns a target proxy that serves the certificates: a new proxy as `https` or `ssl`, an imported proxy by its
   * name, a proxy of the app by its construct path.
   *
   * @param name `https`, `ssl`, the name of an imported proxy, or a construct path
   * @throws InputError `lookup-name-unknown`
   */
  targetProxy(name: string): TargetProxy {
    return lookUp(this, "target proxy", this.targetProxies, name);
  }

  /**
   * Returns a forwarding rule by its proxy and address family, for example `https-ipv4`.
   *
   * @param name proxy and address family, as in `https-ipv4`
   * @throws InputError `lookup-name-unknown`
   */
  forwardingRule(name: string): ForwardingRule {
    return lookUp(this, "forwarding rule", this.forwardingRules, name);
  }

  /**
   * Returns an address record of step 8.
   *
   * @param hostname a hostname of `traffic`
   * @param type `A`, `AAAA` or `CNAME`
   * @throws InputError `lookup-name-unknown`
   */
  trafficRecord(hostname: string, type: "A" | "AAAA" | "CNAME"): DnsRecordSet {
    return lookUp(this, "traffic record", this.trafficRecords, `${hostname} ${type}`);
  }

  /**
   * Returns an output that the migration has by itself: `certificate_map_id`, or `records_to_publish` with
   * `dns: external`. Its key in `terraform output` is `friendlyUniqueId`; `overrideLogicalId` sets another key.
   *
   * @param name `certificate_map_id` or `records_to_publish`
   * @throws InputError `lookup-name-unknown`, also with `outputs: false`
   */
  output(name: string): TerraformOutput {
    return lookUp(this, "output", this.outputs, name);
  }

  /**
   * Returns the map in the form of the proxy field `certificate_map`, `//certificatemanager.googleapis.com/projects/…`,
   * for any stack of the app; undefined without a map.
   */
  get certificateMapReference(): string | undefined {
    // The migration's own resources use the plain text, because each token takes a stack trace.
    return this.#mapReference && acrossStacks(TerraformStack.of(this), this.#mapReference);
  }

  /** The gate that verifies the load balancer before traffic moves. */
  get verification(): CommandGate | undefined {
    return this.#traffic.verification;
  }

  /**
   * Returns the milestone at which all certificates are ACTIVE, as far as the gate waits for them; uploaded
   * certificates always are.
   */
  get issued(): MigrationMilestone {
    return this.#milestones.issued;
  }

  /**
   * Returns the milestone at which the load balancer has the map, or the certificates: after the changes of its
   * proxies, including proxies of the app, and of forwarding rules. Without proxies, all entries of the map exist.
   */
  get attached(): MigrationMilestone {
    return this.#milestones.attached;
  }

  /**
   * Returns the milestone at which traffic may move: with `traffic.to: "loadBalancer"` and the gate `wait`, the load
   * balancer was verified, also if the records are published elsewhere. The first use adds the gate for such records.
   * Before traffic moves, the milestone is `attached`.
   */
  get verified(): MigrationMilestone {
    return this.#milestones.verified;
  }

  #makeAlerts({ labels, enableApis }: MigrationSpec, provider: TerraformProvider | undefined): CertificateAlerts {
    const props = { migrations: [this], ...defined({ labels, enableApis, provider }) };
    return new CertificateAlerts(this, "alerts", props);
  }

  /** Throws the errors of a plan together with its collisions, and adds its warnings as annotations. */
  #report(findings: MigrationPlan["findings"], collisions: readonly Problem[]): void {
    const errors = findings.filter(({ severity }) => severity === "error");
    const problems = errors.map((error) => ({
      code: error.code,
      message: `${migrationPath(this)}: ${withRemedy(error)}`,
    }));
    if (problems.length + collisions.length > 0) throw new InputError([...problems, ...collisions]);
    for (const finding of findings.filter((candidate) => !isZoneUnused(candidate))) {
      Annotations.of(this).addWarning(`${withRemedy(finding)} [${finding.code}]`);
    }
    for (const replacement of uploadedReplacements(this.plan)) {
      Annotations.of(this).addInfo(`${describeReplacement(replacement)} [uploaded-replacement]`);
    }
  }
}
nameClass(ManagedCertMigration, "ManagedCertMigration");

/** The plan, which would refuse the property, does not get it. */
const outputsInData: CodedFinding<Code> = {
  code: "property-unknown",
  severity: "error",
  subject: "/outputs",
  message: "unknown property 'outputs' of the migration: data has no outputs; pass the props to the constructor",
  remedy: "",
};

function certificatesOf(specs: MigrationSpec["certificates"]): readonly Certificate[] {
  // The plan refuses what is not a list.
  return Array.isArray(specs) ? specs.map(Certificate.fromSpec) : (specs as unknown as readonly Certificate[]);
}
