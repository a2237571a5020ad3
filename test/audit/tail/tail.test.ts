import { mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ActivitySource,
  type ActivityStore,
  createActivityStore,
  cursorFile,
  fileSink,
  parseActivity,
  type SweepNotice,
  streamSink,
  type TailCursor,
  type TailEntry,
  type TailOptions,
  tailActivities,
} from "../../../lib/audit";
import { ServiceError } from "../../../lib/errors";
import { assignRole, event, record } from "../activities";
import { storeSource } from "../store-source";
import { roleOf } from "./entries";

// The tests sync files, and the duration depends on the disk.
jest.setTimeout(30_000);

const start = Date.parse("2026-11-21T10:00:00Z");
let folder: string;
let clock: number;
let store: ActivityStore;
const now = () => new Date(clock);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-tail-"));
  clock = start;
  store = createActivityStore({ now });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const output = () => join(folder, "events");

/** Changes of the options of a test; the members of a group that it leaves out keep their values. */
interface TailChange extends Partial<Omit<TailOptions, "output" | "time">> {
  readonly output?: Partial<TailOptions["output"]>;
  readonly time?: Partial<TailOptions["time"]>;
}

function options(change: TailChange = {}): TailOptions {
  return {
    source: storeSource(store, now),
    ...change,
    output: {
      cursor: cursorFile(join(folder, "cursor")),
      sink: fileSink(output()),
      format: (entry) => `${roleOf(entry)}\n`,
      ...change.output,
    },
    timing: { since: new Date(start), lagSeconds: 10, overlapSeconds: 60, once: true, ...change.timing },
    time: {
      now,
      sleep: async () => {
        throw new Error("nothing to wait for");
      },
      ...change.time,
    },
  };
}

/** Records an event now that the service lists after a delay. */
function happen(name: string, arrivesAfterSeconds = 0): void {
  const given = record([assignRole(name)], {
    time: new Date(clock).toISOString(),
    qualifier: String(store.lastSequence() + 1),
  });
  store.ingest(given, { visibleFrom: new Date(clock + arrivesAfterSeconds * 1_000) });
}

async function tailAt(second: number, change: TailChange = {}): Promise<string> {
  clock = start + second * 1_000;
  await tailActivities(options(change));
  return readFileSync(output(), "utf8").replaceAll("\n", " ").trim();
}

test("returns events oldest first, after the lag, and once", async () => {
  happen("a");
  clock += 1_000;
  happen("b");
  expect(await tailAt(11)).toBe("a");
  expect(await tailAt(12)).toBe("a b");
  expect(await tailAt(40)).toBe("a b");
});

test("does not lose an event that arrives after newer events", async () => {
  happen("late", 30);
  clock += 1_000;
  happen("early");
  expect(await tailAt(20)).toBe("early");
  expect(await tailAt(31)).toBe("early late");
});

test("returns no event twice if the overlap changes between runs", async () => {
  happen("a");
  clock += 30_000;
  happen("b");
  expect(await tailAt(45, { timing: { overlapSeconds: 60 } })).toBe("a b");
  expect(await tailAt(50, { timing: { overlapSeconds: 5 } })).toBe("a b");
  expect(await tailAt(55, { timing: { overlapSeconds: 60 } })).toBe("a b");
});

test("treats sibling events of one activity as separate events", async () => {
  store.ingest(record([assignRole("a"), assignRole("b"), assignRole("a")], { time: now().toISOString() }));
  expect(await tailAt(11)).toBe("a b a");
});

test("returns only the requested events although the service lists their siblings", async () => {
  store.ingest(
    record([event("DELEGATED_ADMIN_SETTINGS", "CREATE_ROLE", { ROLE_NAME: "x" }), assignRole("a")], {
      time: now().toISOString(),
    }),
  );
  expect(await tailAt(11, { query: { eventName: "ASSIGN_ROLE" } })).toBe("a");
});

test("returns only events from now on if no start is given", async () => {
  happen("before");
  clock += 20_000;
  const given = options();
  const { since: _, ...timing } = given.timing ?? {};
  await tailActivities({ ...given, timing });
  happen("after");
  expect(await tailAt(31)).toBe("after");
});

