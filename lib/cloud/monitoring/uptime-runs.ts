import { connect, createSecureContext, type SecureContext } from "node:tls";
import type { Json } from "../front";
import type { Clock, Collection } from "../state";

/** An uptime check as the API returns it. */
export interface UptimeCheck extends Json {
  /** `projects/P/uptimeCheckConfigs/ID`. */
  readonly name: string;
}

/** Result of one run, the same at each location. */
export interface UptimeRun {
  /** The cloud's time in milliseconds. */
  readonly atMs: number;
  readonly isPassed: boolean;
  /** Why the run failed; absent if it passed. */
  readonly failure?: string;
  /** End of the presented certificate in milliseconds; absent if none was presented. */
  readonly notAfterMs?: number;
}

/** How checks reach servers. */
export interface UptimeReach {
  readonly addressesOf: (hostname: string) => Promise<readonly string[]>;
  /** Returns `ADDRESS:PORT` on this machine for an address; undefined for a server that the cloud does not know. */
  readonly listenerOf: (address: string, port: number) => string | undefined;
  /** Roots that checks trust, in PEM. */
  readonly trusted: () => string;
}

interface UptimeRunsOptions extends UptimeReach {
  readonly clock: Clock;
  readonly checks: Collection<UptimeCheck>;
  readonly onRun: (check: UptimeCheck) => void;
}

const secondMs = 1_000;
const usualPeriodMs = 300 * secondMs;
/** Time from the creation of a check to its first run. */
const firstRunMs = 60 * secondMs;
/**
 * Time for which a result is repeated without another request, unless DNS or load balancers change: months of checks
 * take minutes otherwise.
 */
const repeatedMs = 6 * 3_600 * secondMs;
const timeoutMs = 5 * secondMs;

/** Runs uptime checks over HTTPS: looks up the hostname, sends a request, and validates the certificate. */
export class UptimeRuns {
  readonly #options: UptimeRunsOptions;
  /** Latest results by the name of the check. */
  readonly #results = new Map<string, UptimeRun>();
  /** The latest run with a request, and the changes until then, by the name of the check. */
  readonly #requested = new Map<
    string,
    { readonly run: UptimeRun | undefined; readonly changes: number; readonly atMs: number }
  >();
  readonly #context = new Map<string, SecureContext>();
  #changes = 0;

  constructor(options: UptimeRunsOptions) {
    this.#options = options;
    options.checks.watch((name, before, after) => {
      if (before === undefined && after !== undefined) this.#runIn(firstRunMs, name);
      this.#requested.delete(name);
      if (after === undefined) this.#results.delete(name);
    });
    for (const { name } of options.checks.values()) this.#runIn(firstRunMs, name);
  }

  /** Notes that DNS or load balancers have changed. */
  changed(): void {
    this.#changes++;
  }

  latest(name: string): UptimeRun | undefined {
    return this.#results.get(name);
  }

