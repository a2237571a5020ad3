import { ServiceError } from "../../errors";
import { coverageOf } from "../../hostnames";
import { familyOf, type KeyFamily } from "../../tls/key-families";
import type { ClientKind } from "./clients";
import type { HandshakeFailure } from "./codes";
import type { Handshake } from "./handshake";
import type { ServedCertificate } from "./served-certificate";

/** What clients can do with a hostname at one address. */
export interface SideAbilities {
  readonly address: string;
  /** As in `TLSv1.2`, oldest first. */
  readonly protocols: readonly string[];
  /** Kinds of keys, each served to clients that take no other. */
  readonly keyTypes: readonly KeyFamily[];
  /** Application protocols that can be agreed on, as in `h2`. */
  readonly alpn: readonly string[];
  /** Whether a client without SNI gets a certificate for the name. */
  readonly withoutSni: boolean;
}

/** What one client of the comparison is like. */
interface ClientParticulars {
  readonly client?: ClientKind;
  readonly alpn?: readonly string[];
  /** `null`: no SNI. */
  readonly serverName?: null;
}

/** What looking at an address came to. */
export type Look =
  | {
      readonly outcome: "seen";
      readonly abilities: SideAbilities;
      /** Servers with keys of both families may have a certificate with other names for either. */
      readonly certificates: readonly ServedCertificate[];
    }
  | {
      /** `unseen`: it made no handshake. `cut-off`: nobody knows, since the look ended before it was done. */
      readonly outcome: "unseen" | "cut-off";
      readonly address: string;
      readonly why: string;
      /** What it had served until then; empty where it was never seen. */
      readonly certificates: readonly ServedCertificate[];
    };

export interface LookOptions {
  /** One connection. Rejects with a ServiceError alone, where nobody can say any more how the address is reached: the look at it is cut off. */
  readonly shakeHands: (address: string, hostname: string, as: ClientParticulars) => Promise<Handshake>;
  /** Time, as `now` tells it, from which on no connection is begun. */
  readonly deadline: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const protocols = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;
const keyFamilies = ["rsa", "ecdsa"] as const;
const applicationProtocols = ["h2", "http/1.1"] as const;

/** Nine clients, each with the one connection that it makes: those of the newest protocol first. */
const clients: readonly ClientParticulars[] = [
  ...[...protocols].reverse().map((client) => ({ client })),
  ...keyFamilies.map((client) => ({ client })),
  ...applicationProtocols.map((protocol) => ({ alpn: [protocol] })),
  { serverName: null },
];

/** Failures in which no TCP connection came about: another client would fare no better. */
const unconnected: ReadonlySet<HandshakeFailure> = new Set([
  "connection-refused",
  "unreachable",
  "ipv6-not-here",
  "timeout",
]);
/** Clients that wait in vain for an answer of a server that has answered nobody yet. */
const mostSilences = 2;
/** Failures that take their time. */
const slow: ReadonlySet<string> = new Set<HandshakeFailure>(["timeout", "handshake-timeout", "unreachable"]);
/** Hostnames in a row for which an address may keep clients waiting in vain, before it is taken for dead. */
const mostFruitless = 3;

/**
 * Looks at hostnames at addresses, and remembers which addresses answer nobody, so that a dead one costs some time-outs and not some for every
 * hostname.
 */
export function createLooking(options: LookOptions): (address: string, hostname: string) => Promise<Look> {
  /** How many hostnames in a row were asked for in vain, by address. */
  const fruitless = new Map<string, number>();
  return async (address, hostname) => {
    const before = fruitless.get(address) ?? 0;
    if (before >= mostFruitless) {
      return { outcome: "unseen", address, why: `it answered nobody for ${before} names before`, certificates: [] };
    }
    const { look, answers } = await lookAt(address, hostname, options);
    if (answers) fruitless.set(address, 0);
    else if (look.outcome === "unseen" && slow.has(look.why)) fruitless.set(address, (fruitless.get(address) ?? 0) + 1);
    return look;
  };
}

/** @returns what it came to, and whether the address has answered anything */
async function lookAt(
  address: string,
  hostname: string,
  { shakeHands, deadline, now, signal }: LookOptions,
): Promise<{ readonly look: Look; readonly answers: boolean }> {
  const handshakes: Handshake[] = [];
  let silences = 0;
  let answers = false;
  const ended = (outcome: "unseen" | "cut-off", why: string) => ({
    look: { outcome, address, why, certificates: certificatesOf(handshakes) },
    answers,
  });
  for (const client of clients) {
    const isSeen = handshakes.some(({ certificate }) => certificate !== undefined);
    if (!isSeen && handshakes.length === protocols.length) break;
    if (!signal.aborted && now() >= deadline) return ended("cut-off", "the time was over");
    const handshake = signal.aborted ? undefined : await shakeHands(address, hostname, client).catch(refusedWay);
    // What was stopped in the middle says nothing of the side.
    if (handshake === undefined || signal.aborted) return ended("cut-off", "the run was stopped");
    if (handshake instanceof ServiceError) return ended("cut-off", handshake.message);
    handshakes.push(handshake);
    const code = handshake.ok ? undefined : handshake.code;
    if (code !== undefined && unconnected.has(code)) return ended(isSeen ? "cut-off" : "unseen", code);
    if (code !== "handshake-timeout") answers = true;
    else if (!isSeen) {
      silences += 1;
      if (silences >= mostSilences) return ended("unseen", code);
    }
  }
  const [newest] = handshakes;
  if (handshakes.length < clients.length && newest?.ok === false) return ended("unseen", newest.code);
  return { look: { outcome: "seen", ...described(address, hostname, handshakes) }, answers };
}

/** That nobody could say how the address is reached; anything else is thrown on. */
function refusedWay(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** What clients of today were served; one may have been served to several. */
function certificatesOf(handshakes: readonly Handshake[]): readonly ServedCertificate[] {
  return handshakes.slice(0, protocols.length + keyFamilies.length).flatMap(({ certificate }) => certificate ?? []);
}

/** What the handshakes of all nine clients, in their order, say of an address. */
function described(
  address: string,
  hostname: string,
  handshakes: readonly Handshake[],
): { readonly abilities: SideAbilities; readonly certificates: readonly ServedCertificate[] } {
  const ofProtocols = handshakes.slice(0, protocols.length).reverse();
  const ofKeys = handshakes.slice(protocols.length, protocols.length + keyFamilies.length);
  const ofAlpn = handshakes.slice(-1 - applicationProtocols.length, -1);
  const bare = handshakes.at(-1)?.certificate;
  const keyTypes = keyFamilies.filter(
    (family, index) => familyOf(ofKeys[index]?.certificate?.keyType ?? "") === family,
  );
  return {
    certificates: certificatesOf(handshakes),
    abilities: {
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
