import { Readable } from "node:stream";
import { runWith, testIo } from "../support/io";

/** Forms of records that `cert-migration audit render` gets from other tools, each constructed for itself. */
async function render(input: string, ...words: readonly string[]) {
  const io = testIo({ stdin: Readable.from([Buffer.from(input)]) });
  const exitCode = await runWith(["audit", "render", ...(words.length === 0 ? ["--format", "jsonl"] : words)], io);
  const lines = io
    .out()
    .split("\n")
    .filter((line) => line !== "");
  return { exitCode, events: lines.map((line) => JSON.parse(line)), err: io.err() };
}

const record = (name: string, fields: object = {}) => ({
  kind: "admin#reports#activity",
  id: { time: "2026-11-20T10:00:00.000Z", uniqueQualifier: name, applicationName: "admin", customerId: "C1" },
  actor: { email: "a@example.com" },
  events: [{ type: "CALENDAR_SETTINGS", name: "CREATE_BUILDING", parameters: [{ name: "NEW_VALUE", value: name }] }],
  ...fields,
});
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe("values over several lines", () => {
  it.each<[string, string, number]>([
    ["accepts two records, one after the other", pretty(record("a")) + pretty(record("b")), 2],
    [
      "accepts three records with empty lines between them",
      ["a", "b", "c"].map((name) => pretty(record(name))).join("\n"),
      3,
    ],
    ["accepts two pages", pretty({ items: [record("a")] }) + pretty({ items: [record("b"), record("c")] }), 3],
    ["accepts two lists", pretty([record("a")]) + pretty([record("b")]), 2],
    ["accepts brackets and quotes in texts", pretty(record('}"{[')) + pretty(record("\\")), 2],
    [
      "accepts a record over several lines and then one on a line",
      pretty(record("a")) + JSON.stringify(record("b")),
      2,
    ],
    ["accepts Windows line breaks", (pretty(record("a")) + pretty(record("b"))).replaceAll("\n", "\r\n"), 2],
  ])("%s", async (_, input, count) => {
    const { exitCode, events, err } = await render(input);
    expect({ exitCode, count: events.length, err }).toEqual({ exitCode: 0, count, err: "" });
  });

  test("finds the place of a malformed record in a list", async () => {
    const { exitCode, events, err } = await render(pretty([record("a"), 5, record("b"), "x"]));
    expect([exitCode, events.length]).toEqual([5, 2]);
    expect(err).toMatch(/^standard input:1, record 2 of the list: .*\nstandard input:1, record 4 of the list: .*\n$/);
  });

  test("finds the first line of a malformed record", async () => {
    const first = pretty(record("a"));
    const { events, err } = await render(first + pretty({ ...record("b"), events: [] }) + pretty(record("c")));
    expect(events).toHaveLength(2);
    expect(err).toBe(`standard input:${first.split("\n").length}: the record has no event [events-missing]\n`);
  });

  test("finds a truncated record, and reads the next record", async () => {
    const cut = pretty(record("a")).split("\n").slice(0, 4).join("\n");
    const { exitCode, events } = await render(`${pretty(record("b"))}${cut}\n${pretty(record("c"))}`);
    expect([exitCode, events.length]).toEqual([5, 2]);
  });
});

describe("documents of the Elastic Common Schema", () => {
  test("finds a record without a time", async () => {
    const { exitCode, err, events } = await render(JSON.stringify(record("a", { id: {} })), "--format", "ecs");
    expect(exitCode).toBe(5);
    expect(err).toContain("standard input:1: the record has no time");
    expect(events).toHaveLength(1);
  });

  it.each<[string, string, string | undefined]>([
    ["accepts an IPv4 address with a port", "192.0.2.7:443", "192.0.2.7"],
    ["accepts an IPv6 address with a port", "[2001:db8::7]:443", "2001:db8::7"],
    ["accepts an IPv6 address in brackets", "[2001:db8::7]", "2001:db8::7"],
    ["accepts an address alone", "2001:db8::7", "2001:db8::7"],
    ["finds a text that is not an address", "office:443", undefined],
    ["finds an address with an octet too large", "192.0.2.700:443", undefined],
  ])("%s", async (_, ipAddress, ip) => {
    const { exitCode, events } = await render(JSON.stringify(record("a", { ipAddress })), "--format", "ecs");
    expect(exitCode).toBe(0);
    expect(events[0].source?.ip).toBe(ip);
    expect(events[0].related?.ip).toEqual(ip === undefined ? undefined : [ip]);
  });
});

describe("entries of Cloud Logging", () => {
  const event = {
    eventName: "CREATE_BUILDING",
    eventType: "CALENDAR_SETTINGS",
    parameter: [{ name: "NEW_VALUE", value: "b" }],
  };
  const entry = (payload: object, fields: object = {}) => ({
    insertId: "i1",
    logName: "organizations/1/logs/cloudaudit.googleapis.com%2Factivity",
    timestamp: "2026-11-20T10:00:00.123456789Z",
    resource: { type: "audited_resource" },
    protoPayload: {
      serviceName: "admin.googleapis.com",
      methodName: "google.admin.AdminService.createBuilding",
      metadata: { event: [event] },
      ...payload,
    },
    ...fields,
  });
  const text = { protoPayload: undefined, textPayload: "started" };

  it.each<[string, object]>([
    ["finds events that are not a list", entry({ metadata: { event } })],
    ["finds an entry with a text", entry({}, text)],
    [
      "finds an entry with a text, without its resource",
      entry({}, { ...text, resource: undefined, insertId: undefined }),
    ],
    ["finds an entry of the login service", entry({ serviceName: "login.googleapis.com" })],
    ["finds an entry of another service", entry({ serviceName: "cloudidentity.googleapis.com" })],
  ])("%s", async (_, value) => {
    const { exitCode, events, err } = await render(JSON.stringify(value));
    expect([exitCode, events]).toEqual([5, []]);
    expect(err).toMatch(/^standard input:1: .* \[log-entry-foreign\]\n$/);
  });

  it.each<[string, object]>([
    ["accepts an entry of the Admin console", entry({})],
    ["accepts an entry whose export omits the activity", entry({ metadata: undefined })],
    ["accepts a record of the service with a field of this name", record("a", { textPayload: "x" })],
  ])("%s", async (_, value) => {
    const { exitCode, events } = await render(JSON.stringify(value));
    expect([exitCode, events.length]).toEqual([0, 1]);
  });
});
