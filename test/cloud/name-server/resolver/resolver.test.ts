import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { type DecodedPacket, encode, type Packet } from "dns-packet";
import fc from "fast-check";
import {
  createResolver,
  createZone,
  createZoneSource,
  type NameServer,
  type NameServerOptions,
  type QueryRecord,
  type Resolver,
  type ResolverOptions,
  startNameServer,
} from "../../../../lib/cloud/name-server";
import { UnreadableMessage } from "../../../../lib/cloud/name-server/cursor";
import { type ReceivedAnswer, readAnswer } from "../../../../lib/cloud/name-server/resolver/message";
import { exampleZones, recordSet } from "../example-zones";
import { framed, mutatedPackets, read } from "../packets";

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(options: Partial<NameServerOptions> = {}): Promise<NameServer> {
  const server = await startNameServer({ zones: exampleZones, ...options });
  closing.push(() => server.close());
  return server;
}

/** A resolver that asks a fresh name server with these options. */
async function resolverOf(
  options: Partial<NameServerOptions> = {},
  settings: Omit<ResolverOptions, "server"> = {},
): Promise<Resolver> {
  return createResolver({ server: await start(options), ...settings });
}

/** A UDP server that says to each query whatever a test wants; each entry is one datagram. */
async function startScripted(
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

function scripted(port: number, settings: Omit<ResolverOptions, "server"> = {}): Resolver {
  return createResolver({ server: { address: "127.0.0.1", port }, timeoutMs: 1000, attempts: 2, ...settings });
}

/** A good answer to a query: one address. */
function good({ id, questions }: DecodedPacket, address = "192.0.2.1"): Packet {
  const name = questions?.[0]?.name ?? "";
  return {
    type: "response",
    id: id ?? 0,
    questions: questions ?? [],
    answers: [{ name, type: "A", ttl: 1, data: address }],
  };
}

const RCODE = { FORMERR: 1, SERVFAIL: 2, YXDOMAIN: 6, RCODE11: 11 } as const;

const exampleComSoa = {
  name: "example.com.",
  type: "SOA",
  ttl: 300,
  data: "ns1.example.com. hostmaster.example.com. 7 21600 3600 259200 300",
};

describe("what is found", () => {
  test("records come as Cloud DNS writes them", async () => {
    const resolver = await resolverOf();
    const found = async (name: string, type: string) =>
      (await resolver.resolve(name, type)).answers.map(({ data }) => data);

    expect(await resolver.resolve("_acme-challenge.example.com", "CNAME")).toEqual({
      rcode: "NOERROR",
      answers: [
        {
          name: "_acme-challenge.example.com.",
          type: "CNAME",
          ttl: 300,
          data: "0a1b.4.authorize.certificatemanager.goog.",
        },
      ],
      cnameChain: [],
      soa: undefined,
    });
    expect(await found("www.example.com.", "A")).toEqual(["192.0.2.1", "192.0.2.2"]);
    expect(await found("www.example.com", "AAAA")).toEqual(["2001:db8::1"]);
    expect(await found("example.com", "CAA")).toEqual(['0 issue "pki.goog"', '0 issuewild ";"']);
    expect(await found("example.com", "MX")).toEqual(["10 mail.example.com.", "20 backup.example.net."]);
    expect(await found("example.com", "SOA")).toEqual([exampleComSoa.data]);
    expect(await found("a\\.b.example.com", "A")).toEqual(["192.0.2.4"]);
    expect(await found("*.wild.example.com", "TXT")).toEqual(['"synthesized"']);
  });

  test("a chain of aliases is told with its end", async () => {
    expect(await (await resolverOf()).resolve("far.example.com", "A")).toEqual({
      rcode: "NOERROR",
      answers: [{ name: "near.example.net.", type: "A", ttl: 300, data: "198.51.100.7" }],
      cnameChain: ["near.example.net."],
      soa: undefined,
    });
  });

  test("a chain that an answer leaves open is followed by asking for its end", async () => {
    const asked: string[] = [];
    const port = await startScripted((query) => {
      const name = query.questions?.[0]?.name ?? "";
      asked.push(name);
      const next = { "a.example.org": "b.example.org", "b.example.org": "C.example.org" }[name];
      return [
        next === undefined ? good(query) : { ...good(query), answers: [{ name, type: "CNAME", ttl: 1, data: next }] },
      ];
    });

    expect(await scripted(port).resolve("a.example.org", "A")).toEqual({
      rcode: "NOERROR",
      answers: [{ name: "C.example.org.", type: "A", ttl: 1, data: "192.0.2.1" }],
      cnameChain: ["b.example.org.", "C.example.org."],
      soa: undefined,
    });
    expect(asked).toEqual(["a.example.org", "b.example.org", "C.example.org"]);
  });

  test("an answer that does not fit into a datagram comes over TCP", async () => {
    const records: QueryRecord[] = [];
    const resolver = await resolverOf({ onQuery: (record) => records.push(record) });

    expect((await resolver.resolve("large.example.com", "TXT")).answers).toHaveLength(4);
    expect(records.map(({ transport }) => transport)).toEqual(["udp", "tcp"]);
  });

  test("over IPv6 as over IPv4", async () => {
    const resolver = await resolverOf({ address: "::1" });

    expect((await resolver.resolve("large.example.com", "TXT")).answers).toHaveLength(4);
    expect((await resolver.resolve("near.example.net", "A")).answers).toMatchObject([{ data: "198.51.100.7" }]);
  });

  test("a dot that belongs to a label does not end it, whatever stands before", async () => {
    const zones = createZoneSource([
      createZone("example.org.", [recordSet("example.org.", "@ 1 NS not\\.example.org.")]),
    ]);

    expect((await (await resolverOf({ zones })).resolve("example.org", "NS")).answers).toMatchObject([
      { data: "not\\.example.org." },
    ]);
  });

  test("data of types without a known layout is given in octets", async () => {
    const port = await startScripted((query) => [
      { ...good(query), answers: [{ name: "a.example.org", type: "NULL", ttl: 1, data: Buffer.from([0, 255]) }] },
    ]);

    expect((await scripted(port).resolve("a.example.org", "TYPE10")).answers).toMatchObject([{ data: "\\# 2 00ff" }]);
  });

  test("records of other names, types and classes in an answer are passed over", async () => {
    const port = await startScripted((query) => {
      const other = (name: string, rest: object) =>
        ({ name, type: "A", ttl: 1, data: "203.0.113.66", ...rest }) as const;
      const answers = [
        other("b.example.org", {}),
        other("a.example.org", { class: "CH" }),
        ...(good(query).answers ?? []),
      ];
      return [{ ...good(query), answers }];
    });

    expect((await scripted(port).resolve("A.example.org", "A")).answers).toMatchObject([{ data: "192.0.2.1" }]);
  });
});

describe("what is not there is an answer too", () => {
  test.each([
    ["no such name", "nope.example.com", { rcode: "NXDOMAIN", cnameChain: [], soa: exampleComSoa }],
    ["no such records", "ns1.example.com", { rcode: "NOERROR", cnameChain: [], soa: exampleComSoa }],
    [
      "no such records behind an alias",
      "empty.example.com",
      { rcode: "NOERROR", cnameChain: ["ns1.example.com."], soa: exampleComSoa },
    ],
    [
      "no such name behind an alias",
      "lost.example.com",
      {
        rcode: "NXDOMAIN",
        cnameChain: ["nowhere.example.net."],
        soa: {
          name: "example.net.",
          type: "SOA",
          ttl: 900,
          data: "ns1.example.net. hostmaster.example.net. 1 21600 3600 259200 900",
        },
      },
    ],
  ])("%s: %s", async (_, name, expected) => {
    expect(await (await resolverOf()).resolve(name, "AAAA")).toEqual({ ...expected, answers: [] });
  });

  test("and is not asked for twice", async () => {
    const records: QueryRecord[] = [];
    await (await resolverOf({ onQuery: (record) => records.push(record) })).resolve("empty.example.com", "AAAA");

    expect(records).toHaveLength(1);
  });

  test("also without a SOA", async () => {
    const resolver = await resolverOf({ zones: createZoneSource([createZone("example.org.", [])]) });

    expect(await resolver.resolve("example.org", "A")).toEqual({
      rcode: "NOERROR",
      answers: [],
      cnameChain: [],
      soa: undefined,
    });
  });
});

describe("what is no answer is an error", () => {
  const chainZones = (links: number) =>
    createZoneSource([
      createZone("example.org.", [
        ...Array.from({ length: links }, (_, index) =>
          recordSet("example.org.", `c${index} 1 CNAME c${index + 1}.example.org.`),
        ),
        recordSet("example.org.", `c${links} 1 A 192.0.2.1`),
      ]),
    ]);

  test.each<[string, Partial<NameServerOptions>, string, string, boolean]>([
    ["SERVFAIL", { fault: () => ({ rcode: "SERVFAIL" }) }, "www.example.com", "dns-server-failure", true],
    ["REFUSED", {}, "www.example.org", "dns-refused", false],
    ["REFUSED for the target of an alias", {}, "_acme-challenge.example.com", "dns-refused", false],
    [
      "another response code",
      { fault: () => ({ rcode: "NOTAUTH" }) },
      "www.example.com",
      "dns-unexpected-rcode",
      false,
    ],
    [
      "FORMERR with and without EDNS",
      { fault: () => ({ rcode: "FORMERR" }) },
      "www.example.com",
      "dns-unexpected-rcode",
      false,
    ],
    ["silence", { fault: () => ({ drop: true }) }, "www.example.com", "dns-timeout", true],
    ["an answer that comes too late", { fault: () => ({ delayMs: 1000 }) }, "www.example.com", "dns-timeout", true],
    ["other servers instead", {}, "www.child.example.com", "dns-referral", false],
    ["aliases in a circle", {}, "loop-a.example.com", "dns-cname-loop", false],
    ["aliases that lead into a circle", {}, "into-loop.example.com", "dns-cname-loop", false],
    ["an alias to itself", {}, "self.example.com", "dns-cname-loop", false],
    ["a chain that is too long", { zones: chainZones(17) }, "c0.example.org", "dns-cname-chain-too-long", false],
  ])("%s", async (_, options, name, code, retryable) => {
    const resolver = await resolverOf(options, { timeoutMs: 40, attempts: 2 });

    await expect(resolver.resolve(name, "A")).rejects.toMatchObject({ name: "ServiceError", code, retryable });
  });

  test("a chain of 16 is none", async () => {
    const resolver = await resolverOf({ zones: chainZones(16) });

    expect((await resolver.resolve("c0.example.org", "A")).cnameChain).toHaveLength(16);
  });

  test("the message says what was looked up, where, and what came back", async () => {
    const server = await start();
    const resolver = createResolver({ server });

    await expect(resolver.resolve("www.example.org", "A")).rejects.toThrow(
      `looking up 'www.example.org.' at 127.0.0.1 port ${server.port}: the server answered REFUSED`,
    );
  });

  test("a port where nobody listens is told at once", async () => {
    const server = await start();
    await server.close();

    await expect(createResolver({ server }).resolve("www.example.com", "A")).rejects.toMatchObject({
      code: "dns-unreachable",
      retryable: true,
    });
  });

  test("a server that has UDP only can't give what needs TCP", async () => {
    const port = await startScripted((query) => [{ ...good(query), answers: [], flags: 0x0200 }]);

    await expect(scripted(port).resolve("a.example.org", "A")).rejects.toMatchObject({ code: "dns-unreachable" });
  });

  test.each<[string, (id: number) => Buffer]>([
    ["breaks off", (id) => framed(encode({ type: "response", id })).subarray(0, 8)],
    ["is to another query", (id) => framed(encode({ type: "response", id: id ^ 1 }))],
  ])("an answer over TCP that %s", async (_, reply) => {
    const tcp = createServer((socket) => {
      socket.once("data", (chunk: Buffer) => socket.end(reply(chunk.readUInt16BE(2))));
    }).listen(0, "127.0.0.1");
    await once(tcp, "listening");
    closing.push(() => tcp.close());
    const { port } = tcp.address() as { port: number };
    const udp = createSocket("udp4");
    udp.on("message", (message, from) => {
      udp.send(encode({ ...good(read(message)), answers: [], flags: 0x0200 }), from.port, from.address);
    });
    udp.bind(port, "127.0.0.1");
    await once(udp, "listening");
    closing.push(() => new Promise<void>((resolve) => udp.close(resolve)));

    await expect(scripted(port).resolve("a.example.org", "A")).rejects.toMatchObject({ code: "dns-bad-answer" });
  });

  test("an answer that can't be read", async () => {
    const port = await startScripted((query) => [encode(good(query)).subarray(0, -2)]);

    await expect(scripted(port).resolve("a.example.org", "A")).rejects.toMatchObject({
      code: "dns-bad-answer",
      retryable: true,
    });
  });
});

describe("attempts", () => {
  test("a lost datagram is sent again, under another number", async () => {
    const ids: (number | undefined)[] = [];
    const port = await startScripted((query, count) => {
      ids.push(query.id);
      return count < 3 ? [] : [good(query)];
    });
    let next = 7;
    const resolver = scripted(port, { attempts: 20, timeoutMs: 40, randomId: () => next++ });

    expect((await resolver.resolve("a.example.org", "A")).answers).toHaveLength(1);
    expect(ids.slice(0, 3)).toEqual([7, 8, 9]);
  });

  test("an answer that can't be read is asked for again", async () => {
    const port = await startScripted((query, count) => [
      count === 1 ? encode(good(query)).subarray(0, -2) : good(query),
    ]);

    expect((await scripted(port).resolve("a.example.org", "A")).answers).toHaveLength(1);
  });

  test.each([RCODE.FORMERR, 4])(
    "a server that does not know EDNS (response code %d) is asked without",
    async (rcode) => {
      const seen: number[] = [];
      const port = await startScripted((query) => {
        seen.push(query.additionals?.length ?? 0);
        return [seen.length === 1 ? { type: "response", id: query.id ?? 0, flags: rcode } : good(query)];
      });

      expect((await scripted(port).resolve("a.example.org", "A")).answers).toHaveLength(1);
      expect(seen).toEqual([1, 0]);
    },
  );

  test.each<[string, (query: DecodedPacket) => Packet | Buffer]>([
    ["has another number", (query) => ({ ...good(query, "203.0.113.66"), id: (query.id ?? 0) ^ 1 })],
    [
      "has another name",
      (query) => ({ ...good(query, "203.0.113.66"), questions: [{ name: "b.example.org", type: "A" }] }),
    ],
    [
      "has another type",
      (query) => ({ ...good(query, "203.0.113.66"), questions: [{ name: "a.example.org", type: "AAAA" }] }),
    ],
    [
      "has another class",
      (query) => ({ ...good(query, "203.0.113.66"), questions: [{ name: "a.example.org", type: "A", class: "CH" }] }),
    ],
    ["has no question", (query) => ({ ...good(query, "203.0.113.66"), questions: [] })],
    ["is itself a query", (query) => ({ ...good(query, "203.0.113.66"), type: "query" })],
    ["is too short", () => Buffer.alloc(5)],
  ])("an answer that %s is passed over for the true one", async (_, forged) => {
    const port = await startScripted((query) => [forged(query), good(query)]);

    expect((await scripted(port).resolve("a.example.org", "A")).answers).toMatchObject([{ data: "192.0.2.1" }]);
  });

  test("numbers of queries differ", async () => {
    const ids = new Set<number | undefined>();
    const port = await startScripted((query) => {
      ids.add(query.id);
      return [good(query)];
    });
    const resolver = scripted(port);
    for (let count = 0; count < 20; count++) await resolver.resolve("a.example.org", "A");

    expect(ids.size).toBeGreaterThan(15);
  });

  test("many look-ups at a time each get their own answer", async () => {
    const resolver = await resolverOf();
    const names = Array.from({ length: 200 }, (_, index) => `host-${index}.wild.example.com.`);
    const found = await Promise.all(names.map((name) => resolver.resolve(name, "A")));

    expect(found.map(({ answers }) => answers[0]?.name)).toEqual(names);
  });
});

describe("being told to stop", () => {
  test("ends the waiting", async () => {
    const resolver = await resolverOf({ fault: () => ({ drop: true }) }, { timeoutMs: 60_000 });
    const controller = new AbortController();
    const resolution = resolver.resolve("www.example.com", "A", { signal: controller.signal });
    controller.abort(new Error("enough"));

    await expect(resolution).rejects.toThrow("enough");
  });

  test("before it began asks nobody", async () => {
    const records: QueryRecord[] = [];
    const resolver = await resolverOf({ onQuery: (record) => records.push(record) });

    await expect(
      resolver.resolve("www.example.com", "A", { signal: AbortSignal.abort(new Error("enough")) }),
    ).rejects.toThrow("enough");
    expect(records).toEqual([]);
  });
});

describe("what can't be asked", () => {
  test.each([
    ["", "A", "dns-name-empty"],
    ["a..b", "A", "dns-name-empty-label"],
    ["two words", "A", "dns-name-bad-character"],
    ["bücher.example", "A", "dns-name-bad-character"],
    ["www.example.com", "WHATEVER", "dns-unknown-type"],
    ["www.example.com", "TYPE65536", "dns-unknown-type"],
  ])("%j %s: %s", async (name, type, code) => {
    const resolver = createResolver({ server: { address: "127.0.0.1", port: 1 } });

    await expect(resolver.resolve(name, type)).rejects.toMatchObject({ name: "InputError", code });
  });

  test("a server without an address", () => {
    expect(() => createResolver({ server: { address: "dns.example.com", port: 53 } })).toThrow(
      "DNS server 'dns.example.com' is not an IP address, and nobody is there to look it up: give an address, as in '127.0.0.1'",
    );
  });
});

describe("octets that come back", () => {
  const query = { id: 0x1234, name: "www.example.com.", type: 1, edns: true };
  const readOrRefuse = (packet: Buffer): ReceivedAnswer | undefined => {
    try {
      return readAnswer(packet, query);
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableMessage);
      return undefined;
    }
  };

  test("are read or refused, whatever they are", () => {
    const start = encode(
      good({ ...read(encode({ type: "query", id: query.id, questions: [{ name: "www.example.com", type: "A" }] })) }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.uint8Array(),
        (changes, tail) => {
          const packet = Buffer.concat([start, tail]);
          for (const [at, octet] of changes) packet[at] = octet;
          const answer = readOrRefuse(packet);
          for (const record of answer?.answers ?? []) expect(record.data).toMatch(/^[ -~]*$/);
        },
      ),
    );
    for (const packet of mutatedPackets(500, 1)) expect(readOrRefuse(packet)).toBeUndefined();
  });

  test("of a long message that points back and back again are refused soon", () => {
    const packet = Buffer.alloc(0xffff);
    encode({ type: "response", id: query.id, questions: [{ name: "www.example.com", type: "A" }] }).copy(packet);
    packet.writeUInt16BE(0xffff, 6);
    for (let at = 34; at + 1 < 0x4000; at += 2) packet.writeUInt16BE(0xc000 | (at - 2), at);
    // Not the time of a clock, as the machine may be busy with something else.
    const before = process.cpuUsage();

    expect(readOrRefuse(packet)).toBeUndefined();
    expect(process.cpuUsage(before).user / 1e3).toBeLessThan(500);
  });

  test("with a time of more than 31 bits may not be kept", () => {
    const questions = [{ name: "www.example.com", type: "A" as const }];
    const packet = encode({
      type: "response",
      id: query.id,
      questions,
      answers: [{ name: "www.example.com", type: "A", ttl: 0x80000000, data: "192.0.2.1" }],
    });

    expect(readAnswer(packet, query)?.answers).toEqual([
      { name: "www.example.com.", type: "A", ttl: 0, data: "192.0.2.1" },
    ]);
  });

  test("with a response code beyond four bits tell it in the OPT record", () => {
    const opt = {
      type: "OPT",
      name: ".",
      udpPayloadSize: 1232,
      extendedRcode: 1,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    } as const;
    const questions = [{ name: "www.example.com", type: "A" as const }];
    const packet = encode({ type: "response", id: query.id, questions, additionals: [{ ...opt, options: [] }] });

    expect(readAnswer(packet, query)?.rcode).toBe("BADVERS");
  });

  test("with a response code that has no name give its number", () => {
    const packet = encode({ type: "response", id: query.id, flags: RCODE.RCODE11, questions: [] });

    expect(readAnswer(packet, query)?.rcode).toBe("RCODE11");
  });
});
