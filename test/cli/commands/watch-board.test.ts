import { createWatchDisplay } from "../../../lib/cli/commands/watch-board";
import { createWatchBoardState } from "../../../lib/cli/commands/watch-board-state";
import type { WatchLine, WatchProgress, WatchSide } from "../../../lib/live/watch";
import { testIo } from "../../support/io";
import { createScreen } from "../../support/screen";

const time = "2026-11-21T10:00:00.000Z";
const start = (hostnames: readonly string[], resolvers = ["authoritative", "8.8.8.8"]): WatchLine => ({
  ...{ kind: "start", version: 1, time, hostnames, resolvers },
  ...{ previousAddresses: [], loadBalancerAddresses: [], everyMs: 1_000 },
});
const sample = (
  hostname: string,
  resolver: string,
  side: WatchSide,
  change: { readonly ok?: boolean; readonly time?: string } = {},
): WatchLine => ({ kind: "sample", time, hostname, resolver, address: "x", side, ok: true, ms: 1, ...change });

const textOf = (lines: readonly WatchLine[], { rows = 20, columns = 80 } = {}) => {
  const board = createWatchBoardState();
  for (const line of lines) board.take(line);
  return board.lines(rows, columns, "status").map(({ text }) => text);
};
const legend = ["[=       ] previous provider  [========] load balancer  [====    ] both", "[?       ] no address"];

const hostnames = ["example.com", "new.example.com", "pay.example.net"];
const later = "2026-11-21T10:00:01.000Z";
const lines: readonly WatchLine[] = [
  start(hostnames),
  sample("example.com", "authoritative", "previous"),
  sample("example.com", "8.8.8.8", "previous"),
  sample("example.com", "authoritative", "loadBalancer", { time: later }),
  sample("pay.example.net", "authoritative", "previous"),
  sample("pay.example.net", "authoritative", "loadBalancer"),
  sample("pay.example.net", "8.8.8.8", "other", { ok: false }),
  { kind: "absent", time, hostname: "new.example.com", resolver: "8.8.8.8", detail: "NXDOMAIN", ms: 1 },
];

test("the board has a bar from the previous provider to the load balancer for each resolver", () => {
  expect(textOf(lines)).toEqual([
    "HOSTNAME         authoritative  8.8.8.8     FAILED",
    "example.com      [========]     [=       ]       0",
    "new.example.com  [?       ]     [?       ]       0",
    "pay.example.net  [====    ]     [other   ]       1",
    "status",
    ...legend,
  ]);
});

test("the board has one bar that counts the resolvers where not all have room", () => {
  expect(textOf(lines, { columns: 44 }).slice(0, 4)).toEqual([
    "HOSTNAME         MOVED       FAILED",
    "example.com      [====    ]       0",
    "new.example.com  [        ]       0",
    "pay.example.net  [        ]       1",
  ]);
});

test("the board forgets the answers of a resolver that has become silent", () => {
  const silent: WatchLine = {
    ...{ kind: "gap-begin", time, noticedAt: time },
    ...{ reason: "resolver-silent", resolver: "authoritative" },
  };
  expect(textOf([...lines, silent])[1]).toBe("example.com      [?       ]     [=       ]       0");
});

test("the board shows failures first and counts the others if the terminal has few rows", () => {
  const moved = ["authoritative", "8.8.8.8"].map((resolver) =>
    sample("example.com", resolver, "loadBalancer", { time: later }),
  );
  expect(textOf([...lines, ...moved], { rows: 6 })).toEqual([
    "HOSTNAME         authoritative  8.8.8.8     FAILED",
    "pay.example.net  [====    ]     [other   ]       1",
    "2 more: 1 at the load balancer everywhere, 0 failures",
    "status",
    ...legend,
  ]);
});

