import { CHECKING_DISABLED, encode } from "dns-packet";
import { createDnsView, type DnsView, type NameServerAddress, readNameServer } from "../../lib/live/doctor";
import { type Internet, startInternet, startOddServer } from "./servers";

const never = new AbortController().signal;
const servfail = 2;

let internet: Internet;
let view: DnsView;

beforeAll(async () => {
  internet = await startInternet(
    {
      "127.0.0.1": {
        "shop.com": {
          "shop.com": [
            ["NS", 300, "ns1.shop.com."],
            ["SOA", 300, "ns1.shop.com. admin.shop.com. 7 1 1 1 60"],
            ["A", 300, "198.51.100.1"],
            ["CAA", 300, '0 issue "pki.goog"', '128 tbs "x"'],
            ["TXT", 300, '"one " "two"'],
          ],
          "www.shop.com": [["CNAME", 60, "edge.cdn.net."]],
          "loop.shop.com": [["CNAME", 60, "pool.shop.com."]],
          "pool.shop.com": [["CNAME", 60, "loop.shop.com."]],
          "out.shop.com": [["CNAME", 60, "x.nowhere.org."]],
          "ns1.shop.com": [["A", 60, "127.0.0.1"]],
          "ns2.shop.com": [["AAAA", 60, "fe80::1"]],
          "ns3.shop.com": [
            ["A", 60, "127.0.0.9"],
            ["AAAA", 60, "fe80::1"],
          ],
        },
        "cdn.net": { "edge.cdn.net": [["AAAA", 30, "2001:db8::1"]] },
      },
    },
    { "127.0.0.1": ({ name }) => (name === "shop.com." ? { truncate: true } : undefined) },
  );
  view = createDnsView({ resolvers: [internet.resolver], nameServerPort: internet.port, signal: never });
});
afterAll(() => internet[Symbol.asyncDispose]());

const at = (server: NameServerAddress, more = {}) => createDnsView({ resolvers: [server], signal: never, ...more });

test.each([
  ["shop.com", "A", ["198.51.100.1"]],
  ["SHOP.com.", "NS", ["ns1.shop.com"]],
  ["shop.com", "SOA", ["ns1.shop.com 7"]],
  ["shop.com", "CAA", ['0 issue "pki.goog"', '128 tbs "x"']],
  ["shop.com", "TXT", ["one two"]],
  ["shop.com", "AAAA", []],
] as const)("answers %s %s with %j, over TCP if the answer is truncated", async (name, type, data) => {
  const resolution = await view.resolve(name, type);
  expect(resolution).toMatchObject({ ok: true, exists: true, chain: [] });
  expect(resolution.ok && resolution.records.map((record) => record.data).sort()).toEqual(data);
});

test("follows an alias, and returns each record with its owner and time to live", async () => {
  expect(await view.resolve("www.shop.com", "AAAA")).toEqual({
    ok: true,
    exists: true,
    chain: [{ name: "www.shop.com", type: "CNAME", ttlSeconds: 60, data: "edge.cdn.net" }],
    records: [{ name: "edge.cdn.net", type: "AAAA", ttlSeconds: 30, data: "2001:db8::1" }],
  });
  expect(await view.resolve("none.shop.com", "A")).toEqual({ ok: true, exists: false, chain: [], records: [] });
});

test("reports the chain of aliases that form a loop or end at a server that does not answer", async () => {
  expect(await view.resolve("loop.shop.com", "A")).toMatchObject({ ok: false, detail: "alias-loop" });
  expect(await view.resolve("out.shop.com", "A")).toEqual({
    ok: false,
    detail: "REFUSED",
    chain: [{ name: "out.shop.com", type: "CNAME", ttlSeconds: 60, data: "x.nowhere.org" }],
  });
});

test("distinguishes a DNSSEC validation failure from other server failures", async () => {
  await using forged = await startOddServer(({ flags = 0 }) => ({
    flags: (flags & CHECKING_DISABLED) === 0 ? servfail : 0,
  }));
  await using broken = await startOddServer(() => ({ flags: servfail }));
  expect(await at(forged.server).resolve("shop.com", "A")).toMatchObject({ ok: false, detail: "bogus" });
  expect(await at(broken.server).resolve("shop.com", "A")).toMatchObject({ ok: false, detail: "SERVFAIL" });
});

test("queries the next resolver if one is unreachable, and caches each answer", async () => {
  await using good = await startOddServer(({ questions = [] }) => ({
    answers: [{ type: "A", name: questions[0]?.name ?? "", ttl: 5, data: "192.0.2.1" }],
  }));
  const both = at(good.server, { resolvers: [await closedPort(), good.server] });
  const found = { ok: true, records: [{ data: "192.0.2.1" }] };
  expect(await Promise.all([both.resolve("a.com", "A"), both.resolve("A.com.", "A")])).toMatchObject([found, found]);
  expect(good.queries).toHaveLength(1);
});

test("queries the next resolver if one refuses, and reports the refusal if no resolver answers", async () => {
  await using refusing = await startOddServer(() => ({ flags: 5 }));
  await using good = await startOddServer(({ questions = [] }) => ({
    answers: [{ type: "A", name: questions[0]?.name ?? "", ttl: 5, data: "192.0.2.1" }],
  }));
  const resolve = (...resolvers: readonly NameServerAddress[]) =>
    at(refusing.server, { resolvers: [refusing.server, ...resolvers] }).resolve("a.com", "A");
  expect(await resolve(good.server)).toMatchObject({ ok: true, records: [{ data: "192.0.2.1" }] });
  expect(await resolve(await closedPort())).toMatchObject({ ok: false, detail: "REFUSED" });
});

