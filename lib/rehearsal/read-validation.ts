import type { TLSSocket } from "node:tls";
import { fieldsOf, parseJson } from "../json/fields";

/** What a server answered to a request: whether it validated the certificate of the client. */
export type Answered = { readonly isValidated: boolean } | { readonly error: string };

/**
 * Sends a request over a new connection, and reads from the answer whether the server has validated the client. Servers
 * of a rehearsal answer with what a load balancer reports to backends in headers. The caller handles errors.
 *
 * @param onEnd called at most once, when the server has ended the connection
 */
export function readValidation(socket: TLSSocket, hostname: string, onEnd: (answered: Answered) => void): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (piece: string) => {
    text += piece;
  });
  socket.once("end", () => {
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    const { client } = fieldsOf(parseJson(body));
    const isAnswer = /^HTTP\/1\.1 200 /.test(text);
    if (!isAnswer) return onEnd({ error: "closed before the server had accepted the handshake" });
    onEnd({ isValidated: fieldsOf(client).isVerified === true });
  });
  // HTTP/1.0: the answer has no chunks, and its end is the end of the connection.
  socket.write(`GET / HTTP/1.0\r\nHost: ${hostname}\r\n\r\n`);
}
