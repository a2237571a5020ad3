import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import type { HandshakeInput, HandshakeResult } from "./side";

const timeoutMs = 10_000;

/** Where to connect: the address of a forwarding rule, or where it listens on this machine. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Performs one TLS handshake. The certificate is not verified: behaviors state what it contains. */
export function connectTls(place: Place, input: HandshakeInput): Promise<HandshakeResult> {
  return new Promise((resolve) => {
    const { servername, alpn, signatureAlgorithms, maxVersion } = input;
    const socket = connect({
      ...place,
      rejectUnauthorized: false,
      ...(servername === undefined ? {} : { servername }),
      ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] }),
      ...(signatureAlgorithms === undefined ? {} : { sigalgs: signatureAlgorithms }),
      ...(maxVersion === undefined ? {} : { maxVersion }),
    });
    const end = (result: HandshakeResult) => {
      resolve(result);
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => end({ refused: "ETIMEDOUT" }));
    socket.once("error", (error: NodeJS.ErrnoException) => end({ refused: error.code ?? "failed" }));
    socket.once("close", () => end({ refused: "closed without an answer" }));
    socket.once("secureConnect", () => {
      const certificate = new X509Certificate(socket.getPeerCertificate(true).raw);
      const protocol = socket.alpnProtocol;
      end({
        dnsNames: [...(certificate.subjectAltName ?? "").matchAll(/DNS:([^\s,]+)/g)].map(([, name = ""]) => name),
        keyType: certificate.publicKey.asymmetricKeyType === "rsa" ? "RSA" : "ECDSA",
        protocol: socket.getProtocol() ?? "",
        alpn: typeof protocol === "string" ? protocol : undefined,
        serialNumber: certificate.serialNumber,
      });
    });
  });
}
