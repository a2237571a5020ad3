import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { WatchLine } from "../../../lib/live/watch";
import { createWatchLogReader, type WatchRecord } from "../../../lib/report";

const time = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 8) + seconds * 1_000).toISOString();

const start: WatchLine = {
  kind: "start",
  version: 1,
  time: time(0),
  hostnames: ["a.example.com", "b.example.com"],
  resolvers: ["authoritative", "192.0.2.53:53"],
  previousAddresses: ["198.51.100.1"],
  loadBalancerAddresses: ["203.0.113.7"],
  everyMs: 5_000,
};

function sample(
  seconds: number,
  hostname: string,
  resolver: string,
  side: "previous" | "loadBalancer" | undefined,
  more: object = {},
): WatchLine {
  const address = side === undefined ? {} : { side, address: side === "loadBalancer" ? "203.0.113.7" : "198.51.100.1" };
  return {
    kind: "sample",
    time: time(seconds),
    hostname,
    resolver,
    ok: side !== undefined,
    ms: 3,
    ...address,
    ...more,
  };
}

const lines: readonly WatchLine[] = [
  start,
  sample(1, "a.example.com", "authoritative", "previous"),
  sample(1, "a.example.com", "192.0.2.53:53", "previous", { shared: true }),
  sample(1, "b.example.com", "authoritative", "previous", {
    ok: false,
    code: "timeout",
    detail: "no answer in 10000 ms",
  }),
  { kind: "gap", time: time(2), until: time(12), reason: "network-lost", discarded: 4 },
  sample(13, "a.example.com", "authoritative", "loadBalancer"),
  sample(13, "a.example.com", "192.0.2.53:53", "previous"),
  sample(13, "b.example.com", "authoritative", undefined, { code: "dns-no-address" }),
];

const summary: WatchLine = {
  kind: "summary",
  time: time(20),
  verdict: "failures",
  reason: "2 of 5 connections failed",
  stopped: false,
  seconds: 20,
  attempts: 5,
  failures: 2,
  gaps: 1,
  gapSeconds: 10,
  silentResolvers: [],
  share: { previous: 1, loadBalancer: 1, other: 0, unknown: 2 },
  hostnames: [
    {
      hostname: "a.example.com",
      attempts: 3,
      failures: 0,
      codes: {},
      share: { previous: 1, loadBalancer: 1, other: 0, unknown: 0 },
    },
    {
      hostname: "b.example.com",
      attempts: 2,
      failures: 2,
      codes: {},
      share: { previous: 0, loadBalancer: 0, other: 0, unknown: 2 },
    },
  ],
  findings: [],
};

const textOf = (of: readonly object[]) => of.map((line) => `${JSON.stringify(line)}\n`).join("");

function read(...pieces: readonly string[]): WatchRecord {
  const reader = createWatchLogReader("watch.jsonl");
  pieces.forEach(reader.push);
  const result = reader.end();
  if ("problems" in result) throw new Error(result.problems.map(({ message }) => message).join("\n"));
  return result.part;
}

test("reduces a log to counts by time and by hostname", () => {
  expect(read(textOf([...lines, summary]))).toEqual({
    source: "watch.jsonl",
    loadBalancerAddresses: ["203.0.113.7"],
    courses: [expect.objectContaining({ hostname: "a.example.com" }), expect.anything()],
    from: new Date(time(0)),
    until: new Date(time(20)),
    resolvers: ["authoritative", "192.0.2.53:53"],
    bucketMs: 1_000,
    buckets: [
      {
        from: Date.parse(time(1)),
        good: 1,
        failed: 1,
        answers: { previous: 3, loadBalancer: 0, other: 0, unknown: 0 },
      },
      {
        from: Date.parse(time(13)),
        good: 2,
        failed: 1,
        answers: { previous: 1, loadBalancer: 1, other: 0, unknown: 1 },
      },
    ],
    gaps: [{ from: new Date(time(2)), until: new Date(time(12)), reason: "network-lost", discarded: 4 }],
    gapCount: 1,
    blind: { count: 1, milliseconds: 10_000 },
    attempts: 5,
    failures: 2,
    hostnames: [
      {
        hostname: "a.example.com",
        attempts: 3,
        failures: 0,
        codes: [],
        share: { previous: 1, loadBalancer: 1, other: 0, unknown: 0 },
      },
      {
        hostname: "b.example.com",
        attempts: 2,
        failures: 2,
        codes: [
          { code: "timeout", count: 1, detail: "no answer in 10000 ms" },
          { code: "dns-no-address", count: 1 },
        ],
        lastFailureAt: new Date(time(13)),
        share: { previous: 0, loadBalancer: 0, other: 0, unknown: 2 },
      },
    ],
    verdict: { verdict: "failures", reason: "2 of 5 connections failed" },
    notes: [],
  });
});

