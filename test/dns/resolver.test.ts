import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { type DecodedPacket, encode, type Packet } from "dns-packet";
import { createResolver, type ResolverOptions } from "../../lib/dns";
import { framed } from "../cloud/name-server/packets";
import { startOddServer } from "./servers";

const address = "192.0.2.1";
const forgedAddress = "203.0.113.66";

/** An answer with one address to a query for an A record. */
function answerOf({ id = 0, questions = [] }: DecodedPacket, data = address): Packet {
  const name = questions[0]?.name ?? "";
  return { type: "response", id, questions, answers: [{ name, type: "A", ttl: 1, data }] };
}

function resolverOf(server: ResolverOptions["server"], change: Partial<ResolverOptions> = {}) {
  return createResolver({ server, timeoutMs: 1_000, attempts: 2, ...change });
}

const found = { ok: true, exists: true, records: [{ data: address }] };

test("sends a lost query again, with another id", async () => {
  let next = 7;
  await using server = await startOddServer((query) => (query.id === 9 ? answerOf(query) : undefined));
  const resolver = resolverOf(server.server, { attempts: 20, timeoutMs: 40, randomId: () => next++ });

  expect(await resolver.resolve("a.example.org", "A")).toMatchObject(found);
  expect(server.queries.map(({ id }) => id)).toEqual([7, 8, 9]);
});

test("sends a query again after an answer that is cut off", async () => {
  await using server = await startOddServer((query) => {
    const answer = encode(answerOf(query));
    return server.queries.length === 1 ? answer.subarray(0, -2) : answer;
  });

  expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject(found);
});

test.each([
  ["FORMERR", 1],
  ["NOTIMP", 4],
])("queries a server that answers EDNS with %s without EDNS", async (_, rcode) => {
  await using server = await startOddServer((query) =>
    (query.additionals ?? []).length > 0 ? { questions: [], flags: rcode } : answerOf(query),
  );

  expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject(found);
  expect(server.queries.map(({ additionals }) => additionals?.length)).toEqual([1, 0]);
});

test.each([
  ["FORMERR with and without EDNS", 1, [], "FORMERR"],
  ["SERVFAIL", 2, [], "SERVFAIL"],
  ["REFUSED", 5, [], "REFUSED"],
  ["a response code with upper bits in the OPT record", 0, [1], "RCODE16"],
])("reports %s", async (_, flags, extended, detail) => {
  await using server = await startOddServer(() => ({
    flags,
    additionals: extended.map((extendedRcode) => ({
      type: "OPT",
      name: ".",
      udpPayloadSize: 1_232,
      extendedRcode,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    })),
  }));

  expect(await resolverOf(server.server).resolve("a.example.org", "A")).toEqual({ ok: false, detail, chain: [] });
});

test.each<[string, (query: DecodedPacket) => Packet | Buffer]>([
  ["has another id", (query) => ({ ...answerOf(query, forgedAddress), id: (query.id ?? 0) ^ 1 })],
  [
    "has another name",
    (query) => ({ ...answerOf(query, forgedAddress), questions: [{ name: "b.example.org", type: "A" }] }),
  ],
  [
    "has another type",
    (query) => ({ ...answerOf(query, forgedAddress), questions: [{ name: "a.example.org", type: "AAAA" }] }),
  ],
  [
    "has another class",
    (query) => ({
      ...answerOf(query, forgedAddress),
      questions: [{ name: "a.example.org", type: "A", class: "CH" }],
    }),
  ],
  ["has no question", (query) => ({ ...answerOf(query, forgedAddress), questions: [] })],
  ["is itself a query", (query) => ({ ...answerOf(query, forgedAddress), type: "query" })],
  ["is too short", () => Buffer.alloc(5)],
])("ignores a forged answer that %s", async (_, forged) => {
  await using server = await startOddServer((query) => {
    const packet = forged(query);
    return [Buffer.isBuffer(packet) ? packet : encode(packet), encode(answerOf(query))];
  });

  expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject(found);
});

test("ignores records of other names, types and classes, and keeps no record with a negative time to live", async () => {
  await using server = await startOddServer((query) => {
    const own = { name: "A.example.org", type: "A", ttl: 0x80000000, data: address } as const;
    const answers = [
      { ...own, name: "b.example.org", data: forgedAddress },
      { ...own, class: "CH", data: forgedAddress } as const,
      { ...own, type: "AAAA", data: "2001:db8::66" } as const,
      own,
    ];
    return { ...answerOf(query), answers };
  });

  expect(await resolverOf(server.server).resolve("a.example.org", "A")).toEqual({
    ok: true,
    exists: true,
    records: [{ name: "a.example.org", type: "A", ttlSeconds: 0, data: address }],
    chain: [],
  });
});

