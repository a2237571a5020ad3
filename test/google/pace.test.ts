import { certificateReader, resourceLister } from "../../lib/google";
import { createPace } from "../../lib/google/authorized-fetch";
import { assessStatus, observeAll, watchStatus } from "../../lib/live/status";
import { waitForCertificates } from "../../lib/live/wait";
import type { SourceMigration } from "../../lib/source";
import { startServer } from "../support/loopback";

const { signal } = new AbortController();
const parent = "projects/p1/locations/global";
const minuteMs = 60_000;

afterEach(() => jest.restoreAllMocks());

/** Creates a virtual clock that advances only when the code under test sleeps. */
function virtualTime() {
  let time = Date.parse("2026-11-21T00:00:00Z");
  return {
    now: () => time,
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
    set: (to: number) => {
      time = to;
    },
  };
}

/** Returns the maximum number of requests within a minute. */
function mostInAMinute(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + minuteMs).length));
}

test("lets sixty requests through at once, and then one every 400 ms", async () => {
  const { now, sleep } = virtualTime();
  const pace = createPace({ now, sleep });
  const startedAt = now();
  const times: number[] = [];
  for (let request = 0; request < 1_000; request += 1) {
    await pace();
    times.push(now() - startedAt);
  }
  expect(times.slice(58, 63)).toEqual([0, 0, 400, 800, 1_200]);
  expect(mostInAMinute(times)).toBe(209);
});

test("lets at most sixty requests through at once again after a pause", async () => {
  const { now, sleep } = virtualTime();
  const pace = createPace({ now, sleep });
  for (let request = 0; request < 100; request += 1) await pace();
  await sleep(3_600_000);
  const before = now();
  for (let request = 0; request < 60; request += 1) await pace();
  expect(now()).toBe(before);
  await pace();
  expect(now()).toBe(before + 400);
});

test("delays a request by less than half a minute when the clock is set back by a day", async () => {
  const { now, sleep, set } = virtualTime();
  const pace = createPace({ now, sleep });
  await pace();
  set(now() - 86_400_000);
  const before = now();
  await pace();
  expect(now() - before).toBeLessThan(30_000);
});

/** Starts a service with 5,000 resources of each kind; a page has 250, regardless of the requested size. */
async function startService(now: () => number) {
  const times: number[] = [];
  const server = await startServer(({ target }, response) => {
    times.push(now());
    const url = new URL(target, "http://x");
    const collection = url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
    const from = Number(url.searchParams.get("pageToken") || 0);
    const item = (_: unknown, index: number) => {
      const name = `${url.pathname.slice("/v1/".length)}/r${from + index}`;
      return collection === "certificates" ? { name, managed: { state: "PROVISIONING" } } : { name };
    };
    const items = Array.from({ length: 250 }, item);
    const next = from + 250 < 5_000 ? { nextPageToken: String(from + 250) } : {};
    const isList = /s$|ies$/.test(collection);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isList ? { [collection]: items, ...next } : { name: url.pathname.slice(4) }));
  });
  return { ...server, times };
}

test("waits for 5,000 certificates with list requests only, and stays within 300 requests a minute", async () => {
  const { now, sleep } = virtualTime();
  // The wait limits its last poll to two seconds of the machine's clock, which twenty pages exceed on a busy machine.
  jest.spyOn(AbortSignal, "timeout").mockReturnValue(signal);
  await using service = await startService(now);
  const certificates = Array.from({ length: 5_000 }, (_, index) => `${parent}/certificates/r${index}`);
  const { verdict, resources } = await waitForCertificates(
    certificateReader(service.url, 30_000, createPace({ now, sleep })),
    { certificates, timeoutMs: 20_000, signal, now, sleep, random: () => 0 },
  );
  expect([verdict, resources.length]).toEqual(["timed-out", 5_000]);
  const paths = new Set(service.requests.map(({ target }) => target.split("?")[0]));
  expect([...paths]).toEqual([`/v1/${parent}/certificates`]);
  // Each poll reads twenty pages. Pacing begins after three polls.
  expect(service.times.length % 20).toBe(0);
  expect(service.times.length).toBeGreaterThan(60);
  expect(mostInAMinute(service.times)).toBeLessThanOrEqual(210);
}, 120_000);

test("polls 5,000 certificates, authorizations and entries every second within 300 requests a minute", async () => {
  const { now, sleep } = virtualTime();
  await using service = await startService(now);
  const stopping = new AbortController();
  const at = <Collection extends string>(collection: Collection, within = parent) => ({
    id: `${within}/${collection}/r1`,
  });
  const map = `${parent}/certificateMaps/m1`;
  const migration: SourceMigration = {
    path: "prod/shop",
    name: "shop",
    phase: "serve",
    gate: "wait",
    loadBalancer: "globalExternal",
    certificates: [
      { ...at("certificates"), name: "c", kind: "managed", domains: [], location: "global", scope: "DEFAULT" },
    ],
    entries: [{ ...at("certificateMapEntries", map), hostname: "PRIMARY", certificates: ["c"] }],
    authorizations: [{ id: `${parent}/dnsAuthorizations/unmade`, domain: "example.com", location: "global" }],
    records: [{ domain: "example.com", published: "external" }],
    map: { id: map },
    proxies: [],
    addresses: { ipv4: [], ipv6: [] },
  };
  const lister = resourceLister(service.url, 30_000, createPace({ now, sleep }));
  const lookUp = async () => ({ ok: true as const, data: [] });
  const [waiting] = assessStatus(
    { ...migration, entries: [{ hostname: "example.com", certificates: ["c"] }] },
    { certificates: [], records: new Map(), entries: [], addresses: new Map() },
  );
  if (waiting === undefined) throw new Error("there is no hostname");
  let snapshots = 0;
  await watchStatus({
    takeSnapshot: async () => {
      const { observed: _, ...costs } = await observeAll([migration], { lister, lookUp, signal });
      snapshots += 1;
      if (snapshots === 2) stopping.abort();
      return { hostnames: [waiting], ...costs };
    },
    everyMs: 1_000,
    signal: stopping.signal,
    sleep,
    random: () => 0,
    onSnapshot: () => undefined,
    onRetry: () => undefined,
  });
  expect(service.requests).toHaveLength(2 * (3 * 20 + 1));
  expect(service.requests.filter(({ target }) => !/s\?|ies\?|certificateMaps\/m1\?/.test(target))).toEqual([]);
  expect(mostInAMinute(service.times)).toBeLessThanOrEqual(210);
}, 120_000);
