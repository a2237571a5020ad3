import type { Frontend } from "../compute";
import type { Clock } from "../state";
import {
  type CertificateEntries,
  type ClientCertificates,
  type ClientRequirement,
  createHandshakeCounter,
  createSecureContexts,
  entryFor,
  type HandshakeCounts,
  type HandshakeReport,
  readClientRequirement,
  selectCertificate,
  startTlsListener,
  type TlsListener,
} from "../tls";
import {
  type Candidate,
  candidatesFor,
  type HttpListener,
  startHttpListener,
  type Unbound,
  warnOfUnbound,
} from "./listening";
import { type CertificateSource, ServerCertificates, servedBy } from "./served";

interface LoadBalancersOptions {
  readonly clock: Clock;
  readonly certificates: CertificateSource;
  readonly frontends: () => readonly Frontend[];
  /** Returns what a policy requires of clients. @default - no policy requests client certificates */
  readonly requirementOf?: (serverTlsPolicy: string) => ClientRequirement | undefined;
  /** Returns the time until a change takes effect, in milliseconds of the cloud's time; called at each change. */
  readonly propagationMs: () => number;
  /** Whether a deleted certificate is presented until the change that removed its last use arrives. @default true */
  readonly presentsDeleted?: boolean;
  readonly observers?: LoadBalancerObservers;
  /** Returns the local addresses for a rule, in the order of the attempts. @default {@link candidatesFor} */
  readonly candidates?: (forwardingRule: string, ipAddress: string, port: number) => readonly Candidate[];
}

interface LoadBalancerObservers {
  readonly onHandshake?: (forwardingRule: string, report: HandshakeReport) => void;
  /** Called when the listeners serve a changed configuration. */
  readonly onFrontEnds?: (change: FrontEndChange) => void;
  /** Called for every forwarding rule without a listening address. @default {@link warnOfUnbound} */
  readonly onUnbound?: (unbound: Unbound) => void;
}

/** A configuration that has reached the listeners. */
export interface FrontEndChange {
  /** The cloud's time, RFC 3339. */
  readonly time: string;
  /**
   * Returns the names of the certificates that the load balancers select from for a hostname; valid during the call.
   */
  readonly certificatesFor: (hostname: string) => readonly string[];
}

/** A forwarding rule and its listening address on this machine. */
export interface Listening {
  /** Full link. */
  readonly forwardingRule: string;
  readonly ipAddress: string;
  readonly port: number;
  readonly protocol: "tls" | "http";
  /** `ADDRESS:PORT`, with brackets around an IPv6 address. */
  readonly listen: string;
}

interface Served {
  readonly frontend: Frontend;
  readonly entries: CertificateEntries;
  /** Undefined if no client certificate is requested. */
  readonly clients: ClientCertificates | undefined;
}

/** The configuration of the listeners at one time, by forwarding rule and address. */
interface Snapshot {
  /** Counts up; a snapshot that is older than the listeners' present one is ignored. */
  readonly number: number;
  /** The cloud's time in milliseconds. */
  readonly takenMs: number;
  readonly served: ReadonlyMap<string, Served>;
}

interface Running {
  frontend: Frontend;
  entries: CertificateEntries;
  clients: ClientCertificates | undefined;
  readonly listener: TlsListener | HttpListener;
}

/** Maximum number of cached TLS contexts, each about 24 KB. */
const mostContexts = 2_048;

