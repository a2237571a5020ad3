import type { ActivityStore } from "../audit";
import { createDescriptionService, ownDescription, ownDescriptionIds } from "../discovery";
import { answerActivities, openActivities } from "./activities";
import type { PublicKeyAlgorithm } from "./authority";
import type { IssuancePace, RenewingState } from "./certificate-manager";
import { CloudDns } from "./cloud-dns";
import { answerControl } from "./control/control";
import { type FaultPlan, Faults } from "./faults";
import { createRequestLog, Front, type LoggedRequest, type OtherAnswer, startHttpServer } from "./front";
import { openKeptClock } from "./kept-clock";
import type { Listening, Unbound } from "./load-balancer";
import { createLoadBalancing } from "./load-balancing";
import { openOwnAuthority } from "./own-authority";
import { startOwnNameServer } from "./own-dns";
import { createProjectServices, refusalOfDisabled } from "./project-services";
import { type CloudClock, openStore, type Store } from "./state";
import type { HandshakeCounts } from "./tls";

export interface CloudOptions {
  /** Port of the HTTP services on 127.0.0.1. @default - a free one */
  readonly port?: number;
  /** Port of the name server on 127.0.0.1, UDP and TCP. @default - a free one */
  readonly dnsPort?: number;
  /**
   * File that keeps resources, records, time, authority and what control calls have set across restarts; what it has is gone on with. Requests and
   * handshakes are what was seen in one run, and begin anew.
   *
   * @default - memory alone
   */
  readonly state?: string;
  /** How many of the cloud's seconds go by in one of the machine's; 0 stands still until stepped. @default 1 */
  readonly speed?: number;
  /** The cloud's time at the start. @default - the machine's, or that of the kept state where it is later */
  readonly startAt?: Date;
  readonly faults?: FaultPlan;
  /** How long operations and DNS changes take, in the cloud's time. @default 500 */
  readonly operationMs?: number;
  /** How long changes take to reach load balancers, and new entries to be ACTIVE, in the cloud's time. @default 5_000 */
  readonly propagationMs?: number;
  /**
   * What becomes of a deleted certificate at load balancers that have not learned yet that no entry uses it any more. The service promises neither.
   *
   * @default "presented until then"
   */
  readonly deletedCertificates?: "presented until then" | "gone at once";
  readonly pace?: IssuancePace;
  /** What certificates say while their renewal is tried in vain. @default "ACTIVE" */
  readonly renewingState?: RenewingState;
  /** Key of managed certificates. @default "rsa-2048" */
  readonly managedKeyAlgorithm?: PublicKeyAlgorithm;
  /** How long issued certificates are valid. @default 90 */
  readonly validDays?: number;
  /** What CAA records have to name. @default ["pki.goog"] */
  readonly caaIdentities?: readonly string[];
  /** Whether requests without credentials are refused with 401; credentials are never checked. @default false */
  readonly requireCredentials?: boolean;
  /** Told of each request when it has been answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Told of each managed certificate that is issued, for the first time or anew. */
  readonly onIssued?: (issued: Issued) => void;
  /** Told of each forwarding rule that nothing could be bound for; the cloud and its other rules go on. @default - a warning of the process */
  readonly onUnbound?: (unbound: Unbound) => void;
}

/** A managed certificate has been issued. */
export interface Issued {
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  readonly domains: readonly string[];
}

/** Where a cloud is reached. */
export interface CloudEndpoints {
  /** Base of all HTTP services, as in `http://127.0.0.1:40123/`. */
  readonly http: string;
  /** Name server, as in `127.0.0.1:40124`. */
  readonly dns: string;
  /** Roots of the cloud's authority, PEM. */
  readonly trustBundle: string;
  /** Base of the control calls. */
  readonly control: string;
}

/** A rehearsal cloud at work. */
export interface Cloud {
  readonly endpoints: CloudEndpoints;
  readonly clock: CloudClock;
  readonly faults: Faults;
  /** The latest requests, oldest first. */
  requests(): readonly LoggedRequest[];
  /** Answered and failed handshakes of all load balancers. */
  handshakes(): HandshakeCounts;
  /** Forwarding rules, and where on this machine they are answered. */
  listeners(): readonly Listening[];
  /** Brings listeners to what the rules say now, without the delay. Rejects, when all have been tried, where nothing could be bound for a rule. */
  settle(): Promise<void>;
  /** Records of administrators' actions, for specification 2; other ones after a reset. */
  readonly activities: ActivityStore;
  /** Forgets all resources, records, requests and handshakes; clock, authority, faults and addresses stay. */
  reset(): Promise<void>;
  /** Ends everything and lets go of all ports and files. */
  stop(): Promise<void>;
}

/**
 * Starts a rehearsal cloud on this machine: Certificate Manager, Cloud DNS with a name server, the part of Compute Engine that a load balancer is made
 * of with real TLS listeners, an authority, the audit log and the descriptions of all that. Everything on loopback addresses.
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
  const { clock, keepTime, offMs } = openKeptClock(store, options);
  started.push(async () => clock.stop());
  const faults = new Faults(clock, options.faults ?? store.collection<FaultPlan>("cloud").get("faults"));
  const authority = await openOwnAuthority(store, clock);

  const dns = new CloudDns({ store, clock, changeMs: operationMs, failOperation: faults.ofOperation });
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
    operationMs,
  });
  started.push(() => loadBalancers.stop());
  started.push(async () => compute.release());

  const log = createRequestLog(options.onRequest);
  let activities = openActivities(store, clock);
  const others: OtherAnswer[] = [];
  const front = new Front({
    services: [manager.service, dns.service, compute.service, ...createProjectServices(store)],
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

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    for (const end of [...started].reverse()) await end();
    store.collection("cloud").set("time", clock.now().toISOString());
    store.close();
  };
  const cloud: Cloud = {
    endpoints: {
      http: server.url,
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
