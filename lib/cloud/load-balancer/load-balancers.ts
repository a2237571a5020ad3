import type { Frontend } from "../compute";
import type { Clock } from "../state";
import {
  type CertificateEntries,
  createHandshakeCounter,
  createSecureContexts,
  type HandshakeCounts,
  type HandshakeReport,
  selectCertificate,
  startTlsListener,
  type TlsListener,
} from "../tls";
import { type HttpListener, startHttpListener } from "./http-listener";
import { type Candidate, candidatesFor } from "./listening-address";
import { type CertificateSource, ServerCertificates, servedBy } from "./served";
import { type Unbound, warnOfUnbound } from "./unbound";

export interface LoadBalancersOptions {
  readonly clock: Clock;
  readonly certificates: CertificateSource;
  /** What forwarding rules say at this moment. */
  readonly frontends: () => readonly Frontend[];
  /** How long a change takes to reach the listeners, in the cloud's time; asked at each change. */
  readonly propagationMs: () => number;
  /** Whether a certificate that was deleted is presented until the change that made it unused has arrived. @default true */
  readonly presentsDeleted?: boolean;
  /** Told of every handshake. */
  readonly onHandshake?: (forwardingRule: string, report: HandshakeReport) => void;
  /** Told of every forwarding rule that nothing could be bound for. @default {@link warnOfUnbound} */
  readonly onUnbound?: (unbound: Unbound) => void;
  /** Where a rule may listen, in the order in which to try. @default {@link candidatesFor} */
  readonly candidates?: (forwardingRule: string, ipAddress: string, port: number) => readonly Candidate[];
}

/** A forwarding rule, and where on this machine it is answered. */
export interface Listening {
  /** Full link. */
  readonly forwardingRule: string;
  readonly ipAddress: string;
  readonly port: number;
  readonly protocol: "tls" | "http";
  /** `ADDRESS:PORT`, the address in brackets where it is one of IPv6. */
  readonly listen: string;
}

interface Served {
  readonly frontend: Frontend;
  readonly entries: CertificateEntries;
}

/** What listeners are to serve, by forwarding rule and address, as it was at one time. */
interface Snapshot {
  /** Counts up: what is older than what listeners have comes too late. */
  readonly number: number;
  /** The cloud's time in milliseconds. */
  readonly takenMs: number;
  readonly served: ReadonlyMap<string, Served>;
}

interface Running {
  frontend: Frontend;
  entries: CertificateEntries;
  readonly listener: TlsListener | HttpListener;
}

/** Most contexts that are kept; one takes some 24 KB. */
const mostContexts = 2_048;

/** The TLS side of load balancers: each forwarding rule is a listener; one that leads to a target HTTP proxy speaks HTTP. */
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
    this.#serverCertificates = new ServerCertificates(options.certificates, options.presentsDeleted ?? true);
  }

  /**
   * Something has changed that listeners will learn of. Changes of a tenth of the delay travel together, so each takes between nine tenths of the delay
   * and all of it; where the delay was shortened in the meantime, a later change takes the earlier ones along.
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

  /**
   * Brings the listeners to what the rules say now, without delay; what is under way arrives with it.
   *
   * @returns rules that nothing could be bound for; all others are answered
   */
  settle(): Promise<readonly Unbound[]> {
    return this.#follow(() => this.#take());
  }

  /** The cloud's time in milliseconds up to which listeners know of every change. */
  reachedMs(): number {
    return this.#reachedMs;
  }

  /** Counts handshakes anew. */
  forgetHandshakes(): void {
    this.#counter.reset();
  }

  listening(): readonly Listening[] {
    return [...this.#running.values()].map(({ frontend, listener }) => {
      const { forwardingRule, ipAddress, port, proxyKind } = frontend;
      const address = listener.address.includes(":") ? `[${listener.address}]` : listener.address;
      const protocol = proxyKind === "http" ? "http" : "tls";
      return { forwardingRule, ipAddress, port, protocol, listen: `${address}:${listener.port}` };
    });
  }

  /** Handshakes by hostname and certificate. */
  handshakes(): HandshakeCounts {
    return this.#counter.counts();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
    await Promise.all([...this.#running.values()].map(({ listener }) => listener.close()));
    this.#running.clear();
  }

  /** One change at a time: two of them would fight over ports. */
  #follow(snapshot: () => Snapshot): Promise<readonly Unbound[]> {
    const done = this.#working.then(() => this.#apply(snapshot));
    // Whoever asked hears of a failure; the next change begins anew.
    this.#working = done.catch(() => undefined);
    return done;
  }

  /** What listeners would serve if they knew all that there is to know at this moment. */
  #take(): Snapshot {
    const { frontends, certificates, clock } = this.#options;
    const served = frontends().map((frontend) => {
      const key = `${frontend.forwardingRule} ${frontend.ipAddress} ${frontend.port} ${frontend.proxyKind === "http"}`;
      return [key, { frontend, entries: servedBy(frontend, certificates, this.#serverCertificates) }] as const;
    });
    return { number: ++this.#snapshots, takenMs: clock.now().getTime(), served: new Map(served) };
  }

  async #apply(tell: () => Snapshot): Promise<readonly Unbound[]> {
    if (this.#stopped) return [];
    const { number, takenMs, served: wanted } = tell();
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
    const { onUnbound = warnOfUnbound } = this.#options;
    for (const one of unbound) onUnbound(one);
    return unbound;
  }

  /** @returns why no place could be had, where that is so */
  async #start(key: string, { frontend, entries }: Served): Promise<Error | undefined> {
    const { forwardingRule, ipAddress, port } = frontend;
    const { candidates = candidatesFor } = this.#options;
    let refusal: Error | undefined;
    for (const candidate of candidates(forwardingRule, ipAddress, port)) {
      try {
        const respond = (request: object) => JSON.stringify({ forwardingRule, ...request });
        const listener =
          frontend.proxyKind === "http"
            ? await startHttpListener(candidate.address, candidate.port, respond)
            : await startTlsListener({
                ...candidate,
                contexts: this.#contexts,
                certificates: (hello) => selectCertificate(hello, this.#running.get(key)?.entries ?? entries),
                respond,
                onHandshake: (report) => this.#report(forwardingRule, report),
              });
        this.#running.set(key, { frontend, entries, listener });
        return undefined;
      } catch (error) {
        refusal = error as Error;
      }
    }
    return refusal;
  }

  #report(forwardingRule: string, report: HandshakeReport): void {
    this.#counter.add(report);
    this.#options.onHandshake?.(forwardingRule, report);
  }
}
