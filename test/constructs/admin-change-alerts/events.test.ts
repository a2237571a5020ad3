import { eventNames, type WatchClass, watchClasses, watchClassNames } from "../../../lib/audit/catalogue";
import { alertedEvents } from "../../../lib/constructs/admin-change-alerts/events";

/** Keys of the alerts with their events, `*` where any parameters will do. */
const summary = (...chosen: readonly string[]) =>
  alertedEvents(chosen).map(({ key, events }) => [
    key,
    events.map(({ event, only }) => (only === undefined ? event : `${event} by ${only.parameter}`)).join(" "),
  ]);

test("creates one alert for each class, with the events of the catalogue", () => {
  expect(alertedEvents(["trust-anchors"])).toEqual([
    {
      key: "trust-anchors",
      why: "certificates that managed devices trust: clients that trust a private CA fail if its certificate is removed too early or added too late",
      events: [{ event: "ADD_MOBILE_CERTIFICATE" }, { event: "REMOVE_MOBILE_CERTIFICATE" }],
    },
  ]);
  expect(alertedEvents(watchClassNames)).toEqual(
    watchClassNames.map((key) => ({ key, ...(watchClasses[key] satisfies WatchClass) })),
  );
});

test("creates one alert for all events that are named separately, whatever spelling, order and repetition", () => {
  const expected = [["events", "CREATE_BUILDING CHANGE_HOSTED_MAIL_SETTING"]];
  expect(summary("CREATE_BUILDING", "CHANGE_HOSTED_MAIL_SETTING")).toEqual(expected);
  expect(summary("CHANGE_GMAIL_SETTING", "CREATE_BUILDING", "CHANGE_HOSTED_MAIL_SETTING")).toEqual(expected);
});

test("keeps an event in its class if both are named", () => {
  expect(summary("CREATE_BUILDING", "ADD_MOBILE_CERTIFICATE", "trust-anchors")).toEqual([
    ["trust-anchors", "ADD_MOBILE_CERTIFICATE REMOVE_MOBILE_CERTIFICATE"],
    ["events", "CREATE_BUILDING"],
  ]);
});

test("alerts for all values of an event that is named, even if its class watches only some values", () => {
  const fleet = (chosen: readonly string[]) => summary(...chosen)[0]?.[1];
  expect(fleet(["fleet"])).toMatch(/ ACTION_REQUESTED by ACTION_TYPE$/);
  expect(fleet(["fleet", "ACTION_REQUESTED"])).toMatch(/ ACTION_REQUESTED$/);
});

test("raises no two alerts for one event", () => {
  const all = alertedEvents([...watchClassNames, ...eventNames]).flatMap(({ events }) =>
    events.map(({ event }) => event),
  );
  expect([...all].sort()).toEqual([...eventNames].sort());
});
