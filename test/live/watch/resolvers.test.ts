import { type NameServer, type NameServerOptions, startNameServer } from "../../../lib/cloud/name-server";
import { createDnsView } from "../../../lib/live/doctor";
import { authoritativeResolver, resolverAt } from "../../../lib/live/watch";
import { createZone, createZoneSource } from "../../support/zones";

type Records = Readonly<Record<string, readonly (readonly [type: string, ...rrdatas: readonly string[]])[]>>;

/** A source of one zone, in which names are given without their trailing dots. */
function zone(dnsName: string, records: Records) {
  const recordSets = Object.entries(records).flatMap(([name, sets]) =>
    sets.map(([type, ...rrdatas]) => ({ name: `${name}.`, type, ttl: 60, rrdatas })),
  );
  return createZone(`${dnsName}.`, recordSets);
}

const started: NameServer[] = [];
const { signal } = new AbortController();

async function start(options: NameServerOptions): Promise<NameServer> {
  const server = await startNameServer(options);
  started.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

/**
 * A resolver that still remembers old addresses, and the name servers of two zones that have new ones: `shop.test` on
 * two servers of which the first is dead, `cdn.test` on one.
 */
async function startInternet() {
  const parent = {
    "shop.test": [
      ["NS", "dead.dns.test.", "ns.dns.test."],
      ["A", "192.0.2.1"],
    ],
    "www.shop.test": [["A", "192.0.2.1"]],
    "alias.shop.test": [["A", "192.0.2.1"]],
  } satisfies Records;
  const resolver = await start({
    zones: createZoneSource([
      zone("test", {}),
      zone("shop.test", parent),
      zone("cdn.test", { "cdn.test": [["NS", "ns.cdn.test."]], "ns.cdn.test": [["A", "127.0.0.3"]] }),
      zone("dns.test", { "dead.dns.test": [["A", "127.0.0.9"]], "ns.dns.test": [["A", "127.0.0.2"]] }),
    ]),
  });
  const { port } = resolver;
  await start({
    address: "127.0.0.2",
    port,
    zones: createZoneSource([
      zone("shop.test", {
        "shop.test": [
          ["A", "203.0.113.7"],
          ["AAAA", "2001:db8::7"],
        ],
        "alias.shop.test": [["CNAME", "edge.cdn.test."]],
      }),
    ]),
  });
  await start({
    address: "127.0.0.3",
    port,
    zones: createZoneSource([zone("cdn.test", { "edge.cdn.test": [["A", "203.0.113.8"]] })]),
  });
  return {
    resolver,
    authoritative: authoritativeResolver({ resolvers: [resolver], nameServerPort: port, signal, now: () => 0 }),
  };
}

test("queries the authoritative name servers of a zone directly, and follows them into other zones", async () => {
  const { authoritative } = await startInternet();
  expect(await authoritative.resolve("shop.test")).toEqual({ ok: true, addresses: ["2001:db8::7", "203.0.113.7"] });
  expect(await authoritative.resolve("alias.shop.test")).toEqual({ ok: true, addresses: ["203.0.113.8"] });
  expect(await authoritative.resolve("none.shop.test")).toEqual({
    ok: false,
    code: "dns-no-address",
    detail: "NXDOMAIN",
  });
});

test("queries one server for what it knows, even if that is stale", async () => {
  const { resolver } = await startInternet();
  const remembering = resolverAt("remembering", resolver, createDnsView({ resolvers: [], signal }));
  expect(await remembering.resolve("shop.test")).toEqual({ ok: true, addresses: ["192.0.2.1"] });
  expect(remembering.isFar).toBe(false);
  expect(await remembering.isAlive?.()).toBe(true);
});

test.each([
  ["that fails", { rcode: "SERVFAIL" }, "dns-failed", "SERVFAIL", true],
  ["that refuses", { rcode: "REFUSED" }, "dns-failed", "REFUSED", true],
  ["that is silent", { drop: true }, "dns-unanswered", "timeout", false],
] as const)("a server %s", async (_, fault, code, detail, alive) => {
  const server = await start({ zones: createZoneSource([]), fault: () => fault });
  const view = createDnsView({ resolvers: [], signal, timeoutMs: alive ? 5_000 : 50, attempts: 1 });
  const resolver = resolverAt("it", server, view);
  expect(await resolver.resolve("shop.test")).toEqual({ ok: false, code, detail });
  expect(await resolver.isAlive?.()).toBe(alive);
});

test("reports a server where nothing listens as unanswered", async () => {
  const server = await start({ zones: createZoneSource([]) });
  await started.pop()?.close();
  const resolver = resolverAt("it", server, createDnsView({ resolvers: [], signal, timeoutMs: 5_000, attempts: 1 }));
  expect(await resolver.resolve("shop.test")).toEqual({ ok: false, code: "dns-unanswered", detail: "ECONNREFUSED" });
  expect(await resolver.isAlive?.()).toBe(false);
});
