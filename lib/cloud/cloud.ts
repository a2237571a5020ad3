import { createDescriptionService, ownDescription, ownDescriptionIds } from "../discovery";
import { defined } from "../json/defined";
import { answerActivities, openActivities } from "./activities";
import { makeLoopbackCertificate } from "./certificate-authority";
import { keepExpiryLog } from "./certificate-manager/expiry-log";
import { CloudDns } from "./cloud-dns/service";
import type { Cloud, CloudObservers, CloudOptions } from "./cloud-model";
import { answerControl } from "./control/control";
import { type FaultPlan, Faults } from "./faults";
import { createRequestLog, Front, type OtherAnswer, startHttpServer } from "./front";
import { openKeptClock } from "./kept-clock";
import type { Listening } from "./load-balancer";
import { createLoadBalancing } from "./load-balancing";
import { openLogEntries } from "./log-entries";
import { createLoggingService } from "./logging";
import { createMonitoring } from "./monitoring/service";
import { ObjectStorage } from "./object-storage/service";
import { addressesAt, openOwnAuthority, startOwnNameServer } from "./own-services";
import { createProjectServices, refusalOfDisabled } from "./project-services";
import { openStore, type Store } from "./state";
import { loadWorld } from "./world/load-world";

/**
 * Starts a rehearsal cloud on this machine, on loopback addresses only. The cloud emulates:
 * - Certificate Manager and a CA
 * - server TLS policies of Network Security
 * - Cloud DNS with a name server
 * - the load balancing part of Compute Engine, with real TLS listeners
 * - the objects of Cloud Storage
 * - the audit log, and the expiry log of Certificate Manager
 * - alert policies and uptime checks of Cloud Monitoring
 * - the API descriptions of all services
 *
 * @throws InputError for a state file that can't be read or that another cloud uses, and for a port in use
 */
export async function startCloud(options: CloudOptions = {}): Promise<Cloud> {
  const store = openStore(options.state);
  const started: (() => Promise<unknown>)[] = [];
  try {
    return await assemble(options, store, started);
  } catch (error) {
    for (const stop of started.reverse()) await stop();
    store.close();
    throw error;
  }
}

