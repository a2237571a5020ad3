import type { X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from "node:tls";
import { describeCertificate, isOutOfOrder, readCertificate } from "../../x509";
import type { Explained } from "./explain";
import type { ServedCertificate } from "./handshake-model";

/** Smallest keys that clients accept, in bits. */
const leastBits = { rsa: 2048, ecdsa: 256 } as const;

/**
 * Returns the failures of the chain that a server sent; Node gives the chain in the order of the message only once.
 *
 * @param peer the certificate of the server, with its issuers if Node trusts it
 */
export function chainFailures(
  socket: TLSSocket,
  { keyType }: Pick<ServedCertificate, "keyType">,
  peer: PeerCertificate | DetailedPeerCertificate,
): ChainFaults {
  return { ...faultsOf(socket, trustedPathOf(peer)), ...keyFailure({ keyType }) };
}

/** Returns the failure of a certificate whose own key is too short. */
export function keyFailure({ keyType }: Pick<ServedCertificate, "keyType">): Pick<ChainFaults, "weakKey"> {
  return isWeak(keyType) ? { weakKey: { code: "weak-key", detail: keyType } } : {};
}

/** Failures of a chain: a key that is too short, and an order that a client can only use after sorting it. */
export interface ChainFaults {
  readonly weakKey?: Explained;
  readonly order?: Explained;
}

/** Chains that servers have sent, by the fingerprints of their certificates. Many hostnames are served by one chain. */
const known = new Map<string, ChainFaults>();
const mostKnown = 1_024;

/** Equal chains that a server has sent in a row, by its address and the trusted path of its certificate. */
const repeated = new Map<string, { readonly faults: ChainFaults; readonly times: number }>();
const mostRepeated = 65_536;
/**
 * Number of equal chains in a row after which the chain is not read again. A certificate has at most a hundred names at
 * public CAs.
 */
const mostReadings = 200;
/**
 * Number of readings in this process beyond the first one of each path. Node 20 never frees the native memory of a
 * reading, 5 KB, and a monitor that repeats its passes makes millions of handshakes.
 */
let furtherReadings = 2_000;

function faultsOf(socket: TLSSocket, path: string): ChainFaults {
  const key = `${socket.remoteAddress} ${socket.remotePort} ${path}`;
  const verdict = repeated.get(key);
  const times = verdict?.times ?? 0;
  const isSettled = verdict !== undefined && times >= (furtherReadings > 0 ? mostReadings : 1);
  const faults = isSettled ? verdict.faults : faultsOfChain(chainOf(socket));
  if (!isSettled) {
    if (times >= 1) furtherReadings -= 1;
    if (verdict === undefined && repeated.size >= mostRepeated) repeated.delete(repeated.keys().next().value as string);
    repeated.set(key, { faults, times: verdict?.faults === faults ? times + 1 : 1 });
  }
  return faults;
}

/**
 * Returns the fingerprints of a certificate and its issuers, which Node has read already. Another path shows that the
 * server has changed its chain, so that the chain is read again.
 */
function trustedPathOf(peer: PeerCertificate | DetailedPeerCertificate): string {
  const path = new Set<string>();
  let next: PeerCertificate | DetailedPeerCertificate | undefined = peer;
  // A root is its own issuer.
  while (next?.fingerprint256 !== undefined && !path.has(next.fingerprint256)) {
    path.add(next.fingerprint256);
    next = "issuerCertificate" in next ? next.issuerCertificate : undefined;
  }
  return [...path].join(" ");
}

function faultsOfChain(certificates: readonly X509Certificate[]): ChainFaults {
  const key = certificates.map(({ fingerprint256 }) => fingerprint256).join(" ");
  const before = known.get(key);
  if (before !== undefined) return before;
  const faults = examine(certificates);
  if (known.size >= mostKnown) known.delete(known.keys().next().value as string);
  known.set(key, faults);
  return faults;
}

function examine(certificates: readonly X509Certificate[]): ChainFaults {
  const [, ...issuers] = certificates;
  // Clients trust a root for its own sake, whatever its key.
  const weak = issuers.find((issuer) => issuer.issuer !== issuer.subject && isWeak(keyTypeOf(issuer)));
  const names = certificates.map(({ subject }) => nameOf(subject));
  return {
    ...(weak && {
      weakKey: { code: "weak-key", detail: `${keyTypeOf(weak)} of ${nameOf(weak.subject)} in the chain` },
    }),
    ...(isOutOfOrder(certificates) && { order: { code: "chain-out-of-order", detail: names.join(", then ") } }),
  };
}

/** Returns the certificates that the server sent. Node links them in the order of the message. */
function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const certificates: X509Certificate[] = [];
  for (let next = socket.getPeerX509Certificate(); next !== undefined; next = next.issuerCertificate) {
    certificates.push(next);
  }
  return certificates;
}

function isWeak(keyType: string): boolean {
  const [, family, bits] = /^(rsa|ecdsa)-\D*(\d{3,})/.exec(keyType) ?? [];
  return family !== undefined && Number(bits) < leastBits[family as keyof typeof leastBits];
}

function keyTypeOf(certificate: X509Certificate): string {
  const read = readCertificate(certificate.raw);
  return read === undefined ? "unknown" : describeCertificate(read).keyType;
}

/** Returns a distinguished name on one line. @param subject undefined in Node 20 if the name is empty */
function nameOf(subject: string | undefined): string {
  return subject === undefined || subject === "" ? "a certificate without a subject" : subject.split("\n").join(", ");
}
