import type { TLSSocket } from "node:tls";
import type { Explained } from "./explain";

/** Maximum number of octets to read until the end of the status line. */
const mostOctets = 16 * 1_024;
const statusLine = /^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r?\n/;

/**
 * Sends `HEAD /` over a connection after its handshake, and reads only the status line. The caller limits the time and
 * handles the end of the connection. Never rejects.
 */
export function readHttpAnswer(
  socket: TLSSocket,
  hostname: string,
): Promise<{ readonly httpStatus: number } | Explained> {
  return new Promise((resolve) => {
    let text = "";
    const finish = (answer: { readonly httpStatus: number } | Explained) => {
      socket.removeListener("data", hear);
      resolve(answer);
    };
    const hear = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const answer = readAnswer(text);
      if (answer !== undefined) finish(answer);
      else if (text.length > mostOctets) {
        finish({ code: "http-no-answer", detail: `no status line in ${mostOctets} octets` });
      }
    };
    socket.on("data", hear);
    socket.write(
      `HEAD / HTTP/1.1\r\nHost: ${hostname}\r\nUser-Agent: cert-migration\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
  });
}

/** Parses the response. Returns undefined while the response is incomplete. */
function readAnswer(text: string): { readonly httpStatus: number } | Explained | undefined {
  for (let rest = text; ; ) {
    const match = statusLine.exec(rest);
    if (match === null) {
      return rest.includes("\n") ? { code: "http-no-answer", detail: `no status line: ${firstLine(rest)}` } : undefined;
    }
    const httpStatus = Number(match[1]);
    if (httpStatus >= 200) return judge(httpStatus, rest);
    // After a 1xx response the final response follows.
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    rest = rest.slice(end + 4);
  }
}

function judge(httpStatus: number, text: string): { readonly httpStatus: number } | Explained {
  return httpStatus >= 500 ? { code: "http-server-error", detail: firstLine(text) } : { httpStatus };
}

function firstLine(text: string): string {
  return text.slice(0, 200).split(/\r?\n/)[0] ?? "";
}
