import { isIPv6 } from "node:net";
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
  type TLSSocketOptions,
} from "node:tls";
import { ocspFault } from "../../x509";
import { awaitAcceptance } from "./acceptance";
import type { HandshakeFailure } from "./codes";
import { type Explained, explainError, explainRejection, explainTrust, type Stage } from "./explain";
import { readHttpAnswer } from "./http-answer";
import { createCertificateReading, type ServedCertificate } from "./served-certificate";

export type { HandshakeFailure } from "./codes";

/** How one connection ended. */
export type Handshake =
  | {
      readonly ok: true;
      readonly certificate: ServedCertificate;
      /** As in `TLSv1.3`. */
      readonly protocol: string;
      /** What was agreed on by ALPN, as in `h2`; absent where nothing was. */
      readonly alpn?: string;
      /** Status of the answer, where one was asked for. */
      readonly httpStatus?: number;
      /** Why the OCSP response that a must-staple certificate needs is missing or of no use. Absent where all is well, or where none is needed. */
      readonly stapleFault?: string;
      /** The server said nothing after the handshake, so nobody knows whether it has accepted the client. Absent where it has. */
      readonly unconfirmed?: true;
    }
  | {
      readonly ok: false;
      readonly code: HandshakeFailure;
      /** What came back; untrusted. */
      readonly detail: string;
      /** What was served, where it came to that. */
      readonly certificate?: ServedCertificate;
    };

export interface HandshakeTarget {
  readonly address: string;
  readonly port: number;
  /** What the client asks for (SNI) and checks the certificate against. */
  readonly hostname: string;
  /** For the whole of it: connection, handshake, answer. */
  readonly timeoutMs: number;
  /** One for all connections: making it costs as much as a handshake. */
  readonly secureContext: SecureContext;
  /** What is asked for instead of the hostname, to see what others get; `null`: no SNI at all. Names are not checked then. @default - the hostname */
  readonly serverName?: string | null;
  /** Application protocols to offer. @default - none; `http/1.1` with `http` */
  readonly alpn?: readonly string[];
  /** Whether to ask for `HEAD /` as well. @default false */
  readonly http?: boolean;
  /** Whether to read until the server has accepted the handshake, or has been silent for 500 ms. @default true */
  readonly confirm?: boolean;
  /** Aborted, it tears the connection down; the handshake counts as one that came to nothing. */
  readonly signal?: AbortSignal;
}

const reading = createCertificateReading();
/** How long a server may take to end its side after the handshake, before it is cut off. */
const farewellMs = 1_000;

/** One full TLS handshake to an address, with the name as a browser would send it. Never rejects. */
export function shakeHands(target: HandshakeTarget): Promise<Handshake> {
  const {
    address,
    port,
    hostname,
    timeoutMs,
    secureContext,
    serverName = hostname,
    http = false,
    confirm = true,
  } = target;
  return new Promise((resolve) => {
    let stage: Stage = "connecting";
    let peer: PeerCertificate | undefined;
    let staple: Buffer | null = null;
    let stopReading = () => {};
    const alpn = target.alpn ?? (http ? ["http/1.1"] : []);
    const options: ConnectionOptions & Pick<TLSSocketOptions, "requestOCSP"> = {
      host: address,
      port,
      secureContext,
      // Judged below, so that a wrong certificate is told from no certificate.
      rejectUnauthorized: false,
      // As browsers do: servers staple an OCSP response only for clients that ask for one.
      requestOCSP: true,
      // Node reads the certificate for this anyway: reading it once more would cost a tenth of the handshake.
      checkServerIdentity: (_, presented) => {
        peer = presented;
        return undefined;
      },
      ...(serverName === null ? {} : { servername: serverName }),
      ...(alpn.length === 0 ? {} : { ALPNProtocols: [...alpn] }),
    };
    let socket: TLSSocket;
    try {
      socket = connect(options);
    } catch (error) {
      // What no server could be asked for, as a name with characters that none has.
      resolve({ ok: false, code: "handshake-failed", detail: (error as Error).message });
      return;
    }
    /** What the client made of the handshake, until the server has accepted it. */
    let done: Extract<Handshake, { readonly ok: true }> | undefined;
    const timer = setTimeout(
      () =>
        finish(
          stage === "accepting" && done !== undefined ? { ...done, unconfirmed: true } : tooLate(stage, timeoutMs),
        ),
      timeoutMs,
    );
    let finished = false;
    const finish = (handshake: Handshake) => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      stopReading();
      target.signal?.removeEventListener("abort", stop);
      socket.removeListener("error", fail);
      socket.on("error", ignore);
      // Torn down in the middle, the connection would look like a refusal to the server: in TLS 1.3 the client speaks last.
      if (handshake.ok) endSoon(socket);
      else socket.destroy();
      resolve(handshake);
    };
    const fail = (cause: NodeJS.ErrnoException) => {
      const certificate = done?.certificate ?? readPeer(socket.getPeerCertificate());
      const rejected = certificate === undefined ? undefined : explainRejection(cause, stage);
      if (certificate !== undefined && rejected !== undefined) return finish({ ok: false, ...rejected, certificate });
      const explained = explainError(cause, isIPv6(address));
      finish({ ok: false, ...explained, ...(stage === "asking" ? { code: "http-no-answer" } : {}) });
    };
    const stop = () => finish({ ok: false, code: "stopped", detail: "the run was stopped" });
    target.signal?.addEventListener("abort", stop);
    if (target.signal?.aborted === true) return stop();
    socket.once("connect", () => {
      stage = "greeting";
    });
    socket.on("error", fail);
    socket.once("OCSPResponse", (response: Buffer | null) => {
      staple = response;
    });
    const close = () => finish(closed(stage, done));
    socket.once("close", close);
    socket.once("secureConnect", () => {
      const named = serverName === hostname ? hostname : undefined;
      const judged = judge(socket, peer ?? socket.getPeerCertificate(), { hostname: named, staple });
      if (!judged.ok) return finish(judged);
      done = judged;
      if (http) {
        stage = "asking";
        void readHttpAnswer(socket, hostname).then((answer) =>
          finish(
            "httpStatus" in answer
              ? { ...judged, ...answer }
              : { ok: false, certificate: judged.certificate, code: answer.code, detail: answer.detail },
          ),
        );
        return;
      }
      if (!confirm) return finish(judged);
      stage = "accepting";
      socket.once("end", close);
      stopReading = awaitAcceptance(socket, (acceptance) =>
        finish(acceptance === "accepted" ? judged : { ...judged, unconfirmed: true }),
      );
    });
  });
}

