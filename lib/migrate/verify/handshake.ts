import { X509Certificate } from "node:crypto";
import { checkServerIdentity, connect, type SecureContext } from "node:tls";

/** How one connection ended. */
export type Handshake =
  | { readonly ok: true; readonly certificate: ServedCertificate; readonly protocol: string }
  | { readonly ok: false; readonly code: HandshakeFailure; readonly detail: string };

export interface ServedCertificate {
  readonly issuer: string;
  /** Lower-case hexadecimal without leading zeros. */
  readonly serialNumber: string;
  /** ISO 8601 in UTC. */
  readonly notAfter: string;
}

export type HandshakeFailure =
  | "handshake-refused"
  | "name-mismatch"
  | "untrusted-chain"
  | "certificate-expired"
  | "connection-refused"
  | "unreachable"
  | "timeout";

/** What each failure means for a cut-over, and what to do. */
export const handshakeRemedies: Readonly<Record<HandshakeFailure, string>> = {
  "handshake-refused":
    "the load balancer has no certificate for the name: its map entry is missing or not active yet, or the map is not attached",
  "name-mismatch":
    "another certificate is served: look for the entry of the name, and for a PRIMARY entry that steps in",
  "untrusted-chain":
    "the chain does not lead to an authority that clients trust: with a private one, give its root with --ca",
  "certificate-expired": "the certificate is not valid now: renew a self-managed one, or look at the machine's clock",
  "connection-refused": "nothing listens: look for a forwarding rule with port 443 on the address",
  unreachable: "there is no way to the address from here: verify where the network allows it",
  timeout: "no answer in time: a firewall drops it, or the load balancer is still being set up",
};

export interface HandshakeTarget {
  readonly address: string;
  readonly port: number;
  /** What the client asks for (SNI) and checks the certificate against. */
  readonly hostname: string;
  readonly timeoutMs: number;
  /** One for all connections: making it costs as much as a handshake. */
  readonly secureContext: SecureContext;
}

/** One full TLS handshake to an address, with the name as a browser would send it. Never rejects. */
export function shakeHands({ address, port, hostname, timeoutMs, secureContext }: HandshakeTarget): Promise<Handshake> {
  return new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      servername: hostname,
      secureContext,
      // Judged below, so that a wrong certificate is told from no certificate.
      rejectUnauthorized: false,
    });
    const timer = setTimeout(
      () => finish({ ok: false, code: "timeout", detail: `no answer in ${timeoutMs} ms` }),
      timeoutMs,
    );
    const finish = (handshake: Handshake) => {
      clearTimeout(timer);
      // Torn down in the middle, the connection would look like a refusal to the server: in TLS 1.3 the client speaks last.
      if (handshake.ok) socket.end();
      else socket.destroy();
      resolve(handshake);
    };
    socket.once("secureConnect", () => finish(judge()));
    socket.on("error", (error: NodeJS.ErrnoException) => finish(explain(error)));
    socket.once("close", () => finish({ ok: false, code: "handshake-refused", detail: "the connection was closed" }));

    function judge(): Handshake {
      const peer = socket.getPeerCertificate();
      const mismatch = checkServerIdentity(hostname, peer);
      if (mismatch !== undefined) return { ok: false, code: "name-mismatch", detail: mismatch.message };
      if (!socket.authorized) return explainTrust(String(socket.authorizationError));
      const x509 = new X509Certificate(peer.raw);
      return {
        ok: true,
        protocol: socket.getProtocol() ?? "",
        certificate: {
          issuer: x509.issuer.split("\n").join(", "),
          serialNumber: x509.serialNumber.toLowerCase().replace(/^0+(?=.)/, ""),
          notAfter: new Date(x509.validTo).toISOString(),
        },
      };
    }
  });
}

function explainTrust(reason: string): Handshake {
  const code =
    reason === "CERT_HAS_EXPIRED" || reason === "CERT_NOT_YET_VALID" ? "certificate-expired" : "untrusted-chain";
  return { ok: false, code, detail: reason };
}

function explain(error: NodeJS.ErrnoException): Handshake {
  const { code = "", message } = error;
  if (code === "ECONNREFUSED") return { ok: false, code: "connection-refused", detail: code };
  if (code === "ETIMEDOUT") return { ok: false, code: "timeout", detail: code };
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|EAI_)/.test(code))
    return { ok: false, code: "unreachable", detail: code };
  return { ok: false, code: "handshake-refused", detail: code || message };
}
