import { isIPv6 } from "node:net";
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import type { HandshakeFailure } from "./codes";
import { type Explained, explainError, explainTrust } from "./explain";
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
  /** Aborted, it tears the connection down; the handshake counts as one that came to nothing. */
  readonly signal?: AbortSignal;
}

const reading = createCertificateReading();
/** How long a server may take to end its side after the handshake, before it is cut off. */
const farewellMs = 1_000;

/** One full TLS handshake to an address, with the name as a browser would send it. Never rejects. */
export function shakeHands(target: HandshakeTarget): Promise<Handshake> {
  const { address, port, hostname, timeoutMs, secureContext, serverName = hostname, http = false } = target;
  return new Promise((resolve) => {
    let stage: Stage = "connecting";
    let peer: PeerCertificate | undefined;
    const alpn = target.alpn ?? (http ? ["http/1.1"] : []);
    const options: ConnectionOptions = {
      host: address,
      port,
      secureContext,
      // Judged below, so that a wrong certificate is told from no certificate.
      rejectUnauthorized: false,
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
    const timer = setTimeout(() => finish(tooLate(stage, timeoutMs)), timeoutMs);
    let finished = false;
    const finish = (handshake: Handshake) => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      target.signal?.removeEventListener("abort", stop);
      socket.removeListener("error", fail);
      socket.on("error", ignore);
      // Torn down in the middle, the connection would look like a refusal to the server: in TLS 1.3 the client speaks last.
      if (handshake.ok) endSoon(socket);
      else socket.destroy();
      resolve(handshake);
    };
    const fail = (cause: NodeJS.ErrnoException) => {
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
    socket.once("close", () => finish({ ok: false, code: "connection-closed", detail: "the connection was closed" }));
    socket.once("secureConnect", () => {
      const named = serverName === hostname ? hostname : undefined;
      const judged = judge(socket, peer ?? socket.getPeerCertificate(), named);
      if (!judged.ok || !http) return finish(judged);
      stage = "asking";
      void readHttpAnswer(socket, hostname).then((answer) =>
        finish(
          "httpStatus" in answer
            ? { ...judged, ...answer }
            : { ok: false, certificate: judged.certificate, code: answer.code, detail: answer.detail },
        ),
      );
    });
  });
}

function ignore(): void {}

function endSoon(socket: TLSSocket): void {
  const timer = setTimeout(() => socket.destroy(), farewellMs).unref();
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  socket.end();
}

/** How far a connection has come. */
type Stage = "connecting" | "greeting" | "asking";

const timeoutCodes = { connecting: "timeout", greeting: "handshake-timeout", asking: "http-no-answer" } as const;

function tooLate(stage: Stage, timeoutMs: number): Handshake {
  return { ok: false, code: timeoutCodes[stage], detail: `not done in ${timeoutMs} ms` };
}

/** @param hostname absent where names are not to be checked */
function judge(socket: TLSSocket, peer: PeerCertificate, hostname: string | undefined): Handshake {
  const certificate = peer.raw === undefined ? undefined : reading(peer.raw, peer.fingerprint256);
  if (certificate === undefined) {
    return { ok: false, code: "handshake-failed", detail: "the server's certificate can't be read" };
  }
  const failure = nameFailure(hostname, peer, certificate) ?? trustFailure(socket, certificate);
  if (failure !== undefined) return { ok: false, ...failure, certificate };
  const alpn = socket.alpnProtocol;
  return {
    ok: true,
    certificate,
    protocol: socket.getProtocol() ?? "",
    ...(typeof alpn === "string" ? { alpn } : {}),
  };
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
