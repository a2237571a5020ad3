import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { QueryRecord } from "../../../lib/cloud/name-server";
import { exampleZones } from "./example-zones";
import { askUdp, closeOf, connectTo, nodeResolver, start } from "./name-servers";
import { framed, query, read } from "./packets";

/** A loopback address of this process alone, so that no other program takes its ports. */
const ownAddress = `127.53.${(process.pid >> 8) & 255}.${process.pid & 255 || 1}`;

test("Node's resolver reads every kind of record", async () => {
  const resolver = nodeResolver(await start());

  expect(await resolver.resolve4("www.example.com", { ttl: true })).toEqual([
    { address: "192.0.2.1", ttl: 60 },
    { address: "192.0.2.2", ttl: 60 },
  ]);
  expect(await resolver.resolve6("www.example.com")).toEqual(["2001:db8::1"]);
  expect(await resolver.resolveCname("_acme-challenge.example.com")).toEqual([
    "0a1b.4.authorize.certificatemanager.goog",
  ]);
  expect(await resolver.resolveCaa("example.com")).toEqual([
    { critical: 0, issue: "pki.goog" },
    { critical: 0, issuewild: ";" },
  ]);
  expect(await resolver.resolveNs("example.com")).toEqual(["ns1.example.com", "ns2.example.com"]);
  expect(await resolver.resolveMx("example.com")).toEqual([
    { priority: 10, exchange: "mail.example.com" },
    { priority: 20, exchange: "backup.example.net" },
  ]);
  expect(await resolver.resolveTxt("example.com")).toEqual([["v=spf1 -all"]]);
  expect(await resolver.resolveSoa("example.com")).toEqual({
    nsname: "ns1.example.com",
    hostmaster: "hostmaster.example.com",
    serial: 7,
    refresh: 21600,
    retry: 3600,
    expire: 259200,
    minttl: 300,
  });
});

test("Node's resolver follows aliases and wildcards", async () => {
  const resolver = nodeResolver(await start());

  expect(await resolver.resolve4("far.example.com")).toEqual(["198.51.100.7"]);
  expect(await resolver.resolve4("any.thing.wild.example.com")).toEqual(["192.0.2.99"]);
});

test("Node's resolver retries over TCP if an answer does not fit into a datagram", async () => {
  const records: QueryRecord[] = [];
  const server = await start({ onQuery: (record) => records.push(record) });

  const texts = await nodeResolver(server).resolveTxt("large.example.com");

  expect(texts.map((strings) => strings.join("").length)).toEqual([510, 510, 510, 510]);
  expect(records.map(({ transport, truncated }) => [transport, truncated])).toEqual([
    ["udp", true],
    ["tcp", false],
  ]);
});

test.each([
  ["nope.example.com", "ENOTFOUND"],
  ["ns1.example.com", "ENODATA"],
  ["www.example.org", "EREFUSED"],
])("Node's resolver gets the reason why %s has no AAAA: %s", async (name, code) => {
  await expect(nodeResolver(await start()).resolve6(name)).rejects.toMatchObject({ code });
});

test("one port serves UDP and TCP, also over IPv6", async () => {
  const server = await start({ address: "::1" });
  const resolver = nodeResolver(server);

  expect(await resolver.resolve4("near.example.net")).toEqual(["198.51.100.7"]);
  expect(await resolver.resolveTxt("large.example.com")).toHaveLength(4);
});

test("reads the zones for each query", async () => {
  let zones = exampleZones;
  const server = await start({ zones: { findZone: (name) => zones.findZone(name) } });
  const resolver = nodeResolver(server);
  await resolver.resolve4("near.example.net");
  zones = { findZone: () => undefined };

  await expect(resolver.resolve4("near.example.net")).rejects.toMatchObject({ code: "EREFUSED" });
});

test("reports every packet", async () => {
  const records: QueryRecord[] = [];
  const server = await start({
    onQuery: (record) => records.push(record),
    now: () => new Date("2026-11-21T00:00:00Z"),
  });
  const at = new Date("2026-11-21T00:00:00Z");
  const client = { address: "127.0.0.1", port: expect.any(Number) };

  await askUdp(server.port, query({ name: "Near.Example.Net" }));
  await askUdp(server.port, query().subarray(0, 8));

  expect(records).toEqual([
    {
      at,
      transport: "udp",
      client,
      question: { name: "Near.Example.Net.", type: "A", class: "IN" },
      rcode: "NOERROR",
      truncated: false,
    },
    { at, transport: "udp", client, question: undefined, rcode: "FORMERR", truncated: false },
  ]);
});

test("an invalid zone is SERVFAIL, and the log has the reason", async () => {
  const error = new Error("no zones today");
  const records: QueryRecord[] = [];
  const server = await start({
    zones: {
      findZone: () => {
        throw error;
      },
    },
    onQuery: (record) => records.push(record),
  });

  expect(read(await askUdp(server.port, query())).rcode).toBe("SERVFAIL");
  expect(records).toMatchObject([{ rcode: "SERVFAIL", error }]);
});

