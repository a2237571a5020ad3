import { join, resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { type Cloud, fitsStarPattern, startCloud } from "../cloud";
import { type AskedType, createResolver, type Resolver } from "../dns";
import { createHttpClient } from "../http";
import { defined } from "../json/defined";
import { projectInTarget, writeComputeName } from "../resource-names";
import { type StateBackend, startTerraformProvider, type TerraformProvider } from "../terraform-provider";
import { makeNamedPools } from "./ca-pools";
import { clientsOf } from "./clients";
import { type Closing, createClosing } from "./closing";
import { createCloudReader } from "./cloud-reader";
import { makeExistingCertificates } from "./existing-certificates";
import { existingProxiesOf, makeExistingProxies, type ProxyPreparation } from "./existing-proxies";
import {
  bundleName,
  clientNames,
  markFolder,
  oldBundleName,
  oldCertificatesName,
  terraformFolder,
  uploadedName,
  writeOwn,
} from "./folder";
import { addressesOf, lookupsOf, makeLookedUp, makeLookedUpRules, type Preparation } from "./lookups";
import { createOperator } from "./operator";
import { routeBy, startPreviousProvider } from "./previous-provider";
import { type DiscardedTry, Prober } from "./prober";
import { proxyOwnerOf } from "./proxy-owner";
import {
  connectRealProvider,
  lockedProviderVersion,
  type RealConnection,
  realOperationTimes,
  takesTrustFile,
} from "./real-provider";
import { makeNamedPolicies, type NamedPolicy } from "./server-tls-policies";
import { servingProxiesOf } from "./serving-proxies";
import {
  projectOf,
  requirementOf,
  type StackJson,
  withHttpState,
  withLocalState,
  withProviderArguments,
} from "./stack";
import { actionsOf } from "./stage-actions";
import type { StageOptions } from "./stage-options";
import { Terraform, type TerraformOptions } from "./terraform";
import { until } from "./until";
import { uploadedChainsOf } from "./uploaded";
import { isAddress, isLeading, makeWorld, previousProviderProject, type TodaysRecord, worldOf } from "./world";

export type { StageOptions } from "./stage-options";

/** Seconds of the cloud's time per second of the machine's time, unless the rehearsal has other options. */
const usualSpeed = 30;

/** All running components of a rehearsal. Each method is an action of a pipeline or its operator. */
export type Stage = Awaited<ReturnType<typeof buildStage>>;

/** Starts cloud, previous provider, provider stand-in and prober. Returns when every hostname has been probed. */
export async function buildStage(options: StageOptions) {
  const closing = createClosing();
  try {
    return await assemble(options, closing);
  } catch (error) {
    // The reason why the stage could not be built is more useful than a failure of the cleanup.
    await closing.close().catch(() => undefined);
    throw error;
  }
}

async function assemble(options: StageOptions, closing: Closing) {
  const { folder, hostnames, signal, say } = options;
  markFolder(folder);
  const kills = [...(options.kills ?? [])];
  const counted = { kills: 0, imports: 0 };
  /** Projects that occur in requests to the cloud. */
  const projects = new Set<string>();
  let terraform: Terraform | undefined;
  const isReal = options.provider === "real";
  let hasBegun = false;
  const speed = options.cloud?.speed ?? usualSpeed;
  const first = await options.synthesize({ phase: "serve", traffic: "previous", rotated: true, mended: 0 });
  const clients = await clientsOf(first, options);
  const forReal = () => ({
    https: takesTrustFile(process.platform),
    operationMs: realOperationTimes(() => hasBegun, speed),
  });
  const cloud = await startCloud({
    ...(isReal ? forReal() : {}),
    ...options.cloud,
    speed,
    faults: {},
    clientAnchors: [clients.identity.anchorPem],
    onIssued: (issued) => options.onIssued?.(issued),
    onRecords: (change) => options.onRecords?.(change),
    onFrontEnds: (change) => options.onFrontEnds?.(change),
    onUnbound: ({ forwardingRule, error }) => say(`nothing answers for ${forwardingRule}: ${error.message}`),
    onRequest: (request) => {
      options.onRequest?.(request);
      const project = projectInTarget(request.target);
      if (project !== undefined && project !== previousProviderProject) projects.add(project);
      const [next] = kills;
      const isNext = next !== undefined && request.status < 300 && fitsStarPattern(next, request.method ?? "");
      if (!isNext || terraform?.kill() !== true) return;
      kills.shift();
      counted.kills += 1;
      say(`killed Terraform at ${request.method}`);
    },
  });
  closing.add(() => cloud.stop());
  const cloudUrl = cloud.endpoints.http;
  const http = createHttpClient();
  const world = worldOf(first, { hostnames, moved: options.moved ?? false });
  await makeWorld(world, cloudUrl, http);
  await options.prepare?.(cloud);
  await until(cloud, signal, () => areResolved(world.records, resolverOf(cloud)));
  const old = await startPreviousProvider(hostnames, clients.requirement);
  closing.add(() => old.close());
  const { addresses, retire } = await makePrerequisites(first, {
    ...{ cloudUrl, http, certificate: old.certificate },
    issue: old.issue,
    existingPolicies: clients.existingPolicies,
  });
  const existingRoots = await makeExistingCertificates(first, { cloudUrl, http });
  const reader = createCloudReader(cloud, http, () => [projectOf(first), ...projects], world.zones);
  const before = await reader.everything();
  const provider = await startTerraformProvider({
    cloudUrl,
    alsoKept: options.alsoKept ?? [],
    // With the real provider, the stand-in only keeps the state.
    ...(isReal ? {} : { requirement: requirementOf(first) }),
  });
  closing.add(() => provider.close());
  const uploaded = [...(options.trusted ?? []), ...existingRoots, ...uploadedChainsOf(first)];
  keepBundles(options, {
    [bundleName]: cloud.endpoints.trustBundle,
    [oldBundleName]: old.trustBundlePem,
    [oldCertificatesName]: old.certificatesPem,
    [uploadedName]: uploaded.join(""),
    ...(clients.probing === undefined ? {} : { [clientNames.certificate]: clients.identity.certificatePem }),
  });
  // Evidence contains no private keys.
  if (clients.probing !== undefined) writeOwn(join(folder, clientNames.key), clients.identity.privateKeyPem);
  options.onChains?.(old.certificatesPem, "previous");
  options.onChains?.(uploaded.join(""), "new");
  const real = isReal ? await connectRealProvider(cloud, { folder, say, closing }) : undefined;
  const { configuration: _configuration, ...ofStacks } = options;
  const terraformIn = (name: string, used = provider): Terraform => {
    // Only the migration's own folder is a copy of the user's folder; all other folders contain stacks.
    const own = name === terraformFolder ? options : ofStacks;
    const made = new Terraform(
      terraformOptions(name, cloud, { provider: used, real, isMutual: clients.probing !== undefined }, own),
    );
    // After an error, Terraform may still be running.
    closing.add(() => made.kill());
    return made;
  };
  const madeTerraform = terraformIn(terraformFolder);
  terraform = madeTerraform;
  // Chains of public CAs lead to roots that all clients trust.
  const trusted = [cloud.endpoints.trustBundle, ...uploaded, ...(uploaded.length === 0 ? [] : rootCertificates)];
  const route = routeBy(cloud.listeners, old.endpoint, world.records);
  const prober = new Prober({
    hostnames,
    resolver: resolverOf(cloud),
    route,
    trusted: [...trusted, old.trustBundlePem],
    ...defined({ clients: clients.probing }),
    now: () => cloud.clock.now(),
    ...defined({ pauseMs: options.probePauseMs, onAnswer: options.onAnswer, onProbe: options.onProbe }),
    onDiscarded: (discarded) => {
      options.onDiscarded?.(discarded);
      say(describeDiscarded(discarded));
    },
  });
  prober.start();
  closing.add(() => prober.stop());
  await prober.everyHostname();
  hasBegun = true;
  const operator = createOperator({ cloud, http, reader, addresses, zones: world.zones, say, signal });
  closing.add(() => operator.stop());
  if (options.publishes === true) operator.publish();
  if (options.faults !== undefined) cloud.faults.set(options.faults);
  const previous = {
    listener: `${old.endpoint.address}:${old.endpoint.port}`,
    addresses: [...new Set(world.records.filter(isAddress).flatMap(({ rrdatas }) => rrdatas))],
    trustBundlePem: old.trustBundlePem,
  };
  const serving = servingProxiesOf(first);
  const owned = serving.filter(({ isAdopted }) => !isAdopted);
  const isOfSsl = owned.some(({ collection }) => collection === "targetSslProxies");
  // The owner of a target SSL proxy has its own version of the provider.
  const ownersProvider = isOfSsl
    ? await startTerraformProvider({ cloudUrl, behaviorOf: sslOwnersVersion, requirement: requirementOf(first) })
    : provider;
  if (isOfSsl) closing.add(() => ownersProvider.close());
  const owner = proxyOwnerOf({
    proxies: owned,
    stack: first,
    migration: () => madeTerraform,
    terraform: () => terraformIn("owner", ownersProvider),
    say,
  });
  const clientCertificate = clients.probing?.certificate;
  const parts = { serving, owner, cloud, prober, terraform, terraformIn, route, trusted, clientCertificate, previous };
  return {
    ...actionsOf({ ...parts, reader, before, operator, retire, kills, counted }, options, closing.close),
    /** Returns the version of the google provider: that of the bindings for the stand-in. */
    providerVersion: () => (isReal ? lockedProviderVersion(join(folder, terraformFolder)) : provider.providerVersion),
  };
}

/** The first version of the provider with which a target SSL proxy holds a map beside its certificates. */
const sslOwnersVersion = "7.19.0";

/** Returns whether DNS answers for all records that clients use. */
async function areResolved(records: readonly TodaysRecord[], resolver: Resolver): Promise<boolean> {
  const found = await Promise.all(
    records.filter(isLeading).map(({ name, type }) => resolver.resolve(name, type as AskedType)),
  );
  return found.every((result) => result.ok && result.records.length > 0);
}

/**
 * Creates the resources that a stack looks up or imports.
 *
 * @returns the addresses of its load balancers as the stack states them, and a function that deletes the forwarding
 * rules, which would prevent a destroy
 */
async function makePrerequisites(
  stack: StackJson,
  { existingPolicies, ...preparation }: ProxyPreparation & { readonly existingPolicies: NamedPolicy },
) {
  const lookups = lookupsOf(stack);
  await makeLookedUp(lookups, preparation);
  await makeNamedPolicies(stack, existingPolicies, preparation);
  await makeNamedPools(stack, preparation);
  const existing = existingProxiesOf(stack, lookups);
  const removeOwned = removerOfOwned(stack, preparation);
  const retireProxies = await makeExistingProxies(existing, preparation);
  const [proxy] = existing;
  const target = proxy === undefined ? undefined : writeComputeName({ ...proxy, region: undefined });
  const retireRules = await makeLookedUpRules(lookups, preparation, target);
  const retire = async () => {
    await retireProxies();
    await retireRules();
    await removeOwned();
  };
  return { addresses: addressesOf(stack, lookups), retire };
}

/** Returns a function that deletes the serving proxies of other owners, so that the map can be destroyed. */
function removerOfOwned(stack: StackJson, { cloudUrl, http }: Preparation): () => Promise<void> {
  return async () => {
    for (const { project, collection, name, isAdopted } of servingProxiesOf(stack)) {
      if (isAdopted) continue;
      const url = `${cloudUrl}compute/v1/${writeComputeName({ project, collection, name })}`;
      await http.send({ method: "DELETE", url, purpose: "deleting a proxy of another owner", accept: [404] });
    }
  };
}

function keepBundles({ folder, keepFile }: StageOptions, bundles: Readonly<Record<string, string>>): void {
  for (const [name, pem] of Object.entries(bundles)) {
    writeOwn(join(folder, name), pem);
    keepFile?.(name, pem);
  }
}

/** What Terraform and its gates use: the real provider if there is a connection for it, otherwise the stand-in. */
interface Providers {
  readonly provider: TerraformProvider;
  readonly real: RealConnection | undefined;
  /** Whether gates present a client certificate. */
  readonly isMutual: boolean;
}

/** @param name name of the working folder */
function terraformOptions(
  name: string,
  { clock, endpoints }: Cloud,
  { provider: { reattachConfig, stateBackend }, real, isMutual }: Providers,
  options: StageOptions,
): TerraformOptions {
  const { folder, signal, endSignal, assets, configuration, keepFile, onTerraform } = options;
  return {
    program: options.terraform ?? "terraform",
    folder: join(folder, name, configuration?.rootPath ?? ""),
    ...(configuration === undefined
      ? {}
      : { copy: (isProtected: boolean) => configuration.copyTo(resolve(folder, name), isProtected) }),
    signal,
    ...(keepFile === undefined ? {} : { keepFile: (file, text, how) => keepFile(`${name}/${file}`, text, how) }),
    ...defined({ assets, endSignal }),
    strict: real === undefined,
    losesState: options.losesState ?? false,
    usesSettings: real !== undefined,
    now: () => clock.now(),
    ...defined({ onProgress: onTerraform }),
    onText: (text) => options.onTerraformText?.(text, clock.now().toISOString()),
    onRun: (run) => options.onRun?.({ folder: name, ...run }),
    // A copy of a folder contains its own setting for the state.
    ...(configuration === undefined ? stateOf(name, options, stateBackend, real) : {}),
    ...(real === undefined ? {} : { connectedEnv: real.environment }),
    env: {
      ...(real === undefined ? { TF_REATTACH_PROVIDERS: reattachConfig } : {}),
      CERT_MIGRATION_ENDPOINT: endpoints.http,
      CERT_MIGRATION_REHEARSAL: endpoints.control,
      CERT_MIGRATION_REHEARSAL_TRUSTED: resolve(folder, uploadedName),
      ...(isMutual
        ? {
            CERT_MIGRATION_CLIENT_CERTIFICATE: resolve(folder, clientNames.certificate),
            CERT_MIGRATION_CLIENT_KEY: resolve(folder, clientNames.key),
          }
        : {}),
    },
  };
}

/**
 * Number of hostnames from which the state is kept over HTTP, because writing the state file would take longer than
 * everything else.
 */
const manyHostnames = 50;

/**
 * Returns where the state is kept, and the arguments of the provider. A rehearsal with kills keeps the state in the
 * folder, because a killed run leaves a lock in an `http` backend.
 */
function stateOf(
  name: string,
  { hostnames, kills }: StageOptions,
  backend: StateBackend,
  real: RealConnection | undefined,
): Pick<TerraformOptions, "adapt" | "readState"> {
  const isRemote = hostnames.length >= manyHostnames && kills === undefined;
  return {
    adapt: (stack) => {
      const placed = isRemote ? withHttpState(stack, backend.backendOf(name)) : withLocalState(stack);
      return real === undefined ? placed : withProviderArguments(placed, real.providerArguments);
    },
    ...(isRemote ? { readState: () => backend.stateOf(name) } : {}),
  };
}

function resolverOf(cloud: Cloud): Resolver {
  const [address = "", port = ""] = cloud.endpoints.dns.split(":");
  return createResolver({ server: { address, port: Number(port) } });
}

function describeDiscarded({ hostname, address = "no address", error, waitedMs, ranMs }: DiscardedTry): string {
  const [still, waited] = [waitedMs - ranMs, waitedMs].map((milliseconds) => (milliseconds / 1_000).toFixed(1));
  return `${hostname} at ${address}: ${error}, but this process itself was suspended for ${still} of ${waited} s: no result, retried`;
}
