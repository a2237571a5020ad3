import { eventKey, parseActivity } from "../../../lib/audit";
import { BugError } from "../../../lib/errors";
import { assignRole, event, record } from "../activities";

const keys = (given: unknown) => {
  const activity = parseActivity(given);
  return activity.events.map((_, index) => eventKey(activity, index));
};

test("gives sibling events of one activity different keys, even if they are equal", () => {
  const [a, b, c] = keys(record([assignRole(), assignRole("other"), assignRole()]));
  expect(new Set([a, b, c]).size).toBe(3);
  expect(a).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ["times in another form", record([assignRole()], { time: "2026-11-21T11:00:00+01:00" })],
  [
    "the qualifier as a number",
    JSON.stringify(record([assignRole()])).replace('"-7312345678901234567"', "-7312345678901234567"),
  ],
  [
    "another order of the parameters",
    record([
      {
        type: "DELEGATED_ADMIN_SETTINGS",
        name: "ASSIGN_ROLE",
        parameters: [
          { name: "USER_EMAIL", value: "new@example.com" },
          { name: "ROLE_NAME", value: "_SEED_ADMIN_ROLE" },
        ],
      },
    ]),
  ],
  [
    "parameters as a map",
    record([
      {
        type: "DELEGATED_ADMIN_SETTINGS",
        name: "ASSIGN_ROLE",
        parameters: { USER_EMAIL: "new@example.com", ROLE_NAME: "_SEED_ADMIN_ROLE" },
      },
    ]),
  ],
  ["one event in place of a list", { ...record([]), events: assignRole() }],
  ["another actor and address", record([assignRole()], { email: "id@example.com" })],
])("ignores %s", (_, given) => {
  expect(keys(given)).toEqual(keys(record([assignRole()])));
});

test("ignores the position among other events", () => {
  const other = event("CALENDAR_SETTINGS", "CREATE_BUILDING", { NEW_VALUE: "b" });
  expect(keys(record([other, assignRole()])).sort()).toEqual(keys(record([assignRole(), other])).sort());
});

test("ignores whether the event has the public service's name", () => {
  const named = (name: string) => keys(record([event("EMAIL_SETTINGS", name, { SETTING_NAME: "s" })]));
  expect(named("CREATE_GMAIL_SETTING")).toEqual(named("CREATE_HOSTED_MAIL_SETTING"));
});

test.each([
  ["time", record([assignRole()], { time: "2026-11-21T10:00:00.001Z" })],
  ["qualifier", record([assignRole()], { qualifier: "1" })],
  ["parameter", record([assignRole("r")])],
  [
    "name",
    record([
      event("DELEGATED_ADMIN_SETTINGS", "UNASSIGN_ROLE", {
        ROLE_NAME: "_SEED_ADMIN_ROLE",
        USER_EMAIL: "new@example.com",
      }),
    ]),
  ],
])("differs for another %s", (_, given) => {
  expect(keys(given)).not.toEqual(keys(record([assignRole()])));
});

test("fails for an event that does not exist", () => {
  expect(() => eventKey(parseActivity(record([])), 0)).toThrow(BugError);
});

test("returns a key for an extremely nested value", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const text = JSON.stringify(record([{ name: "NEW", parameters: [{ name: "A", value: "deep" }] }])).replace(
    '"deep"',
    deep,
  );
  expect(keys(text)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});
