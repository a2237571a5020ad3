import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { defined } from "../../json/defined";
import { alpnProtocols, type TakeOver } from "./answer";
import { type ClientCertificates, presentedBy, validateClient } from "./client-certificates";
import type { ClientHello, HelloReading } from "./client-hello";
import { type AlertName, alertRecord, createHelloReader } from "./client-hello";
import type { SecureContexts } from "./contexts";
import { commonVersion } from "./key-types";
import {
  clientRefusal,
  engineError,
  type HandshakeError,
  type HandshakeReport,
  helloRefusals,
  selectionRefusal,
} from "./report";
import type { CertificateSelection } from "./select";

export interface TlsListenerLimits {
  /** Milliseconds from the connection to the end of the handshake. @default 10_000 */
  readonly handshakeMs: number;
  /** Milliseconds without traffic after the handshake. @default 60_000 */
  readonly idleMs: number;
  /** Maximum length of a ClientHello, in octets. @default 65_536 */
  readonly helloOctets: number;
}

interface ConnectionSettings {
  readonly certificates: (hello: ClientHello) => CertificateSelection;
  readonly contexts: SecureContexts;
  /** Returns what is required of the client of a new connection; undefined if no client certificate is requested. */
  readonly clients: () => ClientCertificates | undefined;
  /** Returns whether TLS 1.2 is refused. */
  readonly needsTls13: () => boolean;
  /** Returns the time with which the dates of clients' certificates are compared. */
  readonly now: () => Date;
  readonly limits: Omit<TlsListenerLimits, "idleMs">;
  readonly onHandshake: (report: HandshakeReport) => void;
  readonly onSecure: TakeOver;
}

const clientClosed = {
  code: "client-closed",
  message: "the client closed the connection before its ClientHello was complete",
} as const;
const clientLeft = {
  code: "client-left",
  message: "the client closed the connection when it had got the certificate",
} as const;

/** ALPN names in wire format: a length octet before each name. */
const alpnNames = Buffer.concat(alpnProtocols.map((name) => Buffer.from(`${String.fromCharCode(name.length)}${name}`)));

/**
 * Performs the handshake of one connection and reports its result once. Reports nothing if the client closes the
 * connection without sending a byte.
 */
export function performHandshake(socket: Socket, settings: ConnectionSettings): void {
  const reader = createHelloReader(settings.limits.helloOctets);
  let known: Pick<HandshakeReport, "serverName" | "certificateName"> = {};
  let ended = false;
  const end = (report: HandshakeReport) => {
    if (ended) return;
    ended = true;
    settings.onHandshake(report);
  };
  const fail = (error: HandshakeError) => end({ ok: false, ...known, error });
  // Continues after an alert, so that the client has the same time to read it.
  const timer = setTimeout(() => {
    fail({ code: "timeout", message: `the handshake was not done in ${settings.limits.handshakeMs} ms` });
    socket.destroy();
  }, settings.limits.handshakeMs);

  // The "close" event that follows handles a broken connection.
  socket.on("error", () => {});
  socket.once("close", () => {
    clearTimeout(timer);
    if (known.certificateName !== undefined) fail(clientLeft);
    else if (socket.bytesRead > 0) fail(clientClosed);
  });
  socket.on("data", function take(chunk: Buffer) {
    const reading = reader.push(chunk);
    if (reading === undefined) return;
    socket.off("data", take);
    if ("hello" in reading && reading.hello.serverName !== undefined) known = { serverName: reading.hello.serverName };
    const choice = choose(reading, settings);
    if ("certificateName" in choice) known = { ...known, certificateName: choice.certificateName };
    if ("alert" in choice) {
      fail(choice.error);
      refuse(socket, choice.alert);
    } else {
      socket.pause();
      socket.unshift(reader.received());
      secure(choice.context, choice.certificateName);
    }
  });

  function secure(secureContext: SecureContext, certificateName: string): void {
    const clients = settings.clients();
    const secured = new TLSSocket(socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: alpnNames,
      // Clients are validated below: OpenSSL knows neither allowlisted certificates nor the anchors.
      ...(clients === undefined ? {} : { requestCert: true, rejectUnauthorized: false }),
    });
    // Event for errors before the end of the handshake; 'error' is used after it.
    secured.on("_tlsError", (error: Error) => fail(engineError(error)));
    secured.on("error", () => {});
    secured.once("secure", () => {
      const verdict = clients && validateClient(presentedBy(secured), clients, settings.now());
      if (verdict?.error !== undefined && clients?.rejectsInvalid === true) {
        fail(clientRefusal(verdict.error));
        // The engine has not sent the end of its handshake yet, so the client never sees itself accepted.
        socket.destroy();
        return;
      }
      const { alpnProtocol } = secured;
      const report = {
        ok: true as const,
        ...defined({ serverName: known.serverName }),
        certificateName,
        version: secured.getProtocol() ?? "",
        ...defined({ client: verdict }),
        ...(typeof alpnProtocol === "string" ? { alpn: alpnProtocol } : {}),
      };
      clearTimeout(timer);
      end(report);
      settings.onSecure(secured, report);
    });
  }
}

type Choice =
  | { readonly certificateName: string; readonly context: SecureContext }
  | { readonly certificateName?: string; readonly alert: AlertName; readonly error: HandshakeError };

function choose(reading: HelloReading, { certificates, contexts, needsTls13 }: ConnectionSettings): Choice {
  if ("alert" in reading) {
    const { alert, reason } = reading;
    return { alert, error: { code: reason, message: helloRefusals[reason] } };
  }
  const { hello } = reading;
  const version = commonVersion(hello);
  if (version === undefined || (version !== "TLSv1.3" && needsTls13())) {
    const message =
      version === undefined
        ? "the client offers neither TLS 1.2 nor TLS 1.3"
        : "the client does not offer TLS 1.3, which the SSL policy requires";
    return { alert: "protocol_version", error: { code: "no-common-version", message } };
  }
  const selection = certificates(hello);
  if ("refusal" in selection)
    return { alert: "handshake_failure", error: selectionRefusal(selection.refusal, hello.serverName) };
  const { certificate } = selection;
  try {
    return { certificateName: certificate.name, context: contexts(certificate) };
  } catch (error) {
    const { message } = engineError(error as Error);
    return {
      certificateName: certificate.name,
      alert: "internal_error",
      error: { code: "certificate-unusable", message: `certificate and key can't be served: ${message}` },
    };
  }
}

/** Ends a connection with an alert, but reads the client's remaining data, so that the client can receive the alert. */
function refuse(socket: Socket, alert: AlertName): void {
  socket.end(alertRecord(alert));
  socket.resume();
}
