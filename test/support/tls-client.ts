import { connect as connectTcp } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";

/** Result of a handshake for a client. */
export type Seen =
  | { readonly commonName: string; readonly protocol: string; readonly alpn?: string }
  | { readonly refused: string };

/** Performs a handshake with Node's client and closes the connection. */
export function seenBy(options: ConnectionOptions): Promise<Seen> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", ...options });
    socket.once("error", (error: NodeJS.ErrnoException) => resolve({ refused: error.code ?? error.message }));
    socket.once("secureConnect", () => {
      const { subject } = socket.getPeerCertificate();
      const alpn = socket.alpnProtocol;
      resolve({
        commonName: String(subject.CN),
        protocol: socket.getProtocol() ?? "",
        ...(typeof alpn === "string" ? { alpn } : {}),
      });
      socket.end();
    });
  });
}

/**
 * Sends pieces of bytes one after the other, as the network accepts them. Returns all data until the other side closes
 * the connection.
 */
export function exchange(port: number, pieces: readonly Uint8Array[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const answer: Buffer[] = [];
    const socket = connectTcp({ host: "127.0.0.1", port, noDelay: true });
    socket.on("data", (chunk) => answer.push(chunk));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve(Buffer.concat(answer));
      else reject(error);
    });
    socket.once("close", () => resolve(Buffer.concat(answer)));
    const send = (index: number): void => {
      const piece = pieces[index];
      if (piece !== undefined && socket.writable) socket.write(piece, () => send(index + 1));
    };
    send(0);
  });
}
