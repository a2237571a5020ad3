import { type Reply, type RespondOptions, respond } from "../../../lib/cloud/name-server/respond";
import { createZone, createZoneSource } from "../../support/zones";
import { exampleZones, recordSet } from "./example-zones";
import { mutatedPackets, type QueryParts, query, read, withCount } from "./packets";

function reply(parts: QueryParts, options: Partial<RespondOptions> = {}, transport: "udp" | "tcp" = "udp"): Reply {
  return respond(query(parts), transport, { zones: exampleZones, ...options });
}

/** Returns the answer, decoded by another implementation. */
function answer(parts: QueryParts, options?: Partial<RespondOptions>, transport?: "udp" | "tcp") {
  return read(reply(parts, options, transport).message!);
}

test("an answer repeats id, question and the recursion desired flag, and is authoritative", () => {
  const message = answer({ id: 0xbeef, name: "WwW.eXample.com", type: "AAAA" });

  expect(message).toMatchObject({
    id: 0xbeef,
    type: "response",
    rcode: "NOERROR",
    flag_aa: true,
    flag_tc: false,
    flag_rd: true,
    flag_ra: false,
    questions: [{ name: "WwW.eXample.com", type: "AAAA", class: "IN" }],
    answers: [{ name: "WwW.eXample.com", type: "AAAA", class: "IN", ttl: 60, data: "2001:db8::1" }],
    authorities: [],
    additionals: [],
  });
});

test("an answer has the flag RD only if the query has it", () => {
  expect(answer({ flags: 0 }).flag_rd).toBe(false);
});

test.each<[string, string, unknown]>([
  ["example.com", "MX", { preference: 10, exchange: "mail.example.com" }],
  ["example.com", "CAA", { flags: 0, tag: "issue", value: "pki.goog", issuerCritical: false }],
  ["example.com", "NS", "ns1.example.com"],
  ["example.com", "TXT", [Buffer.from("v=spf1 -all")]],
  ["_acme-challenge.example.com", "CNAME", "0a1b.4.authorize.certificatemanager.goog"],
  [
    "example.com",
    "SOA",
    {
      mname: "ns1.example.com",
      rname: "hostmaster.example.com",
      serial: 7,
      refresh: 21600,
      retry: 3600,
      expire: 259200,
      minimum: 300,
    },
  ],
])("an answer of %s %s is decoded correctly by another implementation", (name, type, data) => {
  expect(answer({ name, type }).answers?.[0]).toMatchObject({ data });
});

test("an answer about a missing name has the zone's SOA", () => {
  expect(answer({ name: "nope.example.com" })).toMatchObject({
    rcode: "NXDOMAIN",
    answers: [],
    authorities: [{ name: "example.com", type: "SOA", ttl: 300 }],
  });
});

test("an answer compresses each name with all earlier names", () => {
  const message = reply({ name: "example.com", type: "NS" }).message!;
  const owner = 2;
  const fixed = 10;
  const labels = "\x03ns1".length + owner;

  expect(message.length).toBe(12 + 13 + 4 + 2 * (owner + fixed + labels));
  expect(read(message).answers).toMatchObject([{ data: "ns1.example.com" }, { data: "ns2.example.com" }]);
});

test("an answer keeps the case of names in data, whatever the case of the query", () => {
  expect(answer({ name: "EXAMPLE.COM", type: "NS" }).answers).toMatchObject([
    { name: "EXAMPLE.COM", data: "ns1.example.com" },
    { name: "EXAMPLE.COM", data: "ns2.example.com" },
  ]);
});

test("an answer compresses chains of names that are split in different places", () => {
  const lines = ["a 1 CNAME b.c.example.org.", "b.c 1 CNAME c.example.org.", "c 1 CNAME d.b.c.example.org."];
  const zones = createZoneSource([
    createZone(
      "example.org.",
      [...lines, "d.b.c 1 MX 1 c.example.org. | 2 x.d.b.c.example.org. | 3 ."].map((line) =>
        recordSet("example.org.", line),
      ),
    ),
  ]);

  expect(answer({ name: "a.example.org", type: "MX" }, { zones }).answers).toMatchObject([
    { name: "a.example.org", data: "b.c.example.org" },
    { name: "b.c.example.org", data: "c.example.org" },
    { name: "c.example.org", data: "d.b.c.example.org" },
    { name: "d.b.c.example.org", data: { exchange: "c.example.org" } },
    { name: "d.b.c.example.org", data: { exchange: "x.d.b.c.example.org" } },
    { name: "d.b.c.example.org", data: { exchange: "." } },
  ]);
});

