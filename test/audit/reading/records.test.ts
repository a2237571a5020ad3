import fc from "fast-check";
import { type RecordReading, readRecords } from "../../../lib/audit";
import { assignRole, record } from "../activities";

async function read(chunks: readonly (string | Uint8Array)[], strict = false): Promise<readonly string[]> {
  async function* pieces() {
    yield* chunks;
  }
  const readings: string[] = [];
  for await (const reading of readRecords(pieces(), { strict })) readings.push(tell(reading));
  return readings;
}

function tell(reading: RecordReading): string {
  if ("problem" in reading) return `${reading.line}: ${reading.problem.code}`;
  const [first] = reading.activity.events;
  return `${reading.line}: ${first?.name === "ASSIGN_ROLE" ? first.parameters.ROLE_NAME : first?.name}`;
}

const json = (name: string) => JSON.stringify(record([assignRole(name)]));
const pretty = (value: unknown) => JSON.stringify(value, undefined, 2);

test.each<[string, string, readonly string[]]>([
  ["one a line", `${json("a")}\n${json("b")}\n`, ["1: a", "2: b"]],
  ["one a line with empty lines, carriage returns and no end", `\n${json("a")}\r\n\n${json("b")}`, ["2: a", "4: b"]],
  ["one over several lines", pretty(record([assignRole("a")])), ["1: a"]],
  ["a list", `[${json("a")},${json("b")}]`, ["1: a", "1: b"]],
  ["a list over several lines", pretty([record([assignRole("a")]), record([assignRole("b")])]), ["1: a", "1: b"]],
  ["a page of the service", pretty({ kind: "admin#reports#activities", items: [record([assignRole("a")])] }), ["1: a"]],
  ["pages, one a line", `{"items":[${json("a")}]}\n{"items":[${json("b")}]}`, ["1: a", "2: b"]],
  ["an empty page", '{"kind":"admin#reports#activities"}', []],
  ["a byte order mark", `\ufeff${json("a")}`, ["1: a"]],
  ["nothing", "\n\n", []],
])("%s", async (_, text, expected) => {
  expect(await read([Buffer.from(text)])).toEqual(expected);
});

test.each<[string, string, readonly string[]]>([
  ["a broken line", `${json("a")}\n{"id"\n${json("b")}`, ["1: a", "2: json-malformed", "3: b"]],
  ["a broken first line", `{"id"\n${json("b")}`, ["1: json-malformed", "2: b"]],
  [
    "a value that is not a record",
    `${json("a")}\n7\n"x"\n[null,${json("b")}]`,
    ["1: a", "2: activity-malformed", "3: activity-malformed", "4: activity-malformed", "4: b"],
  ],
])("reports unreadable input by its line, and continues: %s", async (_, text, expected) => {
  expect(await read([text])).toEqual(expected);
});

test("reports every problem of a record in strict mode", async () => {
  expect(await read(['{"events":[{"name":"NEW"}]}'], true)).toEqual([
    "1: qualifier-missing",
    "1: time-missing",
    "1: event-unknown",
  ]);
});

test("keeps all digits of numeric ids", async () => {
  async function* pieces() {
    yield '{"id":{"uniqueQualifier":-7312345678901234567},"events":[]}';
  }
  for await (const reading of readRecords(pieces())) {
    expect("activity" in reading && reading.activity.id.uniqueQualifier).toBe("-7312345678901234567");
  }
  expect.assertions(1);
});

test("returns the same records however the bytes are split", async () => {
  const bytes = Buffer.from(`${json("ä€😀")}\n${json("b")}\n{"id"\n`);
  const whole = await read([bytes]);
  expect(whole).toEqual(["1: ä€😀", "2: b", "3: json-malformed"]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
      expect(await read(places.slice(1).map((place, index) => bytes.subarray(places[index], place)))).toEqual(whole);
    }),
  );
});

test("refuses a line without an end before it exhausts memory", async () => {
  const piece = " ".repeat(1024 * 1024);
  let pieces = 0;
  async function* endless() {
    for (;;) {
      pieces += 1;
      yield piece;
    }
  }
  await expect(readRecords(endless()).next()).rejects.toMatchObject({ code: "document-too-long" });
  expect(pieces).toBe(257);
});
