import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { quote } from "../../text/quote";
import { checkLoopback, explainListenError } from "../tls";

/** A listener without TLS, for a forwarding rule to a target HTTP proxy. */
export interface HttpListener {
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a listener that answers every request with 200. @throws InputError as `startTlsListener` does */
export function startHttpListener(
  address: string,
  port: number,
  respond: (request: { readonly method: string; readonly url: string }) => string,
): Promise<HttpListener> {
  checkLoopback(address);
  const server = createServer(({ method = "GET", url = "/" }, response) => {
    response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(respond({ method, url }));
  });
  return new Promise((resolve, reject) => {
    server.on("error", (error) => reject(explainListenError(error, address, port)));
    server.listen({ host: address, port, exclusive: true }, () => {
      const bound = server.address() as AddressInfo;
      resolve({
        address: bound.address,
        port: bound.port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** A local address and port for a listener; candidates are tried in order. */
export interface Candidate {
  readonly address: string;
  /** Port; 0 for a free port. */
  readonly port: number;
}

/**
 * Returns the local addresses for a frontend. The first is an address of its own in 127/8 with the frontend's port, if
 * the system allows it; the next ones have other ports. A machine has only one IPv6 loopback address, ::1.
 */
export function candidatesFor(forwardingRule: string, ipAddress: string, port: number): readonly Candidate[] {
  if (isIPv6(ipAddress))
    return [
      { address: "::1", port },
      { address: "::1", port: 0 },
      // For systems without IPv6.
      { address: "127.0.0.1", port: 0 },
    ];
  const loopbackAddress = ipAddress.startsWith("127.") ? ipAddress : ownAddress(forwardingRule);
  return [
    { address: loopbackAddress, port },
    { address: loopbackAddress, port: 0 },
    { address: "127.0.0.1", port: 0 },
  ];
}

/** Returns a rule's own address, the same in each run. Rules with the same address have different ports. */
function ownAddress(forwardingRule: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(forwardingRule).digest();
  return `127.${16 + (a % 224)}.${b}.${1 + (c % 254)}`;
}

/** A forwarding rule without a listener, because no local address was available. The next change tries again. */
export interface Unbound {
  /** Full link. */
  readonly forwardingRule: string;
  /** Error of the last attempt. */
  readonly error: Error;
}

export function warnOfUnbound({ forwardingRule, error }: Unbound): void {
  process.emitWarning(`nothing answers for ${quote(forwardingRule)}: ${error.message}`, "RehearsalCloudWarning");
}
