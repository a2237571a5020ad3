import { ownDescription } from "../../discovery";
import { defined } from "../../json/defined";
import type { CloudService } from "../front";
import type { ServiceOptions } from "../operations";
import { addresses } from "./addresses";
import { backendServices, healthChecks, httpHealthChecks } from "./backends";
import type { Concept, ServerTlsPolicyLookup } from "./concept";
import { forwardingRules } from "./forwarding-rules";
import { type Frontend, frontendsOf, type GclbTarget, mapTargets } from "./frontends";
import { createIds } from "./links";
import { createMutate } from "./mutations";
import { createComputeOperations } from "./operations";
import { projectHandlers } from "./projects";
import type { CertificateLookup } from "./references";
import { createResources } from "./resources";
import { type ManagedSslServices, obtainManaged, sslCertificates } from "./ssl-certificates";
import { sslPolicies } from "./ssl-policies";
import { targetHttpProxies, targetHttpsProxies, targetSslProxies } from "./target-proxies";
import { urlMaps } from "./url-maps";
import { handlersOf } from "./verbs";

export interface ComputeOptions extends ServiceOptions {
  readonly certificates: CertificateLookup;
  /** @default - every server TLS policy exists */
  readonly serverTlsPolicy?: ServerTlsPolicyLookup;
  readonly onChange: () => void;
  /** Returns a project's limit for a metric if it differs from the default. @default - the default limits */
  readonly limitOf?: (project: string, metric: string) => number | undefined;
  /** Seed of the ids and of the chosen addresses. @default "" */
  readonly seed?: string;
  /** Services for the issuance of managed SSL certificates. @default - they stay PROVISIONING */
  readonly managedSsl?: ManagedSslServices;
  /** Maximum duration of a `wait` call, in milliseconds of the machine's time. @default 120_000 */
  readonly longestWaitMs?: number;
}

/** Compute Engine, as far as load balancers of a certificate migration use it. */
export interface ComputeService {
  readonly service: CloudService;
  /** Returns the target proxies of a map. @param name `projects/P/locations/global/certificateMaps/M` */
  targetsOfMap(name: string): readonly GclbTarget[];
  /** Returns full links of the proxies that refer directly to a certificate or server TLS policy, by its name. */
  proxiesUsing(name: string): readonly string[];
  frontends(): readonly Frontend[];
  /** Ends all `wait` calls. Call it before the store is reset or the cloud stops. */
  release(): void;
}

const concepts: readonly Concept[] = [
  addresses,
  backendServices,
  forwardingRules,
  healthChecks,
  httpHealthChecks,
  sslCertificates,
  sslPolicies,
  targetHttpProxies,
  targetHttpsProxies,
  targetSslProxies,
  urlMaps,
];

/**
 * Starts Compute Engine on a store, which contains all its state.
 *
 * Emulated, globally and regionally where the service has both: addresses, backend services, forwarding rules to target
 * proxies, health checks, SSL certificates and policies, target HTTPS, HTTP and SSL proxies, URL maps. Also operations,
 * and quotas, which are reported but not enforced.
 *
 * Stored without a check of their targets: links to backends and backend buckets, networks, and security policies. Of
 * SSL policies, only the minimum version TLS 1.3 is enforced. Nothing is routed, cached or probed. Every project
 * exists, and every caller has all permissions.
 *
 * Answered with 501: every other method of the description, forwarding rules to other targets or for
 * INTERNAL_SELF_MANAGED, and ranges of addresses.
 */
export function createComputeService(options: ComputeOptions): ComputeService {
  const { store, clock, operationMs, certificates, onChange, longestWaitMs = 120_000 } = options;
  const description = ownDescription("compute:v1");
  const ids = createIds(store, options.seed ?? "");
  const resources = createResources(store);
  const operations = createComputeOperations({ store, clock, ids, operationMs, longestWaitMs });
  const { managedSsl } = options;
  const obtain = managedSsl === undefined ? undefined : obtainManaged({ ...managedSsl, clock, resources, onChange });
  const changed = () => {
    obtain?.();
    onChange();
  };
  const mutate = createMutate({
    store,
    clock,
    resources,
    operations,
    onChange: changed,
    ...defined({ failOperation: options.failOperation }),
  });
  const context = { resources, certificates, ids, ...defined({ serverTlsPolicy: options.serverTlsPolicy }) };
  return {
    service: {
      description,
      errors: "errors",
      // The provider sends the scheme of a rule of Private Service Connect so.
      unsetIfEmpty: new Set(["ForwardingRule.loadBalancingScheme"]),
      handlers: {
        ...handlersOf(concepts, { description, clock, context, mutate }),
        ...operations.handlers,
        ...projectHandlers(resources, options.limitOf ?? (() => undefined)),
      },
    },
    targetsOfMap: (name) => mapTargets(name, resources),
    proxiesUsing: (name) => resources.usersOf(name).map(({ selfLink }) => selfLink),
    frontends: () => frontendsOf(resources),
    release: () => operations.release(),
  };
}