test("the board breaks the status between words, so that a narrow terminal shows the remaining time", () => {
  const board = createWatchBoardState();
  for (const line of lines) board.take(line);
  const status = "8 connections, 0 failed; not moved everywhere; at most 59 min 50 s left";
  expect(board.lines(20, 59, status).slice(4, 6)).toEqual([
    { text: "8 connections, 0 failed; not moved everywhere; at most 59", tone: "pending" },
    { text: "min 50 s left", tone: "pending" },
  ]);
});

test("the board is green when a hostname has moved everywhere, and red while it fails", () => {
  const board = createWatchBoardState();
  board.take(start(["example.com"], ["8.8.8.8"]));
  const tone = () => board.lines(20, 80, "")[1]?.tone;
  expect(tone()).toBeUndefined();
  board.take(sample("example.com", "8.8.8.8", "loadBalancer"));
  expect(tone()).toBe("good");
  board.take(sample("example.com", "8.8.8.8", "loadBalancer", { time: later, ok: false }));
  expect(tone()).toBe("bad");
});

const progress = (change: Partial<WatchProgress> = {}): WatchProgress => ({
  ...{ attempts: 8, failures: 0, unseen: [], absent: [] },
  share: { previous: 0, loadBalancer: 2, other: 0, unknown: 0 },
  ...change,
});
const limits = { until: "good", goodMs: 600_000, withinMs: 3_600_000 } as const;

function display(until: "good" | "moved" | "stopped" = "good") {
  let nowMs = Date.parse(time);
  const screen = createScreen({ columns: 80, rows: 24 });
  const ticks: (() => void)[] = [];
  const io = testIo({ stderr: screen, color: false, now: () => new Date(nowMs) });
  const shown = createWatchDisplay(io, { ...limits, until }, (work) => void ticks.push(work));
  shown.take(start(["example.com"]));
  const pass = (milliseconds: number) => {
    nowMs += milliseconds;
    ticks.pop()?.();
  };
  return { shown, screen, pass, statusLine: () => screen.lines().at(-3) };
}

test.each<[string, "good" | "moved" | "stopped", Partial<WatchProgress>, number, string]>([
  [
    "not everything has moved",
    "good",
    { share: { previous: 1, loadBalancer: 1, other: 0, unknown: 0 } },
    0,
    "not moved everywhere; at most 59 min 50 s left",
  ],
  ["all answers are new, and none is confirmed", "good", {}, 0, "all moved, to be confirmed; at most 59 min 50 s left"],
  ["all is good", "good", { movedAt: time }, 60_000, "all moved; 8 min 50 s left"],
  ["only the move counts", "moved", { movedAt: time }, 0, "all moved, to be confirmed; at most 59 min 50 s left"],
  ["Ctrl-C ends the watch", "stopped", { movedAt: time }, 0, "Ctrl-C ends the watch; at most 59 min 50 s left"],
])("the board shows the remaining time when %s", (_, until, change, goodForMs, text) => {
  const { shown, pass, statusLine } = display(until);
  shown.measure(progress(change), goodForMs);
  pass(10_000);
  expect(statusLine()).toBe(`8 connections, 0 failed; ${text}`);
});

test("the board keeps lines above itself, and is removed at the end", () => {
  const { shown, screen, pass } = display();
  pass(1_000);
  shown.line("example.com leads to the load balancer everywhere");
  pass(1_000);
  expect(screen.lines()[0]).toBe("example.com leads to the load balancer everywhere");
  expect(screen.lines().filter((line) => line.startsWith("HOSTNAME"))).toHaveLength(1);
  shown.end();
  pass(1_000);
  expect(screen.lines()).toEqual(["example.com leads to the load balancer everywhere"]);
});

test("the board shows a lost network in place of the remaining time", () => {
  const { shown, pass, statusLine } = display();
  shown.show("no server has answered", () => "the watch ends in 5 min");
  pass(1_000);
  expect(statusLine()).toBe("no server has answered; the watch ends in 5 min");
  shown.update(0, 0);
  pass(1_000);
  expect(statusLine()).toBe("first check of every hostname");
});