test("an answer uses no pointer to a name beyond the pointer limit", () => {
  const long = { name: "www.example.com.", type: "TXT", ttl: 1, rrdatas: [`"${"x".repeat(200)}" `.repeat(100)] };
  const answers = [long, ...["b", "c.b", "d.c.b"].map((name) => recordSet("example.net.", `${name} 1 A 192.0.2.1`))];

  expect(answer({}, { fault: () => ({ answers }) }, "tcp").answers?.map(({ name }) => name)).toEqual([
    "www.example.com",
    "b.example.net",
    "c.b.example.net",
    "d.c.b.example.net",
  ]);
});

test("an answer with thousands of names uses pointers only within the pointer limit", () => {
  const servers = Array.from({ length: 2500 }, (_, index) => `ns${index}.of-${index % 7}.example.net.`);
  const zones = createZoneSource([
    createZone("example.org.", [{ name: "example.org.", type: "NS", ttl: 1, rrdatas: servers }]),
  ]);

  const { answers } = answer({ name: "example.org", type: "NS" }, { zones }, "tcp");

  expect(answers?.map((record) => ("data" in record ? `${record.data}.` : ""))).toEqual(servers);
});

describe("EDNS", () => {
  test("is included only if the query has it", () => {
    expect(answer({}).additionals).toEqual([]);
    expect(answer({ payloadOctets: 4096 }).additionals).toMatchObject([
      { type: "OPT", name: ".", udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flag_do: false, options: [] },
    ]);
  });

  test("returns the DNSSEC OK flag", () => {
    expect(answer({ payloadOctets: 4096, dnssecOk: true }).additionals).toMatchObject([{ flag_do: true }]);
  });

  test("of a later version is refused with the supported version", () => {
    expect(answer({ payloadOctets: 4096, ednsVersion: 1 })).toMatchObject({
      rcode: "NOERROR",
      answers: [],
      additionals: [{ type: "OPT", extendedRcode: 1, ednsVersion: 0 }],
    });
    expect(reply({ payloadOctets: 4096, ednsVersion: 1 }).rcode).toBe("BADVERS");
  });
});

/** A zone whose TXT record makes an answer of exactly that many octets to a query with EDNS. */
const zonesFor = (octets: number) => {
  const rest = octets - 12 - (13 + 4) - (2 + 10) - 11;
  const strings: string[] = [];
  for (let left = rest; left > 0; left -= 256) strings.push(`"${"x".repeat(Math.min(255, left - 1))}"`);
  return createZoneSource([
    createZone("example.org.", [{ name: "example.org.", type: "TXT", ttl: 1, rrdatas: [strings.join(" ")] }]),
  ]);
};

test.each([
  ["512 without EDNS", undefined, 512],
  ["512 if EDNS requests fewer", 100, 512],
  ["the requested number of", 700, 700],
  ["1232 if EDNS requests more", 65535, 1232],
])("over UDP, an answer has up to %s octets", (_, payloadOctets, limit) => {
  const asked = { name: "example.org", type: "TXT", ...(payloadOctets === undefined ? {} : { payloadOctets }) };
  const opt = payloadOctets === undefined ? 11 : 0;
  const whole = reply(asked, { zones: zonesFor(limit + opt) });
  const cut = reply(asked, { zones: zonesFor(limit + opt + 1) });

  expect(whole.message).toHaveLength(limit);
  expect(read(whole.message!)).toMatchObject({ flag_tc: false, answers: [{ type: "TXT" }] });
  expect(read(cut.message!)).toMatchObject({
    rcode: "NOERROR",
    flag_tc: true,
    flag_aa: true,
    answers: [],
    authorities: [],
  });
  expect([whole.truncated, cut.truncated]).toEqual([false, true]);
});

test("a truncated answer keeps its OPT record", () => {
  expect(answer({ name: "large.example.com", type: "TXT", payloadOctets: 1232 })).toMatchObject({
    flag_tc: true,
    additionals: [{ type: "OPT" }],
  });
});

