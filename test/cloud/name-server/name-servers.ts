import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type NameServer, type NameServerOptions, startNameServer } from "../../../lib/cloud/name-server";
import { exampleZones } from "./example-zones";

const servers: NameServer[] = [];

/** Starts a server of the example zones, and stops it after the test. */
export async function start(options: Partial<NameServerOptions> = {}): Promise<NameServer> {
  const server = await startNameServer({ zones: exampleZones, ...options });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** Creates Node's resolver (c-ares), an independent implementation for production. */
export function nodeResolver(
  { address, port }: NameServer,
  { timeout = 20_000 }: { readonly timeout?: number } = {},
): Resolver {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`]);
  return resolver;
}

/** Sends one datagram and returns the next datagram that arrives. */
export async function askUdp(port: number, packet: Buffer): Promise<Buffer> {
  const socket = createSocket("udp4");
  try {
    socket.send(packet, port, "127.0.0.1");
    const [message] = await once(socket, "message");
    return message as Buffer;
  } finally {
    socket.close();
  }
}

export async function connectTo(port: number, host = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ host, port, allowHalfOpen: true });
  await once(socket, "connect");
  return socket;
}

/** Waits until a connection closes, normally or with an error. */
export function closeOf(socket: Socket): Promise<void> {
  socket.on("error", () => {});
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** Reads until the server closes the connection. */
export async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