async function assemble(options: CloudOptions, store: Store, started: (() => Promise<unknown>)[]): Promise<Cloud> {
  const { servers = {}, behavior = {}, certificates = {}, observers = {} } = options;
  const { operationMs = 500 } = behavior;
  const { clock, keepTime, offMs } = openKeptClock(store, options);
  started.push(async () => clock.stop());
  const faults = new Faults(clock, behavior.faults ?? store.collection<FaultPlan>("cloud").get("faults"));
  const authority = await openOwnAuthority(store, clock);
  if (options.world !== undefined) await loadWorld(options.world, { store, clock, copy: authority.copy });

  /** Called when the name server or the load balancers serve a change. */
  const onChanged: (() => void)[] = [];
  const dns = new CloudDns({
    store,
    clock,
    operationMs,
    failOperation: faults.ofOperation,
    onServed: (change) => {
      observers.onRecords?.(change);
      for (const note of onChanged) note();
    },
  });
  const nameServer = await startOwnNameServer({
    zones: dns.zones,
    fault: faults.ofAnswer,
    ...defined({ port: servers.dnsPort }),
  });
  started.push(() => nameServer.close());

  const onFrontEnds: CloudObservers["onFrontEnds"] = (change) => {
    observers.onFrontEnds?.(change);
    for (const note of onChanged) note();
  };
  const noted = { behavior, certificates, observers: { ...observers, onFrontEnds } };
  const { manager, networkSecurity, privateCas, compute, loadBalancers } = createLoadBalancing(noted, {
    store,
    clock,
    operationMs,
    failOperation: faults.ofOperation,
    faults,
    authority,
    nameServer,
  });
  started.push(() => loadBalancers.stop());
  started.push(async () => compute.release());

  const entries = openLogEntries(store, clock);
  keepExpiryLog(clock, store.collection("certificatemanager.certificates"), entries);
  const monitoring = createMonitoring({
    store,
    clock,
    log: entries,
    addressesOf: addressesAt(nameServer),
    listenerOf: (address, port) => listenerOf(loadBalancers.listening(), address, port),
    trusted: () => [authority.trustBundlePem, ...(certificates.uptimeRoots?.() ?? [])].join(""),
  });
  onChanged.push(() => monitoring.changed());

  const log = createRequestLog(observers.onRequest);
  let activities = openActivities(store, clock);
  const others: OtherAnswer[] = [];
  const objects = new ObjectStorage({ clock, rootUrl: () => server.url });
  const front = new Front({
    services: [
      manager.service,
      networkSecurity.service,
      privateCas.service,
      dns.service,
      compute.service,
      createLoggingService(store, clock, operationMs, entries),
      ...monitoring.services,
      ...createProjectServices(store, clock, operationMs),
      objects.service,
    ],
    others,
    store,
    clock,
    log,
    fault: (methodId, request) => {
      // A read exposes the time: after a restart, the time must not be earlier.
      keepTime();
      const error = refusalOfDisabled(store, methodId, request.target);
      return error === undefined ? faults.ofRequest(methodId, request) : { error };
    },
    // A delayed answer must not keep the process alive when the cloud stops.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    ...defined({ requireCredentials: servers.requireCredentials }),
  });
  const server = await startHttpServer((request) => front.handle(request), { port: servers.port ?? 0 });
  started.push(() => server.close());
  const overTls = servers.https === true ? await startOverTls((request) => front.handle(request)) : undefined;
  if (overTls !== undefined) started.push(() => overTls.server.close());

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    for (const end of [...started].reverse()) await end();
    store.collection("cloud").set("time", clock.now().toISOString());
    store.close();
  };
  const cloud: Cloud = {
    endpoints: {
      http: server.url,
      ...(overTls === undefined ? {} : { https: overTls.server.url, httpsTrustBundle: overTls.trustBundlePem }),
      dns: `${nameServer.address}:${nameServer.port}`,
      /** Includes the roots of private CAs, as clients of a company do. */
      get trustBundle() {
        return authority.trustBundlePem + privateCas.trustBundlePem();
      },
      control: `${server.url}_cloud/`,
    },
    clock,
    faults,
    get activities() {
      return activities;
    },
    requests: () => log.list(),
    loadBalancers: {
      handshakes: () => loadBalancers.handshakes(),
      listeners: () => loadBalancers.listening(),
      settle: async () => {
        const [unbound] = await loadBalancers.settle();
        if (unbound !== undefined) throw unbound.error;
      },
    },
    reset: async () => {
      compute.release();
      const cloudState = store.collection("cloud");
      const kept = [...cloudState.entries()];
      store.reset();
      for (const [key, value] of kept) cloudState.set(key, value);
      store.commit();
      activities = openActivities(store, clock);
      objects.clear();
      log.clear();
      await loadBalancers.settle();
      loadBalancers.forgetHandshakes();
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
  const descriptions = createDescriptionService({
    descriptions: ownDescriptionIds.map(ownDescription),
    rootUrl: server.url,
  });
  others.push(
    (request) => (/^\/_cloud(?:[/?]|$)/.test(request.target) ? answerControl(request, cloud, store) : undefined),
    ({ httpMethod, target, headers }) =>
      target.startsWith("/discovery/") ? descriptions.answer({ method: httpMethod, url: target, headers }) : undefined,
    (request) => answerActivities(request, activities, clock),
  );
  manager.resume(offMs);
  await loadBalancers.settle();
  store.commit();
  return cloud;
}

/** Returns where a load balancer listens on this machine for an address and a port. */
function listenerOf(all: readonly Listening[], address: string, port: number): string | undefined {
  return all.find((each) => each.ipAddress === address && each.port === port && each.protocol === "tls")?.listen;
}

/** Serves the services over TLS on a free port. */
async function startOverTls(handle: Parameters<typeof startHttpServer>[0]) {
  // Clients check the certificate against the machine's time, which may differ from the cloud's time.
  const { trustBundlePem, ...tls } = await makeLoopbackCertificate(new Date());
  return { server: await startHttpServer(handle, { tls }), trustBundlePem };
}
