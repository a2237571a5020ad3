import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { encode } from "dns-packet";
import { createResolver, type NameServerOptions, type QueryRecord } from "../../../../lib/cloud/name-server";
import { createZone, createZoneSource } from "../../../support/zones";
import { recordSet } from "../example-zones";
import { framed, read } from "../packets";
import { good } from "./answers";
import { closing, resolverOf, scripted, start, startScripted } from "./scripted-servers";

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
    const resolver = await resolverOf(options, { timeoutMs: retryable ? 40 : 5_000, attempts: 2 });

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

  test("an address to which there is no way from here is told at once", async () => {
    // One of a link, which no link is named for.
    const resolver = createResolver({ server: { address: "fe80::1", port: 53 } });

    await expect(resolver.resolve("www.example.com", "A")).rejects.toMatchObject({ code: "dns-unreachable" });
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
