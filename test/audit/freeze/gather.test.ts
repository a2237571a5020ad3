import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ActivitiesClient,
  type ActivitySource,
  compareVerdicts,
  createActivityStore,
  evaluateFreeze,
  type Freeze,
  gatherEvidence,
  openRecordLog,
  parseActivity,
  recordVerdict,
} from "../../../lib/audit";
import { createHttpClient } from "../../../lib/http";
import { assignRole, event, record } from "../activities";
import { type Fault, type FaultyServer, faults, startFaultyServer } from "../faulty-server";
import { gapCodes, violationsOf } from "./evidence";

const freeze: Freeze = { start: new Date("2026-11-21T10:00:00Z"), end: new Date("2026-11-21T11:00:00Z") };
const now = () => new Date("2026-11-21T12:00:00Z");
const building = event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: "b" });
let server: FaultyServer | undefined;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-freeze-"));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function evaluate(
  records: readonly (readonly [minute: number, event: object])[],
  plan: (number: number) => Fault | undefined = () => undefined,
) {
  const store = createActivityStore({ now });
  for (const [index, [minute, given]] of records.entries()) {
    const time = new Date(freeze.start.getTime() + minute * 60_000).toISOString();
    store.ingest(record([given], { time, qualifier: String(index) }));
  }
  server = await startFaultyServer({ store, now }, plan);
  const sleep = async () => undefined;
  const http = createHttpClient({ sleep, now, limits: { timeoutMs: 2_000 }, retry: { maxAttempts: 2 } });
  const source = new ActivitiesClient({ baseUrl: server.url, http, time: { now, sleep } });
  return evaluateFreeze(freeze, await gatherEvidence(source, freeze, { now, query: { maxResults: 1 } }));
}

const quiet = [
  [5, building],
  [6, building],
  [7, building],
] as const;

test("lists the whole freeze, to its last page", async () => {
  expect((await evaluate(quiet)).verdict).toBe("clear-as-of");
  expect(server?.requests.map(({ query }) => [query.eventName, query.startTime, query.endTime])).toEqual(
    Array.from({ length: 3 }, () => [undefined, "2026-11-21T10:00:00.000Z", "2026-11-21T11:00:00.000Z"]),
  );
});

describe("never reports clear if the service fails permanently", () => {
  test.each<[string, Fault]>([
    ["403 forbidden", faults.refuse(403, "forbidden")],
    ["403 rateLimitExceeded", faults.refuse(403, "rateLimitExceeded")],
    ["429", faults.refuse(429, "x")],
    ["503", faults.refuse(503, "x")],
    ["a cut connection", faults.cut()],
    ["a cut body", faults.cutBody()],
    ["half a page", faults.half()],
    ["a page token that comes again", faults.nextPageToken("again")],
    ["an empty object", faults.answer("{}")],
    ["a page of another server", faults.answer("<html>", "text/html")],
    ["a record that is not an object", faults.answer('{"items":[null]}')],
    ["a record without a time", faults.answer('{"items":[{"events":[{"name":"ASSIGN_ROLE"}]}]}')],
  ])("with %s from the second page on", async (_, fault) => {
    const report = await evaluate(quiet, (number) => (number >= 2 ? fault : undefined));
    expect(report.verdict).toBe("unknown");
    expect(gapCodes(report)).toEqual([expect.stringMatching(/^(listing-incomplete|record-unreadable)$/)]);
  });

  test("and reports events that were read before", async () => {
    const report = await evaluate([...quiet, [8, assignRole()]], (number) => (number >= 2 ? faults.cut() : undefined));
    expect([report.verdict, violationsOf(report).length, gapCodes(report)]).toEqual([
      "violations",
      1,
      ["listing-incomplete"],
    ]);
  });
});

test("sends no request before the freeze has begun", async () => {
  server = await startFaultyServer({ store: createActivityStore({ now }), now });
  const source = new ActivitiesClient({ baseUrl: server.url, time: { now } });
  const evidence = await gatherEvidence(source, { start: now(), end: new Date("2026-11-22T00:00:00Z") }, { now });
  expect([evidence.complete, evidence.activities, server.requests]).toEqual([true, [], []]);
});

