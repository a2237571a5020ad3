import { parseActivity, renderMessage } from "../../../lib/audit";
import { event, record, specifiedEvents } from "../activities";

const render = (given: object, words?: { readonly vendor?: string; readonly partner?: string }) => {
  const [first] = parseActivity(record([given])).events;
  if (first === undefined) throw new Error("no event");
  return renderMessage(first, words);
};

test.each(specifiedEvents.map((row) => [row.message, row] as const))("%s", (message, { type, name, parameters }) => {
  expect(render({ type, name, parameters })).toBe(message);
});

test("uses the caller's company words", () => {
  const words = { vendor: "Acme", partner: "Orchard" };
  expect(render(event("MOBILE_SETTINGS", "ENROLL_FOR_VENDOR_DEVICE_MANAGEMENT"), words)).toBe(
    "Enrolled for Acme Device Management",
  );
  expect(render(event("MOBILE_SETTINGS", "APPLE_DEP_SYNC_TRIGGERED", { USER_EMAIL: "u" }), words)).toBe(
    "Orchard DEP sync triggered by u",
  );
});

test("marks a missing value", () => {
  expect(render(event("CALENDAR_SETTINGS", "RENAME_CALENDAR_RESOURCE", { NEW_VALUE: "b" }))).toBe(
    "Calendar resource {OLD_VALUE missing} renamed to b",
  );
});

test.each(["{OLD_VALUE}", "$&", "$1", "<VENDOR>"])("inserts a value unchanged: %s", (value) => {
  expect(render(event("CALENDAR_SETTINGS", "RENAME_CALENDAR_RESOURCE", { NEW_VALUE: value, OLD_VALUE: "a" }))).toBe(
    `Calendar resource a renamed to ${value}`,
  );
});

test("escapes control characters, so that they can't control a terminal, forge a line or hide text", () => {
  const value = "a\u001b[2K\r\nb\u202ec\u0000\u009b";
  expect(render(event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: value }))).toBe(
    "Building a\\u{1b}[2K\\u{d}\\u{a}b\\u{202e}c\\u{0}\\u{9b} created",
  );
});

test("shows a value of the wrong type unchanged", () => {
  const parameters = [{ name: "NUMBER_OF_COMPANY_OWNED_DEVICES", multiIntValue: ["1", "2"] }];
  expect(render({ type: "MOBILE_SETTINGS", name: "COMPANY_DEVICES_BULK_CREATION", parameters })).toBe(
    "Details of 1, 2 company owned device(s) were imported",
  );
});

test("shows an event that is missing from the catalogue by its name and parameters", () => {
  const parameters = [
    { name: "USER_EMAIL", value: "u@example.com" },
    { name: "META", messageValue: { parameter: [{ name: "a", boolValue: true }] } },
    { name: "ODD", strangeValue: 1 },
  ];
  expect(render({ type: "USER_SETTINGS", name: "CREATE_USER", parameters })).toBe(
    "CREATE_USER (not catalogued of type USER_SETTINGS): USER_EMAIL=u@example.com, META=a=true, ODD=?",
  );
  expect(render({})).toBe("event without a name (not catalogued)");
});
