import { type ActivityStore, answerActivityRequest, createActivityStore } from "../audit";
import { createDescriptionService, ownDescription, ownDescriptionIds } from "../discovery";
import { InputError } from "../errors";
import { type AuthorityState, createAuthority, type PublicKeyAlgorithm } from "./authority";
import { CertificateManager, type IssuancePace, type LookUp, type RenewingState } from "./certificate-manager";
import { CloudDns } from "./cloud-dns";
import { createComputeService } from "./compute";
import { answerControl } from "./control/control";
import { type FaultPlan, Faults } from "./faults";
import {
  createRequestLog,
  Front,
  type LoggedRequest,
  startHttpServer,
  type WireAnswer,
  type WireRequest,
} from "./front";
import { type Listening, LoadBalancers, type Unbound } from "./load-balancer";
import { createResolver, type NameServer, startNameServer } from "./name-server";
import { createProjectServices, refusalOfDisabled } from "./project-services";
import { projectStandings } from "./project-standing";
import { type CloudClock, createCloudClock, openStore, type Store } from "./state";
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
  const { operationMs = 500, propagationMs = 5_000 } = options;
  const { clock, keepTime, offMs } = openClock(options, store);
  started.push(async () => clock.stop());
  const faults = new Faults(clock, options.faults ?? store.collection<FaultPlan>("cloud").get("faults"));
  const authority = await openAuthority(store, clock);
  const failOperation = faults.ofOperation;

  const dns = new CloudDns({ store, clock, changeMs: operationMs, failOperation });
  const nameServer = await openNameServer(dns, faults, options.dnsPort);
  started.push(() => nameServer.close());

  const changed = () => loadBalancers.changed();
  const manager: CertificateManager = new CertificateManager({
    store,
    clock,
    operationMs,
    propagatedMs: () => loadBalancers.reachedMs(),
    failOperation,
    fault: faults.ofDomain,
    lookUp: lookUpAt(nameServer),
    issue: async (names) => {
      const { notBefore, validDays } = validity(clock.now().getTime(), options.validDays ?? 90);
      const publicKeyAlgorithm = options.managedKeyAlgorithm ?? "rsa-2048";
      const issued = await authority.issue({ names, publicKeyAlgorithm, notBefore, validDays });
      options.onIssued?.({ time: clock.now().toISOString(), domains: names });
      return issued;
    },
    targetsOfMap: (map) => compute.targetsOfMap(map),
    proxiesUsing: (certificate) => compute.proxiesUsingCertificate(certificate),
    onChange: changed,
    ...(options.pace === undefined ? {} : { pace: options.pace }),
    ...(options.renewingState === undefined ? {} : { renewingState: options.renewingState }),
    ...(options.caaIdentities === undefined ? {} : { caaIdentities: options.caaIdentities }),
  });
  const compute = createComputeService({
    store,
    clock,
    operationMs,
    failOperation,
    certificates: {
      hasMap: (name) => manager.hasMap(name),
      hasCertificate: (name) => manager.certificate(name) !== undefined,
      certificateScope: (name) => manager.certificate(name)?.scope,
    },
    onChange: changed,
    limitOf: (project, metric) => projectStandings(store).get(project)?.quotas?.[metric],
  });
  const loadBalancers = new LoadBalancers({
    clock,
    certificates: manager,
    frontends: () => compute.frontends(),
    propagationMs: () => faults.plan.propagationMs ?? propagationMs,
    presentsDeleted: options.deletedCertificates !== "gone at once",
    ...(options.onUnbound === undefined ? {} : { onUnbound: options.onUnbound }),
  });
  started.push(() => loadBalancers.stop());
  started.push(async () => compute.release());

  const log = createRequestLog(options.onRequest);
  let activities = openActivities(store, clock);
  const others: ((request: WireRequest) => Promise<WireAnswer | undefined> | WireAnswer | undefined)[] = [];
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
    (request) => answerDescriptions(request, descriptions),
    (request) => answerActivities(request, activities, clock),
  );
  manager.resume(offMs);
  await loadBalancers.settle();
  store.commit();
  return cloud;
}

/** @throws InputError `port-taken` for a port that was asked for */
async function openNameServer(dns: CloudDns, faults: Faults, port: number | undefined): Promise<NameServer> {
  try {
    return await startNameServer({
      zones: dns.zones,
      fault: faults.ofAnswer,
      ...(port === undefined ? {} : { port }),
    });
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    if (port === undefined || cause?.code !== "EADDRINUSE") throw error;
    const advice = "end what listens there, give another port, or none for a free one";
    throw new InputError("port-taken", `127.0.0.1 port ${port}, for the name server, is in use: ${advice}`);
  }
}