test("shows a stand-in name as its wildcard, and counts a silent resolver against no hostname", () => {
  const wildcards = { "probe-1.example.com": "*.example.com" };
  const hostnames = ["a.example.com", "probe-1.example.com"];
  const share = { previous: 0, loadBalancer: 1, other: 0, unknown: 1 };
  const { hostnames: counted } = read(
    textOf([
      { ...start, hostnames, wildcards },
      sample(1, "a.example.com", "authoritative", "loadBalancer"),
      sample(1, "probe-1.example.com", "authoritative", "loadBalancer"),
      {
        ...summary,
        silentResolvers: ["192.0.2.53:53"],
        hostnames: hostnames.map((hostname) => ({ hostname, attempts: 1, failures: 0, codes: {}, share })),
      },
    ]),
  );
  expect(counted.map((one) => [one.hostname, one.attempts, one.share])).toEqual([
    ["a.example.com", 1, { ...share, unknown: 0 }],
    ["*.example.com", 1, { ...share, unknown: 0 }],
  ]);
});

test("returns the same result wherever the pieces of a log are split", () => {
  const text = textOf([...lines, summary]);
  const whole = read(text);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 30 }), (cuts) => {
      const sorted = [0, ...[...cuts].sort((one, other) => one - other), text.length];
      expect(read(...sorted.slice(1).map((end, index) => text.slice(sorted[index], end)))).toEqual(whole);
    }),
  );
});

