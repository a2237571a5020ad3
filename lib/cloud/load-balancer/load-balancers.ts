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
  #pending = false;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LoadBalancersOptions) {
    this.#options = options;
    this.#serverCertificates = new ServerCertificates(options.certificates);
  }

  /** Something has changed that listeners will learn of. */
  changed(): void {
    if (this.#pending || this.#stopped) return;
    this.#pending = true;
    this.#options.clock.after(this.#options.propagationMs(), () => {
      this.#pending = false;
      return this.#follow();
    });
  }

  /** Brings the listeners to what the rules say now, without delay. */
  async settle(): Promise<void> {
    await this.#follow();
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
  #follow(): Promise<void> {
    this.#working = this.#working.then(() => this.#apply());
    return this.#working;
  }

  async #apply(): Promise<void> {
    if (this.#stopped) return;
    const wanted = new Map(
      this.#options
        .frontends()
        .filter(({ proxyKind }) => proxyKind !== "http")
        .map((frontend) => [`${frontend.forwardingRule} ${frontend.ipAddress} ${frontend.port}`, frontend]),
    );
    for (const [key, { listener }] of this.#running) {
      if (wanted.has(key)) continue;
      this.#running.delete(key);
      await listener.close();
    }
    for (const [key, frontend] of wanted) {
      const entries = servedBy(frontend, this.#options.certificates, this.#serverCertificates);
      const running = this.#running.get(key);
      if (running === undefined) await this.#start(key, frontend, entries);
      else Object.assign(running, { frontend, entries });
    }
  }

  async #start(key: string, frontend: Frontend, entries: CertificateEntries): Promise<void> {
    const { forwardingRule, ipAddress, port } = frontend;
    let refusal: unknown;
    for (const candidate of candidatesFor(forwardingRule, ipAddress, port)) {
      try {
        const listener = await startTlsListener({
          ...candidate,
          contexts: this.#contexts,
          certificates: (hello) => selectCertificate(hello, this.#running.get(key)?.entries ?? entries),
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