const dayMs = 24 * 3_600_000;

/**
 * From the machine's time, by which clients judge, to the end by the cloud's, which may be far ahead.
 *
 * @param now the cloud's
 */
function validity(now: number, days: number): { readonly notBefore: Date; readonly validDays: number } {
  const begin = Math.min(now, Date.now()) - 3_600_000;
  return { notBefore: new Date(begin), validDays: Math.ceil((now + days * dayMs - begin) / dayMs) };
}

/**
 * Time that goes by on the machine while the cloud is off goes by in the cloud as well, as clients judge certificates by the machine's; where the cloud
 * was ahead, it goes on where it stood.
 */
function startTime({ startAt }: CloudOptions, store: Store): Date {
  const kept = store.collection<string>("cloud").get("time");
  const now = new Date();
  if (startAt !== undefined) return startAt;
  return kept !== undefined && Date.parse(kept) > now.getTime() ? new Date(kept) : now;
}

interface KeptClock {
  readonly clock: CloudClock;
  /** Writes down a time that the clock has not passed yet: beside each change, after each step, and whenever somebody reads. */
  readonly keepTime: () => void;
  /** How long the cloud was off, in its own time. */
  readonly offMs: number;
}

function openClock(options: CloudOptions, store: Store): KeptClock {
  const speed = options.speed ?? 1;
  const startAt = startTime(options, store);
  const before = store.collection<string>("cloud").get("time");
  const offMs = before === undefined ? 0 : Math.max(0, startAt.getTime() - Date.parse(before));
  const inner = createCloudClock({ startAt, speed });
  let keptMs = Number.NEGATIVE_INFINITY;
  const keepTime = () => {
    const nowMs = inner.now().getTime();
    if (nowMs <= keptMs) return;
    // A second of the machine ahead, so that a second's reads are one line.
    keptMs = Math.ceil(nowMs + speed * 1_000);
    store.collection("cloud").set("time", new Date(keptMs).toISOString());
  };
  store.beforeCommit(keepTime);
  const advance = async (ms: number) => {
    await inner.advance(ms);
    keepTime();
    store.commit();
  };
  return { clock: { ...inner, advance }, keepTime, offMs };
}

async function openAuthority(store: Store, clock: CloudClock) {
  const kept = store.collection<AuthorityState>("cloud");
  const state = kept.get("authority");
  const authority = await createAuthority({
    commonName: "Rehearsal Cloud",
    now: () => new Date(Math.min(clock.now().getTime(), Date.now()) - dayMs),
    ...(state === undefined ? {} : { state }),
  });
  if (state === undefined) kept.set("authority", authority.state);
  return authority;
}

/** Asks the cloud's own name server over the network, as an authority would. */
function lookUpAt({ address, port }: { readonly address: string; readonly port: number }): LookUp {
  const resolver = createResolver({ server: { address, port } });
  return async (name, type) => {
    try {
      const { rcode, answers } = await resolver.resolve(name, type);
      return { rcode, data: answers.map(({ data }) => data) };
    } catch (error) {
      return { rcode: rcodes[(error as { readonly code?: string }).code ?? ""] ?? "SERVFAIL", data: [] };
    }
  };
}

const rcodes: Readonly<Record<string, string>> = {
  "dns-refused": "REFUSED",
  "dns-timeout": "TIMEOUT",
  "dns-unreachable": "TIMEOUT",
  "dns-server-failure": "SERVFAIL",
};

function openActivities(store: Store, clock: CloudClock): ActivityStore {
  const kept = store.collection<string>("audit.records");
  return createActivityStore({
    now: () => clock.now(),
    log: {
      read: () => [...kept.values()],
      append: (json) => {
        kept.set(String(kept.size + 1), json);
        store.commit();
      },
    },
  });
}

function answerDescriptions(
  { httpMethod, target, headers }: WireRequest,
  descriptions: ReturnType<typeof createDescriptionService>,
): WireAnswer | undefined {
  if (!target.startsWith("/discovery/")) return undefined;
  return descriptions.answer({ method: httpMethod, url: target, headers });
}

function answerActivities(
  { httpMethod, target, headers }: WireRequest,
  store: ActivityStore,
  clock: CloudClock,
): WireAnswer | undefined {
  if (!target.startsWith("/admin/reports/")) return undefined;
  const request = { method: httpMethod, url: target, authorization: headers.authorization };
  const { status, body } = answerActivityRequest(request, { store, now: () => clock.now() });
  return { status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(body) };
}
