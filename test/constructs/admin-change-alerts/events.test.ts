import { eventNames, type WatchClass, watchClasses, watchClassNames } from "../../../lib/audit/catalogue";
import { alertedEvents } from "../../../lib/constructs/admin-change-alerts/events";

/** Keys of the alerts with their events, `*` where any parameters will do. */
const summary = (...chosen: readonly string[]) =>
  alertedEvents(chosen).map(({ key, events }) => [
    key,
    events.map(({ event, only }) => (only === undefined ? event : `${event} by ${only.parameter}`)).join(" "),
  ]);

test("a class is an alert of its own, with what the catalogue has for it", () => {
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

test("events that are named by themselves share one alert, whatever spelling, order and repetition", () => {
  const expected = [["events", "CREATE_BUILDING CHANGE_HOSTED_MAIL_SETTING"]];
  expect(summary("CREATE_BUILDING", "CHANGE_HOSTED_MAIL_SETTING")).toEqual(expected);
  expect(summary("CHANGE_GMAIL_SETTING", "CREATE_BUILDING", "CHANGE_HOSTED_MAIL_SETTING")).toEqual(expected);
});

test("an event beside its class stays with it", () => {
  expect(summary("CREATE_BUILDING", "ADD_MOBILE_CERTIFICATE", "trust-anchors")).toEqual([
    ["trust-anchors", "ADD_MOBILE_CERTIFICATE REMOVE_MOBILE_CERTIFICATE"],
    ["events", "CREATE_BUILDING"],
  ]);
});

test("an event that its class watches for some values is alerted about for all of them once it is named", () => {
  const fleet = (chosen: readonly string[]) => summary(...chosen)[0]?.[1];
  expect(fleet(["fleet"])).toMatch(/ ACTION_REQUESTED by ACTION_TYPE$/);
  expect(fleet(["fleet", "ACTION_REQUESTED"])).toMatch(/ ACTION_REQUESTED$/);
});

test("no event raises two alerts", () => {
  const all = alertedEvents([...watchClassNames, ...eventNames]).flatMap(({ events }) =>
    events.map(({ event }) => event),
  );
  expect([...all].sort()).toEqual([...eventNames].sort());
});
