import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createActivityStore, openRecordLog } from "../../../lib/audit";
import { InputError } from "../../../lib/errors";
import { assignRole, record } from "../activities";

const now = () => new Date("2026-11-21T12:00:00Z");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-store-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("converts a recorded typed activity to a record of the service", () => {
  const store = createActivityStore({ now, customerId: "C1" });
  const activity = store.record({
    actor: { email: "a@example.com" },
    ipAddress: "198.51.100.1",
    events: [
      { name: "COMPANY_DEVICES_BULK_CREATION", parameters: { NUMBER_OF_COMPANY_OWNED_DEVICES: "12" } },
      { name: "CHANGE_HOSTED_MAIL_SETTING", parameters: { SETTING_NAME: "s", SETTING_ENABLED: false } },
      { name: "USE_VENDOR_MOBILE_MANAGEMENT" },
    ],
  });
  expect(activity.raw).toEqual({
    kind: "admin#reports#activity",
    id: {
      time: "2026-11-21T12:00:00.000Z",
      uniqueQualifier: expect.stringMatching(/^-?\d{10,19}$/),
      applicationName: "admin",
      customerId: "C1",
    },
    actor: { callerType: "USER", email: "a@example.com" },
    ipAddress: "198.51.100.1",
    events: [
      {
        type: "MOBILE_SETTINGS",
        name: "COMPANY_DEVICES_BULK_CREATION",
        parameters: [{ name: "NUMBER_OF_COMPANY_OWNED_DEVICES", intValue: "12" }],
      },
      {
        type: "EMAIL_SETTINGS",
        name: "CHANGE_HOSTED_MAIL_SETTING",
        parameters: [
          { name: "SETTING_NAME", value: "s" },
          { name: "SETTING_ENABLED", boolValue: false },
        ],
      },
      { type: "MOBILE_SETTINGS", name: "USE_VENDOR_MOBILE_MANAGEMENT" },
    ],
  });
});

test("distinguishes two activities with the same time", () => {
  const store = createActivityStore({ now });
  const ids = [1, 2].map(
    () => store.record({ actor: {}, events: [{ name: "USE_VENDOR_MOBILE_MANAGEMENT" }] }).id.uniqueQualifier,
  );
  expect(new Set(ids).size).toBe(2);
});

test("refuses an activity that does not match the catalogue and stores nothing", () => {
  const log = openRecordLog(join(folder, "log"));
  const store = createActivityStore({ now, log });
  expect(() => store.ingest(record([{ type: "DELEGATED_ADMIN_SETTINGS", name: "ASSIGN_ROLE" }]))).toThrow(InputError);
  expect(() => store.ingest("[]")).toThrow("the activity record is not an object");
  expect([store.all(), readFileSync(join(folder, "log"), "utf8")]).toEqual([[], ""]);
  log.close();
});

test("a log keeps records, late records too, with every digit", () => {
  const path = join(folder, "log");
  const first = openRecordLog(path);
  const store = createActivityStore({ now, log: first });
  store.ingest(JSON.stringify(record([assignRole()])).replace('"-7312345678901234567"', "-7312345678901234567"));
  store.ingest(record([assignRole("late")], { qualifier: "2" }), { visibleFrom: new Date("2026-11-22T00:00:00Z") });
  first.close();
  const second = openRecordLog(path);
  const again = createActivityStore({ now, log: second });
  second.close();
  expect(again.all().map(({ activity }) => activity)).toEqual(store.all().map(({ activity }) => activity));
  expect(again.all().map(({ visibleFromMs }) => visibleFromMs)).toContain(Date.parse("2026-11-22T00:00:00Z"));
  expect(again.all().map(({ activity }) => activity.id.uniqueQualifier)).toContain("-7312345678901234567");
});

test("a log loses no record after a crash that left half a line", () => {
  const path = join(folder, "log");
  writeFileSync(path, `${JSON.stringify(record([assignRole()]))}\n{"id":{"ti`);
  const log = openRecordLog(path);
  const store = createActivityStore({ now, log });
  store.ingest(record([assignRole("next")], { qualifier: "2" }));
  log.close();
  expect(
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id.uniqueQualifier),
  ).toEqual(["-7312345678901234567", "2"]);
});

test("a log keeps a complete record whose line break is missing", () => {
  const path = join(folder, "log");
  writeFileSync(path, JSON.stringify(record([assignRole()])));
  const log = openRecordLog(path);
  const store = createActivityStore({ now, log });
  store.ingest(record([assignRole("next")], { qualifier: "2" }));
  log.close();
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
  expect(store.lastSequence()).toBe(2);
});

test("a log keeps a record with a field that has the same name as one of its own fields", () => {
  const path = join(folder, "log");
  const first = openRecordLog(path);
  createActivityStore({ now, log: first }).ingest({ ...record([assignRole()]), visibleFromMs: 5 });
  first.close();
  const second = openRecordLog(path);
  const [again] = createActivityStore({ now, log: second }).all();
  second.close();
  expect([again?.record.visibleFromMs, again?.visibleFromMs]).toEqual([5, now().getTime()]);
});

test.each(["start: 2026-11-21T10:00:00Z", "start: a\nend: b", '{"start":"a"}', '{\n  "start": "a"\n}'])(
  "a log fails for a file of another kind and leaves the file unchanged: %j",
  (text) => {
    const path = join(folder, "freeze");
    writeFileSync(path, text);
    expect(() => createActivityStore({ now, log: openRecordLog(path) })).toThrow(
      expect.objectContaining({ code: "record-log-malformed" }),
    );
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);

test("a log fails for a line in the middle that is not a record, with its number", () => {
  const path = join(folder, "log");
  writeFileSync(path, `${JSON.stringify(record([assignRole()]))}\n`);
  appendFileSync(path, "{}\n");
  const log = openRecordLog(path);
  expect(() => createActivityStore({ now, log })).toThrow(
    /^record 2 of the log can't be read: .*; fix or remove the line$/,
  );
  log.close();
});

test("a log fails if the file can't be opened", () => {
  expect(() => openRecordLog(join(folder, "no", "such"))).toThrow(
    /can't be opened \(its folder is missing, or takes no new files\); name one that can$/,
  );
});
