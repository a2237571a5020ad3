import { createDescriptionService, ownDescription, ownDescriptionIds } from "../discovery";
import { answerActivities, openActivities } from "./activities";
import { makeLoopbackCertificate } from "./authority";
import { CloudDns } from "./cloud-dns";
import type { Cloud, CloudOptions } from "./cloud-model";
import { answerControl } from "./control/control";
import { type FaultPlan, Faults } from "./faults";
import { createRequestLog, Front, type OtherAnswer, startHttpServer } from "./front";
import { openKeptClock } from "./kept-clock";
import { createLoadBalancing } from "./load-balancing";
import { createLoggingService } from "./logging";
import { ObjectStorage } from "./object-storage";
import type { OperatingService } from "./operation-time";
import { openOwnAuthority } from "./own-authority";
import { startOwnNameServer } from "./own-dns";
import { createProjectServices, refusalOfDisabled } from "./project-services";
import { openStore, type Store } from "./state";

/**
 * Starts a rehearsal cloud on this machine: Certificate Manager, Cloud DNS with a name server, the part of Compute Engine that a load balancer is made
 * of with real TLS listeners, the objects of Cloud Storage, an authority, the audit log and the descriptions of all that. Everything on loopback
 * addresses.
 *
 * @throws InputError for a state file that can't be read or that another cloud goes on with, a port that is taken
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
  const { operationMs = 500 } = options;
  const operationTimeOf = (service: OperatingService) =>
    typeof operationMs === "number" ? operationMs : () => operationMs(service);
  const { clock, keepTime, offMs } = openKeptClock(store, options);
  started.push(async () => clock.stop());
  const faults = new Faults(clock, options.faults ?? store.collection<FaultPlan>("cloud").get("faults"));
  const authority = await openOwnAuthority(store, clock);

  const dns = new CloudDns({ store, clock, changeMs: operationTimeOf("dns"), failOperation: faults.ofOperation });
  const nameServer = await startOwnNameServer({
    zones: dns.zones,
    fault: faults.ofAnswer,
    ...(options.dnsPort === undefined ? {} : { port: options.dnsPort }),
  });
  started.push(() => nameServer.close());

  const { manager, compute, loadBalancers } = createLoadBalancing(options, {
    store,
    clock,
    faults,
    authority,
    nameServer,
    operationTimeOf,
  });
  started.push(() => loadBalancers.stop());
  started.push(async () => compute.release());

  const log = createRequestLog(options.onRequest);
  let activities = openActivities(store, clock);
  const others: OtherAnswer[] = [];
  const objects = new ObjectStorage({ clock, rootUrl: () => server.url });
  const front = new Front({
    services: [
      manager.service,
      dns.service,
      compute.service,
      createLoggingService(store, clock),
      ...createProjectServices(store),
      objects.service,
    ],
    others,
    store,
    clock,
    log,
    fault: (methodId, request) => {
      // Whoever reads learns what time it is, too: it must not be earlier after a restart.
      keepTime();
      const error = refusalOfDisabled(store, methodId, request.target);
      return error === undefined ? faults.ofRequest(methodId, request) : { error };
    },
    // Nobody waits for a late answer when the cloud ends.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    ...(options.requireCredentials === undefined ? {} : { requireCredentials: options.requireCredentials }),
  });
  const server = await startHttpServer((request) => front.handle(request), { port: options.port ?? 0 });
  started.push(() => server.close());
  const overTls = options.https === true ? await startOverTls((request) => front.handle(request)) : undefined;
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
      trustBundle: authority.trustBundlePem,
      control: `${server.url}_cloud/`,
    },
    clock,
    faults,
    get activities() {
      return activities;
    },
    requests: () => log.list(),
    handshakes: () => loadBalancers.handshakes(),
    listeners: () => loadBalancers.listening(),
    settle: async () => {
      const [unbound] = await loadBalancers.settle();
      if (unbound !== undefined) throw unbound.error;
    },
    reset: async () => {
      compute.release();
      const own = store.collection("cloud");
      const kept = [...own.entries()];
      store.reset();
      for (const [key, value] of kept) own.set(key, value);
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

/** Puts the services on a free port over TLS. */
async function startOverTls(handle: Parameters<typeof startHttpServer>[0]) {
  // Clients judge the certificate by the machine's time, wherever the cloud's is.
  const { trustBundlePem, ...tls } = await makeLoopbackCertificate(new Date());
  return { server: await startHttpServer(handle, { tls }), trustBundlePem };
}
