import { connect, createServer, type Server, type Socket } from "node:net";
import { type PreviousProviderServer, startPreviousProvider } from "../../lib/rehearsal/previous-provider";
import type { Probe } from "../../lib/rehearsal/probe";
import { type DiscardedTry, Prober, type ProberOptions } from "../../lib/rehearsal/prober";
import { type VirtualTimers, virtualTimers } from "../support/virtual-timers";

/** Behavior of a server for one connection. */
type Act = (socket: Socket, time: VirtualTimers) => void;

let side: PreviousProviderServer;
let stranger: PreviousProviderServer;
beforeAll(async () => {
  [side, stranger] = await Promise.all([
    startPreviousProvider(["a.example.com"]),
    startPreviousProvider(["a.example.com"]),
  ]);
});
afterAll(() => Promise.all([side.close(), stranger.close()]));

const startedAt = Date.parse("2026-11-21T00:00:00Z");
const cloudTime = (ms: number) => new Date(startedAt + ms).toISOString();

/** Forwards the connection to a server that answers. */
const serve =
  (to: () => PreviousProviderServer): Act =>
  (socket) => {
    const { address, port } = to().endpoint;
    const onward = connect({ host: address, port });
    socket.on("error", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  };
const good = serve(() => side);
/** Sends no answer while the process runs or is suspended, in the given order. */
const silent =
  (...parts: readonly (readonly ["run" | "standStill", number])[]): Act =>
  (_, time) => {
    for (const [what, milliseconds] of parts) time[what](milliseconds);
  };

/** Returns the first probe of a hostname, and the tries that were discarded before it. */
async function probe(acts: readonly Act[], change: Partial<ProberOptions> = {}) {
  const time = virtualTimers();
  const probes: Probe[] = [];
  const discarded: DiscardedTry[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
    (acts[sockets.length - 1] ?? good)(socket, time);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  const records = [{ name: "a.example.com", type: "A", ttlSeconds: 60, data: "198.51.100.1" }];
  const prober = new Prober({
    hostnames: ["a.example.com"],
    resolver: {
      resolve: async (_, type) => ({ ok: true, exists: true, records: type === "A" ? records : [], chain: [] }),
    },
    route: () => ({ host: "127.0.0.1", port, side: "previous" }),
    trusted: [side.trustBundlePem],
    now: () => new Date(startedAt + time.now()),
    pace: { timers: time, concurrency: 1, pauseMs: 0 },
    observers: { onProbe: (made) => probes.push(made), onDiscarded: (thrown) => discarded.push(thrown) },
    ...change,
  });
  prober.start();
  await prober.everyHostname();
  await prober.stop();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  return { first: probes[0], discarded, count: prober.count(), probes, bySecond: prober.bySecond() };
}

const timeout = { hostname: "a.example.com", address: "198.51.100.1", side: "previous", ok: false, error: "timeout" };

test("discards and repeats at once a probe that timed out while the process stalled", async () => {
  const { first, discarded, count, probes, bySecond } = await probe([silent(["run", 300], ["standStill", 6_000])]);
  expect(discarded).toEqual([
    {
      time: cloudTime(0),
      until: cloudTime(6_300),
      hostname: "a.example.com",
      address: "198.51.100.1",
      side: "previous",
      error: "timeout",
      waitedMs: 6_300,
      ranMs: 300,
      still: [{ from: cloudTime(300), until: cloudTime(6_300) }],
    },
  ]);
  expect(first).toMatchObject({ time: cloudTime(6_300), ok: true, certificate: expect.any(String) });
  expect(count).toEqual({ probes: probes.length, failed: 0, previous: probes.length, loadBalancer: 0, discarded: 1 });
  expect(bySecond.map(({ second }) => second)).toEqual([`${cloudTime(6_300).slice(0, 19)}Z`]);
});

test.each<[string, readonly Act[], number]>([
  ["the process ran", [silent(["run", 5_000])], 0],
  ["the process stalled only for a moment", [silent(["run", 2_000], ["standStill", 900], ["run", 2_200])], 0],
  ["the process stalled only before the probe", [silent(["standStill", 6_000]), silent(["run", 5_000])], 1],
])("counts a time-out as a failure if %s", async (_, acts, thrown) => {
  const { first, discarded, count } = await probe(acts);
  expect(first).toMatchObject(timeout);
  expect([count.failed, discarded.length]).toEqual([1, thrown]);
});

test("counts a failure for a server that never answers, even if the process stalls often", async () => {
  const each = silent(["run", 2_400], ["standStill", 3_000]);
  const { first, discarded, count } = await probe(Array.from({ length: 5 }, () => each));
  // Ten seconds of running time in total.
  expect(discarded.map(({ ranMs }) => ranMs)).toEqual([2_400, 2_400, 2_400, 2_400]);
  expect(first).toMatchObject(timeout);
  expect(count).toMatchObject({ failed: 1, discarded: 4 });
});

test("counts a failure after a dozen attempts if neither the process runs nor the server answers", async () => {
  const { first, discarded } = await probe(Array.from({ length: 12 }, () => silent(["standStill", 6_000])));
  expect(discarded).toHaveLength(11);
  expect(first).toMatchObject(timeout);
});

test.each<[string, Act, string]>([
  [
    "a reset connection",
    (socket, time) => {
      socket.resetAndDestroy();
      time.standStill(6_000);
    },
    "ECONNRESET",
  ],
  [
    "an alert",
    (socket, time) => {
      socket.write(Buffer.from([21, 3, 3, 0, 2, 2, 40]));
      // The written bytes are on their way by then.
      setImmediate(() => time.standStill(6_000));
    },
    "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
  ],
])("counts %s as a failure even if it arrives while the process stalls", async (_, act, error) => {
  const { first, discarded, count } = await probe([act]);
  expect(first).toMatchObject({ ok: false, error });
  expect([count.failed, discarded]).toEqual([1, []]);
});

test("counts an untrusted certificate as a failure even if the process stalls", async () => {
  const { first, discarded } = await probe([silent(["standStill", 6_000]), serve(() => stranger)]);
  expect(first).toMatchObject({ ok: false, error: expect.stringMatching(/UNABLE_TO|SELF_SIGNED/) });
  expect(discarded).toHaveLength(1);
});

describe("a name server that does not answer in time", () => {
  /** The first query fails, after time has passed as specified. */
  const failing = (detail: string, what: "run" | "standStill") => {
    const time = virtualTimers();
    let asked = 0;
    const resolver: ProberOptions["resolver"] = {
      resolve: async (name, type) => {
        asked += 1;
        if (asked === 1) {
          time[what](6_000);
          return { ok: false, detail, chain: [] };
        }
        const records = type === "A" ? [{ name, type, ttlSeconds: 60, data: "198.51.100.1" }] : [];
        return { ok: true, exists: true, records, chain: [] };
      },
    };
    return {
      resolver,
      pace: { timers: time, concurrency: 1, pauseMs: 0 },
      now: () => new Date(startedAt + time.now()),
    };
  };

  test("is queried again if the process stalled", async () => {
    const { first, discarded } = await probe([], failing("timeout", "standStill"));
    expect(first).toMatchObject({ ok: true });
    expect(discarded).toEqual([
      {
        time: cloudTime(0),
        until: cloudTime(6_000),
        hostname: "a.example.com",
        error: "DNS: A records of a.example.com: timeout",
        waitedMs: 6_000,
        ranMs: 0,
        still: [{ from: cloudTime(0), until: cloudTime(6_000) }],
      },
    ]);
  });

  test.each<[string, string, "run" | "standStill"]>([
    ["a time-out counts as a failure if the process ran", "timeout", "run"],
    ["an error answer counts as a failure even if the process stalled", "SERVFAIL", "standStill"],
  ])("for a probe: %s", async (_, detail, what) => {
    const { first, discarded } = await probe([], failing(detail, what));
    expect(first).toMatchObject({ ok: false, error: `DNS: A records of a.example.com: ${detail}` });
    expect(discarded).toEqual([]);
  });
});