test("queries a silent server again before it gives up", async () => {
  await using silent = await startOddServer(() => undefined);
  const patient = at(silent.server, { attempts: 3, timeoutMs: 20 });
  expect(await patient.resolve("a.com", "A")).toEqual({ ok: false, detail: "timeout", chain: [] });
  expect(silent.queries).toHaveLength(3);
});

test("sends one query at a time to a name server that never answers, so that a firewall delays only that server", async () => {
  await using silent = await startOddServer(() => undefined);
  const { port } = silent.server;
  const hasty = at(internet.resolver, { nameServerPort: port, attempts: 1, timeoutMs: 300 });
  const ask = () => hasty.askNameServer("ns1.shop.com", "shop.com", "SOA");
  await Promise.all([ask(), ask(), ask()]);
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(answers).toEqual(answers.map(() => ({ kind: "silent", detail: "timeout" })));
  expect(silent.queries).toHaveLength(4);
});

test("sends all queries to a name server that has answered before, even if later ones stay unanswered", async () => {
  await using choosy = await startOddServer(({ questions = [] }) =>
    questions[0]?.name === "good.com" ? {} : undefined,
  );
  const { port } = choosy.server;
  const hasty = at(internet.resolver, { nameServerPort: port, attempts: 1, timeoutMs: 300 });
  const ask = (name: string) => hasty.askNameServer("ns1.shop.com", name, "SOA");
  await ask("good.com");
  await Promise.all(["a.com", "b.com", "c.com"].map(ask));
  const answers = await Promise.all(["d.com", "good.com"].map(ask));
  expect(answers.map(({ kind }) => kind)).toEqual(["silent", "answer"]);
});

test.each([
  ["ns2.shop.com", { kind: "unknown" }],
  ["ns3.shop.com", { kind: "silent", detail: "ECONNREFUSED" }],
])("does not blame the name server if this machine has no route to it %s", async (server, answer) => {
  expect(await view.askNameServer(server, "shop.com", "SOA")).toEqual(answer);
});

/** Returns an address on which no process listens. */
async function closedPort(): Promise<NameServerAddress> {
  const { server, ...odd } = await startOddServer(() => undefined);
  await odd[Symbol.asyncDispose]();
  return server;
}

test.each([
  ["nothing", () => undefined, "timeout"],
  [
    "octets that are not a DNS message",
    (id: number) => [Buffer.concat([number(id), Buffer.from([0x80, 0, 0, 9])])],
    "unreadable",
  ],
  ["the answer to another query", (id: number) => [encode({ type: "response", id: (id + 1) % 0x10000 })], "timeout"],
  ["an answer to another question", (id: number) => [answerTo(id, "other.com")], "timeout"],
  [
    "its own question back",
    (id: number) => [encode({ type: "query", id, questions: [{ type: "A", name: "a.com" }] })],
    "timeout",
  ],
] as const)("does not count %s from a server as an answer", async (_, answer, detail) => {
  await using odd = await startOddServer(({ id = 0 }) => answer(id));
  const hasty = at(odd.server, { attempts: 1, timeoutMs: detail === "timeout" ? 100 : 5_000 });
  expect(await hasty.resolve("a.com", "A")).toEqual({ ok: false, detail, chain: [] });
});

function number(id: number): Buffer {
  const octets = Buffer.alloc(2);
  octets.writeUInt16BE(id);
  return octets;
}

function answerTo(id: number, name: string): Buffer {
  return encode({ type: "response", id, questions: [{ type: "A", name }] });
}

test("reports a port without a server, and an empty list of resolvers", async () => {
  const server = await closedPort();
  expect(await at(server).resolve("a.com", "A")).toMatchObject({ ok: false, detail: "ECONNREFUSED" });
  expect(await at(server, { resolvers: [] }).resolve("a.com", "A")).toMatchObject({ ok: false });
});

test("limits the number of concurrent queries", async () => {
  let [open, most] = [0, 0];
  await using slow = await startOddServer(() => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
    });
    return {};
  });
  const few = at(slow.server, { concurrency: 2 });
  await Promise.all(Array.from({ length: 20 }, (_, index) => few.resolve(`a${index}.com`, "A")));
  expect(slow.queries).toHaveLength(20);
  expect(most).toBeLessThanOrEqual(2);
});

test("aborts queries with the signal", async () => {
  await using silent = await startOddServer(() => undefined);
  const stopping = new AbortController();
  const asked = createDnsView({ resolvers: [silent.server], signal: stopping.signal }).resolve("a.com", "A");
  stopping.abort(new Error("stopped"));
  await expect(asked).rejects.toThrow("stopped");
});

test.each([
  ["127.0.0.1:5353", { address: "127.0.0.1", port: 5353 }],
  ["8.8.8.8", { address: "8.8.8.8", port: 53 }],
  ["[::1]:5353", { address: "::1", port: 5353 }],
  ["2001:db8::1", { address: "2001:db8::1", port: 53 }],
])("parses the server %s as %j", (text, server) => {
  expect(readNameServer(text, "--dns-server")).toEqual(server);
});

test.each(["dns.example.com", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x", "", "[::1"])(
  "refuses the server %j",
  (text) => {
    expect(() => readNameServer(text, "--resolver")).toThrow(/^--resolver .* is not an address; use HOST:PORT/);
  },
);
