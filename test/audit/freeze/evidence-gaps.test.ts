import { type EventName, evaluateFreeze, type FreezeEvidence, parseActivity } from "../../../lib/audit";
import { assignRole, event, record } from "../activities";
import { building, evidence, freeze, gapCodes } from "./evidence";

test.each<[string, FreezeEvidence, string]>([
  [
    "a listing that broke off",
    evidence([[5, building]], { complete: false, failure: "HTTP 403" }),
    "listing-incomplete",
  ],
  ["no event at all", evidence([]), "no-data"],
  ["the lag is not over", evidence([[1, building]], { listedAt: new Date("2026-11-21T10:10:00Z") }), "lag-not-over"],
  [
    "a freeze that the service no longer has",
    evidence([[5, building]], { listedAt: new Date("2027-06-01T00:00:00Z") }),
    "freeze-too-old",
  ],
  [
    "a record that is not an object",
    evidence([[5, building]], {
      unreadable: [{ problem: { code: "activity-malformed", message: "no object" }, raw: 1 }],
    }),
    "record-unreadable",
  ],
  ["data that the service reports as missing", evidence([[5, building]], { warnings: ["partial"] }), "data-missing"],
  [
    "an event under a name like that of a watched one",
    evidence([
      [5, building],
      [6, event("DELEGATED_ADMIN", "ASSIGN_ADMIN_ROLE")],
    ]),
    "event-alike",
  ],
  [
    "an event that has one word more than a watched one",
    evidence([
      [5, building],
      [6, event("MOBILE_SETTINGS", "ADD_MOBILE_CA_CERTIFICATE")],
    ]),
    "event-alike",
  ],
  [
    "an event that the service has renamed",
    evidence([
      [5, building],
      [6, event("APPLICATION_SETTINGS", "CREATE_APPLICATION_SETTING")],
    ]),
    "event-alike",
  ],
  [
    "a watched name of another type",
    evidence([
      [5, building],
      [6, event("MOBILE_SETTINGS", "ASSIGN_ROLE")],
    ]),
    "event-alike",
  ],
  [
    "a new event of the administrators' roles",
    evidence([
      [5, building],
      [6, event("DELEGATED_ADMIN_SETTINGS", "CLONE")],
    ]),
    "event-alike",
  ],
])("a freeze is unknown %s", (_, given, code) => {
  const report = evaluateFreeze(freeze, given);
  expect([report.verdict, gapCodes(report)]).toEqual(["unknown", [code]]);
});

test.each<[EventName, string, string]>([
  ["CHANGE_HOSTED_MAIL_SETTING", "APPLICATION_SETTINGS", "CHANGE_APPLICATION_SETTING"],
  ["ASSIGN_ROLE", "DELEGATED_ADMIN_SETTINGS", "GRANT"],
  ["PARTNER_DEP_SYNC_TRIGGERED", "MOBILE_SETTINGS", "A_COMPANY_WITH_A_LONG_NAME_DEP_SYNC_TRIGGERED"],
])(
  "a freeze is unknown if %s is watched by its own name and appears under a new name: %s %s",
  (watched, type, name) => {
    const report = evaluateFreeze(
      { ...freeze, watch: [watched] },
      evidence([
        [5, building],
        [6, event(type, name)],
      ]),
    );
    expect([report.verdict, gapCodes(report)]).toEqual(["unknown", ["event-alike"]]);
  },
);

test.each([
  ["no time", { id: { uniqueQualifier: "1" }, events: [assignRole()] }],
  ["no event", { id: { time: "2026-11-21T10:05:00Z", uniqueQualifier: "1" } }],
  ["an event without a name", record([{ type: "DELEGATED_ADMIN_SETTINGS" }], { time: "2026-11-21T13:05:00Z" })],
])("a freeze is unknown for a record with %s", (_, given) => {
  const report = evaluateFreeze(
    freeze,
    evidence([[5, building]], { activities: [parseActivity(given), ...evidence([[5, building]]).activities] }),
  );
  expect([report.verdict, gapCodes(report)]).toEqual(["unknown", ["record-unreadable"]]);
});

test("a freeze that has not begun is unknown", () => {
  const report = evaluateFreeze(freeze, evidence([], { listedAt: new Date("2026-11-21T09:00:00Z") }));
  expect([report.verdict, report.asOf, gapCodes(report)]).toEqual(["unknown", null, ["lag-not-over", "no-data"]]);
});

test("a freeze is not unknown because of an ordinary event that is missing from the catalogue", () => {
  const report = evaluateFreeze(freeze, evidence([[5, event("USER_SETTINGS", "CREATE_USER", { USER_EMAIL: "u" })]]));
  expect([report.verdict, report.counts.uncatalogued]).toEqual(["clear-as-of", 1]);
});

test("a freeze is unknown if it is signed off before the log can be complete up to the end", () => {
  const early = evidence([[5, building]], { listedAt: new Date("2026-11-21T12:09:59Z") });
  expect(gapCodes(evaluateFreeze(freeze, early, { signOff: true }))).toEqual(["freeze-not-over"]);
  const later = evidence([[5, building]], { listedAt: new Date("2026-11-21T12:10:00Z") });
  expect(evaluateFreeze(freeze, later, { signOff: true })).toMatchObject({ verdict: "clear-as-of", final: true });
});