  #runIn(ms: number, name: string): void {
    this.#options.clock.after(ms, () => this.#run(name));
  }

  async #run(name: string): Promise<void> {
    const check = this.#options.checks.get(name);
    if (check === undefined) return;
    this.#runIn(periodMsOf(check), name);
    if (check.disabled !== true) {
      const run = await this.#result(check);
      if (run !== undefined) this.#results.set(name, run);
    }
    const current = this.#options.checks.get(name);
    if (current !== undefined) this.#options.onRun(current);
  }

  async #result(check: UptimeCheck): Promise<UptimeRun | undefined> {
    const atMs = this.#options.clock.now().getTime();
    const known = this.#requested.get(check.name);
    const isCurrent = known !== undefined && known.changes === this.#changes && atMs - known.atMs < repeatedMs;
    const { notAfterMs = Number.POSITIVE_INFINITY } = known?.run ?? {};
    if (isCurrent && atMs < notAfterMs) return known.run && { ...known.run, atMs };
    const changes = this.#changes;
    const run = await this.#request(check, atMs);
    this.#requested.set(check.name, { run, changes, atMs });
    return run;
  }

  /** Requests the host of a check. @returns undefined if the cloud knows neither its address nor its server */
  async #request(check: UptimeCheck, atMs: number): Promise<UptimeRun | undefined> {
    const { host, port, isValidated } = targetOf(check);
    if (host === "") return undefined;
    const addresses = await this.#options.addressesOf(host);
    if (addresses.length === 0) return { atMs, isPassed: false, failure: "DNS_FAILURE" };
    const listener = addresses.flatMap((address) => this.#options.listenerOf(address, port) ?? [])[0];
    if (listener === undefined) return undefined;
    const colon = listener.lastIndexOf(":");
    const place = { host: listener.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(listener.slice(colon + 1)) };
    const {
      error,
      notAfterMs,
      isRefused = false,
    } = await shakeHands(place, host, this.#contextOf(this.#options.trusted()));
    const isExpired = notAfterMs !== undefined && notAfterMs <= atMs;
    const failure = isExpired ? "CERT_HAS_EXPIRED" : error;
    const isPassed = !isRefused && (failure === undefined || (!isValidated && notAfterMs !== undefined));
    return {
      atMs,
      isPassed,
      ...(isPassed || failure === undefined ? {} : { failure }),
      ...(notAfterMs === undefined ? {} : { notAfterMs }),
    };
  }

  #contextOf(ca: string): SecureContext {
    const known = this.#context.get(ca) ?? createSecureContext({ ca });
    this.#context.clear();
    this.#context.set(ca, known);
    return known;
  }
}

function periodMsOf({ period }: UptimeCheck): number {
  const seconds = Number(/^(\d+)s$/.exec(String(period))?.[1] ?? 0);
  return seconds === 0 ? usualPeriodMs : seconds * secondMs;
}

/** Returns what a check requests; without a host if it is no check of a URL. */
function targetOf({ monitoredResource, httpCheck }: UptimeCheck) {
  const { type, labels } = (monitoredResource ?? {}) as { readonly type?: string; readonly labels?: Json };
  const { useSsl, validateSsl, port } = (httpCheck ?? {}) as {
    readonly useSsl?: boolean;
    readonly validateSsl?: boolean;
    readonly port?: number;
  };
  const isHttps = type === "uptime_url" && useSsl === true;
  return { host: isHttps ? String(labels?.host ?? "") : "", port: port || 443, isValidated: validateSsl === true };
}

interface HandshakeEnd {
  /** Why the handshake, the validation of the certificate or the request failed; absent if none of them did. */
  readonly error?: string;
  readonly notAfterMs?: number;
  /** Whether the server presented a certificate and then ended the connection without an answer. */
  readonly isRefused?: boolean;
}

/**
 * Shakes hands and requests `/`. In TLS 1.3, a server that requires a client certificate refuses the client only after
 * the client's last message, so the handshake counts only once the server answers.
 */
function shakeHands(
  { host, port }: { readonly host: string; readonly port: number },
  servername: string,
  secureContext: SecureContext,
): Promise<HandshakeEnd> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername, secureContext, rejectUnauthorized: false, timeout: timeoutMs });
    let presented: HandshakeEnd | undefined;
    const end = (result: HandshakeEnd) => {
      socket.removeAllListeners();
      socket.on("error", () => undefined);
      socket.destroy();
      resolve(result);
    };
    const fail = (error: string) => end(presented === undefined ? { error } : { ...presented, error, isRefused: true });
    socket.once("timeout", () => fail("timeout"));
    socket.once("error", ({ code, message }: NodeJS.ErrnoException) => fail(code ?? message));
    socket.once("end", () => fail("closed without an answer"));
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      const notAfterMs = certificate === undefined ? {} : { notAfterMs: Date.parse(certificate.validTo) };
      const result = socket.authorized ? notAfterMs : { ...notAfterMs, error: String(socket.authorizationError) };
      presented = result;
      socket.once("data", () => end(result));
      socket.write(`HEAD / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
    });
  });
}
