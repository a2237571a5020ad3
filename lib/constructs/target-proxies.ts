import { ComputeForwardingRule } from "@cdktf/provider-google/lib/compute-forwarding-rule";
import { ComputeGlobalForwardingRule } from "@cdktf/provider-google/lib/compute-global-forwarding-rule";
import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import type { TerraformProvider, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import {
  type AdoptedTargetHttpsProxySpec,
  type MigrationPlan,
  type MigrationSpec,
  type PlannedForwardingRule,
  type PlannedProxy,
  statedValue,
} from "../plan";
import { certificateManagerPrefix, writeComputeName } from "../resource-names";
import { makeServerTlsPolicies } from "./client-authentication";
import type { AppTargetProxy } from "./load-balancer";
import type { MigrationResources } from "./migration-resources";
import { addDependencies, addDependency, addressOf, definedArguments, referTo } from "./reference";
import type { SharedResources } from "./shared-resources";

export type TargetProxy = AppTargetProxy;
export type ForwardingRule = ComputeGlobalForwardingRule | ComputeForwardingRule;

/** The certificate map of a proxy, or its certificates. */
type Presented = { readonly certificateMap: string } | { readonly certificateManagerCertificates: string[] };

type SslProxy = Extract<PlannedProxy, { kind: `${string}Ssl` }>;
type HttpsProxy = Exclude<PlannedProxy, SslProxy>;

/** Arguments of proxies of every kind. */
interface CommonConfig {
  readonly name: string;
  readonly description: string | undefined;
  readonly project: string | undefined;
  readonly sslPolicy: string | undefined;
  readonly lifecycle: { readonly preventDestroy: true } | { readonly createBeforeDestroy: true };
  readonly provider: TerraformProvider | undefined;
}

/** Creates and changes the target proxies of a migration, and creates the forwarding rules of new proxies. */
export class TargetProxies {
  /** New proxies by `https` and `ssl`, adopted proxies by name, proxies of the app by construct path. */
  readonly proxies: ReadonlyMap<string, TargetProxy>;
  readonly forwardingRules: ReadonlyMap<string, ForwardingRule>;
  /** Proxies that present the certificates, without adopted ones that keep their own. */
  readonly attached: readonly TargetProxy[];
  readonly #scope: Construct;
  readonly #plan: MigrationPlan;
  readonly #resources: MigrationResources;
  readonly #shared: SharedResources;
  readonly #enableApis: boolean;
  /** Server TLS policies of the plan, by the ids of their proxies. */
  readonly #policies: ReadonlyMap<string, string>;

  constructor(
    scope: Construct,
    spec: MigrationSpec,
    plan: MigrationPlan,
    resources: MigrationResources,
    shared: SharedResources,
    appProxies: readonly AppTargetProxy[],
  ) {
    this.#scope = scope;
    this.#plan = plan;
    this.#resources = resources;
    this.#shared = shared;
    this.#enableApis = spec.enableApis === true;
    const { provider } = resources.providers;
    this.#policies = makeServerTlsPolicies(scope, plan, shared, { enableApis: this.#enableApis, provider });
    const proxies = new Map<string, TargetProxy>();
    for (const planned of plan.attachment.proxies) {
      const proxy = this.#makeProxy(planned);
      if (getsMap(planned)) this.#order(proxy);
      if (this.#enableApis) {
        const api = { owner: scope, project: plan.attachment.project, provider };
        addDependency(proxy, addressOf(shared.enableApi("compute.googleapis.com", api)));
      }
      proxies.set(planned.id, proxy);
    }
    if (plan.phase === "serve") {
      for (const proxy of appProxies) {
        this.#present(proxy);
        this.#order(proxy);
        proxies.set(proxy.node.path, proxy);
      }
    }
    this.proxies = proxies;
    const others = new Set(plan.attachment.proxies.filter((planned) => !getsMap(planned)).map(({ id }) => id));
    this.attached = [...proxies].flatMap(([id, proxy]) => (others.has(id) ? [] : [proxy]));
    this.forwardingRules = new Map(
      plan.attachment.forwardingRules.map((rule) => [
        rule.id,
        this.#makeForwardingRule(rule, referTo(proxies.get(rule.proxyId) as TargetProxy, "id")),
      ]),
    );
  }

  get #presented(): Presented {
    if (this.#plan.attachment.via === "certificateMap") {
      return { certificateMap: this.#resources.mapReference as string };
    }
    return {
      certificateManagerCertificates: this.#certificateIds.map(
        (id) => `${certificateManagerPrefix}${this.#resources.certificateId(id)}`,
      ),
    };
  }

  get #certificateIds(): readonly string[] {
    return this.#plan.certificates.map(({ id }) => id);
  }

  #makeProxy(planned: PlannedProxy): TargetProxy {
    const project = ("project" in planned.spec ? planned.spec.project : undefined) ?? this.#plan.attachment.project;
    const common: CommonConfig = {
      name: planned.name,
      description: isAdopted(planned) ? statedValue(planned.spec.description) : this.#description,
      project,
      sslPolicy: statedValue(planned.spec.sslPolicy),
      lifecycle: isAdopted(planned) ? { preventDestroy: true } : { createBeforeDestroy: true },
      provider: this.#resources.providers.provider,
    };
    const isSsl = planned.kind === "newSsl" || planned.kind === "adoptedSsl";
    const proxy = isSsl ? this.#makeSslProxy(planned, common) : this.#makeHttpsProxy(planned, common);
    if (isAdopted(planned)) {
      this.#import(proxy, isSsl ? "targetSslProxies" : "targetHttpsProxies", planned.name, project);
    }
    return proxy;
  }

  #makeSslProxy(planned: SslProxy, common: CommonConfig): TargetProxy {
    return new ComputeTargetSslProxy(
      this.#scope,
      planned.kind === "newSsl" ? "target-ssl-proxy" : `target-ssl-proxy-${planned.id}`,
      definedArguments<ConstructorParameters<typeof ComputeTargetSslProxy>[2]>({
        ...common,
        backendService: planned.spec.backendService,
        proxyHeader: statedValue(planned.spec.proxyHeader),
        sslCertificates: planned.kind === "adoptedSsl" ? statedCertificates(planned.spec) : undefined,
        certificateMap: getsMap(planned) ? this.#resources.mapReference : undefined,
      }),
    );
  }

  #makeHttpsProxy(planned: HttpsProxy, common: CommonConfig): TargetProxy {
    const id = planned.kind === "newHttps" ? "target-https-proxy" : `target-https-proxy-${planned.id}`;
    const { region } = this.#plan.attachment;
    const config = {
      ...common,
      ...(planned.kind === "adoptedHttps" ? adoptedAttributes(planned.spec) : {}),
      ...(getsMap(planned) ? this.#presented : {}),
      urlMap: planned.spec.urlMap,
      serverTlsPolicy: this.#policies.get(planned.id) ?? statedValue(planned.spec.serverTlsPolicy),
    };
    if (region !== undefined) {
      type Config = ConstructorParameters<typeof ComputeRegionTargetHttpsProxy>[2];
      return new ComputeRegionTargetHttpsProxy(this.#scope, id, definedArguments<Config>({ ...config, region }));
    }
    type Config = ConstructorParameters<typeof ComputeTargetHttpsProxy>[2];
    const quicOverride = statedValue(planned.spec.quicOverride);
    return new ComputeTargetHttpsProxy(this.#scope, id, definedArguments<Config>({ ...config, quicOverride }));
  }

  get #description(): string {
    return `Presents the certificates of ${this.#plan.name}`;
  }

  /** Attaches the certificates to a proxy of the app, after its current certificates were checked. */
  #present(proxy: AppTargetProxy): void {
    if (proxy.sslCertificatesInput?.length === 0) proxy.resetSslCertificates();
    const presented = this.#presented;
    if ("certificateMap" in presented) {
      (proxy as ComputeTargetHttpsProxy | ComputeTargetSslProxy).certificateMap = presented.certificateMap;
    } else {
      (proxy as ComputeTargetHttpsProxy | ComputeRegionTargetHttpsProxy).certificateManagerCertificates =
        presented.certificateManagerCertificates;
    }
  }

  /** Makes a proxy depend on all entries of its map, or on the gates of its certificates. */
  #order(proxy: TargetProxy): void {
    if (this.#plan.attachment.via === "certificateMap") {
      this.#shared.attachToMap(this.#resources.mapId as string, proxy);
      return;
    }
    addDependencies(proxy, this.#resources.gateAddresses(this.#certificateIds));
    const preconditions = this.#resources.preconditions(this.#certificateIds);
    if (preconditions.length > 0) {
      proxy.lifecycle = {
        ...proxy.lifecycle,
        precondition: [...(proxy.lifecycle?.precondition ?? []), ...preconditions],
      };
    }
  }

  #import(proxy: TerraformResource, collection: string, name: string, project: string | undefined): void {
    const { region } = this.#plan.attachment;
    if (project !== undefined) this.#shared.import(proxy, writeComputeName({ project, region, collection, name }));
    else this.#shared.import(proxy, region === undefined ? name : `${region}/${name}`);
  }

  #makeForwardingRule(rule: PlannedForwardingRule, target: string): ForwardingRule {
    const { attachment } = this.#plan;
    const config = {
      name: rule.name,
      description: rule.description,
      labels: rule.labels === undefined ? undefined : { ...rule.labels },
      target,
      ipAddress: rule.address,
      ipProtocol: "TCP",
      portRange: "443",
      loadBalancingScheme: rule.loadBalancingScheme,
      network: rule.network,
      subnetwork: rule.subnetwork,
      project: attachment.project,
      provider: this.#resources.providers.provider,
    };
    const id = `forwarding-rule-${rule.id}`;
    if (attachment.region === undefined) {
      type Config = ConstructorParameters<typeof ComputeGlobalForwardingRule>[2];
      return new ComputeGlobalForwardingRule(this.#scope, id, definedArguments<Config>(config));
    }
    type Config = ConstructorParameters<typeof ComputeForwardingRule>[2];
    return new ComputeForwardingRule(
      this.#scope,
      id,
      definedArguments<Config>({ ...config, region: attachment.region }),
    );
  }
}

function isAdopted(planned: PlannedProxy): planned is Extract<PlannedProxy, { kind: `adopted${string}` }> {
  return planned.kind === "adoptedHttps" || planned.kind === "adoptedSsl";
}

/** Returns whether a proxy presents the certificates of the migration. */
function getsMap(planned: PlannedProxy): boolean {
  return !isAdopted(planned) || planned.spec.attachMap !== false;
}

/** Returns the certificates that stay on an adopted proxy beside its map. */
function statedCertificates({
  sslCertificates,
}: Pick<AdoptedTargetHttpsProxySpec, "sslCertificates">): string[] | undefined {
  return sslCertificates.length === 0 ? undefined : [...sslCertificates];
}

function adoptedAttributes(spec: AdoptedTargetHttpsProxySpec) {
  return {
    sslCertificates: statedCertificates(spec),
    quicOverride: statedValue(spec.quicOverride),
    tlsEarlyData: statedValue(spec.tlsEarlyData),
    httpKeepAliveTimeoutSec: statedValue(spec.httpKeepAliveTimeoutSeconds),
  };
}