test("stops when the signal aborts, and does not take that as evidence", async () => {
  server = await startFaultyServer({ store: createActivityStore({ now }), now });
  const source = new ActivitiesClient({ baseUrl: server.url, time: { now } });
  await expect(
    gatherEvidence(source, freeze, { now, signal: AbortSignal.abort(new Error("stopped")) }),
  ).rejects.toThrow("stopped");
});

const path = () => join(folder, "history");

async function check(records: Parameters<typeof evaluate>[0]) {
  const report = await evaluate(records);
  await server?.close();
  const log = openRecordLog(path());
  try {
    return recordVerdict(log, report);
  } finally {
    log.close();
  }
}

test("the history keeps every verdict, and reports when a late event overturns an earlier verdict", async () => {
  expect(await check(quiet)).toBeUndefined();
  const change = await check([...quiet, [8, assignRole()]]);
  expect(change).toMatchObject({
    before: { verdict: "clear-as-of" },
    overturned: true,
    newViolations: [expect.any(String)],
  });
  expect(await check([...quiet, [8, assignRole()]])).toMatchObject({
    before: { verdict: "violations" },
    overturned: false,
    newViolations: [],
  });
  const verdicts = readFileSync(path(), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).verdict);
  expect(verdicts).toEqual(["clear-as-of", "violations", "violations"]);
});

const earlier = { checkedAt: "x", verdict: "clear-as-of", final: false, violations: [], doubts: [] } as const;

test("the history compares a verdict only with verdicts of the same freeze", () => {
  const given = parseActivity(record([assignRole()], { time: "2026-11-21T10:30:00Z" }));
  const evidence = { listedAt: now(), complete: true, activities: [given], unreadable: [], warnings: [] };
  const other = { ...earlier, freeze: "2026-10-01T00:00:00.000Z/2026-10-02T00:00:00.000Z", violations: ["k"] };
  const report = evaluateFreeze(freeze, evidence);
  expect(compareVerdicts([{ ...other, asOf: "2026-12-01T00:00:00.000Z" }], report)).toBeUndefined();
});

test("the history does not report a verdict as overturned by events after the time that it covered", () => {
  const given = parseActivity(record([assignRole()], { time: "2026-11-21T10:30:00Z" }));
  const evidence = { listedAt: now(), complete: true, activities: [given], unreadable: [], warnings: [] };
  const report = evaluateFreeze(freeze, evidence);
  const before = { ...earlier, freeze: report.freeze };
  const overturned = ["2026-11-21T10:30:00.000Z", "2026-11-21T10:30:00.001Z"].map(
    (asOf) => compareVerdicts([{ ...before, asOf }], report)?.overturned,
  );
  expect(overturned).toEqual([false, true]);
});

test("the history fails for a file that is not a history, and leaves the file unchanged", async () => {
  writeFileSync(path(), '{"verdict":"fine"}\n');
  await expect(check(quiet)).rejects.toMatchObject({ code: "history-malformed" });
  expect(readFileSync(path(), "utf8")).toBe('{"verdict":"fine"}\n');
});

test("reads a page of any length completely", async () => {
  const activity = parseActivity({});
  const activities = Array.from({ length: 300_000 }, () => activity);
  const source: ActivitySource = {
    name: "one page",
    async *pages() {
      yield { activities, unreadable: [], warnings: [] };
    },
  };
  const evidence = await gatherEvidence(source, { start: new Date(0), end: new Date(1) }, { now: () => new Date(2) });

  expect([evidence.complete, evidence.activities.length]).toEqual([true, 300_000]);
});

test("does not query a freeze that ended before the retention period, and its evidence is complete", async () => {
  const source = { name: "none", pages: () => Promise.reject(new Error("was queried")) as never };
  const freeze = { start: new Date("2026-01-01T00:00:00Z"), end: new Date("2026-01-02T00:00:00Z") };
  const evidence = await gatherEvidence(source, freeze, { now: () => new Date("2026-11-21T12:00:00Z") });
  expect([evidence.complete, evidence.activities.length]).toEqual([true, 0]);
});