test("catches up after a long pause in steps that grow while few events arrive", async () => {
  for (let minute = 0; minute < 10; minute++) {
    happen(String(minute));
    clock += 60_000;
  }
  const notices: SweepNotice[] = [];
  expect(
    await tailAt(620, { timing: { windowSeconds: 120 }, observers: { onSweep: (notice) => notices.push(notice) } }),
  ).toBe("0 1 2 3 4 5 6 7 8 9");
  expect(notices.map(({ fresh, caughtUp }) => [fresh, caughtUp])).toEqual([
    [2, false],
    [4, false],
    [4, true],
  ]);
});

test("reports events that the service no longer has as lost", async () => {
  const notices: SweepNotice[] = [];
  await tailAt(20);
  await tailAt(190 * 86_400, {
    observers: { onSweep: (notice) => notices.push(notice) },
    timing: { windowSeconds: 1e9 },
  });
  expect(notices[0]?.lost).toEqual({ start: new Date(start + 10_000), end: new Date(start + 10 * 86_400_000) });
});

test("passes on a record without events as unreadable and does not drop it", async () => {
  const raw = record([], { time: new Date(start + 1_000).toISOString() });
  const source: ActivitySource = {
    name: "store",
    async *pages() {
      yield { activities: [parseActivity(raw)], unreadable: [], warnings: [] };
    },
  };
  const entries: TailEntry[] = [];
  const change = { source, output: { format: (entry: TailEntry) => `${entries.push(entry)}\n` } };
  await tailAt(20, change);
  await tailAt(25, change);
  expect(entries).toEqual([
    {
      kind: "unreadable",
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
      problem: { code: "events-missing", message: "the record has no event" },
      text: JSON.stringify(raw),
    },
  ]);
});

test("passes on an unreadable record once and does not drop it", async () => {
  const page = {
    activities: [],
    unreadable: [{ problem: { code: "activity-malformed" as const, message: "no object" }, raw: 7 }],
    warnings: ["partial"],
  };
  const source: ActivitySource = {
    name: "store",
    async *pages() {
      yield page;
    },
  };
  const notices: SweepNotice[] = [];
  const kinds: string[] = [];
  const change = {
    source,
    observers: { onSweep: (notice: SweepNotice) => notices.push(notice) },
    output: { format: (entry: TailEntry) => `${kinds.push(entry.kind)}\n` },
  };
  await tailAt(20, change);
  await tailAt(25, change);
  expect([kinds, notices.map(({ warnings }) => warnings)]).toEqual([["unreadable"], [["partial"], ["partial"]]]);
});

test("holds events outside the requested time range until their own time range is due", async () => {
  happen("before");
  clock += 20_000;
  happen("in");
  clock += 20_000;
  happen("after");
  const source: ActivitySource = {
    name: "store",
    pages: () => storeSource(store, now).pages({}),
  };
  const since = new Date(start + 10_000);
  expect(await tailAt(45, { source, timing: { since } })).toBe("in");
  expect(await tailAt(60, { source, timing: { since } })).toBe("in after");
});

const failing = (retryable: boolean): ActivitySource => ({
  name: "store",
  async *pages(query, given) {
    yield* storeSource(store, now, 1).pages(query, given);
    throw new ServiceError("cut", { code: "answer-cut", retryable });
  },
});

test("a listing that fails writes none of its events and does not move the cursor", async () => {
  happen("a");
  await tailAt(5);
  await expect(tailAt(20, { source: failing(false) })).rejects.toThrow("cut");
  expect(readFileSync(output(), "utf8")).toBe("");
  expect(await tailAt(20)).toBe("a");
});

