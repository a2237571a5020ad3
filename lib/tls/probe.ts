import { connect as connectTcp } from "node:net";
import { Duplex } from "node:stream";
import { connect, createSecureContext, type SecureContext, type SecureContextOptions, type TLSSocket } from "node:tls";
import { defined } from "../json/defined";
import { readCertificate, refusalOfCertificate } from "../x509";
import { onlyFamily } from "./key-families";
import { plaintextAnswers } from "./plaintext-answer";
import { readSentChain, type SentChain } from "./sent-chain";

/** Certificates that a client accepts: ECDSA only, RSA only, or every key type, also with TLS 1.0 and old ciphers. */
export type Offer = "ecdsa" | "rsa" | "legacy";

/** Why a handshake brought no certificate. `not-asked`: the run ended before the server was asked. */
export type TlsProbeFailure =
  | "connection-refused"
  | "unreachable"
  | "timeout"
  | "plaintext-answer"
  | "handshake-refused"
  | "certificate-malformed"
  | "not-asked";

/** Used instead of OpenSSL's error code if the handshake ended before OpenSSL verified the chain. */
export const handshakeUnfinished = "HANDSHAKE_UNFINISHED";

/** The answer of a server to one offer. */
export type TlsProbeResult =
  | {
      readonly ok: true;
      /** For example `TLSv1.3`. */
      readonly protocol: string;
      /** The certificates in DER, in the order in which they were sent; never empty. */
      readonly chain: readonly Uint8Array[];
      /** OpenSSL's code for why the chain is not trusted; absent if the chain is trusted. Names are not checked. */
      readonly distrust?: string;
      readonly clientCertificateWanted: boolean;
    }
  | { readonly ok: false; readonly code: TlsProbeFailure; readonly detail: string };

/** The server and the client of a handshake. */
export interface TlsProbeTarget {
  readonly address: string;
  readonly port: number;
  /** The name that the client requests (SNI); absent if it names no host. */
  readonly serverName?: string;
  readonly timeoutMs: number;
  readonly secureContext: SecureContext;
  readonly signal: AbortSignal;
}

/** Octets from a server that are kept. OpenSSL refuses a chain of more than 100 KB. */
const maxReceivedOctets = 256 * 1024;
/** Milliseconds that a server may take to end a connection after the handshake. */
const closeTimeoutMs = 500;

const offers: Readonly<Record<Offer, SecureContextOptions>> = {
  ecdsa: { minVersion: "TLSv1.2", ...onlyFamily("ecdsa", { withRare: true }) },
  rsa: { minVersion: "TLSv1.2", ...onlyFamily("rsa", { withRare: true }) },
  legacy: { minVersion: "TLSv1", ciphers: "DEFAULT:@SECLEVEL=0" },
};

/**
 * Creates the client context of each offer, for use by all connections: creating a context costs as much as a
 * handshake.
 *
 * @param ca roots to trust, in PEM; undefined for Node's own roots
 */
export function createOffers(ca: readonly string[] | undefined): Readonly<Record<Offer, SecureContext>> {
  const make = (offer: Offer) =>
    createSecureContext({ ...offers[offer], ...(ca === undefined ? {} : { ca: [...ca] }), maxVersion: "TLSv1.3" });
  return { ecdsa: make("ecdsa"), rsa: make("rsa"), legacy: make("legacy") };
}

/**
 * Completes one full TLS handshake and then ends the connection. Every certificate of the server is accepted, and
 * nothing is sent except the handshake. Never rejects.
 */
