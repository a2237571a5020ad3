import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createServer, type SecureContextOptions, TLSSocket, type TlsOptions } from "node:tls";
import { der, octetString, oid, sequence } from "./der";
import { type ChainCertificate, type ChainRequest, makeChainCertificate } from "./made-chain";
import { serveTcp, serveTls, type TestServer } from "./tls-servers";

/** The hostname in the certificates of this file. */
export const hostname = "shop.example.com";
export const authority = makeChainCertificate({ commonName: "Defects", isAuthority: true });

interface Request extends Pick<ChainRequest, "keyType" | "mustStaple"> {
  /** @default - {@link hostname} */
  readonly names?: readonly string[];
}

/** Issues a certificate of the CA {@link authority}. */
export function issue({ names = [hostname], ...request }: Request = {}): ChainCertificate {
  return makeChainCertificate({ commonName: names[0] ?? "", names, issuer: authority, ...request });
}

export const plain = issue();
export const stapling = issue({ mustStaple: true });
export const staplingRsa = issue({ mustStaple: true, keyType: "rsa" });

export const onlyTls12: SecureContextOptions = { maxVersion: "TLSv1.2" };

function keyed(leaf: ChainCertificate): TlsOptions {
  return { cert: leaf.pem, key: leaf.keyPem };
}

/** Starts a TLS server with {@link plain} or another certificate. */
export function serve(
  options: TlsOptions = {},
  take: (socket: TLSSocket) => void = (socket) => socket.resume(),
  leaf = plain,
): Promise<TestServer> {
  return serveTls({ ...keyed(leaf), ...options }, {}, take);
}

export const wantsClient: TlsOptions = { requestCert: true, rejectUnauthorized: true, ca: authority.pem };
export const asksClient: TlsOptions = { requestCert: true, rejectUnauthorized: false, ca: authority.pem };

/** Starts a server that resets each connection after the handshake. */
export function serveResets(): Promise<TestServer> {
  return serveTcp((tcp) => {
    const secured = new TLSSocket(tcp, { isServer: true, ...keyed(plain) });
    secured.on("error", () => {});
    secured.once("secure", () => tcp.resetAndDestroy());
  });
}

/** Starts a proxy that delays the answers of `server`. */
export async function serveLate(server: TestServer, delayMs: number): Promise<TestServer> {
  const relay = await serveTcp((near) => {
    const far = connect({ host: server.address, port: server.port });
    const timers = new Set<NodeJS.Timeout>();
    const late = (work: () => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, delayMs);
      timers.add(timer);
    };
    near.on("data", (chunk) => far.write(chunk));
    far.on("data", (chunk: Buffer) => late(() => near.write(chunk)));
    far.once("end", () => late(() => near.end()));
    far.on("error", () => near.destroy());
    near.once("close", () => {
      for (const timer of timers) clearTimeout(timer);
      far.destroy();
    });
  });
  return {
    address: relay.address,
    port: relay.port,
    [Symbol.asyncDispose]: async () => {
      await relay[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Starts `openssl s_server`, as an independent implementation. */
export async function serveOpenssl(words: readonly string[], leaf = plain): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "s-server-"));
  writeFileSync(join(folder, "cert.pem"), leaf.pem);
  writeFileSync(join(folder, "key.pem"), leaf.keyPem);
  const line = ["s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", ...words];
  const child: ChildProcess = spawn("openssl", line, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const port = await portOf(child);
  return {
    address: "127.0.0.1",
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error("openssl has no output");
  for await (const text of createInterface({ input: stdout })) {
    const [, port] = /^ACCEPT .*:(\d+)$/.exec(text) ?? [];
    if (port !== undefined) {
      stdout.resume();
      return Number(port);
    }
  }
  throw new Error("openssl did not listen");
}

interface Staple {
  readonly leaf?: ChainCertificate;
  /** @default "good" */
  readonly verdict?: "good" | "revoked" | "unknown";
  /** Days from now. @default -1 */
  readonly from?: number;
  /** Days from now; `null` leaves the date out. @default 6 */
  readonly until?: number | null;
}

/** Returns a stapled OCSP response; its signature is invalid, because clients here do not check it. */
export function staple({ leaf = stapling, verdict = "good", from = -1, until = 6 }: Staple = {}): Buffer {
  const time = (days: number) => der(0x18, Buffer.from(timeText(days)));
  const sha1 = sequence(oid("1.3.14.3.2.26"), der(0x05));
  const id = sequence(sha1, octetString(Buffer.alloc(20)), octetString(Buffer.alloc(20)), serialOf(leaf));
  const status = { good: der(0x80), revoked: der(0xa1, time(-2)), unknown: der(0x82) }[verdict];
  const single = sequence(id, status, time(from), ...(until === null ? [] : [der(0xa0, time(until))]));
  const data = sequence(der(0xa2, octetString(Buffer.alloc(20))), time(-1), sequence(single));
  const basic = sequence(data, sequence(oid("1.2.840.10045.4.3.2")), der(0x03, Buffer.from([0])));
  const typed = sequence(oid("1.3.6.1.5.5.7.48.1.1"), octetString(basic));
  return sequence(der(0x0a, Buffer.from([0])), der(0xa0, typed));
}

/** Returns an OCSP error response. */
export const stapledError = (status: number) => sequence(der(0x0a, Buffer.from([status])));

function timeText(days: number): string {
  const date = new Date(Date.now() + days * 86_400_000);
  return `${date.toISOString().replace(/[-:T]|\..*/g, "")}Z`;
}

/** Returns the encoded serial number of a {@link makeChainCertificate} certificate: nine octets after the version. */
function serialOf(leaf: ChainCertificate): Buffer {
  const at = leaf.der.indexOf(Buffer.from([0x02, 0x09, 0x40]));
  return leaf.der.subarray(at, at + 11);
}

/** Starts a server that staples an OCSP response to its certificate. */
export async function serveStapled(response: Buffer, leaf = stapling, options: TlsOptions = {}): Promise<TestServer> {
  const open = new Set<TLSSocket>();
  const server = createServer({ ...keyed(leaf), ...options }, (socket) => {
    open.add(socket);
    socket.on("error", () => {}).resume();
  });
  server.on("tlsClientError", () => {});
  server.on("OCSPRequest", (_certificate, _issuer, answer: (error: Error | null, response: Buffer) => void) =>
    answer(null, response),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  return {
    address: "127.0.0.1",
    port: typeof place === "object" && place !== null ? place.port : 0,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
