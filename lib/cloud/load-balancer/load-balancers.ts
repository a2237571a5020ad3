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
import { candidatesFor } from "./listening-address";
import { type CertificateSource, ServerCertificates, servedBy } from "./served";

export interface LoadBalancersOptions {
  readonly clock: Clock;
  readonly certificates: CertificateSource;
  /** What forwarding rules say at this moment. */
  readonly frontends: () => readonly Frontend[];
  /** How long a change takes to reach the listeners, in the cloud's time; asked at each change. */
  readonly propagationMs: () => number;
  /** Told of every handshake. */
  readonly onHandshake?: (forwardingRule: string, report: HandshakeReport) => void;
}

/** A forwarding rule, and where on this machine it is answered. */
export interface Listening {
  /** Full link. */
  readonly forwardingRule: string;
  readonly ipAddress: string;
  readonly port: number;
  /** `ADDRESS:PORT`, the address in brackets where it is one of IPv6. */
  readonly listen: string;
}

interface Served {
  readonly frontend: Frontend;
  readonly entries: CertificateEntries;
}

/** By forwarding rule and address. */
type Wanted = ReadonlyMap<string, Served>;

interface Running {
  frontend: Frontend;
  entries: CertificateEntries;
  readonly listener: TlsListener;
}

/** Most contexts that are kept; one takes some 24 KB. */
const mostContexts = 2_048;

/** The TLS side of load balancers: each forwarding rule that leads to a TLS proxy is a listener. */
export class LoadBalancers {
  readonly #options: LoadBalancersOptions;
  readonly #serverCertificates: ServerCertificates;
  readonly #contexts = createSecureContexts(mostContexts);
  readonly #counter = createHandshakeCounter();
  readonly #running = new Map<string, Running>();
  #gathering = false;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LoadBalancersOptions) {
    this.#options = options;
    this.#serverCertificates = new ServerCertificates(options.certificates);
  }

  /**
   * Something has changed that listeners will learn of. Changes of a tenth of the delay travel together, so each takes between nine tenths of the delay
   * and all of it.
   */
  changed(): void {
    if (this.#gathering || this.#stopped) return;
    this.#gathering = true;
    const { clock, propagationMs } = this.#options;
    const delayMs = propagationMs();
    clock.after(delayMs / 10, () => {
      this.#gathering = false;
      const wanted = this.#wanted();
      clock.after(delayMs - delayMs / 10, () => this.#follow(() => wanted));
    });
  }

  /** Brings the listeners to what the rules say now, without delay. */
  async settle(): Promise<void> {
    await this.#follow(() => this.#wanted());
  }

  /** Counts handshakes anew. */
  forgetHandshakes(): void {
    this.#counter.reset();
  }

  listening(): readonly Listening[] {
    return [...this.#running.values()].map(({ frontend: { forwardingRule, ipAddress, port }, listener }) => {
      const address = listener.address.includes(":") ? `[${listener.address}]` : listener.address;
      return { forwardingRule, ipAddress, port, listen: `${address}:${listener.port}` };
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
  #follow(wanted: () => Wanted): Promise<void> {
    const done = this.#working.then(() => this.#apply(wanted));
    // Whoever asked hears of a failure; the next change begins anew.
    this.#working = done.catch(() => undefined);
    return done;
  }

  /** What listeners would serve if they knew all that there is to know at this moment. */
  #wanted(): Wanted {
    const { frontends, certificates } = this.#options;
    const served = frontends()
      .filter(({ proxyKind }) => proxyKind !== "http")
      .map((frontend) => {
        const key = `${frontend.forwardingRule} ${frontend.ipAddress} ${frontend.port}`;
        return [key, { frontend, entries: servedBy(frontend, certificates, this.#serverCertificates) }] as const;
      });
    return new Map(served);
  }

  async #apply(tell: () => Wanted): Promise<void> {
    if (this.#stopped) return;
    const wanted = tell();
    for (const [key, { listener }] of this.#running) {
      if (wanted.has(key)) continue;
      this.#running.delete(key);
      await listener.close();
    }
    for (const [key, served] of wanted) {
      const running = this.#running.get(key);
      if (running === undefined) await this.#start(key, served);
      else Object.assign(running, served);
    }
  }

  async #start(key: string, { frontend, entries }: Served): Promise<void> {
    const { forwardingRule, ipAddress, port } = frontend;
    let refusal: unknown;
    for (const candidate of candidatesFor(forwardingRule, ipAddress, port)) {
      try {
        const listener = await startTlsListener({
          ...candidate,
          contexts: this.#contexts,
          certificates: (hello) => selectCertificate(hello, this.#running.get(key)?.entries ?? entries),
          respond: (request) => JSON.stringify({ forwardingRule, ...request }),
          onHandshake: (report) => this.#report(forwardingRule, report),
        });
        this.#running.set(key, { frontend, entries, listener });
        return;
      } catch (error) {
        refusal = error;
      }
    }
    throw refusal;
  }

  #report(forwardingRule: string, report: HandshakeReport): void {
    this.#counter.add(report);
    this.#options.onHandshake?.(forwardingRule, report);
  }
}
