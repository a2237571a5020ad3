import fc from "fast-check";
import {
  eventKeys,
  eventNames,
  formatFilters,
  parameterDefinitions,
  parseActivity,
  parseFilters,
  readLosslessJson,
  readRecords,
  readTime,
  renderMessage,
} from "../../lib/audit";
import { InputError } from "../../lib/errors";

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const runs = { numRuns: 20_000, seed };
const dangerous = /\p{C}|(?! )\p{Z}/u;

jest.setTimeout(300_000);

beforeAll(() => console.log(`seed ${seed} (SEED=${seed} repeats it)`));

/** Any error that does not report invalid input is a defect of the library. */
function refusing<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

const key = fc.constantFrom(
  "id",
  "time",
  "uniqueQualifier",
  "actor",
  "email",
  "profileId",
  "events",
  "type",
  "name",
  "parameters",
  "value",
  "intValue",
  "boolValue",
  "multiValue",
  "multiIntValue",
  "messageValue",
  "multiMessageValue",
  "parameter",
  "__proto__",
  "constructor",
  "toString",
);
const leaf = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...eventNames,
    ...Object.keys(parameterDefinitions),
    "DELEGATED_ADMIN",
    "2026-11-21T10:00:00Z",
    "\u001b[2J{NEW_VALUE}",
  ),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.bigInt().map(String),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 6 }),
  ),
}));

const parameter = fc.record(
  {
    name: fc.oneof(leaf, fc.constantFrom(...Object.keys(parameterDefinitions))),
    value: tree,
    intValue: leaf,
    boolValue: leaf,
    multiValue: tree,
    messageValue: tree,
  },
  { requiredKeys: ["name"] },
);
const event = fc.record(
  {
    name: fc.oneof(leaf, fc.constantFrom(...eventNames)),
    type: leaf,
    parameters: fc.oneof(tree, fc.array(parameter, { maxLength: 6 })),
  },
  { requiredKeys: ["name"] },
);
const likely = fc.record(
  { id: tree, actor: tree, events: fc.oneof(fc.array(event, { maxLength: 4 }), event, tree), ipAddress: leaf },
  { requiredKeys: ["events"] },
);

test("reads, keys and renders any record to one safe line, or refuses the record", () => {
  fc.assert(
    fc.property(fc.oneof(tree, likely), fc.boolean(), (record, strict) => {
      const activity = refusing(() => parseActivity(record, { strict }));
      if (activity === undefined) return;
      expect(eventKeys(activity)).toHaveLength(activity.events.length);
      for (const each of activity.events) {
        expect(renderMessage(each)).not.toMatch(dangerous);
        expect(each.known).toBe(each.canonicalName !== undefined);
      }
      for (const { message } of activity.findings) expect(message).not.toMatch(dangerous);
      if (strict) expect(activity.findings).toEqual([]);
    }),
    runs,
  );
});

test("reads any text as JSON, a time or filters, or refuses the text", () => {
  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\",
    "-",
    "12345678901234567890",
    "1e999",
    "0.1",
    "==",
    "<>",
    "<",
    ">=",
    "NEW_VALUE",
    "2026-11-21",
    "T",
    "10:00:00",
    "Z",
    "+02:00",
    " ",
    "\n",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(token, { maxLength: 16 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (given) => {
      refusing(() => readLosslessJson(given));
      const time = readTime(given);
      if (time !== undefined) expect(readTime(time.text)).toEqual({ ...time, standard: true });
      const filters = refusing(() => parseFilters(given));
      if (filters !== undefined) expect(formatFilters(filters)).toBe(given);
    }),
    runs,
  );
});

test("reads any file to its end", async () => {
  const line = fc.oneof(
    fc.string(),
    likely.map((record) => JSON.stringify(record)),
    fc.constantFrom("{", "]", "", "null"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
      async function* chunks() {
        yield lines.join("\n");
      }
      for await (const reading of readRecords(chunks())) expect(reading.line).toBeGreaterThan(0);
    }),
    runs,
  );
});
