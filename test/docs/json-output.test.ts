import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VerifyJson } from "../../lib/cli/commands/verify/render";
import { createWatchJson, type WatchJson } from "../../lib/cli/commands/watch-json";
import type { WatchLine, WatchSummary } from "../../lib/live/watch";

const page = readFileSync(join(__dirname, "..", "..", "docs", "json-output.md"), "utf8");

/** The fields that a section of the page lists. */
function listed(section: string): readonly string[] {
  const [, text = ""] = new RegExp(`^## ${section}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, "m").exec(page) ?? [];
  return [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, field = ""]) => field).sort();
}

// The compiler refuses a field that is missing here, and one that the command does not print.
const verifyFields: Record<keyof VerifyJson, true> = {
  time: true,
  startedAt: true,
  migrations: true,
  ok: true,
  results: true,
  fallbacks: true,
  comparisons: true,
  findings: true,
  exact: true,
  freeze: true,
};
const watchFields: Record<keyof WatchJson, true> = {
  kind: true,
  time: true,
  startedAt: true,
  migrations: true,
  verdict: true,
  reason: true,
  stopped: true,
  blindSince: true,
  seconds: true,
  attempts: true,
  failures: true,
  unconfirmed: true,
  gaps: true,
  gapSeconds: true,
  gapPeriods: true,
  silentResolvers: true,
  share: true,
  movedAt: true,
  hostnames: true,
  wildcards: true,
  notWatched: true,
  resolvers: true,
  oldAddresses: true,
  newAddresses: true,
  everyMs: true,
};

test("the page lists every field of verify and of watch, and no other", () => {
  expect(listed("verify")).toEqual(Object.keys(verifyFields).sort());
  expect(listed("watch")).toEqual(Object.keys(watchFields).sort());
});

const time = "2026-11-21T00:00:00.000Z";
const summary: WatchSummary = {
  kind: "summary",
  time,
  verdict: "moved",
  reason: "everything has moved",
  stopped: false,
  seconds: 1,
  attempts: 1,
  failures: 0,
  gaps: 1,
  gapSeconds: 1,
  silentResolvers: [],
  share: { old: 0, new: 1, other: 0, unknown: 0 },
  hostnames: [],
};

test("the JSON of watch has what was watched, and the first thousand periods without data", () => {
  const { take, result } = createWatchJson([{ name: "shop", project: "p1" }]);
  const start: WatchLine = {
    kind: "start",
    version: 1,
    time: "2026-11-20T00:00:00.000Z",
    hostnames: ["example.com"],
    resolvers: ["system"],
    oldAddresses: ["198.51.100.1"],
    newAddresses: ["203.0.113.7"],
    everyMs: 10_000,
  };
  const gap: WatchLine = { kind: "gap", time, until: time, reason: "resolver-silent", resolver: "a", discarded: 2 };
  for (const line of [start, ...Array.from({ length: 1_001 }, () => gap), summary]) take(line);
  const { gapPeriods, ...rest } = result(summary, ["*.example.com"]);
  expect(gapPeriods).toHaveLength(1_000);
  expect(gapPeriods[0]).toEqual({ from: time, until: time, reason: "resolver-silent", resolver: "a" });
  expect(rest).toEqual({
    ...summary,
    startedAt: "2026-11-20T00:00:00.000Z",
    migrations: [{ name: "shop", project: "p1" }],
    wildcards: {},
    resolvers: ["system"],
    oldAddresses: ["198.51.100.1"],
    newAddresses: ["203.0.113.7"],
    everyMs: 10_000,
    notWatched: ["*.example.com"],
  });
});
