import { connect as connectTcp } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";

/** What a client saw of a handshake. */
export type Seen =
  | { readonly commonName: string; readonly protocol: string; readonly alpn?: string }
  | { readonly refused: string };

/** One handshake of Node's own client, which is ended at once. */
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
 * Sends bytes in the pieces given, one after the other as the network takes them, and collects everything until the
 * other side ends.
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
