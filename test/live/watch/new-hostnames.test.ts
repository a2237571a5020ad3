import { setMaxListeners } from "node:events";
import { type ResolverAnswer, type WatchLine, type WatchSample, watchTraffic } from "../../../lib/live/watch";
import { NewHostnames } from "../../../lib/live/watch/new-hostnames";
import { answer, changed, good, virtualTime, type WatchChange, within } from "./virtual-watch";

const minute = 60_000;
const hostname = "new.example.com";

/** Parses a sample: for resolver `a`, `a+` has an address, `a-` has no address, and `a!` is a failure. */
function sampleOf(text: string): WatchSample {
  const base = {
    kind: "sample",
    time: "2026-11-21T00:00:00.000Z",
    hostname,
    resolver: text.slice(0, 1),
    ms: 1,
  } as const;
  if (text.endsWith("+")) return { ...base, address: "203.0.113.7", side: "loadBalancer", ok: true };
  return { ...base, ok: false, code: text.endsWith("-") ? "dns-no-address" : "dns-failed", detail: "as DNS has it" };
}

/** Sorts the samples of a poll; in the result, `a.` is a hostname that does not exist yet. */
function sort(newHostnames: NewHostnames, poll: string, isLast = true): string {
  const samples = poll.split(" ").map(sampleOf);
  const sorted = newHostnames.sort(hostname, samples, isLast);
  const answers = sorted.map((one) => {
    if (one.kind === "absent") return `${one.resolver}.`;
    return `${one.resolver}${one.ok ? "+" : one.code === "dns-no-address" ? "-" : "!"}`;
  });
  return answers.join(" ");
}

describe("a hostname without an address", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["is new if no resolver ever had an address", ["a- b-", "a- b-"], ["a. b.", "a. b."]],
    ["is new even if another resolver fails", ["a- b!", "a- b-"], ["a. b!", "a. b."]],
    [
      "stays new if resolvers return cached negative answers now and then",
      ["a- b-", "a+ b-", "a+ b+", "a+ b-"],
      ["a. b.", "a+ b.", "a+ b+", "a+ b."],
    ],
    [
      "has lost its address when no resolver has one",
      ["a- b-", "a+ b+", "a- b+", "a- b-", "a- b-"],
      ["a. b.", "a+ b+", "a. b+", "a- b-", "a- b-"],
    ],
    ["has lost its address, although one resolver fails", ["a- b-", "a+ b+", "a- b!"], ["a. b.", "a+ b+", "a- b!"]],
    ["is not new if the first check finds an address at another resolver", ["a- b+", "a- b-"], ["a- b+", "a- b-"]],
    ["is not new if the first check has found an address", ["a+ b+", "a- b-"], ["a+ b+", "a- b-"]],
  ])("%s", (_, looks, expected) => {
    const newHostnames = new NewHostnames([hostname]);
    expect(looks.map((look) => sort(newHostnames, look))).toEqual(expected);
  });

  test("is not new if its previous address is known", () => {
    expect(sort(new NewHostnames(["other.example.com"]), "a- b-")).toBe("a- b-");
  });

  test("is not classified before the first check ends, because a late resolver may know the hostname", () => {
    const newHostnames = new NewHostnames([hostname]);
    expect([sort(newHostnames, "a-", false), sort(newHostnames, "b+"), sort(newHostnames, "a- b+")]).toEqual([
      "a.",
      "b+",
      "a- b+",
    ]);
  });

  test("has lost its address if the only resolver that had it no longer answers", () => {
    const newHostnames = new NewHostnames([hostname]);
    expect([sort(newHostnames, "a- b-"), sort(newHostnames, "a+ b-")]).toEqual(["a. b.", "a+ b."]);
    newHostnames.forget("a");
    expect(sort(newHostnames, "b-")).toBe("b-");
  });

  test("keeps the DNS results", () => {
    expect(new NewHostnames([hostname]).sort(hostname, [sampleOf("a-")], true)).toEqual([
      { kind: "absent", time: "2026-11-21T00:00:00.000Z", hostname, resolver: "a", detail: "as DNS has it", ms: 1 },
    ]);
  });
});