test("reads the complete lines of a log that was cut off", () => {
  const text = textOf([...lines, summary]);
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  fc.assert(
    fc.property(fc.integer({ min: ends[0] ?? 0, max: text.length - 2 }), (cut) => {
      const { notes, ...counted } = read(text.slice(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      // A line with its last brace is complete, even without a line break.
      const { notes: none, ...expected } = read(textOf([...lines, summary].slice(0, whole)));
      expect(counted).toEqual(expected);
      expect(none).toEqual([]);
      expect(notes).toEqual(
        ends.includes(cut) || ends.includes(cut - 1)
          ? []
          : [`line ${whole + 1}, the last, was cut off in the middle and is not counted`],
      );
    }),
  );
});

test("skips and counts unreadable lines, and skips unknown kinds", () => {
  const text = [start, sample(1, "a.example.com", "authoritative", "previous")].map((line) => JSON.stringify(line));
  const { notes, attempts } = read(
    `${text[0]}\r\n{"kind":"later","x":1}\n\n{"kind":"sample","time":"soon"}\nnull\n${text[1]}\n`,
  );
  expect(notes).toEqual(["2 lines could not be read and are not counted, the first is line 4"]);
  expect(attempts).toBe(1);
});

test("treats addresses of one answer together: some clients still reach the previous provider", () => {
  const both = [
    sample(1, "a.example.com", "authoritative", "loadBalancer"),
    sample(1, "a.example.com", "authoritative", "previous"),
  ];
  const later = sample(6, "a.example.com", "authoritative", "loadBalancer");
  expect(read(textOf([start, ...both])).hostnames[0]?.share).toEqual({
    previous: 1,
    loadBalancer: 0,
    other: 0,
    unknown: 1,
  });
  expect(read(textOf([start, ...both, later])).hostnames[0]?.share).toEqual({
    previous: 0,
    loadBalancer: 1,
    other: 0,
    unknown: 1,
  });
});

test("counts a hostname without an address at a resolver as an answer without a target, not as a failure", () => {
  const absent = {
    kind: "absent",
    time: time(1),
    hostname: "a.example.com",
    resolver: "authoritative",
    detail: "NXDOMAIN",
  };
  const moved = sample(6, "a.example.com", "authoritative", "loadBalancer");
  const before = read(textOf([start, absent]));
  expect(before).toMatchObject({ attempts: 0, failures: 0, notes: [] });
  expect(before.buckets.map(({ answers }) => answers)).toEqual([
    { previous: 0, loadBalancer: 0, other: 0, unknown: 1 },
  ]);
  expect(before.hostnames[0]?.share).toEqual({ previous: 0, loadBalancer: 0, other: 0, unknown: 2 });
  expect(read(textOf([start, absent, moved])).hostnames[0]?.share).toEqual({
    previous: 0,
    loadBalancer: 1,
    other: 0,
    unknown: 1,
  });
  const { notes } = read(textOf([start, { ...absent, hostname: 7 }]));
  expect(notes).toEqual(["1 line could not be read and is not counted, the first is line 2"]);
});

test("treats a resolver that fell silent as an answer without a target", () => {
  const silent = {
    kind: "gap",
    time: time(2),
    until: time(3),
    reason: "resolver-silent",
    resolver: "authoritative",
    discarded: 0,
  };
  const counted = read(textOf([start, sample(1, "a.example.com", "authoritative", "loadBalancer"), silent]));
  expect(counted.hostnames[0]?.share).toEqual({ previous: 0, loadBalancer: 0, other: 0, unknown: 2 });
  expect([counted.gapCount, counted.blind.count]).toEqual([1, 0]);
});

test("reports a summary that differs from the lines", () => {
  const { notes } = read(textOf([...lines.slice(0, 3), summary]));
  expect(notes).toEqual([
    "its summary counts 5 connections and 2 failures, its lines hold 1 connection and 0 failures",
  ]);
});

test("reports two watches in one log, and applies the summary of the first to neither", () => {
  const { notes, verdict } = read(textOf([...lines, summary, { ...start, time: time(60) }]));
  expect(notes).toEqual(["it holds 2 watches one after the other; the time between them was not watched"]);
  expect(verdict).toBeUndefined();
});

test("reduces a day of samples to at most 120 counts, and loses none", () => {
  const reader = createWatchLogReader("watch.jsonl");
  reader.push(textOf([start]));
  for (let seconds = 0; seconds < 86_400; seconds += 10) {
    reader.push(
      textOf([sample(seconds, "a.example.com", "authoritative", seconds < 43_200 ? "previous" : "loadBalancer")]),
    );
  }
  const result = reader.end();
  const { buckets, bucketMs } = "part" in result ? result.part : { buckets: [], bucketMs: 0 };
  expect(bucketMs).toBe(1_800_000);
  expect(buckets).toHaveLength(48);
  expect(buckets.reduce((sum, { good }) => sum + good, 0)).toBe(8_640);
  expect(buckets.map(({ answers }) => Math.sign(answers.loadBalancer - answers.previous)).join("")).toBe(
    "-1".repeat(24) + "1".repeat(24),
  );
});

test("counts the same after a clock was set", () => {
  const days = [0, 86_400 * 3_650, -86_400 * 3_650].map((seconds) =>
    sample(seconds, "a.example.com", "authoritative", "previous"),
  );
  const { buckets, attempts } = read(textOf([start, ...days]));
  expect(attempts).toBe(3);
  expect(buckets.reduce((sum, { good }) => sum + good, 0)).toBe(3);
});

test.each([
  ["", "nothing"],
  ["hello\n", "another text"],
  [textOf([{ ...start, version: 2 }]), "another version"],
  [textOf(lines.slice(1)), "a log without its beginning"],
])("fails on %#: %s", (text) => {
  const reader = createWatchLogReader("watch.jsonl");
  reader.push(text);
  expect(reader.end()).toEqual({
    problems: [
      {
        code: "report-input-malformed",
        message:
          "'watch.jsonl' is not a log of 'cert-migration watch --log': it has no line of the kind start and version 1",
      },
    ],
  });
});

test("does not keep a line without end in memory", () => {
  const reader = createWatchLogReader("watch.jsonl");
  reader.push(textOf([start]));
  for (let piece = 0; piece < 40; piece += 1) reader.push("x".repeat(1024 * 1024));
  const result = reader.end();
  expect("part" in result && result.part.notes).toEqual([
    "line 2, the last, was cut off in the middle and is not counted",
  ]);
});

test("names the report by the migrations of the start line, if it has them", () => {
  const migrations = [{ name: "shop", project: "p1" }, { name: "pay" }];
  const reader = createWatchLogReader("watch.jsonl");
  reader.push(`${JSON.stringify({ ...start, migrations: [...migrations, { project: "p2" }, "x"] })}\n`);
  const read = reader.end();
  expect("part" in read && read.part.migrations).toEqual(migrations);
  const without = createWatchLogReader("watch.jsonl");
  without.push(`${JSON.stringify(start)}\n`);
  expect(without.end()).toEqual({ part: expect.not.objectContaining({ migrations: expect.anything() }) });
});

test("counts a gap that began and ended once, and extends a gap that only began to the end of the log", () => {
  const begin: WatchLine = { kind: "gap-begin", time: time(2), noticedAt: time(4), reason: "network-lost" };
  const gap: WatchLine = { kind: "gap", time: time(2), until: time(12), reason: "network-lost", discarded: 1 };
  const later: WatchLine = { ...begin, time: time(20), noticedAt: time(24) };
  const gapsOf = (given: readonly WatchLine[]) => {
    const reader = createWatchLogReader("watch.jsonl");
    for (const line of given) reader.push(`${JSON.stringify(line)}\n`);
    const read = reader.end();
    if ("problems" in read) throw new Error("the log could not be read");
    const { gaps, blind, notes = [] } = read.part;
    return { gaps: gaps.map(({ from, until }) => [from, until]), blind: blind.milliseconds, notes };
  };
  const first = [new Date(time(2)), new Date(time(12))];
  expect(gapsOf([start, begin, gap])).toEqual({ gaps: [first], blind: 10_000, notes: [] });
  expect(gapsOf([start, begin, gap, later])).toEqual({
    gaps: [first, [new Date(time(20)), new Date(time(24))]],
    blind: 14_000,
    notes: ["it ends within a gap of the watch"],
  });
});

test("reads a log of an earlier build: sides old and new, findings of another form", () => {
  const log = readFileSync(join(__dirname, "..", "..", "fixtures", "watch", "log-before-findings.jsonl"), "utf8");
  const { courses, buckets, bucketMs, ...record } = read(log);
  expect(record).toEqual({
    source: "watch.jsonl",
    from: new Date("2026-11-23T04:58:19.360Z"),
    until: new Date("2026-11-23T04:58:22.365Z"),
    loadBalancerAddresses: ["127.0.0.2"],
    resolvers: ["authoritative"],
    gaps: [],
    gapCount: 0,
    blind: { count: 0, milliseconds: 0 },
    attempts: 30,
    failures: 5,
    hostnames: [
      {
        hostname: "example.com",
        attempts: 15,
        failures: 5,
        codes: [{ code: "connection-refused", count: 5, detail: "ECONNREFUSED" }],
        lastFailureAt: new Date("2026-11-23T04:58:21.104Z"),
        share: { previous: 0, loadBalancer: 1, other: 0, unknown: 0 },
      },
      {
        hostname: "www.example.com",
        attempts: 15,
        failures: 0,
        codes: [],
        share: { previous: 0, loadBalancer: 1, other: 0, unknown: 0 },
      },
    ],
    verdict: { verdict: "failures", reason: "5 failures were seen" },
    notes: [],
  });
  expect(courses?.map(({ hostname }) => hostname)).toEqual(["example.com", "www.example.com"]);
  expect(buckets.map(({ good, failed }) => [good, failed])).toEqual([
    [6, 0],
    [6, 4],
    [9, 1],
    [4, 0],
  ]);
  expect(bucketMs).toBe(1_000);
});

test.each([["2/4"], [undefined]])("keeps the part of the hostnames that its start names: %s", (shard) => {
  expect(read(textOf([{ ...start, ...(shard && { shard }) }, ...lines.slice(1)])).shard).toBe(shard);
});