test("over TCP, the complete answer is sent", () => {
  const { message, truncated } = reply({ name: "large.example.com", type: "TXT" }, {}, "tcp");

  expect(truncated).toBe(false);
  expect(read(message!).answers).toHaveLength(4);
});

test("an answer that exceeds the size of a TCP message is SERVFAIL", () => {
  const rrdatas = Array.from({ length: 300 }, (_, index) => `"${index}" "${"x".repeat(250)}"`);
  const zones = createZoneSource([
    createZone("example.org.", [{ name: "example.org.", type: "TXT", ttl: 1, rrdatas }]),
  ]);

  expect(answer({ name: "example.org", type: "TXT" }, { zones }, "tcp")).toMatchObject({
    rcode: "SERVFAIL",
    flag_tc: false,
    answers: [],
  });
});

const exampleOptions = { zones: exampleZones };
const withOpt = query({ payloadOctets: 1232 });
test.each<[string, Buffer]>([
  ["nothing", Buffer.alloc(0)],
  ["three octets", Buffer.from([1, 2, 3])],
  ["a response", Buffer.concat([Buffer.from("12348100", "hex"), query().subarray(4)])],
  ["half a header of a response", Buffer.from([0x12, 0x34, 0x80, 0x00, 0])],
])("a packet with %s gets no answer", (_, packet) => {
  expect(respond(packet, "udp", exampleOptions)).toEqual({
    message: undefined,
    question: undefined,
    rcode: undefined,
    truncated: false,
    delayMs: 0,
  });
});

test.each<[string, Buffer]>([
  ["half a header", query().subarray(0, 8)],
  ["no question", withCount(query().subarray(0, 12), 0, 0)],
  ["fewer questions than the header states", withCount(query(), 0, 2)],
  ["two questions", withCount(Buffer.concat([query(), query().subarray(12)]), 0, 2)],
  ["a question that is cut", query().subarray(0, 20)],
  ["a question without class", query().subarray(0, -2)],
  ["a compressed question", Buffer.concat([query().subarray(0, 12), Buffer.from([0xc0, 4, 0, 1, 0, 1])])],
  ["more records than there are", withCount(query(), 3, 65535)],
  ["more records of every section than there are", Buffer.from("123401000001ffffffffffff", "hex")],
  ["octets behind its end", Buffer.concat([query(), Buffer.alloc(1)])],
  ["an OPT record that is cut", query({ payloadOctets: 1232 }).subarray(0, -1)],
  ["two OPT records", withCount(Buffer.concat([withOpt, withOpt.subarray(-11)]), 3, 2)],
  [
    "an OPT record that is not at the root",
    Buffer.concat([withOpt.subarray(0, -11), Buffer.from([1, 0x61]), withOpt.subarray(-11)]),
  ],
])("a packet with %s gets FORMERR with a complete header", (_, packet) => {
  const { message, rcode } = respond(packet, "udp", exampleOptions);

  expect(message?.toString("hex")).toBe("1234810100000000" + "00000000");
  expect(rcode).toBe("FORMERR");
});

test.each([
  ["STATUS", 2],
  ["NOTIFY", 4],
  ["UPDATE", 5],
])("a message with opcode %s is answered with NOTIMP and the same opcode", (opcode, number) => {
  const { message, rcode } = respond(query({ flags: number << 11 }), "udp", exampleOptions);

  expect(read(message!)).toMatchObject({ id: 0x1234, type: "response", opcode, rcode: "NOTIMP", questions: [] });
  expect(rcode).toBe("NOTIMP");
});

test("unexpected records in a query are skipped", () => {
  const tsig = Buffer.from("\x03key\xc0\x0c\x00\xfa\x00\xff\0\0\0\0\0\x02!!", "latin1");
  const packet = withCount(Buffer.concat([query(), tsig]), 3, 1);

  expect(read(respond(packet, "udp", exampleOptions).message!)).toMatchObject({ rcode: "NOERROR", answers: [{}, {}] });
});

