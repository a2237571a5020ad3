import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { connect, createSecureContext } from "node:tls";
import { releasingMemory } from "../lib/cli/memory";
import { createClients, shakeHands, verifyServing } from "../lib/live/verify";

export interface Server {
  readonly port: number;
  readonly ca: string;
}

const concurrency = 64;
const timeoutMs = 10_000;

export function hostnamesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `host${index}.bench.example.com`);
}

/**
 * Each side makes one handshake per hostname, checks CA, dates and name, reads the chain, stays for 50 ms, and ends the
 * connection.
 */
export const sides = {
  bare: async (hostnames: readonly string[], { port, ca }: Server) => {
    const secureContext = createSecureContext({ ca });
    let next = 0;
    const work = async () => {
      while (next < hostnames.length) {
        const servername = hostnames[next++] as string;
        await new Promise<void>((resolve, reject) => {
          const socket = connect({ host: "127.0.0.1", port, servername, secureContext }, () => {
            for (let sent = socket.getPeerX509Certificate(); sent !== undefined; ) sent = sent.issuerCertificate;
            // As long as 'verify' waits for a server that closes the connection after the handshake.
            setTimeout(() => {
              socket.end();
              resolve();
            }, 50);
          });
          socket.setTimeout(timeoutMs, () => reject(new Error("timeout")));
          socket.once("error", reject);
        });
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  },
  own: async (hostnames: readonly string[], { port, ca }: Server) => {
    const clients = createClients([ca]);
    const { signal } = new AbortController();
    const results = await verifyServing({
      targets: hostnames.map((hostname) => ({ hostname, addresses: ["127.0.0.1"] })),
      shakeHands: releasingMemory((address, hostname, client) =>
        shakeHands({ address, port, hostname, timeoutMs, secureContext: clients(client ?? "modern") }),
      ),
      repeat: 1,
      // One handshake on both sides: the peer would have to try the key types too.
      tryAllKeyTypes: false,
      concurrency,
      signal,
      now: () => Date.now(),
      sleep: async (ms, stop) => void (await pause(ms, undefined, { signal: stop })),
      random: Math.random,
    });
    const bad = results.find(({ ok }) => !ok);
    if (bad !== undefined) throw new Error(`${bad.hostname}: ${JSON.stringify(bad)}`);
    return results;
  },
} as const;

/** A server for every hostname, in its own process that ends when its standard input ends. */
export async function startServer(): Promise<{ readonly server: Server; readonly child: ChildProcess }> {
  const program = join(__dirname, __filename.endsWith(".ts") ? "verify-server-run.ts" : "verify-server-run.js");
  const child = spawn(process.execPath, [...process.execArgv, program], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { server: JSON.parse(line) as Server, child };
  }
  throw new Error("the server did not start");
}
