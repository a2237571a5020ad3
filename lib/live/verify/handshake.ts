import { isIP } from "node:net";
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect,
  type PeerCertificate,
  type TLSSocket,
  type TLSSocketOptions,
} from "node:tls";
import { coverageOf } from "../../hostnames";
import { defined } from "../../json/defined";
import { probeTls } from "../../tls/probe";
import { ocspFault, reportsRevocation } from "../../x509";
import { awaitAcceptance, awaitStay, readHttpAnswer } from "./acceptance";
import { type Explained, explainError, explainRejection, explainTrust, type HandshakeStage } from "./explain";
import {
  type ChainAuthor,
  createCertificateReading,
  type Handshake,
  type HandshakeTarget,
  type ServedCertificate,
} from "./handshake-model";
import { type ChainFaults, chainFailures, keyFailure } from "./served-chain";

export type { HandshakeFailure } from "./codes";
export type { Handshake, HandshakeTarget } from "./handshake-model";

const reading = createCertificateReading();
/** Milliseconds within which a server must close its side after the handshake, before the connection is destroyed. */
const farewellMs = 1_000;

/**
 * Makes one full TLS handshake to an address, with the SNI that a browser would send. If the server closes the
 * connection in place of an answer to `http`, further connections find out why. Never rejects.
 */
export async function shakeHands(target: HandshakeTarget): Promise<Handshake> {
  const { isUnanswered, ...handshake } = await attempt(target);
  if (isUnanswered !== true || handshake.ok) return handshake;
  return explainUnanswered(handshake, target, () => attempt({ ...target, http: false, confirm: true }));
}

type Attempt = Handshake & {
  /** Whether the server closed the connection in place of an answer. @default false */
  readonly isUnanswered?: true;
};

function attempt(target: HandshakeTarget): Promise<Attempt> {
  const {
    address,
    port,
    hostname,
    timeoutMs,
    secureContext,
    serverName = hostname,
    http = false,
    confirm = true,
    chainBy = "user",
  } = target;
  return new Promise((resolve) => {
    let stage: HandshakeStage = "connecting";
    let peer: PeerCertificate | undefined;
    let staple: Buffer | null = null;
    const stopReading: (() => void)[] = [];
    const alpn = target.alpn ?? (http ? ["http/1.1"] : []);
    const options: ConnectionOptions & Pick<TLSSocketOptions, "requestOCSP"> = {
      host: address,
      port,
      secureContext,
      // `judge` checks trust, to distinguish a wrong certificate from a missing certificate.
      rejectUnauthorized: false,
      // Browsers request OCSP too: servers staple an OCSP response only for clients that request it.
      requestOCSP: true,
      // Node reads the certificate for this check anyway; reading the certificate again would cost a tenth of the
      // handshake.
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
      // The name cannot be sent to any server, for example because it has invalid characters.
      resolve({ ok: false, code: "handshake-failed", detail: (error as Error).message });
      return;
    }
    /** The client's result of the handshake, until the server has accepted the handshake. */
    let done: Extract<Handshake, { readonly ok: true }> | undefined;
    let isAccepted = false;
    const timer = setTimeout(() => {
      if (stage !== "accepting" || done === undefined) finish(tooLate(stage, timeoutMs));
      else finish(isAccepted ? done : { ...done, unconfirmed: true });
    }, timeoutMs);
    let finished = false;
    const finish = (handshake: Attempt) => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      for (const stopOne of stopReading) stopOne();
      target.signal?.removeEventListener("abort", stop);
      socket.removeListener("error", fail);
      socket.on("error", ignore);
      // In TLS 1.3 the client sends the last message. If the client destroyed the connection now, the server would see
      // an aborted handshake.
      if (handshake.ok) endSoon(socket);
      else socket.destroy();
      resolve(handshake);
    };
    const fail = (cause: NodeJS.ErrnoException) => {
      const certificate = done?.certificate ?? readPeer(socket.getPeerCertificate());
      const rejected = certificate === undefined ? undefined : explainRejection(cause, stage);
      if (certificate !== undefined && rejected !== undefined) return finish({ ok: false, ...rejected, certificate });
      const explained = explainError(cause, address);
      const isUnanswered = { code: "http-no-answer", isUnanswered: true } as const;
      finish({ ok: false, ...explained, ...(stage === "asking" ? isUnanswered : {}) });
    };
    const stop = () => finish({ ok: false, code: "stopped", detail: "the run was stopped" });
    target.signal?.addEventListener("abort", stop);
    if (target.signal?.aborted === true) return stop();
    socket.once("connect", () => {
      stage = "probe";
    });
    socket.on("error", fail);
    socket.once("OCSPResponse", (response: Buffer | null) => {
      staple = response;
    });
    const close = () => finish(closed(stage, done));
    socket.once("close", close);
    socket.once("secureConnect", () => {
      const named = serverName === hostname ? hostname : undefined;
      const judged = judge(socket, peer ?? socket.getPeerCertificate(), { hostname: named, staple, chainBy });
      if (!judged.ok) return finish(judged);
      done = judged;
      if (http) {
        stage = "asking";
        socket.once("end", close);
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
      let hasSpoken = false;
      socket.once("data", () => {
        hasSpoken = true;
      });
      const stopAwaiting = awaitAcceptance(socket, (acceptance) => {
        if (acceptance === "silent") return finish({ ...judged, unconfirmed: true });
        isAccepted = true;
        // A server that has sent data, as of SMTP, may close the connection.
        if (hasSpoken) finish(judged);
        else stopReading.push(awaitStay(socket, () => finish(judged)));
      });
      stopReading.push(stopAwaiting);
    });
  });
}