export function probeTls({
  address,
  port,
  serverName,
  timeoutMs,
  secureContext,
  signal,
}: TlsProbeTarget): Promise<TlsProbeResult> {
  return new Promise((resolve) => {
    const recording = createRecording();
    const tcp = connectTcp({ host: address, port });
    const socket = connect({
      socket: copyIncoming(tcp, recording.addOctets),
      ...defined({ servername: serverName }),
      secureContext,
      rejectUnauthorized: false,
      // The caller checks names, so that an unknown root and a wrong name are reported separately.
      checkServerIdentity: () => undefined,
    });
    const finish = (probe: TlsProbeResult) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      if (probe.ok) {
        socket.end();
        setTimeout(() => tcp.destroy(), closeTimeoutMs).unref();
      } else {
        socket.destroy();
        tcp.destroy();
      }
      resolve(probe);
    };
    const fail = (code: TlsProbeFailure, detail: string) => finish({ ok: false, code, detail });
    const timer = setTimeout(() => fail("timeout", `no answer in ${timeoutMs} ms`), timeoutMs);
    const stop = () => fail("not-asked", "the run was stopped");
    socket.on("keylog", recording.addSecret);
    socket.once("secureConnect", () => {
      const sent = recording.sentChain();
      const malformed = sent && malformedIn(sent.certificates.slice(0, 1));
      if (sent === undefined) fail("handshake-refused", "the server's certificates can't be read");
      else if (malformed !== undefined) fail("certificate-malformed", malformed);
      else finish(succeeded(sent, socket, socket.authorized ? undefined : String(socket.authorizationError)));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // Before TLS 1.3, a server that requires a client certificate refuses only after it has sent its own certificate.
      const sent = recording.sentChain();
      // OpenSSL ends the handshake at the first certificate that it can't read.
      const malformed = sent && malformedIn(sent.certificates);
      if (malformed !== undefined) fail("certificate-malformed", malformed);
      finish(sent?.clientCertificateWanted === true ? succeeded(sent, socket, handshakeUnfinished) : explain(error));
    });
    tcp.on("error", (error: NodeJS.ErrnoException) => finish(explain(error)));
    tcp.once("close", () => fail("handshake-refused", "the server closed the connection"));
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  });
}

function malformedIn(certificates: readonly Uint8Array[]): string | undefined {
  const index = certificates.findIndex((der) => readCertificate(der) === undefined);
  const der = certificates[index];
  if (der === undefined) return undefined;
  const reason = refusalOfCertificate(der) ?? "its form or its dates are invalid";
  return index === 0 ? reason : `certificate ${index + 1} of the chain: ${reason}`;
}

function createRecording() {
  const received: Buffer[] = [];
  let octets = 0;
  let handshakeSecret: Buffer | undefined;
  return {
    addOctets: (chunk: Buffer): void => {
      octets += chunk.length;
      if (octets <= maxReceivedOctets) received.push(chunk);
    },
    /** @param line in the format of NSS key logs, in which Node reports secrets */
    addSecret: (line: Buffer): void => {
      const [label, , secret] = line.toString("latin1").trim().split(" ");
      if (label === "SERVER_HANDSHAKE_TRAFFIC_SECRET") handshakeSecret = Buffer.from(secret ?? "", "hex");
    },
    sentChain: (): SentChain | undefined => readSentChain(Buffer.concat(received), handshakeSecret),
  };
}

function succeeded(
  { certificates: chain, clientCertificateWanted }: SentChain,
  socket: TLSSocket,
  distrust: string | undefined,
): TlsProbeResult {
  const protocol = socket.getProtocol() ?? "";
  return { ok: true, protocol, chain, clientCertificateWanted, ...defined({ distrust }) };
}

/** Returns the same stream, and passes a copy of the incoming octets to `record`. */
function copyIncoming(tcp: ReturnType<typeof connectTcp>, record: (chunk: Buffer) => void): Duplex {
  const stream = new Duplex({
    read: () => {
      tcp.resume();
    },
    write: (chunk, _encoding, done) => {
      tcp.write(chunk, done);
    },
    final: (done) => {
      tcp.end(done);
    },
    destroy: (error, done) => {
      tcp.destroy();
      done(error);
    },
  });
  tcp.on("data", (chunk: Buffer) => {
    record(chunk);
    if (!stream.push(chunk)) tcp.pause();
  });
  tcp.once("end", () => stream.push(null));
  return stream;
}

function explain({ code = "", message }: NodeJS.ErrnoException): TlsProbeResult {
  if (code === "ECONNREFUSED") return { ok: false, code: "connection-refused", detail: code };
  if (code === "ETIMEDOUT") return { ok: false, code: "timeout", detail: code };
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM|EINVAL)$/.test(code)) {
    return { ok: false, code: "unreachable", detail: code };
  }
  const refusal = plaintextAnswers.has(code) ? "plaintext-answer" : "handshake-refused";
  return { ok: false, code: refusal, detail: code || message };
}