/** The TLS side of load balancers: one listener per forwarding rule, without TLS for a target HTTP proxy. */
export class LoadBalancers {
  readonly #options: LoadBalancersOptions;
  readonly #serverCertificates: ServerCertificates;
  readonly #contexts = createSecureContexts(mostContexts);
  readonly #counter = createHandshakeCounter();
  readonly #running = new Map<string, Running>();
  #snapshots = 0;
  #newest = 0;
  #reachedMs = Number.NEGATIVE_INFINITY;
  #gatheringUntilMs = Number.POSITIVE_INFINITY;
  #working: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(options: LoadBalancersOptions) {
    this.#options = options;
    this.#serverCertificates = new ServerCertificates(options.certificates, {
      presentsDeleted: options.presentsDeleted ?? true,
    });
  }

  /**
   * Schedules a change of the listeners. Changes within a tenth of the delay arrive together, so that each takes 90% to
   * 100% of the delay. If the delay has been shortened meanwhile, a later change also applies the earlier ones.
   */
  changed(): void {
    const { clock, propagationMs } = this.#options;
    const delayMs = propagationMs();
    const untilMs = clock.now().getTime() + delayMs / 10;
    if (this.#gatheringUntilMs <= untilMs || this.#stopped) return;
    this.#gatheringUntilMs = untilMs;
    clock.after(delayMs / 10, () => {
      if (this.#gatheringUntilMs === untilMs) this.#gatheringUntilMs = Number.POSITIVE_INFINITY;
      const snapshot = this.#take();
      clock.after(delayMs - delayMs / 10, async () => void (await this.#follow(() => snapshot)));
    });
  }

  /** Applies the present rules at once, including the pending changes. @returns rules without a listening address */
  settle(): Promise<readonly Unbound[]> {
    return this.#follow(() => this.#take());
  }

  /** Returns the cloud's time, in milliseconds, up to which every change has reached the listeners. */
  reachedMs(): number {
    return this.#reachedMs;
  }

  forgetHandshakes(): void {
    this.#counter.reset();
  }

  listening(): readonly Listening[] {
    return [...this.#running.values()].map(({ frontend, listener }) => {
      const { forwardingRule, ipAddress, port, proxy } = frontend;
      const address = listener.address.includes(":") ? `[${listener.address}]` : listener.address;
      const protocol = proxy.kind === "http" ? "http" : "tls";
      return { forwardingRule, ipAddress, port, protocol, listen: `${address}:${listener.port}` };
    });
  }

  handshakes(): HandshakeCounts {
    return this.#counter.counts();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
    await Promise.all([...this.#running.values()].map(({ listener }) => listener.close()));
    this.#running.clear();
  }

  /** Applies one change at a time; concurrent changes would compete for ports. */
  #follow(snapshot: () => Snapshot): Promise<readonly Unbound[]> {
    const done = this.#working.then(() => this.#apply(snapshot));
    // The caller receives the failure; later changes must still run.
    this.#working = done.catch(() => undefined);
    return done;
  }

  /** Returns the configuration that the listeners would serve without any delay. */
  #take(): Snapshot {
    const { frontends, certificates, clock } = this.#options;
    const served = frontends().map((frontend) => {
      const key = `${frontend.forwardingRule} ${frontend.ipAddress} ${frontend.port} ${frontend.proxy.kind === "http"}`;
      const entries = servedBy(frontend, certificates, this.#serverCertificates);
      return [key, { frontend, entries, clients: this.#clientsOf(frontend) }] as const;
    });
    return { number: ++this.#snapshots, takenMs: clock.now().getTime(), served: new Map(served) };
  }

  #clientsOf({ serverTlsPolicy }: Frontend): ClientCertificates | undefined {
    const requirement = serverTlsPolicy === undefined ? undefined : this.#options.requirementOf?.(serverTlsPolicy);
    return requirement && readClientRequirement(requirement);
  }

  async #apply(takeSnapshot: () => Snapshot): Promise<readonly Unbound[]> {
    if (this.#stopped) return [];
    const { number, takenMs, served: wanted } = takeSnapshot();
    if (number < this.#newest) return [];
    this.#newest = number;
    this.#reachedMs = takenMs;
    for (const [key, { listener }] of this.#running) {
      if (wanted.has(key)) continue;
      this.#running.delete(key);
      await listener.close();
    }
    const unbound: Unbound[] = [];
    for (const [key, served] of wanted) {
      const running = this.#running.get(key);
      if (running !== undefined) {
        Object.assign(running, served);
        continue;
      }
      const error = await this.#start(key, served);
      if (error !== undefined) unbound.push({ forwardingRule: served.frontend.forwardingRule, error });
    }
    const { onUnbound = warnOfUnbound, onFrontEnds } = this.#options.observers ?? {};
    for (const unboundListener of unbound) onUnbound(unboundListener);
    onFrontEnds?.({
      time: this.#options.clock.now().toISOString(),
      certificatesFor: (hostname) => this.#certificatesFor(hostname),
    });
    return unbound;
  }

  #certificatesFor(hostname: string): readonly string[] {
    const secure = [...this.#running.values()].filter(({ frontend }) => frontend.proxy.kind !== "http");
    const found = secure.flatMap(({ entries }) => entryFor(hostname, entries)?.certificates ?? []);
    return [...new Set(found.map(({ name }) => name))];
  }

  /** Starts a listener. @returns error of the last attempt if no address was available */
  async #start(key: string, { frontend, entries, clients }: Served): Promise<Error | undefined> {
    const { forwardingRule, ipAddress, port } = frontend;
    const { candidates = candidatesFor } = this.#options;
    let refusal: Error | undefined;
    for (const candidate of candidates(forwardingRule, ipAddress, port)) {
      try {
        const respond = (request: object) => JSON.stringify({ forwardingRule, ...request });
        const listener =
          frontend.proxy.kind === "http"
            ? await startHttpListener(candidate.address, candidate.port, respond)
            : await startTlsListener(candidate, {
                contexts: this.#contexts,
                certificates: (hello) => selectCertificate(hello, this.#running.get(key)?.entries ?? entries),
                clients: () => (this.#running.get(key) ?? { clients }).clients,
                needsTls13: () => (this.#running.get(key) ?? { frontend }).frontend.minTlsVersion === "TLS_1_3",
                now: () => this.#options.clock.now(),
                respond,
                onHandshake: (report) => this.#report(forwardingRule, report),
              });
        this.#running.set(key, { frontend, entries, clients, listener });
        return undefined;
      } catch (error) {
        refusal = error as Error;
      }
    }
    return refusal;
  }

  #report(forwardingRule: string, report: HandshakeReport): void {
    this.#counter.add(report);
    this.#options.observers?.onHandshake?.(forwardingRule, report);
  }
}