/** @param done the client's result of the handshake, if the handshake was completed */
function closed(stage: HandshakeStage, done: Handshake | undefined): Attempt {
  const certificate = defined({ certificate: done?.certificate });
  const detail = "the connection was closed";
  if (stage === "asking") {
    const ended = `${detail} without an answer`;
    return { ok: false, code: "http-no-answer", detail: ended, ...certificate, isUnanswered: true };
  }
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
  probe: "handshake-timeout",
  accepting: "handshake-timeout",
  asking: "http-no-answer",
} as const;

function tooLate(stage: HandshakeStage, timeoutMs: number): Handshake {
  return { ok: false, code: timeoutCodes[stage], detail: `not done in ${timeoutMs} ms` };
}

/** Returns undefined if the server presented no certificate, or an unreadable certificate. */
function readPeer(peer: PeerCertificate | null): ServedCertificate | undefined {
  return peer?.raw === undefined ? undefined : reading(peer.raw, peer.fingerprint256);
}

interface Expected {
  /** Absent if names are not to be checked. */
  readonly hostname: string | undefined;
  readonly staple: Uint8Array | null;
  readonly chainBy: ChainAuthor;
}

function judge(socket: TLSSocket, peer: PeerCertificate, { hostname, staple, chainBy }: Expected): Handshake {
  const certificate = readPeer(peer);
  if (certificate === undefined) {
    return { ok: false, code: "handshake-failed", detail: "the server's certificate can't be read" };
  }
  const isRead = chainBy === "user" || !socket.authorized;
  const chain: ChainFaults = isRead ? chainFailures(socket, certificate, peer) : keyFailure(certificate);
  const failure =
    nameFailure(hostname, peer, certificate) ??
    revocationFailure(staple, certificate) ??
    chain.weakKey ??
    trustFailure(socket, certificate) ??
    chain.order;
  if (failure !== undefined) return { ok: false, ...failure, certificate };
  const alpn = socket.alpnProtocol;
  const stapleFault = certificate.mustStaple === true ? stapleFaultOf(staple, certificate) : undefined;
  return {
    ok: true,
    certificate,
    protocol: socket.getProtocol() ?? "",
    ...(typeof alpn === "string" ? { alpn } : {}),
    ...defined({ stapleFault }),
  };
}

function stapleFaultOf(staple: Uint8Array | null, { serialNumber }: ServedCertificate): string | undefined {
  return staple === null ? "no OCSP response is stapled" : ocspFault(staple, serialNumber, new Date());
}

function revocationFailure(staple: Uint8Array | null, { serialNumber }: ServedCertificate): Explained | undefined {
  if (staple === null || !reportsRevocation(staple, serialNumber)) return undefined;
  return { code: "certificate-revoked", detail: `serial ${serialNumber}` };
}

function nameFailure(
  hostname: string | undefined,
  peer: PeerCertificate,
  { dnsNames }: ServedCertificate,
): Explained | undefined {
  if (hostname === undefined) return undefined;
  // Node falls back to the common name, which browsers do not.
  if (peer.subjectaltname === undefined) return { code: "name-mismatch", detail: "it has no alternative names" };
  // Node accepts a wildcard beside other characters of a label, as in `sh*p.example.com`, which browsers do not.
  const isCovered = isIP(hostname) !== 0 || coverageOf(new Set(dnsNames), hostname.toLowerCase()) !== "none";
  if (isCovered && checkServerIdentity(hostname, peer) === undefined) return undefined;
  const shown = dnsNames.slice(0, 5).join(", ") || "no name";
  const more = dnsNames.length > 5 ? ` and ${dnsNames.length - 5} more` : "";
  return { code: "name-mismatch", detail: `it is for ${shown}${more}` };
}

function trustFailure(socket: TLSSocket, { notBefore, notAfter }: ServedCertificate): Explained | undefined {
  if (socket.authorized) return undefined;
  const explained = explainTrust(String(socket.authorizationError));
  // OpenSSL reports the fault but not the faulty certificate. OpenSSL compares with the machine's clock, too.
  const now = Date.now();
  const isOwn = Date.parse(notBefore) > now || Date.parse(notAfter) < now;
  const isOfDates = explained.code === "certificate-expired" || explained.code === "certificate-not-yet-valid";
  return isOfDates && !isOwn ? { ...explained, code: "chain-expired" } : explained;
}

type Failure = Extract<Handshake, { readonly ok: false }>;

/**
 * Returns why a server closed a connection without answering an HTTP request.
 *
 * A server that requires a client certificate sends its alert after the client's handshake. The alert can be lost if
 * the request arrives at a socket that is closed already, and some servers send none. A second connection without a
 * request shows whether the server accepts the handshake at all, and a third whether it requests a client certificate.
 *
 * @param unanswered the result of the connection with the request
 * @param shake makes a handshake and waits until the server has accepted it
 */
async function explainUnanswered(
  unanswered: Failure,
  { address, port, hostname, serverName = hostname, timeoutMs, secureContext, signal }: HandshakeTarget,
  shake: () => Promise<Handshake>,
): Promise<Failure> {
  const shaken = await shake();
  const isRejected = !shaken.ok && shaken.code === "rejected-after-handshake";
  if (!shaken.ok && !isRejected) return shaken.code === "client-certificate-required" ? shaken : unanswered;
  const probe = await probeTls({
    address,
    port,
    ...(serverName === null ? {} : { serverName }),
    timeoutMs,
    secureContext,
    signal: signal ?? new AbortController().signal,
  });
  const wantsCertificate = probe.ok && probe.clientCertificateWanted;
  const request = "the server requests a client certificate";
  if (!isRejected) return wantsCertificate ? { ...unanswered, detail: `${unanswered.detail}; ${request}` } : unanswered;
  if (!wantsCertificate) return shaken;
  return { ...shaken, code: "client-certificate-required", detail: `${request}, and ${shaken.detail}` };
}
