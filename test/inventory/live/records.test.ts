import { createServer as createTcpServer } from "node:net";
import { type AnswerFault, type NameServer, startNameServer } from "../../../lib/cloud/name-server";
import { createAskRecords } from "../../../lib/inventory/live/names";
import { recordSet } from "../../cloud/name-server/example-zones";
import { createZone, createZoneSource } from "../../support/zones";

const zone = createZone(
  "example.com.",
  [
    "@ 300 SOA ns1.example.com. h.example.com. 1 2 3 4 5",
    "both 60 A 192.0.2.2 | 192.0.2.1",
    "both 120 AAAA 2001:db8:0::1",
    "four 60 A 192.0.2.1",
    "text 60 TXT hello",
    "alias 600 CNAME Middle.example.com.",
    "middle 30 CNAME both.example.com.",
    "away 600 CNAME far.example.net.",
    "lost 600 CNAME nowhere.example.com.",
    "loop 600 CNAME pool.example.com.",
    "pool 600 CNAME loop.example.com.",
    `many 60 AAAA ${Array.from({ length: 100 }, (_, number) => `2001:db8::${number + 1}`).join(" | ")}`,
    "*.wild 60 A 192.0.2.9",
  ].map((line) => recordSet("example.com.", line)),
);

const faults: Readonly<Record<string, AnswerFault>> = {
  "fails.example.com.": { rcode: "SERVFAIL" },
  "refuses.example.com.": { rcode: "REFUSED" },
};

let server: NameServer;
beforeAll(async () => {
  // Like authoritative servers, this server does not follow an alias into another zone.
  const far = createZone("example.net.", [
    recordSet("example.net.", "@ 300 SOA a. b. 1 2 3 4 5"),
    recordSet("example.net.", "far 20 A 192.0.2.7"),
  ]);
  server = await startNameServer({ zones: createZoneSource([zone, far]), fault: ({ name }) => faults[name] ?? {} });
});
afterAll(() => server.close());

const ask = (name: string) => createAskRecords(`127.0.0.1:${server.port}`, new AbortController().signal)(name);
const none = { addresses: [], ttlSeconds: null };

test.each([
  [
    "both.example.com",
    null,
    { addresses: ["192.0.2.1", "192.0.2.2"], ttlSeconds: 60 },
    { addresses: ["2001:db8::1"], ttlSeconds: 120 },
  ],
  ["four.example.com", null, { addresses: ["192.0.2.1"], ttlSeconds: 60 }, none],
  ["text.example.com", null, none, none],
  ["nothing.example.com", null, none, none],
  [
    "alias.example.com",
    { target: "middle.example.com.", ttlSeconds: 600 },
    { addresses: ["192.0.2.1", "192.0.2.2"], ttlSeconds: 60 },
    { addresses: ["2001:db8::1"], ttlSeconds: 120 },
  ],
  [
    "away.example.com",
    { target: "far.example.net.", ttlSeconds: 600 },
    { addresses: ["192.0.2.7"], ttlSeconds: 20 },
    none,
  ],
  ["lost.example.com", { target: "nowhere.example.com.", ttlSeconds: 600 }, none, none],
  ["host.wild.example.com", null, { addresses: ["192.0.2.9"], ttlSeconds: 60 }, none],
  ["*.wild.example.com", null, { addresses: ["192.0.2.9"], ttlSeconds: 60 }, none],
])("%s", async (name, cname, a, aaaa) => {
  expect(await ask(name)).toEqual({ ok: true, records: { cname, a, aaaa } });
});

test("fetches an answer that is too long for a datagram over TCP", async () => {
  const answer = await ask("many.example.com");
  expect(answer.ok && answer.records.aaaa.addresses).toHaveLength(100);
});

test.each([
  ["fails.example.com", "SERVFAIL"],
  ["refuses.example.com", "REFUSED"],
  ["loop.example.com", "alias-loop"],
])("reports %s as a failed look-up", async (name, detail) => {
  expect(await ask(name)).toEqual({ ok: false, detail });
});

test("reports a server that does not exist", async () => {
  const taken = createTcpServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { readonly port: number };
  const answer = await createAskRecords(`127.0.0.1:${port}`, new AbortController().signal)("four.example.com");
  await new Promise((resolve) => taken.close(resolve));
  expect(answer).toEqual({ ok: false, detail: "ECONNREFUSED" });
});

test("sends no query after an abort", async () => {
  const answer = await createAskRecords(`127.0.0.1:${server.port}`, AbortSignal.abort())("four.example.com");
  expect(answer.ok).toBe(false);
});
