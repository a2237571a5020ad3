/** The world before a migration: the cloud, the previous provider, and the resources that exist already. */
import { type Cloud, startCloud } from "../cloud";
import { type AskedType, createResolver, type Resolver } from "../dns";
import { createHttpClient, type HttpClient } from "../http";
import { projectInTarget, writeComputeName } from "../resource-names";
import { makeNamedPools } from "./ca-pools";
import type { Clients } from "./clients";
import type { Closing } from "./closing";
import { CloudReader } from "./cloud-reader";
import { makeExistingCertificates } from "./existing-certificates";
import { existingProxiesOf, makeExistingProxies, type ProxyPreparation } from "./existing-proxies";
import type { Kills } from "./kills";
import { lookedUpAddresses, lookupsOf, makeLookedUp, makeLookedUpRules } from "./lookups";
import type { Emit } from "./observer";
import type { RequestPlace } from "./post-resource";
import { type PreviousProviderServer, startPreviousProvider } from "./previous-provider";
import { realOperationTimes, takesTrustFile } from "./real-provider";
import { makeNamedPolicies, type NamedPolicy } from "./server-tls-policies";
import { servingProxiesOf } from "./serving-proxies";
import { projectOfStack, type StackJson } from "./stack";
import type { StageOptions } from "./stage-options";
import { until } from "./until";
import { uploadedChainsOf } from "./uploaded";
import {
  isLeading,
  makeWorld,
  previousProviderProject,
  type RehearsalWorld,
  type TodaysRecord,
  worldOf,
} from "./world";

/** Seconds of the cloud's time per second of the machine's time, unless the rehearsal has other options. */
const usualSpeed = 30;

/** Everything that exists when a migration begins. */
export interface Today extends Prerequisites {
  readonly cloud: Cloud;
  readonly http: HttpClient;
  readonly world: RehearsalWorld;
  readonly previous: PreviousProviderServer;
  readonly reader: CloudReader;
  /** Names of the resources that exist already, of all types that migrations create. */
  readonly before: readonly string[];
  /** Chains and roots in PEM that clients trust besides those of the previous provider and the cloud. */
  readonly uploaded: readonly string[];
}

interface TodayParts {
  /** Stack of the migration before its traffic moves. */
  readonly stack: StackJson;
  readonly clients: Clients;
  readonly kills: Kills;
  readonly emit: Emit;
  readonly closing: Closing;
  /** Returns whether the migration has begun. */
  readonly hasBegun: () => boolean;
}

/** Starts cloud and previous provider, and creates what the stack expects to exist. */
export async function startToday(parts: TodayParts, options: StageOptions): Promise<Today> {
  const { stack, clients, closing } = parts;
  const { isMoved = false } = options.migration;
  const hostnames = options.migration.hostnames.all;
  /** Projects that occur in requests to the cloud. */
  const projects = new Set([projectOfStack(stack)]);
  const uptimeRoots: string[] = [];
  const cloud = await openCloud(parts, { projects, uptimeRoots }, options);
  closing.add(() => cloud.stop());
  const http = createHttpClient();
  const place = { cloudUrl: cloud.endpoints.http, http };
  const world = worldOf(stack, { hostnames, isMoved });
  await makeWorld(world, place);
  await options.world?.prepare?.(cloud);
  await until(cloud, options.signal, () => areResolved(world.records, resolverOf(cloud)));
  const previous = await startPreviousProvider(hostnames, clients.requirement);
  closing.add(() => previous.close());
  const { certificate, issue } = previous;
  const prerequisites = await makePrerequisites(stack, { ...place, certificate, issue }, clients.existingPolicies);
  const existingRoots = await makeExistingCertificates(stack, place);
  const reader = new CloudReader(place, () => [...projects], world.zones);
  const before = await reader.everything();
  const uploaded = [...(options.world?.trusted ?? []), ...existingRoots, ...uploadedChainsOf(stack)];
  uptimeRoots.push(previous.trustBundlePem, ...uploaded);
  return { ...prerequisites, cloud, http, world, previous, reader, before, uploaded };
}

function openCloud(
  { clients, kills, emit, hasBegun }: TodayParts,
  { projects, uptimeRoots }: { readonly projects: Set<string>; readonly uptimeRoots: readonly string[] },
  { world: { speed = usualSpeed, behavior } = {}, terraform: { provider }, output: { say } }: StageOptions,
): Promise<Cloud> {
  const isReal = provider === "real";
  return startCloud({
    speed,
    servers: { https: isReal && takesTrustFile(process.platform) },
    behavior: {
      ...(isReal ? { operationMs: realOperationTimes(hasBegun, speed) } : {}),
      ...behavior,
      faults: {},
    },
    certificates: { clientAnchors: [clients.identity.anchorPem], uptimeRoots: () => uptimeRoots },
    observers: {
      onIssued: (issued) => emit("issued", issued),
      onRecords: (change) => emit("records", change),
      onFrontEnds: (change) => emit("frontEnds", change),
      onUnbound: ({ forwardingRule, error }) => say(`nothing answers for ${forwardingRule}: ${error.message}`),
      onRequest: (request) => {
        emit("request", request);
        const project = projectInTarget(request.target);
        if (project !== undefined && project !== previousProviderProject) projects.add(project);
        kills.answered(request);
      },
    },
  });
}

/** Returns whether DNS answers for all records that clients use. */
async function areResolved(records: readonly TodaysRecord[], resolver: Resolver): Promise<boolean> {
  const found = await Promise.all(
    records.filter(isLeading).map(({ name, type }) => resolver.resolve(name, type as AskedType)),
  );
  return found.every((result) => result.ok && result.records.length > 0);
}

interface Prerequisites {
  /** IP addresses of the load balancers as the stack states them. */
  readonly addresses: readonly string[];
  /** Deletes what would prevent a destroy: forwarding rules of existing proxies, and proxies of other owners. */
  readonly retire: () => Promise<void>;
}

/** Creates the resources that a stack looks up or imports. */
async function makePrerequisites(
  stack: StackJson,
  preparation: ProxyPreparation,
  existingPolicies: NamedPolicy,
): Promise<Prerequisites> {
  const lookups = lookupsOf(stack);
  await makeLookedUp(lookups, preparation);
  await makeNamedPolicies(stack, existingPolicies, preparation);
  await makeNamedPools(stack, preparation);
  const existing = existingProxiesOf(stack, lookups);
  const retireProxies = await makeExistingProxies(existing, preparation);
  const [proxy] = existing;
  const target = proxy === undefined ? undefined : writeComputeName({ ...proxy, region: undefined });
  const retireRules = await makeLookedUpRules(lookups, preparation, target);
  const retire = async () => {
    await retireProxies();
    await retireRules();
    await deleteOwned(stack, preparation);
  };
  return { addresses: lookedUpAddresses(stack, lookups), retire };
}

/** Deletes the serving proxies of other owners, so that the map can be destroyed. */
async function deleteOwned(stack: StackJson, { cloudUrl, http }: RequestPlace): Promise<void> {
  for (const { project, collection, name, isAdopted } of servingProxiesOf(stack)) {
    if (isAdopted) continue;
    const url = `${cloudUrl}compute/v1/${writeComputeName({ project, collection, name })}`;
    await http.send({ method: "DELETE", url, purpose: "deleting a proxy of another owner", accept: [404] });
  }
}

/** Returns a resolver that asks the name server of the cloud. */
export function resolverOf(cloud: Cloud): Resolver {
  const [address = "", port = ""] = cloud.endpoints.dns.split(":");
  return createResolver({ server: { address, port: Number(port) } });
}
