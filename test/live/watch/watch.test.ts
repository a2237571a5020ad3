import { setTimeout as sleep } from "node:timers/promises";
import { type Authority, createAuthority } from "../../../lib/cloud/certificate-authority";
import { type ServedRecordSet, startNameServer } from "../../../lib/cloud/name-server";
import { createDnsView } from "../../../lib/live/doctor";
import { createClients, shakeHands } from "../../../lib/live/verify";
import { resolverAt, type WatchLine, type WatchOptions, type WatchSample, watchTraffic } from "../../../lib/live/watch";
import { serveTls } from "../../support/tls-servers";
import { createZone, createZoneSource } from "../../support/zones";
import { changed, type WatchChange } from "./virtual-watch";

const [oldAddress, newAddress] = ["198.51.100.1", "203.0.113.7"];
let authority: Authority;

beforeAll(async () => {
  authority = await createAuthority({ commonName: "Test", now: () => new Date(Date.now() - 60_000) });
});

async function serverFor(...names: readonly string[]) {
  const { chainPem, privateKeyPem } = await authority.issue({ names, publicKeyAlgorithm: "ecdsa-p256", validDays: 1 });
  return serveTls({ cert: chainPem, key: privateKeyPem });
}

/** Starts previous and new servers and a name server, and returns the options of a watch. */
async function stage(hostnames: readonly string[], newNames: readonly string[] = hostnames) {
  const [oldSide, newSide] = [await serverFor(...hostnames), await serverFor(...newNames)];
  const records = new Map<string, ServedRecordSet>();
  const set = (hostname: string, ...rrdatas: readonly string[]) =>
    records.set(hostname, { name: `${hostname}.`, type: "A", ttl: 1, rrdatas });
  for (const hostname of hostnames) set(hostname, oldAddress);
  const failing = new Set<string>();
  const nameServer = await startNameServer({
    zones: { findZone: (name) => createZoneSource([createZone("example.com.", records.values())]).findZone(name) },
    fault: ({ name }) => (failing.has(name.replace(/\.$/, "")) ? { rcode: "SERVFAIL" } : undefined),
  });
  const lines: WatchLine[] = [];
  const stopped = new AbortController();
  const secureContext = createClients([authority.trustBundlePem])("modern");
  const options: WatchOptions = {
    subjects: {
      hostnames,
      loadBalancerAddresses: [newAddress],
      previousAddresses: new Map(hostnames.map((hostname) => [hostname, [oldAddress]])),
    },
    resolvers: [resolverAt("authoritative", nameServer, createDnsView({ resolvers: [], signal: stopped.signal }))],
    shakeHands: (address, hostname) => {
      const { port } = address === newAddress ? newSide : oldSide;
      return shakeHands({ address: "127.0.0.1", port, hostname, timeoutMs: 2_000, secureContext });
    },
    schedule: { everyMs: 20, goodMs: 100, withinMs: 20_000 },
    signal: stopped.signal,
    now: () => Date.now(),
    sleep: async (milliseconds, signal) => void (await sleep(milliseconds, undefined, { signal })),
    observers: { onLine: (line) => lines.push(line) },
  };
  return {
    options,
    lines,
    set,
    /** Deletes the records of a hostname. */
    remove: (hostname: string) => records.delete(hostname),
    failing,
    stop: () => stopped.abort(),
    samples: () => lines.filter((line): line is WatchSample => line.kind === "sample"),
    [Symbol.asyncDispose]: async () => {
      await nameServer.close();
      await oldSide[Symbol.asyncDispose]();
      await newSide[Symbol.asyncDispose]();
    },
  };
}

/** Watches until the first sample. */
function watchOnce({ options, lines, stop }: Awaited<ReturnType<typeof stage>>, change: WatchChange = {}) {
  return watchTraffic(
    changed(options, {
      ...change,
      observers: {
        onLine: (line) => {
          lines.push(line);
          if (line.kind === "sample") stop();
        },
      },
    }),
  );
}