/** Watches one hostname; `hasAddress` decides at which seconds each of two resolvers has its address. */
async function watchNew(
  hasAddress: Readonly<Record<"authoritative" | "public", (second: number) => boolean>>,
  change: WatchChange = {},
) {
  const time = virtualTime();
  const startedAt = time.now();
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const lines: WatchLine[] = [];
  const nothing: ResolverAnswer = { ok: false, code: "dns-no-address", detail: "NXDOMAIN" };
  const summary = await time.run(
    watchTraffic(
      changed(
        {
          subjects: { hostnames: [hostname], loadBalancerAddresses: ["203.0.113.7"], previousAddresses: new Map() },
          resolvers: (["authoritative", "public"] as const).map((name) => ({
            name,
            isFar: true,
            isAlive: async () => true,
            resolve: async () => (hasAddress[name]((time.now() - startedAt) / 1_000) ? answer : nothing),
          })),
          shakeHands: async () => good,
          schedule: { everyMs: 10_000, goodMs: 10 * minute, failedMs: 2 * minute, withinMs: 60 * minute },
          signal: never,
          now: time.now,
          sleep: time.sleep,
          observers: { onLine: (line) => lines.push(line) },
        },
        change,
      ),
    ),
  );
  return { summary, lines };
}

const from = (begin: number) => (second: number) => second >= begin;

test("waits for a new hostname if the watch begins before the apply, and ends when it has moved and is served", async () => {
  const { summary, lines } = await watchNew({ authoritative: from(600), public: from(900) });
  expect(summary).toMatchObject({
    verdict: "good",
    stopped: false,
    failures: 0,
    share: { loadBalancer: 2, unknown: 0 },
  });
  expect(summary.seconds).toBeGreaterThanOrEqual(900 + 600);
  expect(lines.filter(({ kind }) => kind === "absent")).toHaveLength(60 + 90);
  expect(lines.filter(({ kind }) => kind === "sample")).toHaveLength(summary.attempts + 60 + 1);
});

test("reports a hostname that stays without an address as not moved, without a failure", async () => {
  const { summary } = await watchNew({ authoritative: () => false, public: () => false });
  expect(summary).toMatchObject({
    verdict: "not-moved",
    reason: "not every resolver has an address yet for new.example.com",
    stopped: true,
    attempts: 0,
    failures: 0,
    share: { previous: 0, loadBalancer: 0, other: 0, unknown: 2 },
  });
});

test("ends for a hostname that was served and has lost its address", async () => {
  const served = (second: number) => within(second, 300, 600);
  const { summary } = await watchNew({ authoritative: served, public: served });
  expect(summary).toMatchObject({ verdict: "failures", stopped: false });
  expect(summary.reason).toMatch(/new\.example\.com has failed in every check since 2026-11-21T00:10:\d\d/);
  expect(summary.seconds).toBeLessThan(600 + 150);
});

test.each<[string, WatchChange]>([
  ["by its addresses before the move", { subjects: { previousAddresses: new Map([[hostname, ["198.51.100.1"]]]) } }],
  ["by option", { subjects: { foundBefore: new Set([hostname]) } }],
])("ends for a hostname that clients have resolved before, %s, even if it never has an address", async (_, change) => {
  const { summary } = await watchNew({ authoritative: () => false, public: () => false }, change);
  expect(summary).toMatchObject({ verdict: "failures", stopped: false, seconds: 120 });
});

test("names at most three hostnames that have yet to move, with answers that lead elsewhere", async () => {
  const names = ["a", "b", "c", "d"].map((label) => `${label}.example.com`);
  const nothing = { authoritative: () => false, public: () => false };
  const { summary } = await watchNew(nothing, { subjects: { hostnames: names }, schedule: { withinMs: minute } });
  expect(summary.reason).toBe(
    "not every resolver has an address yet for a.example.com, b.example.com, c.example.com and 1 more",
  );
});

test.each([
  ["dns-failed", "REFUSED", "absent"],
  ["dns-failed", "SERVFAIL", "absent"],
  ["dns-unanswered", "no name server was found", "absent"],
  ["dns-failed", "bogus", "sample"],
  ["dns-failed", "alias-loop", "sample"],
  ["dns-unanswered", "timeout", "sample"],
  ["connection-refused", "ECONNREFUSED", "sample"],
])("reports %s (%s) for a hostname that no resolver has ever found as %s", (code, detail, kind) => {
  const sample = { kind: "sample", time: "t", hostname, resolver: "a", ok: false, code, detail, ms: 1 } as const;
  const answers = new NewHostnames([hostname]).sort(hostname, [sample], true);
  expect(answers.map((one) => one.kind)).toEqual([kind]);
});

test("reports a name server that fails after the hostname was found as failed", () => {
  const newHostnames = new NewHostnames([hostname]);
  const sample = { kind: "sample", time: "t", hostname, resolver: "a", ok: false, ms: 1 } as const;
  newHostnames.sort(hostname, [{ ...sample, code: "dns-failed", detail: "REFUSED" }], true);
  newHostnames.sort(hostname, [{ ...sample, ok: true, address: "203.0.113.7", side: "loadBalancer" }], true);
  const answers = newHostnames.sort(hostname, [{ ...sample, code: "dns-failed", detail: "REFUSED" }], true);
  expect(answers.map((one) => one.kind)).toEqual(["sample"]);
});