test("queries for the rest of a chain that the server does not follow", async () => {
  await using server = await startOddServer((query) => {
    const name = query.questions?.[0]?.name ?? "";
    const data = { "a.example.org": "b.example.org", "b.example.org": "C.example.org" }[name];
    return data === undefined ? answerOf(query) : { answers: [{ name, type: "CNAME", ttl: 1, data }] };
  });

  expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject({
    ...found,
    chain: [{ data: "b.example.org" }, { data: "c.example.org" }],
  });
  expect(server.queries.map(({ questions }) => questions?.[0]?.name)).toEqual([
    "a.example.org",
    "b.example.org",
    "c.example.org",
  ]);
});

test.each([
  [16, { ok: true }],
  [17, { ok: false, detail: "alias-loop" }],
])("follows a chain of %i CNAME records: %j", async (links, result) => {
  await using server = await startOddServer((query) => {
    const name = query.questions?.[0]?.name ?? "";
    const link = Number(/^c(\d+)/.exec(name)?.[1]);
    if (link === links) return answerOf(query);
    return { answers: [{ name, type: "CNAME", ttl: 1, data: `c${link + 1}.example.org` }] };
  });

  expect(await resolverOf(server.server).resolve("c0.example.org", "A")).toMatchObject(result);
});

test("returns its own answer to each of many concurrent look-ups", async () => {
  await using server = await startOddServer((query) => answerOf(query));
  const names = Array.from({ length: 200 }, (_, index) => `host-${index}.example.com`);
  const resolver = resolverOf(server.server);
  const resolutions = await Promise.all(names.map((name) => resolver.resolve(name, "A")));

  expect(resolutions.map((one) => one.ok && one.records[0]?.name)).toEqual(names);
  expect(new Set(server.queries.map(({ id }) => id)).size).toBeGreaterThan(150);
});

describe("over TCP", () => {
  /** Answers every query over UDP with the flag TC, and over TCP with these octets. */
  async function truncating(reply: (id: number) => Buffer) {
    const tcp = createServer((socket) => {
      socket.once("data", (chunk: Buffer) => socket.end(reply(chunk.readUInt16BE(2))));
    }).listen(0, "127.0.0.1");
    await once(tcp, "listening");
    const { port } = tcp.address() as { readonly port: number };
    const udp = createSocket("udp4");
    udp.on("message", (message, from) => {
      const answer = { type: "response", id: message.readUInt16BE(0), flags: 0x0200 } as const;
      const questions = [{ name: "a.example.org", type: "A" } as const];
      udp.send(encode({ ...answer, questions }), from.port, from.address);
    });
    udp.bind(port, "127.0.0.1");
    await once(udp, "listening");
    return {
      server: { address: "127.0.0.1", port },
      [Symbol.asyncDispose]: async () => {
        tcp.close();
        await new Promise<void>((resolve) => udp.close(resolve));
      },
    };
  }
  const questions = [{ name: "a.example.org", type: "A" } as const];

  test("reads an answer that does not fit into a datagram", async () => {
    await using server = await truncating((id) => framed(encode(answerOf({ id, questions } as DecodedPacket))));
    expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject(found);
  });

  test.each<[string, (id: number) => Buffer]>([
    ["breaks off", (id) => framed(encode({ type: "response", id })).subarray(0, 8)],
    ["has another id", (id) => framed(encode({ type: "response", id: id ^ 1 }))],
  ])("reports an answer that %s as unreadable", async (_, reply) => {
    await using server = await truncating(reply);
    expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject({
      ok: false,
      detail: "unreadable",
    });
  });

  test("reports a server that answers over UDP only", async () => {
    await using server = await startOddServer(() => ({ flags: 0x0200 }));
    expect(await resolverOf(server.server).resolve("a.example.org", "A")).toMatchObject({
      ok: false,
      detail: "ECONNREFUSED",
    });
  });
});

test("reports an address without a route at once", async () => {
  // A link-local address without its link.
  const resolution = await resolverOf({ address: "fe80::1", port: 53 }).resolve("www.example.com", "A");
  expect(resolution).toMatchObject({ ok: false, detail: expect.stringMatching(/^E(INVAL|NETUNREACH|ADDRNOTAVAIL)$/) });
});
