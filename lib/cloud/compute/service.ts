import { ownDescription } from "../../discovery";
import type { CloudError } from "../cloud-error";
import type { Call, CloudService } from "../front";
import type { OperationTime } from "../operation-time";
import type { Clock, Store } from "../state";
import { addresses } from "./addresses";
import { backendServices } from "./backend-services";
import type { CertificateLookup } from "./certificate-names";
import type { Concept } from "./concept";
import { forwardingRules } from "./forwarding-rules";
import { type Frontend, frontendsOf, type GclbTarget, targetsOf } from "./frontends";
import { healthChecks } from "./health-checks";
import { httpHealthChecks } from "./http-health-checks";
import { createIds } from "./ids";
import { type ManagedSslSurroundings, obtainManaged } from "./managed-ssl-certificates";
import { createMutate } from "./mutations";
import { createOperations } from "./operations";
import { projectHandlers } from "./projects";
import { createResources } from "./resources";
import { sslCertificates } from "./ssl-certificates";
import { sslPolicies } from "./ssl-policies";
import { targetHttpProxies, targetHttpsProxies, targetSslProxies } from "./target-proxies";
import { urlMaps } from "./url-maps";
import { handlersOf } from "./verbs";

export interface ComputeOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** How long operations run, in milliseconds of the cloud's time; the changes that they tell of are there at once. */
  readonly operationMs: OperationTime;
  readonly certificates: CertificateLookup;
  /** Told of every change, when it has been made. */
  readonly onChange: () => void;
  /** An error that the operation of a call ends with, in which case nothing changes. @default - none fails */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
  /** Limit of a project for a metric, where it is not the usual one. @default - the usual ones */
  readonly limitOf?: (project: string, metric: string) => number | undefined;
  /** Of ids and of the addresses that are drawn. @default "" */
  readonly seed?: string;
  /** How managed SSL certificates are obtained. @default - they stay PROVISIONING */
  readonly managedSsl?: ManagedSslSurroundings;
  /** How long `wait` waits at most, in milliseconds of the machine's time. @default 120_000 */
  readonly longestWaitMs?: number;
}

/** Compute Engine, as far as load balancers for a certificate migration need it. */
export interface ComputeService {
  readonly service: CloudService;
  /** The target proxies that a certificate map is attached to. @param name `projects/P/locations/global/certificateMaps/M` */
  targetsOfMap(name: string): readonly GclbTarget[];
  /** Full links of the proxies that a certificate is attached to directly. @param name `projects/P/locations/L/certificates/C` */
  proxiesUsingCertificate(name: string): readonly string[];
  /** Where load balancers listen, and what they present. */
  frontends(): readonly Frontend[];
  /** Lets everybody go who waits for an operation: before the store is reset, or the cloud stops. */
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
 * Starts Compute Engine on a store; everything that it knows is in there.
 *
 * Emulated: addresses, backend services, forwarding rules to target proxies, health checks, SSL certificates and policies, target HTTPS, HTTP and SSL
 * proxies, URL maps, all of them global and regional where the service has both; operations; quotas, told but not enforced.
 *
 * Kept without a look at what they lead to: backends and backend buckets, networks, policies of SSL, TLS and security. No SSL policy is enforced, and
 * nothing is ever routed, cached or probed. Every project exists, and every caller may do everything.
 *
 * Answered with 501: every other method of the description, forwarding rules to other targets or for INTERNAL_SELF_MANAGED, and ranges of addresses.
 */
export function createComputeService(options: ComputeOptions): ComputeService {
  const { store, clock, operationMs, certificates, onChange, longestWaitMs = 120_000 } = options;
  const description = ownDescription("compute:v1");
  const ids = createIds(store, options.seed ?? "");
  const resources = createResources(store);
  const operations = createOperations({ store, clock, ids, operationMs, longestWaitMs });
  const failOperation = options.failOperation ?? (() => undefined);
  const { managedSsl } = options;
  const obtain = managedSsl === undefined ? undefined : obtainManaged({ ...managedSsl, clock, resources, onChange });
  const changed = () => {
    obtain?.();
    onChange();
  };
  const mutate = createMutate({ store, clock, resources, operations, failOperation, onChange: changed });
  const surroundings = { resources, certificates, ids };
  return {
    service: {
      description,
      errors: "errors",
      handlers: new Map([
        ...concepts.flatMap((concept) => handlersOf(concept, { description, clock, surroundings, mutate })),
        ...operations.handlers,
        ...projectHandlers(resources, options.limitOf ?? (() => undefined)),
      ]),
    },
    targetsOfMap: (name) => targetsOf(name, resources),
    proxiesUsingCertificate: (name) => resources.usersOf(name).map(({ selfLink }) => selfLink),
    frontends: () => frontendsOf(resources),
    release: () => operations.release(),
  };
}