test.each([
  [1, "a"],
  [2, "a"],
  [3, undefined],
])(
  "a listing that fails because a page token was refused %i times in a row is started again at once, at most twice",
  async (times, expected) => {
    happen("a");
    let listings = 0;
    const source: ActivitySource = {
      name: "store",
      async *pages(query, given) {
        yield* storeSource(store, now, 1).pages(query, given);
        listings += 1;
        if (listings <= times) throw new ServiceError("refused", { code: "page-token-refused", retryable: true });
      },
    };
    if (expected === undefined) await expect(tailAt(20, { source })).rejects.toThrow("refused");
    else expect(await tailAt(20, { source })).toBe(expected);
  },
);

test("a listing that fails is reported, and retried if a retry can help", async () => {
  happen("a");
  clock += 20_000;
  const stop = new AbortController();
  const failures: string[] = [];
  let listings = 0;
  const source: ActivitySource = {
    name: "store",
    pages: (query, given) => (listings++ === 0 ? failing(true) : storeSource(store, now)).pages(query, given),
  };
  await tailActivities(
    options({
      source,
      timing: { once: false },
      signal: stop.signal,
      observers: { onFailure: ({ message }) => failures.push(message), onSweep: () => stop.abort() },
      time: { sleep: async () => undefined },
    }),
  );
  expect([failures, readFileSync(output(), "utf8")]).toEqual([["cut"], "a\n"]);
});

test("the output keeps the content from before the tail began", async () => {
  writeFileSync(output(), "kept\n");
  happen("a");
  expect(await tailAt(11)).toBe("kept a");
});

test("the output is truncated to the cursor if the process ended between the two writes", async () => {
  happen("a");
  expect(await tailAt(11)).toBe("a");
  writeFileSync(output(), "a\nb\nhalf a li");
  clock = start + 5_000;
  happen("b");
  expect(await tailAt(30)).toBe("a b");
});

test("the output fails if lines that were written are missing", async () => {
  happen("a");
  await tailAt(11);
  truncateSync(output(), 1);
  await expect(tailAt(20)).rejects.toMatchObject({ code: "tail-output-shorter" });
  unlinkSync(output());
  await expect(tailAt(20)).rejects.toMatchObject({ code: "tail-output-shorter" });
});

test("the output of another tail is not truncated", async () => {
  happen("a");
  await tailAt(11);
  const other = join(folder, "other");
  writeFileSync(other, "long before\n");
  await expect(tailAt(20, { output: { sink: fileSink(other) } })).rejects.toMatchObject({
    code: "cursor-of-another-output",
  });
  expect(readFileSync(other, "utf8")).toBe("long before\n");
});

test("the output is truncated to the cursor even if the tail wrote to another file before", async () => {
  clock += 11_000;
  await tailActivities(options({ output: { sink: streamSink(() => undefined) } }));
  writeFileSync(output(), "kept\n");
  clock = start + 12_000;
  happen("a");
  const cursor = cursorFile(join(folder, "cursor"));
  let writes = 0;
  const write = async (next: TailCursor) => {
    writes += 1;
    if (writes === 2) throw new Error("cut");
    await cursor.write(next);
  };
  await expect(tailAt(30, { output: { cursor: { read: cursor.read, write } } })).rejects.toThrow("cut");
  expect(readFileSync(output(), "utf8")).toBe("kept\na\n");
  expect(await tailAt(30)).toBe("kept a");
});

test("the output receives each event even if it can't be truncated", async () => {
  happen("a");
  const texts: string[] = [];
  clock += 11_000;
  await tailActivities(options({ output: { sink: streamSink((text) => texts.push(text)) } }));
  await tailActivities(options({ output: { sink: streamSink((text) => texts.push(text)) } }));
  expect(texts).toEqual(["a\n"]);
});

test("fails with the cursor of another tail", async () => {
  await tailAt(11);
  await expect(tailAt(20, { query: { eventName: "ASSIGN_ROLE" } })).rejects.toMatchObject({
    code: "cursor-of-another-tail",
  });
});

test.each(["lagSeconds", "overlapSeconds", "intervalSeconds", "windowSeconds"] as const)(
  "fails for a %s below 0",
  async (name) => {
    await expect(tailActivities(options({ timing: { [name]: -1 } }))).rejects.toMatchObject({
      code: "seconds-invalid",
    });
  },
);
