import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type DecodedPacket, decode, encode, type Packet } from "dns-packet";
import { type NameServer, startNameServer } from "../../lib/cloud/name-server";
import type { NameServerAddress } from "../../lib/dns";
import { createZone, createZoneSource } from "../support/zones";

/** Records by owner and type, with what is after them. */
export type ZoneOfTest = Readonly<
  Record<string, readonly (readonly [type: string, ttl: number, ...rrdatas: string[]])[]>
>;

type Faults = NonNullable<Parameters<typeof startNameServer>[0]["fault"]>;

export interface Internet extends AsyncDisposable {
  /** Port that all servers share. */
  readonly port: number;
  readonly resolver: NameServerAddress;
}

/**
 * Name servers on addresses of this machine that share a port, as all the name servers of the world do.
 *
 * @param servers zones by apex, by address; the first server stands for resolvers
 */
export async function startInternet(
  servers: Readonly<Record<string, Readonly<Record<string, ZoneOfTest>>>>,
  faults: Readonly<Record<string, Faults>> = {},
): Promise<Internet> {
  const started: NameServer[] = [];
  let port: number | undefined;
  for (const [address, zones] of Object.entries(servers)) {
    const source = createZoneSource(
      Object.entries(zones).map(([apex, names]) =>
        createZone(
          `${apex}.`,
          Object.entries(names).flatMap(([name, sets]) =>
            sets.map(([type, ttl, ...rrdatas]) => ({ name: `${name}.`, type, ttl, rrdatas })),
          ),
        ),
      ),
    );
    const fault = faults[address];
    const server = await startNameServer({
      zones: source,
      address,
      ...(port === undefined ? {} : { port }),
      ...(fault === undefined ? {} : { fault }),
    });
    port ??= server.port;
    started.push(server);
  }
  return {
    port: port as number,
    resolver: { address: started[0]?.address ?? "", port: port as number },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map((server) => server.close()));
    },
  };
}

export interface OddServer extends AsyncDisposable {
  readonly server: NameServerAddress;
  readonly queries: readonly DecodedPacket[];
}

/** Starts a UDP server with arbitrary answers: a message, octets, several of them, or no answer. */
export async function startOddServer(
  answer: (query: DecodedPacket) => Packet | Buffer | readonly Buffer[] | undefined,
): Promise<OddServer> {
  const socket = createSocket("udp4");
  const queries: DecodedPacket[] = [];
  socket.on("message", (octets, from) => {
    const query = decode(octets);
    queries.push(query);
    const given = answer(query);
    const packets = given === undefined ? [] : Array.isArray(given) ? given : [given];
    for (const packet of packets as readonly (Packet | Buffer)[]) {
      const message = Buffer.isBuffer(packet)
        ? packet
        : encode({ type: "response", id: query.id, questions: query.questions, ...packet });
      socket.send(message, from.port, from.address);
    }
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: { address: "127.0.0.1", port: socket.address().port },
    queries,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}