test("ends when traffic has moved and is served correctly, with everything in its log", async () => {
  await using world = await stage(["www.example.com", "example.com"]);
  const changes: string[] = [];
  const summary = await watchTraffic(
    changed(world.options, {
      observers: {
        onLine: (line) => {
          world.lines.push(line);
          if (line.kind === "sample" && line.side === "previous") {
            world.set("www.example.com", newAddress);
            if (world.samples().length > 4) world.set("example.com", newAddress);
          }
        },
        onChange: (hostname, change) => changes.push(`${hostname} ${change}`),
      },
    }),
  );
  expect(summary).toMatchObject({
    verdict: "good",
    stopped: false,
    failures: 0,
    gaps: 0,
    share: { previous: 0, loadBalancer: 2, other: 0, unknown: 0 },
  });
  expect(changes.sort()).toEqual(["example.com moved", "www.example.com moved"]);
  expect(world.lines[0]).toEqual({
    kind: "start",
    version: 1,
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    hostnames: ["www.example.com", "example.com"],
    resolvers: ["authoritative"],
    previousAddresses: [oldAddress],
    loadBalancerAddresses: [newAddress],
    everyMs: 20,
  });
  expect(world.samples()[0]).toEqual({
    kind: "sample",
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    hostname: expect.stringContaining("example.com"),
    resolver: "authoritative",
    address: oldAddress,
    side: "previous",
    ok: true,
    ms: expect.any(Number),
  });
  expect(world.lines.at(-1)).toEqual(summary);
  expect(summary.attempts).toBe(world.samples().length);
});

test("reports a failure after the move for a hostname without a certificate on the load balancer", async () => {
  await using world = await stage(["example.com", "lost.example.com"], ["example.com"]);
  world.set("example.com", newAddress);
  world.set("lost.example.com", newAddress);
  const summary = await watchTraffic(changed(world.options, { schedule: { until: "moved" } }));
  expect(summary).toMatchObject({ verdict: "failures", stopped: false });
  expect(summary.hostnames).toEqual([
    expect.objectContaining({ hostname: "example.com", failures: 0, codes: {} }),
    expect.objectContaining({ hostname: "lost.example.com", failures: 1, codes: { "name-mismatch": 1 } }),
  ]);
  expect(summary.findings).toEqual([
    {
      code: "name-mismatch",
      severity: "error",
      subject: "lost.example.com",
      message: expect.stringMatching(/^1 attempt failed, the latest with: it is for /),
      meaning: "the served certificate is for other names",
      remedy: expect.stringContaining("check the map entry of the name"),
    },
  ]);
});

test.each([
  ["without records", "dns-no-address", (world: Awaited<ReturnType<typeof stage>>) => world.remove("example.com")],
  [
    "at a server that fails",
    "dns-failed",
    (world: Awaited<ReturnType<typeof stage>>) => world.failing.add("example.com"),
  ],
])("reports a hostname %s as %s", async (_, code, break_) => {
  await using world = await stage(["example.com"]);
  break_(world);
  const summary = await watchOnce(world);
  expect(summary).toMatchObject({ verdict: "failures", stopped: true, share: { unknown: 1 } });
  expect(world.samples()[0]).toEqual(expect.objectContaining({ ok: false, code, resolver: "authoritative" }));
});

test("shares a connection, which counts once, between two resolvers with the same address", async () => {
  await using world = await stage(["example.com"]);
  const [first] = world.options.resolvers;
  if (first === undefined) throw new Error("there is no resolver");
  const resolvers = [first, { ...first, name: "second" }];
  const summary = await watchOnce(world, { resolvers });
  expect(
    world
      .samples()
      .map(({ resolver, shared }) => `${resolver} ${shared ?? "own"}`)
      .sort(),
  ).toEqual([expect.stringContaining("authoritative"), expect.stringContaining("second")]);
  expect(summary).toMatchObject({ verdict: "not-moved", attempts: 1, share: { previous: 2 } });
});

test("reports an address that is neither previous nor new as another", async () => {
  await using world = await stage(["example.com"]);
  world.set("example.com", "192.0.2.1");
  const summary = await watchOnce(world);
  expect(summary).toMatchObject({ verdict: "not-moved", share: { other: 1 } });
});

test("ends on abort with a summary of what was observed", async () => {
  await using world = await stage(["example.com"]);
  const summary = await watchTraffic(
    changed(world.options, {
      schedule: { everyMs: 60_000 },
      observers: {
        onLine: ({ kind }) => {
          if (kind === "sample") setTimeout(world.stop, 10);
        },
      },
    }),
  );
  expect(summary).toMatchObject({ verdict: "not-moved", stopped: true, share: { previous: 1 } });
});