test("1,000 corrupted packets each get a valid answer or no answer", () => {
  const seed = Date.now() % 1_000_000;
  let answered = 0;
  for (const packet of mutatedPackets(1000, seed)) {
    const { message } = respond(packet, "udp", exampleOptions);
    if (message === undefined) continue;
    answered++;
    const what = `seed ${seed}: ${packet.toString("hex")}`;
    expect([what, message.length <= 1232, message.readUInt16BE(0)]).toEqual([what, true, packet.readUInt16BE(0)]);
    expect([what, read(message).type]).toEqual([what, "response"]);
  }
  expect(answered).toBeGreaterThan(500);
});

describe("invalid zones", () => {
  test.each([
    [
      "data that can't be read",
      { name: "example.org.", type: "A", ttl: 1, rrdatas: ["not an address"] },
      "A",
      "rrdata-bad-ipv4",
    ],
    ["an alias to nowhere", { name: "example.org.", type: "CNAME", ttl: 1, rrdatas: [] }, "A", "rrdata-incomplete"],
    [
      "a type that can't be served",
      { name: "example.org.", type: "HTTPS", ttl: 1, rrdatas: ["1 ."] },
      "HTTPS",
      "rrdata-unknown-type",
    ],
  ])("%s: SERVFAIL, and a log entry with the reason", (_, records, type, code) => {
    const zones = createZoneSource([createZone("example.org.", [records])]);
    const { error, ...rest } = reply({ name: "example.org", type: type === "HTTPS" ? "UNKNOWN_65" : type }, { zones });

    expect(rest.rcode).toBe("SERVFAIL");
    expect(read(rest.message!)).toMatchObject({ rcode: "SERVFAIL", answers: [], questions: [{ name: "example.org" }] });
    expect(error).toMatchObject({ code });
  });
});

const faulty = (fault: ReturnType<NonNullable<RespondOptions["fault"]>>, transport?: "udp" | "tcp") =>
  reply({}, { fault: () => fault }, transport);

test("faults are requested with the question", () => {
  const asked: unknown[] = [];
  reply({ name: "A.example.com", type: "CAA" }, { fault: (question) => void asked.push(question) });

  expect(asked).toEqual([{ name: "A.example.com.", type: "CAA", class: "IN" }]);
});

test("faults without a match leave the answer unchanged", () => {
  expect(faulty(undefined)).toEqual(reply({}));
  expect(faulty({})).toEqual(reply({}));
});

test("faults can delay an answer", () => {
  expect(faulty({ delayMs: 1500 })).toEqual({ ...reply({}), delayMs: 1500 });
});

test("faults can drop an answer", () => {
  expect(faulty({ drop: true })).toEqual({
    message: undefined,
    question: { name: "www.example.com.", type: "A", class: "IN" },
    rcode: undefined,
    truncated: false,
    delayMs: 0,
  });
});

test("faults can fail an answer", () => {
  expect(read(faulty({ rcode: "SERVFAIL" }).message!)).toMatchObject({
    rcode: "SERVFAIL",
    answers: [],
    authorities: [],
  });
});

test("faults can truncate an answer over UDP, and leave it complete over TCP", () => {
  expect(read(faulty({ truncate: true }).message!)).toMatchObject({ flag_tc: true, answers: [] });
  expect(read(faulty({ truncate: true }, "tcp").message!)).toMatchObject({ flag_tc: false, answers: [{}, {}] });
});

test("faults can replace an answer", () => {
  const wrong = recordSet("example.com.", "www 5 A 203.0.113.66");

  expect(read(faulty({ answers: [wrong] }).message!)).toMatchObject({
    rcode: "NOERROR",
    flag_aa: true,
    answers: [{ name: "www.example.com", ttl: 5, data: "203.0.113.66" }],
  });
  expect(read(faulty({ answers: [] }).message!)).toMatchObject({ rcode: "NOERROR", answers: [] });
});

test("faults with invalid records cause SERVFAIL, and the reason is logged", () => {
  const relative = { name: "www.example.com", type: "A", ttl: 5, rrdatas: ["203.0.113.66"] };

  expect(faulty({ answers: [relative] })).toMatchObject({ rcode: "SERVFAIL", error: { code: "dns-name-relative" } });
});

test("faults cause SERVFAIL if the fault plan throws", () => {
  const error = new Error("no plan");
  const fault = () => {
    throw error;
  };

  expect(reply({}, { fault })).toMatchObject({ rcode: "SERVFAIL", error });
});
