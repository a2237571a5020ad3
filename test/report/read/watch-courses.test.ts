import { chartOfWatch } from "../../../lib/report/page/chart/records";
import { createWatchLogReader } from "../../../lib/report/read/watch-log";

const t0 = Date.parse("2026-11-21T08:00:00Z");
const at = (second: number) => new Date(t0 + second * 1_000).toISOString();
const start = {
  kind: "start",
  version: 1,
  time: at(0),
  hostnames: ["a.example.com", "x.example.net"],
  wildcards: { "x.example.net": "*.example.net" },
  resolvers: ["one"],
  everyMs: 5_000,
};
const sample = (second: number, of: object = {}) => ({
  kind: "sample",
  time: at(second),
  hostname: "a.example.com",
  resolver: "one",
  side: "previous",
  ok: true,
  ms: 3,
  ...of,
});

function read(lines: readonly object[]) {
  const reader = createWatchLogReader("watch.jsonl");
  reader.push(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const result = reader.end();
  if (!("part" in result)) throw new Error(JSON.stringify(result.problems));
  return result.part;
}

test("keeps who served each hostname over time, a wildcard under its own name", () => {
  const { courses = [] } = read([
    start,
    sample(1),
    sample(9, { side: "loadBalancer" }),
    sample(9, { hostname: "x.example.net" }),
  ]);
  expect(courses.map(({ hostname }) => hostname)).toEqual(["a.example.com", "*.example.net"]);
  const { rows } = chartOfWatch(read([start, sample(1), sample(2), sample(9, { side: "loadBalancer" })]), "w") ?? {
    rows: [],
  };
  expect(rows[0]).toMatchObject({ handshakes: 3, failed: 0, failures: [] });
  expect(rows[0]?.segments).toEqual([
    { from: t0 + 1_000, to: t0 + 3_000, served: { previous: 2 } },
    { from: t0 + 9_000, to: t0 + 10_000, served: { "load-balancer": 1 } },
  ]);
});

test("leaves out samples that share the connection of another sample", () => {
  const { courses = [] } = read([start, sample(1), sample(1, { shared: true, resolver: "two" })]);
  expect(courses[0]?.buckets.map(({ good }) => good)).toEqual([1]);
});

test("joins failures with the same error that are close together, and keeps each error", () => {
  const failed = (second: number, code: string) => sample(second, { ok: false, code, detail: "no answer" });
  const { courses = [] } = read([
    start,
    failed(1, "timeout"),
    failed(6, "timeout"),
    failed(11, "reset"),
    failed(99, "reset"),
  ]);
  expect(courses[0]?.failures).toEqual([
    { from: t0 + 1_000, to: t0 + 6_000, count: 2, error: "timeout (no answer)" },
    { from: t0 + 11_000, to: t0 + 11_000, count: 1, error: "reset (no answer)" },
    { from: t0 + 99_000, to: t0 + 99_000, count: 1, error: "reset (no answer)" },
  ]);
});

test("draws each sample until the next one, failures too, and a longer time as a gap of the hostname", () => {
  const times = [0, 5, 10, 15, 20, 60, 65];
  const lines = times.map((second) => sample(second, second === 10 ? { ok: false, code: "timeout" } : {}));
  const [row] = chartOfWatch(read([start, ...lines]), "w")?.rows ?? [];
  expect(row?.segments.map(({ from, to }) => [from - t0, to - t0])).toEqual([
    [0, 10_000],
    [15_000, 21_000],
    [60_000, 66_000],
  ]);
  expect(row?.failures.map(({ from, to, lastAt }) => [from - t0, to - t0, lastAt - t0])).toEqual([
    [10_000, 15_000, 10_000],
  ]);
  expect(row?.gaps.map(({ from, to }) => [from - t0, to - t0])).toEqual([[21_000, 60_000]]);
});

test("shows periods without data, but not those of a single resolver", () => {
  const gap = { kind: "gap", time: at(20), until: at(40), reason: "network-lost", discarded: 2 };
  const silent = { kind: "gap", time: at(50), until: at(60), reason: "resolver-silent", resolver: "one", discarded: 0 };
  const chart = chartOfWatch(read([start, sample(1), gap, silent]), "w");
  expect(chart?.gaps).toEqual([{ from: t0 + 20_000, to: t0 + 40_000, why: "no server answered" }]);
});

test("has no chart without a sample", () => {
  expect(chartOfWatch(read([start]), "w")).toBeUndefined();
});