/** @param done what the client made of the handshake, where it came to that */
function closed(stage: Stage, done: Handshake | undefined): Handshake {
  const certificate = done?.certificate === undefined ? {} : { certificate: done.certificate };
  const detail = "the connection was closed";
  if (stage === "asking") return { ok: false, code: "http-no-answer", detail, ...certificate };
  if (done === undefined) return { ok: false, code: "connection-closed", detail };
  return {
    ok: false,
    code: "rejected-after-handshake",
    detail: `${detail} right after the handshake, before the server had accepted it`,
    ...certificate,
  };
}

function ignore(): void {}

function endSoon(socket: TLSSocket): void {
  const timer = setTimeout(() => socket.destroy(), farewellMs).unref();
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  socket.end();
}

const timeoutCodes = {
  connecting: "timeout",
  greeting: "handshake-timeout",
  accepting: "handshake-timeout",
  asking: "http-no-answer",
} as const;

function tooLate(stage: Stage, timeoutMs: number): Handshake {
  return { ok: false, code: timeoutCodes[stage], detail: `not done in ${timeoutMs} ms` };
}

/** @returns undefined where the server has presented none, or one that can't be read */
function readPeer(peer: PeerCertificate | null): ServedCertificate | undefined {
  return peer?.raw === undefined ? undefined : reading(peer.raw, peer.fingerprint256);
}

/** What a handshake is judged by, beside the certificate. */
interface Expected {
  /** Absent where names are not to be checked. */
  readonly hostname: string | undefined;
  /** The OCSP response that the server sent along. */
  readonly staple: Uint8Array | null;
}

function judge(socket: TLSSocket, peer: PeerCertificate, { hostname, staple }: Expected): Handshake {
  const certificate = readPeer(peer);
  if (certificate === undefined) {
    return { ok: false, code: "handshake-failed", detail: "the server's certificate can't be read" };
  }
  const failure = nameFailure(hostname, peer, certificate) ?? trustFailure(socket, certificate);
  if (failure !== undefined) return { ok: false, ...failure, certificate };
  const alpn = socket.alpnProtocol;
  const stapleFault = certificate.mustStaple === true ? stapleFaultOf(staple, certificate) : undefined;
  return {
    ok: true,
    certificate,
    protocol: socket.getProtocol() ?? "",
    ...(typeof alpn === "string" ? { alpn } : {}),
    ...(stapleFault === undefined ? {} : { stapleFault }),
  };
}

function stapleFaultOf(staple: Uint8Array | null, { serialNumber }: ServedCertificate): string | undefined {
  return staple === null ? "no OCSP response is stapled" : ocspFault(staple, serialNumber, new Date());
}

function nameFailure(
  hostname: string | undefined,
  peer: PeerCertificate,
  { dnsNames }: ServedCertificate,
): Explained | undefined {
  if (hostname === undefined) return undefined;
  // Node still falls back to the common name, which no browser does.
  if (peer.subjectaltname === undefined) return { code: "name-mismatch", detail: "it has no alternative names" };
  if (checkServerIdentity(hostname, peer) === undefined) return undefined;
  const shown = dnsNames.slice(0, 5).join(", ") || "no name";
  const more = dnsNames.length > 5 ? ` and ${dnsNames.length - 5} more` : "";
  return { code: "name-mismatch", detail: `it is for ${shown}${more}` };
}

function trustFailure(socket: TLSSocket, { notBefore, notAfter }: ServedCertificate): Explained | undefined {
  if (socket.authorized) return undefined;
  const explained = explainTrust(String(socket.authorizationError));
  // OpenSSL names the fault and not whose it is; it judges by the machine's clock.
  const now = Date.now();
  const isOwn = Date.parse(notBefore) > now || Date.parse(notAfter) < now;
  const isOfDates = explained.code === "certificate-expired" || explained.code === "certificate-not-yet-valid";
  return isOfDates && !isOwn ? { ...explained, code: "chain-expired" } : explained;
}