describe("faults", () => {
  test("affect the matching queries", async () => {
    const server = await start({ fault: ({ type }) => (type === "CAA" ? { rcode: "SERVFAIL" } : undefined) });
    const resolver = nodeResolver(server);

    await expect(resolver.resolveCaa("example.com")).rejects.toMatchObject({ code: "ESERVFAIL" });
    expect(await resolver.resolveNs("example.com")).toHaveLength(2);
  });

  test("can delay an answer, which arrives after others", async () => {
    const server = await start({ fault: ({ name }) => (name.startsWith("ns1.") ? { delayMs: 60 } : undefined) });
    const socket = createSocket("udp4");
    const order: number[] = [];
    const both = new Promise<void>((resolve) => {
      socket.on("message", (message) => {
        order.push(message.readUInt16BE(0));
        if (order.length === 2) resolve();
      });
    });
    socket.send(query({ id: 1, name: "ns1.example.com" }), server.port, "127.0.0.1");
    socket.send(query({ id: 2, name: "ns2.example.com" }), server.port, "127.0.0.1");
    await both;
    socket.close();

    expect(order).toEqual([2, 1]);
  });

  test("can drop an answer", async () => {
    const server = await start({ fault: () => ({ drop: true }) });

    await expect(nodeResolver(server, { timeout: 50 }).resolve4("www.example.com")).rejects.toMatchObject({
      code: "ETIMEOUT",
    });
  });

  test("can truncate a datagram, so that the client retries over TCP", async () => {
    const records: QueryRecord[] = [];
    const server = await start({ fault: () => ({ truncate: true }), onQuery: (record) => records.push(record) });

    expect(await nodeResolver(server).resolve4("near.example.net")).toEqual(["198.51.100.7"]);
    expect(records.map(({ transport }) => transport)).toEqual(["udp", "tcp"]);
  });
});

test("a requested port that is in use over TCP is refused", async () => {
  const other = createServer().listen(0, ownAddress);
  try {
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(start({ address: ownAddress, port })).rejects.toMatchObject({
      code: "name-server-not-started",
      retryable: true,
    });
    const freed = createSocket("udp4").bind(port, ownAddress);
    await once(freed, "listening");
    freed.close();
  } finally {
    other.close();
  }
});

test("a chosen port is free for UDP and TCP", async () => {
  const taken: number[] = [];
  const others: Server[] = [];
  const takeTcp = (message: unknown) => {
    const { socket } = message as { readonly socket: UdpSocket };
    socket.once("listening", () => {
      if (taken.length === 2) return;
      const { port } = socket.address();
      taken.push(port);
      // If another program already uses the port, it is in use as the test requires.
      others.push(
        createServer()
          .on("error", () => {})
          .listen(port, "127.0.0.1"),
      );
    });
  };
  subscribe("udp.socket", takeTcp);
  try {
    const server = await start();
    expect(taken).toHaveLength(2);
    expect(taken).not.toContain(server.port);
    expect(await nodeResolver(server).resolveTxt("large.example.com")).toHaveLength(4);
  } finally {
    unsubscribe("udp.socket", takeTcp);
    for (const other of others) other.close();
  }
});

test("an address of another machine is refused", async () => {
  await expect(start({ address: "192.0.2.1" })).rejects.toMatchObject({
    code: "name-server-not-started",
    retryable: false,
  });
});

test("a stop closes connections, discards delayed answers and releases the port", async () => {
  const timeouts = jest.spyOn(globalThis, "setTimeout");
  const cleared = jest.spyOn(globalThis, "clearTimeout");
  const udp = createSocket("udp4");
  let socket: Socket | undefined;
  try {
    const asked = new EventEmitter();
    const bothAsked = Promise.all([once(asked, "tcp"), once(asked, "udp")]);
    const server = await start({
      address: ownAddress,
      fault: () => ({ delayMs: 54_321 }),
      onQuery: ({ transport }) => asked.emit(transport),
    });
    socket = await connectTo(server.port, ownAddress);
    const ended = closeOf(socket);
    socket.write(framed(query()));
    udp.send(query(), server.port, ownAddress);
    await bothAsked;

    await Promise.all([server.close(), server.close()]);
    socket.destroy();
    await ended;

    const held = timeouts.mock.results.filter((_, index) => timeouts.mock.calls[index]?.[1] === 54_321);
    expect(held).toHaveLength(2);
    for (const { value } of held) expect(cleared).toHaveBeenCalledWith(value);
    const again = await start({ address: ownAddress, port: server.port });
    expect(again.port).toBe(server.port);
  } finally {
    timeouts.mockRestore();
    cleared.mockRestore();
    udp.close();
    socket?.destroy();
  }
});
