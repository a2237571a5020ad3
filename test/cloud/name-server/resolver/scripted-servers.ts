import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type DecodedPacket, encode, type Packet } from "dns-packet";
import {
  createResolver,
  type NameServer,
  type NameServerOptions,
  type Resolver,
  type ResolverOptions,
  startNameServer,
} from "../../../../lib/cloud/name-server";
import { exampleZones } from "../example-zones";
import { read } from "../packets";

/** What is to be closed when a test is over. */
export const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

export async function start(options: Partial<NameServerOptions> = {}): Promise<NameServer> {
  const server = await startNameServer({ zones: exampleZones, ...options });
  closing.push(() => server.close());
  return server;
}

/** A resolver that asks a fresh name server with these options. */
export async function resolverOf(
  options: Partial<NameServerOptions> = {},
  settings: Omit<ResolverOptions, "server"> = {},
): Promise<Resolver> {
  return createResolver({ server: await start(options), ...settings });
}

/** A UDP server that says to each query whatever a test wants; each entry is one datagram. */
export async function startScripted(
  script: (query: DecodedPacket, count: number) => readonly (Packet | Buffer)[],
): Promise<number> {
  const socket = createSocket("udp4");
  let count = 0;
  socket.on("message", (message, from) => {
    for (const reply of script(read(message), ++count)) {
      socket.send(Buffer.isBuffer(reply) ? reply : encode(reply), from.port, from.address);
    }
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  closing.push(() => new Promise<void>((resolve) => socket.close(resolve)));
  return socket.address().port;
}

/** A resolver that asks such a server. */
export function scripted(port: number, settings: Omit<ResolverOptions, "server"> = {}): Resolver {
  return createResolver({ server: { address: "127.0.0.1", port }, timeoutMs: 1000, attempts: 2, ...settings });
}
