import { readFreeze } from "../../../lib/audit";
import { InputError } from "../../../lib/errors";

test("reads a freeze with all its fields", () => {
  const rule = {
    event: "CREATE_GMAIL_SETTING",
    actor: "a@example.com",
    parameters: { SETTING_NAME: "s" },
    ticket: "CHG-1",
    expires: "2026-11-21T23:00:00+01:00",
  };
  expect(
    readFreeze({
      start: "2026-11-21T20:00:00Z",
      end: new Date("2026-11-22T00:00:00Z"),
      watch: ["authority", "CREATE_BUILDING", "DELETE_GMAIL_SETTING"],
      allow: [rule],
      control: { event: "ADD_MOBILE_CERTIFICATE" },
      hostnames: ["www.example.com"],
    }),
  ).toEqual({
    start: new Date("2026-11-21T20:00:00Z"),
    end: new Date("2026-11-22T00:00:00Z"),
    watch: ["authority", "CREATE_BUILDING", "DELETE_HOSTED_MAIL_SETTING"],
    allow: [{ ...rule, event: "CREATE_HOSTED_MAIL_SETTING", expires: new Date("2026-11-21T22:00:00Z") }],
    control: { event: "ADD_MOBILE_CERTIFICATE" },
    hostnames: ["www.example.com"],
  });
});

test("reports all mistakes at once, each with its place and what is allowed", () => {
  let error: unknown;
  try {
    readFreeze({
      begin: 1,
      start: "2026-11-21 20:00:00",
      watch: ["autority", "x"],
      allow: [{ event: "ASIGN_ROLE", ticket: "", expires: "soon" }, 7],
      control: { event: "CREATE_ROLE", parameters: { COLOUR: "red" } },
      hostnames: "www.example.com",
    });
  } catch (thrown) {
    error = thrown;
  }
  expect((error as InputError).problems).toEqual([
    {
      code: "property-unknown",
      message: "freeze: there is no 'begin'; it has start, end, watch, allow, control, hostnames",
    },
    {
      code: "time-invalid",
      message:
        "freeze.start: '2026-11-21 20:00:00' is not a time; use RFC 3339 with a zone, as in 2026-11-21T22:00:00Z",
    },
    { code: "time-invalid", message: "freeze.end: is missing; use RFC 3339 with a zone, as in 2026-11-21T22:00:00Z" },
    {
      code: "watch-unknown",
      message: "freeze.watch[0]: 'autority' is neither a class nor an event; did you mean authority",
    },
    {
      code: "watch-unknown",
      message:
        "freeze.watch[1]: 'x' is neither a class nor an event; use an event, or one of trust-anchors, authority, interop-endpoint, network-trust, mail-path, fleet",
    },
    {
      code: "event-uncatalogued",
      message: "freeze.allow[0].event: 'ASIGN_ROLE' is not in the catalogue; did you mean ASSIGN_ROLE",
    },
    { code: "text-missing", message: "freeze.allow[0].actor: is missing; give one that is not empty" },
    { code: "text-missing", message: "freeze.allow[0].ticket: is no text; give one that is not empty" },
    {
      code: "time-invalid",
      message: "freeze.allow[0].expires: 'soon' is not a time; use RFC 3339 with a zone, as in 2026-11-21T22:00:00Z",
    },
    {
      code: "mapping-expected",
      message: "freeze.allow[1]: is not a mapping; expected members: event, actor, parameters, ticket, expires",
    },
    { code: "text-missing", message: "freeze.allow[1].event: is missing; give one that is not empty" },
    { code: "text-missing", message: "freeze.allow[1].actor: is missing; give one that is not empty" },
    { code: "text-missing", message: "freeze.allow[1].ticket: is missing; give one that is not empty" },
    {
      code: "time-invalid",
      message: "freeze.allow[1].expires: is missing; use RFC 3339 with a zone, as in 2026-11-21T22:00:00Z",
    },
    { code: "list-expected", message: "freeze.hostnames: is not a list; write a list, even for one entry" },
    { code: "property-unknown", message: "freeze.control.parameters: there is no 'COLOUR'; it has ROLE_NAME, ROLE_ID" },
  ]);
});

test.each([
  [{ start: "2026-11-21T20:00:00Z", end: "2026-11-21T20:00:00Z" }, "freeze-empty"],
  [{ start: "2026-11-21T20:00:00Z", end: "2026-11-22T20:00:00Z", watch: [] }, "freeze-watches-nothing"],
])("fails for %j with %s", (data, code) => {
  expect(() => readFreeze(data)).toThrow(expect.objectContaining({ code }));
});

test.each([null, "freeze", []])("fails for %j", (data) => {
  expect(() => readFreeze(data)).toThrow(InputError);
});
