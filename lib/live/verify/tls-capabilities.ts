import { ServiceError } from "../../errors";
import { coverageOf } from "../../hostnames";
import { familyOf, type KeyFamily } from "../../tls/key-families";
import type { HandshakeFailure } from "./codes";
import type { Handshake } from "./handshake";
import type { ClientKind, ServedCertificate } from "./handshake-model";

/** Properties of the TLS service for a hostname at one address. */
export interface TlsCapabilities {
  readonly address: string;
  /** For example `TLSv1.2`, oldest first. */
  readonly protocols: readonly string[];
  /** Key types served to clients that accept only that type. */
  readonly keyTypes: readonly KeyFamily[];
  /** Application protocols that ALPN can negotiate, for example `h2`. */
  readonly alpn: readonly string[];
  /** Whether a client without SNI gets a certificate for the name. */
  readonly withoutSni: boolean;
}

interface ClientParticulars {
  readonly client?: ClientKind;
  readonly alpn?: readonly string[];
  /** `null`: no SNI. */
  readonly serverName?: null;
}

export type Examination =
  | {
      readonly outcome: "seen";
      readonly capabilities: TlsCapabilities;
      /**
       * Certificates that the address served. Servers with keys of both types may have certificates with different
       * names.
       */
      readonly certificates: readonly ServedCertificate[];
    }
  | {
      /**
       * `unseen`: the address completed no handshake. `cut-off`: the result is unknown, because the examination ended
       * early.
       */
      readonly outcome: "unseen" | "cut-off";
      readonly address: string;
      readonly why: string;
      /** Certificates served before the end; may be empty. */
      readonly certificates: readonly ServedCertificate[];
    };

export interface ExamineOptions {
  /**
   * Makes one connection. Rejects only with a ServiceError, if the route to the address cannot be determined; the
   * examination of the address then ends.
   */
  readonly shakeHands: (address: string, hostname: string, as: ClientParticulars) => Promise<Handshake>;
  /** Time, on the clock of `now`, from which no connection starts. */
  readonly deadline: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const protocols = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;
const keyFamilies = ["rsa", "ecdsa"] as const;
const applicationProtocols = ["h2", "http/1.1"] as const;

/** Nine clients, newest protocol first. Each makes one connection. */
const clients: readonly ClientParticulars[] = [
  ...[...protocols].reverse().map((client) => ({ client })),
  ...keyFamilies.map((client) => ({ client })),
  ...applicationProtocols.map((protocol) => ({ alpn: [protocol] })),
  { serverName: null },
];

/** Failures without a TCP connection. Other clients would fail in the same way. */
const unconnected: ReadonlySet<HandshakeFailure> = new Set([
  "connection-refused",
  "unreachable",
  "ipv6-not-here",
  "timeout",
]);
/** Number of time-outs before a server counts as silent, until it presents a certificate. */
const mostSilences = 2;
const slow: ReadonlySet<string> = new Set<HandshakeFailure>(["timeout", "handshake-timeout", "unreachable"]);
/** Number of consecutive hostnames with time-outs after which an address is considered unreachable. */
const mostFruitless = 3;

/** Remembers unreachable addresses, so that such an address costs only a few time-outs. */
export function createExaminer(options: ExamineOptions): (address: string, hostname: string) => Promise<Examination> {
  /** Number of consecutive hostnames without an answer, by address. */
  const fruitless = new Map<string, number>();
  return async (address, hostname) => {
    const before = fruitless.get(address) ?? 0;
    if (before >= mostFruitless) {
      return { outcome: "unseen", address, why: `it did not answer for ${before} names before`, certificates: [] };
    }
    const { examination, answers } = await examine(address, hostname, options);
    if (answers) fruitless.set(address, 0);
    else if (examination.outcome === "unseen" && slow.has(examination.why))
      fruitless.set(address, (fruitless.get(address) ?? 0) + 1);
    return examination;
  };
}

/** Examines a hostname at an address. @returns the result, and whether the address answered at all */
async function examine(
  address: string,
  hostname: string,
  { shakeHands, deadline, now, signal }: ExamineOptions,
): Promise<{ readonly examination: Examination; readonly answers: boolean }> {
  const handshakes: Handshake[] = [];
  let silences = 0;
  let answers = false;
  const ended = (outcome: "unseen" | "cut-off", why: string) => ({
    examination: { outcome, address, why, certificates: certificatesOf(handshakes) },
    answers,
  });
  for (const client of clients) {
    const isSeen = handshakes.some(({ certificate }) => certificate !== undefined);
    if (!isSeen && handshakes.length === protocols.length) break;
    if (!signal.aborted && now() >= deadline) return ended("cut-off", "the time was over");
    const handshake = signal.aborted ? undefined : await shakeHands(address, hostname, client).catch(refusedWay);
    // A connection that was stopped shows nothing about the server.
    if (handshake === undefined || signal.aborted) return ended("cut-off", "the run was stopped");
    if (handshake instanceof ServiceError) return ended("cut-off", handshake.message);
    handshakes.push(handshake);
    const code = handshake.ok ? undefined : handshake.code;
    if (code !== undefined && unconnected.has(code)) return ended(isSeen ? "cut-off" : "unseen", code);
    if (code !== "handshake-timeout") {
      answers = true;
      silences = 0;
    } else {
      // A server that stops to answer shows no further property; one silence is also how some servers refuse a client.
      silences += 1;
      if (silences >= mostSilences) return ended(isSeen ? "cut-off" : "unseen", code);
    }
  }
  const [newest] = handshakes;
  if (handshakes.length < clients.length && newest?.ok === false) return ended("unseen", newest.code);
  return { examination: { outcome: "seen", ...described(address, hostname, handshakes) }, answers };
}

/** Returns the error if the route to an address cannot be determined; rethrows any other error. */
function refusedWay(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** Returns the certificates served to the clients with different protocols and key types; may have duplicates. */
function certificatesOf(handshakes: readonly Handshake[]): readonly ServedCertificate[] {
  return handshakes.slice(0, protocols.length + keyFamilies.length).flatMap(({ certificate }) => certificate ?? []);
}

/** Derives the properties of an address from the handshakes of all nine clients, in their order. */
function described(
  address: string,
  hostname: string,
  handshakes: readonly Handshake[],
): { readonly capabilities: TlsCapabilities; readonly certificates: readonly ServedCertificate[] } {
  const ofProtocols = handshakes.slice(0, protocols.length).reverse();
  const ofKeys = handshakes.slice(protocols.length, protocols.length + keyFamilies.length);
  const ofAlpn = handshakes.slice(-1 - applicationProtocols.length, -1);
  const bare = handshakes.at(-1)?.certificate;
  const keyTypes = keyFamilies.filter(
    (family, index) => familyOf(ofKeys[index]?.certificate?.keyType ?? "") === family,
  );
  return {
    certificates: certificatesOf(handshakes),
    capabilities: {
      address,
      protocols: protocols.filter((_, index) => ofProtocols[index]?.certificate !== undefined),
      keyTypes,
      alpn: applicationProtocols.filter((protocol, index) => {
        const handshake = ofAlpn[index];
        return handshake?.ok === true && handshake.alpn === protocol;
      }),
      withoutSni: bare !== undefined && coverageOf(new Set(bare.dnsNames), hostname) !== "none",
    },
  };
}
